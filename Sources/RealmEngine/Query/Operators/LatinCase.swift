// `[c]` as the reference engine means it: ASCII letters and U+00C0 to U+00DE match their lower case. Layer: Query.
// Folding never changes a length and works on bytes, valid UTF-8 or not.

/// Folds ASCII and Latin-1 letters to lower case, byte by byte.
package enum LatinCase {
  /// The byte after the lead byte of U+00C0 to U+00FF.
  private static let latinLead: UInt8 = 0xC3
  private static let multiplicationSign: UInt8 = 0x97

  /// `byte` in lower case; `previous` is the byte before it in the text, 0 at the beginning.
  @inline(__always)
  package static func folded(_ byte: UInt8, after previous: UInt8) -> UInt8 {
    if byte &- UInt8(ascii: "A") < 26 { return byte | 0x20 }
    let isUpperLatin = previous == latinLead && byte &- 0x80 < 0x1F && byte != multiplicationSign
    return isUpperLatin ? byte + 0x20 : byte
  }

  package static func folded(_ text: RawBytes) -> [UInt8] {
    var previous: UInt8 = 0
    return (0..<text.count).map { index in
      let byte = text[index]
      defer { previous = byte }
      return folded(byte, after: previous)
    }
  }
}
