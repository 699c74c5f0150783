// Cuts a text into the words of a full-text index, by the rules of the format (F-75). Layer: RealmInspection.
// ASCII letters and digits and the letters U+00C0 to U+00FE make words, without case and most accents.

import RealmFiles

struct WordCutter {
  private static let sizeMax = 64
  /// By the lowest five bits of the code point; upper and lower case have the same ones.
  private static let letters = [
    "a", "a", "a", "a", "a", "å", "æ", "c", "e", "e", "e", "e", "i", "i", "i", "i",
    "ð", "n", "o", "o", "o", "o", "o", "", "ø", "u", "u", "u", "u", "y", "þ", "ß",
  ].map { Array($0.utf8) }

  private let text: RawBytes
  private var position = 0

  init(_ text: RawBytes) { self.text = text }

  /// The next word, possibly empty; nil at the end.
  mutating func next() -> [UInt8]? {
    var word: [UInt8]?
    while position < text.count {
      let lead = text[position]
      let part = letter(lead)
      position += Self.sequenceSize(lead)
      if let part {
        let before = word ?? []
        word = before.count + part.count <= Self.sizeMax ? before + part : before
      } else if let word {
        return word
      }
    }
    return word
  }

  private static func sequenceSize(_ lead: UInt8) -> Int {
    switch lead {
    case 0xC0...0xDF: 2
    case 0xE0...0xEF: 3
    case 0xF0...0xF7: 4
    default: 1
    }
  }

  /// What the character at the position adds to a word; nil for what separates words.
  private func letter(_ lead: UInt8) -> [UInt8]? {
    switch lead {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"): return [lead]
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): return [lead | 0x20]
    case 0xC3:
      let next = position + 1 < text.count ? text[position + 1] & 0x3F : 0
      // U+00FF is no letter of a word.
      guard next < 0x3F else { return nil }
      return Self.letters[Int(next & 0x1F)]
    default: return nil
    }
  }
}
