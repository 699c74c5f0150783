// Statements of several lines on one. Layer: StatementSyntax.

extension StatementScanner {
  /// The statements of a text on one line, where they mean the same; comments are left out. Nil where a line's end cannot be spelled
  /// otherwise: SQL has no escape for it, and a shell command ends with it.
  package static func onOneLine(_ source: [UInt8]) -> [UInt8]? {
    var scanner = StatementScanner()
    var line: [UInt8] = []
    while case .statement(let range) = scanner.next(in: source, isAtEnd: true) {
      let isShell = source[range.offset] == UInt8(ascii: ".") || source[range.offset] == UInt8(ascii: "\\")
      guard !isShell else { return nil }
      if !line.isEmpty { line += Array(line.last == UInt8(ascii: ";") ? " ".utf8 : "; ".utf8) }
      let isSQL = SQLWords.begin(source[range.bounds])
      guard let statement = isSQL ? SQLScanner.onOneLine(source, range) : ownOnOneLine(source, range) else {
        return nil
      }
      line += statement
      // At a prompt nothing else ends it.
      if isSQL { line.append(UInt8(ascii: ";")) }
    }
    return line
  }

  private static func ownOnOneLine(_ source: [UInt8], _ range: SourceRange) -> [UInt8]? {
    var line: [UInt8] = []
    var openQuote: UInt8?
    var index = range.offset
    while index < range.end {
      let byte = source[index]
      if let quote = openQuote {
        if byte == quote { openQuote = nil }
        // What stands behind a backslash belongs to it, except in names.
        let length = byte == UInt8(ascii: "\\") && quote != UInt8(ascii: "`") ? 2 : 1
        let part = source[index..<min(index + length, range.end)]
        guard length == 1 || part.last != UInt8(ascii: "\n") else { return nil }
        line += byte == UInt8(ascii: "\n") ? Array("\\n".utf8) : Array(part)
        index += length
      } else if let end = statementBlankEnd(at: index, in: source, end: range.end) {
        line.append(UInt8(ascii: " "))
        index = end
      } else {
        if byte.isQuote || byte == UInt8(ascii: "`") { openQuote = byte }
        line.append(byte == UInt8(ascii: "\n") ? UInt8(ascii: " ") : byte)
        index += 1
      }
    }
    return line
  }
}
