// Putting rows in order by counting how many have each of a few digits. Layer: Kernels.
// Safe: the counts say where a row's number may be put, which is checked.

/// A few neighbouring bits of words, as a number.
struct KeyDigit {
  /// Changes all bits of a word where the order is to be turned round.
  let flip: UInt64
  /// The least word.
  let base: UInt64
  let shift: UInt64
  let mask: UInt64

  @inline(__always)
  func callAsFunction(_ word: UInt64) -> Int {
    Int(truncatingIfNeeded: ((word ^ flip) &- base) &>> shift & mask)
  }
}

/// Sorts by one digit.
enum CountingSort {
  /// `0 ..< words.count` in the order of a digit of the words; rows with the same one stay as they are.
  static func rows(_ words: [UInt64], by digit: KeyDigit) -> [Int32] {
    precondition(words.count <= Int(Int32.max))
    var places = [Int](repeating: 0, count: Int(digit.mask) + 1)
    var rows: [Int32] = []
    rows.reserveLarge(words.count)
    rows.append(upTo: words.count) { room in
      unsafe room.withUnsafeMutableBufferPointer { rows, initializedCount in
        let words = words.span
        var places = places.mutableSpan
        for row in words.indices { places[digit(words[row])] &+= 1 }
        var total = 0
        for digit in places.indices {
          let count = places[digit]
          places[digit] = total
          total += count
        }
        for row in words.indices {
          let digit = digit(words[row])
          let place = places[digit]
          precondition(place < rows.count, "each row has one place")
          unsafe rows[place] = Int32(truncatingIfNeeded: row)
          places[digit] = place &+ 1
        }
        initializedCount = words.count
      }
    }
    return rows
  }
}
