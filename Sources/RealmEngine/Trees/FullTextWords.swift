// How a text is cut into the words of a full-text index. Layer: Trees.
// Only ASCII letters and digits and the Latin letters U+00C0 to U+00FE make words; case and most accents are
// dropped. Everything else separates words.

/// Cuts texts into words.
package enum FullTextWords {
  /// A longer word loses its rest.
  package static let wordSizeMax = 64

  /// The distinct words of `text`, in no particular order. A run of letters that all map to nothing is the empty
  /// word.
  package static func words(in text: RawBytes) -> Set<[UInt8]> {
    var words: Set<[UInt8]> = []
    forEachWord(in: text) { words.insert($0) }
    return words
  }

  /// So many words are faster compared than hashed.
  private static let comparedCountMax = 16

  /// Adds the distinct words of `text`, which stand in `arena`, in the order in which they come first.
  package static func appendDistinctWords(
    of text: RawBytes, to words: inout [ByteString?], in arena: TextArena
  ) throws(EngineError) {
    let start = words.count
    var seen: Set<ByteString> = []
    try forEachWord(in: text) { word throws(EngineError) in
      let word = try arena.text(word.span)
      guard words.count - start >= comparedCountMax else {
        if !words[start...].contains(word) { words.append(word) }
        return
      }
      if seen.isEmpty { seen = Set(words[start...].compactMap { $0 }) }
      if seen.insert(word).inserted { words.append(word) }
    }
  }

  /// Calls `body` with each word as it stands, repetitions included.
  package static func forEachWord<E: Error>(
    in text: RawBytes, _ body: ([UInt8]) throws(E) -> Void
  ) throws(E) {
    var word: [UInt8] = []
    var isInWord = false
    var index = 0
    while index < text.count {
      let lead = text[index]
      var isLetter = true
      switch lead {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"):
        if word.count < wordSizeMax { word.append(lead) }
      case UInt8(ascii: "A")...UInt8(ascii: "Z"):
        if word.count < wordSizeMax { word.append(lead + 0x20) }
      case 0xC0...0xDF:
        // A lead byte at the very end is taken with a zero byte.
        let next = index + 1 < text.count ? text[index + 1] : 0
        if let letter = mapped(UInt32(lead & 0x1F) << 6 | UInt32(next & 0x3F)) {
          if word.count + letter.count <= wordSizeMax { word += letter }
        } else {
          isLetter = false
        }
      default: isLetter = false
      }
      index += sequenceSize(lead)
      if isLetter {
        isInWord = true
      } else if isInWord {
        try body(word)
        word.removeAll(keepingCapacity: true)
        isInWord = false
      }
    }
    if isInWord { try body(word) }
  }

  private static func sequenceSize(_ lead: UInt8) -> Int {
    switch lead {
    case 0xC0...0xDF: 2
    case 0xE0...0xEF: 3
    case 0xF0...0xF7: 4
    default: 1
    }
  }

  private static let letters: [[UInt8]] = [
    "a", "a", "a", "a", "a", "å", "æ", "c", "e", "e", "e", "e", "i", "i", "i", "i",
    "ð", "n", "o", "o", "o", "o", "o", "", "ø", "u", "u", "u", "u", "y", "þ", "ß",
  ].map { Array($0.utf8) }

  /// Nil for what separates words; empty for the two signs that count as letters and leave nothing.
  private static func mapped(_ codePoint: UInt32) -> [UInt8]? {
    guard (0xC0...0xFE).contains(codePoint) else { return nil }
    return letters[Int(codePoint & 0x1F)]
  }
}
