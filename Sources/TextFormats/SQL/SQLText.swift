// Names and values as SQL that both SQLite and PostgreSQL read. Layer: TextFormats, SQL.
// Where the two spell a value differently, both spellings are written and each program sees one: comments nest in
// PostgreSQL and do not in SQLite, so `/*/**/S--*/P` and a line end is S for SQLite and P for PostgreSQL.

package import ByteText

extension ByteBuffer {
  /// Appends a name in double quotes.
  package mutating func append(sqlName name: String) {
    let bytes = Array(name.utf8)
    append(bytes.span, doubling: UInt8(ascii: "\""))
  }

  /// Appends UTF-8 text in single quotes. Neither program takes a zero byte in a statement; U+FFFD replaces it.
  package mutating func append(sqlString bytes: Span<UInt8>) {
    guard bytes.firstIndex(of: 0, from: 0) != nil else {
      return append(bytes, doubling: UInt8(ascii: "'"))
    }
    var replaced: [UInt8] = []
    for index in bytes.indices {
      if bytes[index] == 0 { replaced += Array("\u{FFFD}".utf8) } else { replaced.append(bytes[index]) }
    }
    append(replaced.span, doubling: UInt8(ascii: "'"))
  }

  /// Appends bytes.
  package mutating func append(sqlBytes bytes: Span<UInt8>) {
    appendEither { text in
      text.append(literal: "X'")
      text.append(hexadecimal: bytes)
    } or: { text in
      text.append(literal: "'\\x")
      text.append(hexadecimal: bytes)
    }
  }

  /// Appends a number whose shortest text is `text`. SQLite has no NaN, and PostgreSQL no number that overflows.
  package mutating func append<Number: BinaryFloatingPoint>(
    sqlNumber number: Number, _ write: (inout ByteBuffer) -> Void
  ) {
    if number.isFinite { return write(&self) }
    appendEither { text in
      text.append(literal: number.isNaN ? "NULL" : number < 0 ? "-9e999" : "9e999")
    } or: { text in
      text.append(UInt8(ascii: "'"))
      write(&text)
      text.append(UInt8(ascii: "'"))
    }
  }

  /// Appends what SQLite reads and what PostgreSQL reads instead of it. Neither may end in a comment.
  package mutating func appendEither(
    sqlite: (inout ByteBuffer) -> Void, or postgres: (inout ByteBuffer) -> Void
  ) {
    append(literal: "/*/**/")
    sqlite(&self)
    append(literal: "--*/")
    postgres(&self)
    append(UInt8(ascii: "\n"))
  }

  private mutating func append(_ bytes: Span<UInt8>, doubling quote: UInt8) {
    append(quote)
    var start = 0
    while let index = bytes.firstIndex(of: quote, from: start) {
      append(bytes.extracting(start..<index + 1))
      append(quote)
      start = index + 1
    }
    append(bytes.extracting(droppingFirst: start))
    append(quote)
  }

  private mutating func append(hexadecimal bytes: Span<UInt8>) {
    for index in bytes.indices { append(hexadecimal: bytes[index]) }
    append(UInt8(ascii: "'"))
  }
}
