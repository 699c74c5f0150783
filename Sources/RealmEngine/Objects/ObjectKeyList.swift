// Some objects of a class, by their keys in few bits, looked up block by block, so that few of many cost little. Layer: Objects.
// Invariant: the keys rise as rows do, as unsigned numbers.

/// The keys of objects that something is done with.
package struct ObjectKeyList: Sendable {
  let numbers: CompressedIntegers

  /// `keys` in any order, each once.
  package init(_ keys: some Sequence<ObjectKey>) { self.init(CompressedIntegers(keys.lazy.map(\.value))) }

  /// The same as numbers, which nobody adds to any more.
  package init(_ keys: CompressedIntegers) { numbers = keys.rising() }

  package var count: Int { numbers.count }
  package var isEmpty: Bool { numbers.isEmpty }
  package var first: ObjectKey? { numbers.first.map { ObjectKey($0) } }

  /// Those in some places of the list.
  package subscript(range: Range<Int>) -> [ObjectKey] { numbers[range].map { ObjectKey($0) } }

  /// The rows of a block that hold objects of the list, from a position in it on, which moves to the first key behind the block.
  private func rows(of block: RowBlock, from position: inout Int) -> [Int] {
    let last = UInt64(bitPattern: block.key(block.count - 1).value)
    var rows: [Int] = []
    while position < count, UInt64(bitPattern: numbers[position]) <= last {
      if let row = block.row(of: ObjectKey(numbers[position])) { rows.append(row) }
      position += 1
    }
    return rows
  }

  /// Visits the blocks that hold objects of the list, in key order, and no others. Keys without an object are passed over.
  package func forEachBlock(
    of table: Table, _ body: (RowBlock, [Int]) throws(EngineError) -> Void
  ) throws(EngineError) {
    var position = 0
    while position < count {
      guard let place = try table.find(ObjectKey(numbers[position])) else {
        position += 1
        continue
      }
      let next = position
      let rows = rows(of: place.block, from: &position)
      guard position > next else {
        throw EngineError(.damaged, "the class \(table.schema.name) holds keys out of order")
      }
      try body(place.block, rows)
    }
  }
}

extension CompressedIntegers {
  /// Bits that a number may cost where they are put in order by a bit each.
  private static let bitsPerNumberMax = 64

  /// A bit for each number there could be between the first and the last; nil where that is more than the numbers are worth.
  func bits() -> IntegerBits? {
    var (least, most) = (Int64.max, Int64.min)
    for number in self { (least, most) = (Swift.min(least, number), Swift.max(most, number)) }
    let bitsMax = count * Self.bitsPerNumberMax
    guard least >= 0, var bits = IntegerBits(from: least, through: most, bitsMax: bitsMax)
    else { return nil }
    for number in self { bits.insert(number) }
    return bits
  }

  /// The same numbers in the order in which rows stand, as unsigned ones, each once.
  func rising() -> CompressedIntegers {
    var last: UInt64?
    let isRising = allSatisfy { number in
      let unsigned = UInt64(bitPattern: number)
      defer { last = unsigned }
      return last.map { $0 < unsigned } ?? true
    }
    if isRising { return self }
    let rising = CompressedIntegers()
    if let bits = bits() {
      bits.forEachMember { rising.append($0) }
    } else {
      last = nil
      for number in map({ UInt64(bitPattern: $0) }).sorted() where number != last {
        rising.append(Int64(bitPattern: number))
        last = number
      }
    }
    return rising
  }

  /// Whether one of the numbers, which rise as rows stand, is `number`.
  func holdsRising(_ number: Int64) -> Bool {
    let wanted = UInt64(bitPattern: number)
    let low = (0..<count).partitionPoint { UInt64(bitPattern: self[$0]) < wanted }
    return low < count && self[low] == number
  }
}
