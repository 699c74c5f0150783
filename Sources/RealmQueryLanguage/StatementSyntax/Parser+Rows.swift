// `(name, age) values ('Ada', 36), ('Bob', 7)`: rows as SQL writes them. Layer: StatementSyntax.

import ByteText

extension Parser {
  mutating func insertedRows() throws(QueryError) -> InsertedRows {
    var names: [Name] = []
    if current.kind == .openParenthesis {
      let opener = advance()
      repeat { names.append(try nameOfSQL("a property")) } while take(.comma)
      try expectCloser(.closeParenthesis, of: opener, or: "','")
    }
    try expectWord("values")
    var rows: [InsertedRows.Row] = []
    repeat {
      let row = try insertedRow()
      guard names.isEmpty || row.values.count == names.count else {
        throw QueryError(
          .expectation,
          "\(counted(row.values.count, "value")) for \(counted(names.count, "property", "properties"))",
          at: row.range)
      }
      rows.append(row)
    } while take(.comma)
    return InsertedRows(names: names, rows: rows)
  }

  private mutating func insertedRow() throws(QueryError) -> InsertedRows.Row {
    let opener = current
    try expect(.openParenthesis, "'('")
    var cells: [InsertedRows.Cell] = []
    repeat { cells.append(try insertedCell()) } while take(.comma)
    try expectCloser(.closeParenthesis, of: opener, or: "','")
    return InsertedRows.Row(values: cells, range: range(from: opener.range))
  }

  /// A constant of the language, or a JSON object or array.
  private mutating func insertedCell() throws(QueryError) -> InsertedRows.Cell {
    let start = current
    guard start.kind == .openBrace || start.kind == .openBracket else {
      try refuseBackslash(in: start)
      let constant = try constant(wanted: "a value")
      return InsertedRows.Cell(constant: constant, range: constant.range)
    }
    guard let documentEnd = jsonDocumentEnd(in: source, from: start.range.offset, end: end) else {
      throw unclosed(start, by: start.kind == .openBrace ? "}" : "]")
    }
    resume(at: documentEnd)
    return InsertedRows.Cell(constant: nil, range: SourceRange(start.range.offset..<documentEnd))
  }

  /// In SQL, whose form this is, a backslash is one; here it begins an escape, and a path would be stored as other text.
  private func refuseBackslash(in token: Token) throws(QueryError) {
    guard token.kind == .string else { return }
    let backslash = UInt8(ascii: "\\")
    // An escaped backslash or quote says that its writer knows.
    let known: [UInt8] = [backslash, UInt8(ascii: "'"), UInt8(ascii: "\"")]
    var rest = source[token.range.bounds]
    while let place = rest.firstIndex(of: backslash) {
      guard let next = rest[(place + 1)...].first, known.contains(next) else {
        throw QueryError(
          .unsupported, "a backslash is one in SQL, and begins an escape such as \\n here", at: token.range,
          hint: "write \\\\ for a backslash")
      }
      rest = rest[(place + 2)...]
    }
  }
}
