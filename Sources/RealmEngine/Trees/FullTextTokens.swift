// Splits text into the words that a full-text index holds. Layer: Trees.
// Exactly the reference engine's words, or index and text would disagree: runs of ASCII letters and digits and of
// U+00C0 to U+00FE, in lower case and mostly without diacritics.

/// The words of a UTF-8 text, in order, repeated ones included. The bytes may be anything.
package struct FullTextTokens: Sequence, IteratorProtocol {
  /// Bytes of a token that are kept; the rest of a longer one is dropped.
  package static let tokenSizeMax = 64

  private let text: ByteString
  private var position = 0

  package init(_ text: ByteString) { self.text = text }

  package mutating func next() -> [UInt8]? {
    var token: [UInt8]?
    while position < text.count {
      guard let letter = letter() else {
        if let token { return token }
        continue
      }
      var word = token ?? []
      if word.count + letter.count <= Self.tokenSizeMax { word.append(contentsOf: letter) }
      token = word
    }
    return token
  }

  /// What the character at `position` adds to a word, or nil when it is part of none; goes behind it.
  private mutating func letter() -> [UInt8]? {
    let byte = text.bytes[position]
    position += 1
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"): return [byte]
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): return [byte + 0x20]
    case 0xC0...0xDF:
      let second = position < text.count ? text.bytes[position] : 0
      position += 1
      return Self.latinLetter(UInt16(byte & 0x1F) << 6 | UInt16(second & 0x3F))
    case 0xE0...0xEF: position += 2
    case 0xF0...0xF7: position += 3
    default: break
    }
    return nil
  }

  private static func latinLetter(_ scalar: UInt16) -> [UInt8]? {
    guard (0xC0...0xFE).contains(scalar) else { return nil }
    let folded = foldedLetters[Int(scalar & 0x3F)]
    if folded == 0 { return [] }
    return folded < 0x80 ? [folded] : [folded >> 6 | 0xC0, folded & 0x3F | 0x80]
  }

  /// The Latin-1 letter that each of U+00C0 to U+00FE becomes; 0 for the signs × and ÷, which join words.
  private static let foldedLetters: [UInt8] = {
    let lowercase: [UInt8] =
      Array("aaaaa".utf8) + [0xE5, 0xE6] + Array("ceeeeiiii".utf8) + [0xF0] + Array("nooooo".utf8) + [
        0, 0xF8,
      ]
      + Array("uuuuy".utf8) + [0xFE]
    return lowercase + [0xDF] + lowercase + [0xFF]
  }()
}
