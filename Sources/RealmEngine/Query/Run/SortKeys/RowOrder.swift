// Puts row numbers in the order of their columns' words, by digits rather than by comparing.
// Layer: Query, Run, SortKeys.
// Invariant: rows that are equal in all columns keep their order.

/// What rows are sorted by.
struct SortLevel: Sendable {
  let words: [UInt64]
  /// Makes words that sort first the smaller ones.
  let flip: UInt64
  /// What decides behind these words where they are cut; else none.
  let cut: TruncatedKeys

  init(_ words: [UInt64], isAscending: Bool = true, cut: TruncatedKeys = TruncatedKeys()) {
    self.init(words, flip: isAscending ? 0 : UInt64.max, cut: cut)
  }

  init(_ words: [UInt64], flip: UInt64, cut: TruncatedKeys) {
    self.words = words
    self.flip = flip
    self.cut = cut
  }

  /// The level for some rows, in their order.
  func chosen(_ rows: [Int32]) -> SortLevel {
    SortLevel(rows.map { words[Int($0)] }, flip: flip, cut: cut.chosen(rows))
  }
}

extension [SortLevel] {
  /// Negative, zero or positive as a row sorts before, with or after another by the levels from number `first` on.
  @inline(__always)
  func compare(_ left: Int, _ right: Int, from first: Int) -> Int {
    for number in first..<count {
      let word = self[number].words[left]
      let other = self[number].words[right]
      let flip = self[number].flip
      if word != other { return word ^ flip < other ^ flip ? -1 : 1 }
      guard !self[number].cut.isEmpty, OrderKey.isCut(word) else { continue }
      let order = self[number].cut.compare(left, right)
      if order != 0 { return flip == 0 ? order : -order }
    }
    return 0
  }
}

/// The values of a column that words do not say all of.
struct TruncatedKeys: Sendable {
  let texts: [ByteString]
  private let values: [Value]
  let isEmpty: Bool

  /// Whether these are mixed values, which words say less of than of texts.
  var hasValues: Bool { !values.isEmpty }

  init(texts: [ByteString] = [], values: [Value] = []) {
    (self.texts, self.values) = (texts, values)
    isEmpty = texts.isEmpty && values.isEmpty
  }

  @inline(__always)
  func compare(_ row: Int, _ other: Int) -> Int {
    texts.isEmpty ? values[row].storedOrder(values[other]) : texts[row].bytes.compare(texts[other].bytes)
  }

  /// Those of some rows, in their order.
  func chosen(_ rows: [Int32]) -> TruncatedKeys {
    TruncatedKeys(
      texts: texts.isEmpty ? [] : rows.map { texts[Int($0)] },
      values: values.isEmpty ? [] : rows.map { values[Int($0)] })
  }
}

/// Row numbers on their way to sorted order.
struct RowOrder {
  private let levels: [SortLevel]
  /// Row numbers below bits of their words: all the bits that are looked at together.
  private var entries: [UInt64]
  /// Where entries are dealt out to.
  private var scratch: [UInt64]
  private let rowBits: Int
  private let rowMask: UInt64
  /// Whether the row at a place of the order is equal to the one before it; empty where nobody asks.
  private var isRepeat: [Bool]

  /// Ranges up to this length are sorted by comparing.
  private static let comparedMax = 24

  /// `0 ..< count`, sorted. `isAlone`: by one thread, because others have work already.
  static func sorted(_ count: Int, by levels: [SortLevel], isAlone: Bool = false) -> [Int32] {
    switch Arrival(count, by: levels) {
    case .rising, .level: return Array(0..<Int32(count))
    case .falling: return Self.rows(count) { Int32(truncatingIfNeeded: count &- 1 &- $0) }
    case .mixed: break
    }
    if !isAlone, count >= ParallelOrder.rowsMin, let order = ParallelOrder.sorted(count, by: levels) {
      return order
    }
    if levels.count == 1, let level = levels.first, level.cut.isEmpty,
      let order = CountedOrder.sorted(level.words, flip: level.flip)
    {
      return order
    }
    var order = RowOrder(levels, count, findsRepeats: false)
    order.sort(0..<count, from: 0)
    let (entries, rowMask) = (order.entries.span, order.rowMask)
    return Self.rows(count) { Int32(truncatingIfNeeded: entries[$0] & rowMask) }
  }

  @inline(__always)
  private static func rows(_ count: Int, _ row: (Int) -> Int32) -> [Int32] {
    var rows: [Int32] = []
    rows.reserveLarge(count)
    rows.append(upTo: count) { rows in
      for place in 0..<count { rows.append(row(place)) }
    }
    return rows
  }

  /// Those of `0 ..< count` that are equal to no row before them.
  static func firsts(_ count: Int, by levels: [SortLevel]) -> [Int32] {
    switch Arrival(count, by: levels) {
    case .rising, .falling: return Array(0..<Int32(count))
    case .level, .mixed: break
    }
    // Where words say all, nothing has to be sorted to see that they are the same.
    if levels.allSatisfy(\.cut.isEmpty) { return RepeatedKeys.firsts(count, of: levels.map(\.words)) }
    var order = RowOrder(levels, count, findsRepeats: true)
    order.sort(0..<count, from: 0)
    var isFirst = [Bool](repeating: false, count: count)
    for (place, entry) in order.entries.enumerated() where !order.isRepeat[place] {
      isFirst[Int(entry & order.rowMask)] = true
    }
    var firsts: [Int32] = []
    for row in 0..<count where isFirst[row] { firsts.append(Int32(row)) }
    return firsts
  }

  /// How rows come: ids and dates often rise with the keys.
  private enum Arrival {
    /// Each row sorts behind the one before it.
    case rising
    /// Each row sorts before the one before it.
    case falling
    /// No row sorts before the one before it.
    case level
    case mixed

    init(_ count: Int, by levels: [SortLevel]) {
      guard let first = levels.first, count > 1 else {
        self = count > 1 ? .level : .rising
        return
      }
      let (words, flip) = (first.words.span, first.flip)
      let isFalling = words[0] ^ flip > words[1] ^ flip
      // Turns the words round once more where they fall, so that there is one question to ask.
      let turned = isFalling ? ~flip : flip
      var hasEquals = false
      var last = words[0] ^ turned
      for row in 1..<count {
        let word = words[row] ^ turned
        if word <= last {
          guard word == last else {
            self = .mixed
            return
          }
          hasEquals = true
        }
        last = word
      }
      // What decides behind equal words has not been looked at.
      let isAll = levels.count == 1 && first.cut.isEmpty
      self = !hasEquals ? (isFalling ? .falling : .rising) : isAll && !isFalling ? .level : .mixed
    }
  }

  private init(_ levels: [SortLevel], _ count: Int, findsRepeats: Bool) {
    precondition(count <= Int(Int32.max))
    self.levels = levels
    entries = []
    entries.reserveLarge(count)
    entries.append(upTo: count) { entries in
      for row in 0..<UInt64(count) { entries.append(row) }
    }
    scratch = DigitSort.scratch(count)
    rowBits = UInt64.bitWidth - UInt64(max(1, count)).leadingZeroBitCount
    rowMask = 1 << UInt64(rowBits) - 1
    isRepeat = [Bool](repeating: false, count: findsRepeats ? count : 0)
  }

  private func row(_ place: Int) -> Int { Int(entries[place] & rowMask) }

  // MARK: By digits

  /// Sorts a range whose rows are equal before level number `first`.
  private mutating func sort(_ range: Range<Int>, from first: Int) {
    guard range.count > Self.comparedMax else { return sortByInserting(range, from: first) }
    var digits: [(level: Int, bits: BitSelection)] = []
    var room = UInt64.bitWidth - rowBits
    var next = first
    while next < levels.count, room > 0 {
      let bits = BitSelection(of: spread(range, next), room: room)
      if bits.count > 0 { digits.append((next, bits)) }
      room -= bits.count
      // What is left of these words, and the values behind them, is looked at among those that are equal so far.
      if !bits.isWhole || !levels[next].cut.isEmpty && (bits.count > 0 || isCut(range, next)) { break }
      next += 1
    }
    if !digits.isEmpty {
      for place in range { entries[place] &= rowMask }
      for (level, bits) in digits { fill(range, level, bits) }
      let keyBits = UInt64.bitWidth - rowBits - room
      DigitSort.sort(&entries, range, bits: rowBits..<rowBits + keyBits, scratch: &scratch)
      if next < levels.count || !isRepeat.isEmpty { sortRuns(range, from: next) }
    } else if next < levels.count {
      sortByComparing(range, from: next)
    } else {
      noteRepeats(range)
    }
  }

  private func spread(_ range: Range<Int>, _ level: Int) -> KeySpread {
    let (column, flip) = (levels[level].words, levels[level].flip)
    let words = column.span
    var spread = KeySpread(words[row(range.lowerBound)] ^ flip)
    let entries = entries.span
    for place in range { spread.add(words[Int(entries[place] & rowMask)] ^ flip) }
    return spread
  }

  private func isCut(_ range: Range<Int>, _ level: Int) -> Bool {
    OrderKey.isCut(levels[level].words[row(range.lowerBound)])
  }

  /// Puts bits of a level's words between the row numbers and the bits that are there.
  private mutating func fill(_ range: Range<Int>, _ level: Int, _ bits: BitSelection) {
    let (column, flip) = (levels[level].words, levels[level].flip)
    let words = column.span
    let (rowBits, rowMask) = (UInt64(rowBits), rowMask)
    var entries = entries.mutableSpan
    bits.withAppending { append in
      for place in range {
        let entry = entries[place]
        let row = entry & rowMask
        entries[place] = append(entry &>> rowBits, words[Int(row)] ^ flip) &<< rowBits | row
      }
    }
  }

  /// Sorts each run of entries with the same bits.
  private mutating func sortRuns(_ range: Range<Int>, from next: Int) {
    // Mostly a run is of rows that are equal, which is told here where one level is left.
    let words = next == levels.count - 1 && levels[next].cut.isEmpty ? levels[next].words : []
    var start = range.lowerBound
    while start < range.upperBound {
      let entry = entries[start]
      var end = start + 1
      while end < range.upperBound, (entries[end] ^ entry) <= rowMask { end += 1 }
      if end - start > 1 {
        if !words.isEmpty, hasOneWord(start..<end, words) {
          noteRepeats(start..<end)
        } else {
          sort(start..<end, from: next)
        }
      }
      start = end
    }
  }

  @inline(__always)
  private func hasOneWord(_ range: Range<Int>, _ words: [UInt64]) -> Bool {
    let word = words[row(range.lowerBound)]
    for place in range.dropFirst() where words[row(place)] != word { return false }
    return true
  }

  // MARK: By comparing

  private mutating func sortByComparing(_ range: Range<Int>, from first: Int) {
    // The standard library's sort keeps the order of equals.
    let sorted = entries[range].sorted { compare($0, $1, from: first) < 0 }
    entries.replaceSubrange(range, with: sorted)
    findRepeats(range, from: first)
  }

  private mutating func sortByInserting(_ range: Range<Int>, from first: Int) {
    for index in range.dropFirst() {
      let entry = entries[index]
      var place = index
      while place > range.lowerBound, compare(entry, entries[place - 1], from: first) < 0 {
        entries[place] = entries[place - 1]
        place -= 1
      }
      entries[place] = entry
    }
    findRepeats(range, from: first)
  }

  /// Negative, zero or positive as the row of `left` sorts before, with or after that of `right`.
  @inline(__always)
  private func compare(_ left: UInt64, _ right: UInt64, from first: Int) -> Int {
    levels.compare(Int(left & rowMask), Int(right & rowMask), from: first)
  }

  // MARK: Repeats

  private mutating func findRepeats(_ range: Range<Int>, from first: Int) {
    if isRepeat.isEmpty { return }
    for place in range.dropFirst() where compare(entries[place - 1], entries[place], from: first) == 0 {
      isRepeat[place] = true
    }
  }

  /// All rows of the range are equal.
  private mutating func noteRepeats(_ range: Range<Int>) {
    if isRepeat.isEmpty { return }
    for place in range.dropFirst() { isRepeat[place] = true }
  }
}

// Each row is put where it belongs after one look at all words: nothing is sorted, and no copies of words are made.

/// Sorting by counting.
enum CountedOrder {
  /// Bits by which words may differ: there is a counter for each combination of them.
  private static let bitsMax = 11
  /// Words between two looks at whether they differ in too many bits.
  private static let runLength = 1 << 12

  /// `0 ..< words.count` in the order of `words` with `flip` applied, equal ones as they are; nil where words differ by
  /// too much.
  static func sorted(_ words: [UInt64], flip: UInt64) -> [Int32]? {
    bits(of: words.span, flip: flip)?.digit(flip: flip).map { CountingSort.rows(words, by: $0) }
  }

  /// The bits by which all words can be told apart; nil where they are too many.
  private static func bits(of words: Span<UInt64>, flip: UInt64) -> BitSelection? {
    guard words.count > 0 else { return nil }
    var spread = KeySpread(words[0] ^ flip)
    var start = 0
    while start < words.count {
      let end = min(words.count, start + runLength)
      for row in start..<end { spread.add(words[row] ^ flip) }
      start = end
      if !BitSelection(of: spread, room: bitsMax).isWhole { return nil }
    }
    return BitSelection(of: spread, room: bitsMax)
  }
}
