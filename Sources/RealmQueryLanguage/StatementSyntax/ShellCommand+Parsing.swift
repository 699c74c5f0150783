// The words of a shell command. Layer: StatementSyntax.
// A word ends at a blank. One that begins with `'` or a backquote goes to the next one as it is; one that begins with `"` goes
// to the next `"`, and a backslash in it takes `n`, `t` and `r` for their control characters, `u` and four digits for a
// character of that number, and any other byte for itself.

import ByteText

extension ShellCommand {
  /// The command in `bounds`; nil when what stands there is none.
  init?(parsing source: [UInt8], in bounds: Range<Int>) throws(QueryError) {
    guard let start = source[bounds].firstIndex(where: { !$0.isBlank }),
      source[start] == UInt8(ascii: ".") || source[start] == UInt8(ascii: "\\")
    else { return nil }
    let end = source[bounds].lastIndex { !$0.isBlank }.map { $0 + 1 } ?? bounds.upperBound
    let nameEnd = source[start..<end].firstIndex { $0.isBlank } ?? end
    name = ShellWord(Array(source[start..<nameEnd]), range: SourceRange(start..<nameEnd))
    var arguments: [ShellWord] = []
    var index = source[nameEnd..<end].firstIndex { !$0.isBlank } ?? end
    rest = SourceRange(index..<end)
    while index < end {
      let word = try Self.word(at: index, in: source, end: end)
      arguments.append(word)
      index = source[word.range.end..<end].firstIndex { !$0.isBlank } ?? end
    }
    self.arguments = arguments
  }

  private static func word(at start: Int, in source: [UInt8], end: Int) throws(QueryError) -> ShellWord {
    let quote = source[start]
    guard quote.isQuote || quote == UInt8(ascii: "`") else {
      let behind = source[start..<end].firstIndex { $0.isBlank } ?? end
      return ShellWord(Array(source[start..<behind]), range: SourceRange(start..<behind))
    }
    var bytes: [UInt8] = []
    var index = start + 1
    while index < end, source[index] != quote {
      let isEscape = quote == UInt8(ascii: "\"") && source[index] == UInt8(ascii: "\\") && index + 1 < end
      if isEscape, let (scalar, length) = StringLiteral.scalar(at: index, in: source, end: end) {
        bytes += Array(String(scalar).utf8)
        index += length
        continue
      }
      if isEscape { index += 1 }
      bytes.append(isEscape ? escaped(source[index]) : source[index])
      index += 1
    }
    guard index < end else {
      throw QueryError(
        .unclosedString, "word is not closed; expected \(String(Unicode.Scalar(quote)))",
        at: SourceRange(offset: start, length: 1))
    }
    return ShellWord(bytes, range: SourceRange(start..<index + 1))
  }

  private static func escaped(_ letter: UInt8) -> UInt8 {
    switch letter {
    case UInt8(ascii: "n"): 0x0A
    case UInt8(ascii: "t"): 0x09
    case UInt8(ascii: "r"): 0x0D
    default: letter
    }
  }
}
