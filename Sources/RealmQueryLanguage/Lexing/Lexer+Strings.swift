// Quoted text, and its escapes, which names in backquotes have too. Layer: Lexing. Escapes are only checked here; LiteralDecoder decodes them.

import ByteText

extension Lexer {
  /// `'…'` or `"…"`, over several lines if need be.
  mutating func stringToken() -> Token {
    let quote = source[offset]
    var index = offset + 1
    while index < end {
      let byte = source[index]
      if byte == quote { return Token(.string, SourceRange(offset..<index + 1)) }
      if byte == UInt8(ascii: "\\"), index + 1 < end {
        let length = escapeLength(index)
        guard length > 0 else { return escapeFailure(index) }
        index += length
      } else {
        index += 1
      }
    }
    let mark = String(Unicode.Scalar(quote))
    return fail(
      QueryError(
        .unclosedString, "string is not closed; expected \(mark)", at: SourceRange(offset: offset, length: 1))
    )
  }

  /// Bytes of the escape at `index`; 0 when it is none.
  func escapeLength(_ index: Int) -> Int {
    switch byte(index + 1) {
    case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
      UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"), UInt8(ascii: "0"):
      return 2
    case UInt8(ascii: "u"):
      let isComplete = (index + 2..<index + 6).allSatisfy { hexadecimalValue(byte($0)) != nil }
      return isComplete ? 6 : 0
    default: return 0
    }
  }

  mutating func escapeFailure(_ index: Int) -> Token {
    if byte(index + 1, is: "u") {
      var digits = index + 2
      while digits < index + 6, hexadecimalValue(byte(digits)) != nil { digits += 1 }
      return fail(
        QueryError(
          .escape, "\\u needs four hex digits", at: SourceRange(index..<digits)))
    }
    let range = SourceRange(offset: index, length: 1 + utf8Sequence(in: source.span, at: index + 1).length)
    return fail(
      QueryError(
        .escape, "unknown escape \(quoted(source.text(in: range)))", at: range,
        hint: "use \\\\ for a backslash"))
  }
}
