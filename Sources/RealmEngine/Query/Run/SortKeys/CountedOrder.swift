// Rows in the order of words of which there are few different ones: flags, ages, states. Layer: Query.
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
