// Numbers that should rise, of which a few are damaged. Layer: Salvage.

package enum RisingNumbers {
  /// Which of them belong to every longest series of rising numbers that `isAllowed` takes: what stands in some of these only
  /// may be wrong itself. Cost: that of sorting them.
  package static func sure(in numbers: [Int64], _ isAllowed: (Int64) -> Bool) -> [Bool] {
    let indexes = numbers.indices.filter { isAllowed(numbers[$0]) }
    let before = lengths(indexes.map { numbers[$0] })
    let behind = lengths(indexes.reversed().map { ~numbers[$0] })
    let longest = before.max() ?? 0
    var candidates: [Int: [Int]] = [:]
    for (place, index) in indexes.enumerated()
    where before[place] + behind[indexes.count - 1 - place] == longest + 1 {
      candidates[before[place], default: []].append(index)
    }
    var result = Array(repeating: false, count: numbers.count)
    for found in candidates.values where found.count == 1 { result[found[0]] = true }
    return result
  }

  /// How long the longest rising series is that ends with each number.
  private static func lengths(_ numbers: [Int64]) -> [Int] {
    // The least number that a series of each length ends with.
    var ends: [Int64] = []
    return numbers.map { number in
      var low = 0
      var high = ends.count
      while low < high {
        let middle = (low + high) / 2
        if ends[middle] < number { low = middle + 1 } else { high = middle }
      }
      if low == ends.count { ends.append(number) } else { ends[low] = number }
      return low + 1
    }
  }
}
