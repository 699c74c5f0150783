// Puts row numbers in the order of their columns' words, by digits rather than by comparing. Layer: Query.
// Invariant: rows that are equal in all columns keep their order.

/// Row numbers on their way to sorted order.
struct RowOrder {
  private struct Entry {
    /// Those bits of the word in which rows of the range differ, up to 64 of them.
    var key: UInt64
    var row: Int
  }

  private let columns: [SortColumn]
  private var entries: [Entry]
  /// Where digits are dealt out to.
  private var scratch: [Entry]

  /// Ranges up to this length are sorted by inserting.
  private static let comparedMax = 24

  /// `0 ..< count`, sorted.
  static func sorted(_ count: Int, by columns: [SortColumn]) -> [Int] {
    var order = RowOrder(columns, count)
    order.sort(0..<count, from: 0)
    return order.entries.map(\.row)
  }

  private init(_ columns: [SortColumn], _ count: Int) {
    self.columns = columns
    entries = (0..<count).map { Entry(key: 0, row: $0) }
    scratch = entries
  }

  /// Sorts a range whose rows are equal in the columns before number `first`.
  private mutating func sort(_ range: Range<Int>, from first: Int) {
    guard range.count > Self.comparedMax else { return sortByComparing(range, from: first) }
    let words = columns[first].words
    let firstWord = words[entries[range.lowerBound].row]
    var differing: SortWord = 0
    for index in range { differing |= words[entries[index].row] ^ firstWord }
    let selection = BitSelection(differing)
    if selection.bitCount > 0 {
      for index in range { entries[index].key = selection.bits(of: words[entries[index].row]) }
      sortByKey(range, bitCount: selection.bitCount)
    }
    var start = range.lowerBound
    while start < range.upperBound {
      var end = start + 1
      while end < range.upperBound, selection.bitCount == 0 || entries[end].key == entries[start].key {
        end += 1
      }
      if end - start > 1 { sortEquals(start..<end, from: first, isWholeWord: selection.isWhole) }
      start = end
    }
  }

  /// Sorts a range whose rows have the same key in column number `first`.
  private mutating func sortEquals(_ range: Range<Int>, from first: Int, isWholeWord: Bool) {
    if !isWholeWord { return sort(range, from: first) }
    if !columns[first].isSaidByWord(entries[range.lowerBound].row) {
      return sortByComparing(range, from: first)
    }
    if first + 1 < columns.count { sort(range, from: first + 1) }
  }

  private mutating func sortByComparing(_ range: Range<Int>, from first: Int) {
    guard range.count <= Self.comparedMax else {
      // The standard library's sort keeps the order of equals.
      let sorted = entries[range].sorted { isBefore($0.row, $1.row, from: first) }
      return entries.replaceSubrange(range, with: sorted)
    }
    for index in range.dropFirst() {
      let entry = entries[index]
      var place = index
      while place > range.lowerBound, isBefore(entry.row, entries[place - 1].row, from: first) {
        entries[place] = entries[place - 1]
        place -= 1
      }
      entries[place] = entry
    }
  }

  @inline(__always)
  private func isBefore(_ left: Int, _ right: Int, from first: Int) -> Bool {
    for number in first..<columns.count {
      let order = columns[number].compare(left, right)
      if order != 0 { return order < 0 }
    }
    return false
  }

  /// Deals the range out by one digit of the key after the other, the last one first.
  private mutating func sortByKey(_ range: Range<Int>, bitCount: Int) {
    let digitWidth = range.count > 4096 ? 11 : 8
    var starts = [Int](repeating: 0, count: 1 << digitWidth)
    let mask = UInt64(starts.count - 1)
    for shift in stride(from: 0, to: bitCount, by: digitWidth) {
      for digit in starts.indices { starts[digit] = 0 }
      for index in range { starts[Int(entries[index].key >> UInt64(shift) & mask)] += 1 }
      var position = range.lowerBound
      for digit in starts.indices {
        let count = starts[digit]
        starts[digit] = position
        position += count
      }
      for index in range {
        let entry = entries[index]
        let digit = Int(entry.key >> UInt64(shift) & mask)
        scratch[starts[digit]] = entry
        starts[digit] += 1
      }
      if range.count == entries.count {
        swap(&entries, &scratch)
      } else {
        for index in range { entries[index] = scratch[index] }
      }
    }
  }
}

/// The highest bits of a word that are worth sorting by.
private struct BitSelection {
  private struct Run {
    let shift: SortWord
    let length: UInt64
    let mask: UInt64
  }

  private var runs: [Run] = []
  private(set) var bitCount = 0
  /// Whether these are all bits in which words differ.
  let isWhole: Bool

  init(_ differing: SortWord) {
    var left = differing
    while left != 0, bitCount < UInt64.bitWidth {
      let end = SortWord.bitWidth - left.leadingZeroBitCount
      // As long as the bits below differ too, and there is room.
      let ones = (~(left << SortWord(SortWord.bitWidth - end))).leadingZeroBitCount
      let length = min(ones, UInt64.bitWidth - bitCount)
      let start = end - length
      let mask = length == UInt64.bitWidth ? UInt64.max : 1 << UInt64(length) - 1
      runs.append(Run(shift: SortWord(start), length: UInt64(length), mask: mask))
      bitCount += length
      left &= start == 0 ? 0 : (1 << SortWord(start)) - 1
    }
    isWhole = left == 0
  }

  @inline(__always)
  func bits(of word: SortWord) -> UInt64 {
    var bits: UInt64 = 0
    for run in runs { bits = bits << run.length | UInt64(truncatingIfNeeded: word >> run.shift) & run.mask }
    return bits
  }
}
