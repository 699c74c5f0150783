// The text between quotes, decoded. Layer: Lexing.

import ByteText

enum StringLiteral {
  /// The bytes that the characters in `body` stand for. The lexer has checked the escapes; only surrogates
  /// without their other half can still be wrong.
  static func bytes(in source: [UInt8], _ body: Range<Int>) throws(QueryError) -> [UInt8] {
    let backslash = UInt8(ascii: "\\")
    guard var escape = source[body].firstIndex(of: backslash) else { return Array(source[body]) }
    var decoded: [UInt8] = []
    decoded.reserveCapacity(body.count)
    var index = body.lowerBound
    while true {
      decoded.append(contentsOf: source[index..<escape])
      index = escape
      guard index < body.upperBound else { return decoded }
      if let byte = simpleEscape(source[index + 1]) {
        decoded.append(byte)
        index += 2
      } else {
        let (scalar, length) = try unicodeEscape(at: index, in: source, end: body.upperBound)
        decoded.append(contentsOf: Unicode.UTF8.encode(scalar) ?? Unicode.UTF8.encodedReplacementCharacter)
        index += length
      }
      escape = source[index..<body.upperBound].firstIndex(of: backslash) ?? body.upperBound
    }
  }

  private static func simpleEscape(_ letter: UInt8) -> UInt8? {
    switch letter {
    case UInt8(ascii: "b"): 0x08
    case UInt8(ascii: "f"): 0x0C
    case UInt8(ascii: "n"): 0x0A
    case UInt8(ascii: "r"): 0x0D
    case UInt8(ascii: "t"): 0x09
    case UInt8(ascii: "0"): 0x00
    case UInt8(ascii: "u"): nil
    default: letter
    }
  }

  /// The scalar of the `\u` escape that stands at `index`, or of a pair of them; nil where none does.
  static func scalar(at index: Int, in source: [UInt8], end: Int) -> (scalar: Unicode.Scalar, length: Int)? {
    guard escapedUnit(in: source.span.extracting(first: end), at: index) != nil else { return nil }
    return try? unicodeEscape(at: index, in: source, end: end)
  }

  /// The scalar of the `\u` escape at `index`, or of a pair of them.
  private static func unicodeEscape(
    at index: Int, in source: [UInt8], end: Int
  ) throws(QueryError) -> (scalar: Unicode.Scalar, length: Int) {
    let body = source.span.extracting(first: end)
    let unit = escapedUnit(in: body, at: index) ?? 0
    if let scalar = Unicode.Scalar(unit) { return (scalar, 6) }
    if let low = escapedUnit(in: body, at: index + 6), let scalar = Unicode.Scalar(high: unit, low: low) {
      return (scalar, 12)
    }
    let range = SourceRange(offset: index, length: 6)
    throw QueryError(
      .escape, "\(quoted(source.text(in: range))) is half of a surrogate pair", at: range,
      hint: "write both halves")
  }
}
