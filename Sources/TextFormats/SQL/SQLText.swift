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

  /// Appends text in single quotes. Returns false where PostgreSQL, which has neither zero bytes nor texts that are not
  /// UTF-8, gets U+FFFD in their place; SQLite gets the bytes, of which a statement holds no zero. Its shell takes a
  /// carriage return before a line's end for a part of that.
  package mutating func append(sqlString bytes: Span<UInt8>) -> Bool {
    guard !bytes.isPlainText else {
      append(bytes, doubling: UInt8(ascii: "'"))
      return true
    }
    appendEither {
      $0.append(sqliteString: bytes)
    } or: {
      $0.append(postgresString: bytes)
    }
    return bytes.firstIndex(of: 0, from: 0) == nil && firstInvalidUTF8Index(in: bytes) == nil
  }

  /// Appends text for SQLite alone.
  package mutating func append(sqliteString bytes: Span<UInt8>) {
    guard !bytes.isPlainText else { return append(bytes, doubling: UInt8(ascii: "'")) }
    append(literal: "CAST(")
    append(sqliteBytes: bytes)
    append(literal: " AS TEXT)")
  }

  /// Appends text that is not plain, on one line.
  private mutating func append(postgresString bytes: Span<UInt8>) {
    var repaired = ByteBuffer()
    repaired.append(postgresText: bytes)
    append(literal: "E'")
    for index in 0..<repaired.count {
      switch repaired[index] {
      case UInt8(ascii: "\n"): append(literal: "\\n")
      case UInt8(ascii: "\r"): append(literal: "\\r")
      case UInt8(ascii: "\\"): append(literal: "\\\\")
      case UInt8(ascii: "'"): append(literal: "''")
      case let byte: append(byte)
      }
    }
    append(UInt8(ascii: "'"))
  }

  /// Appends a text as PostgreSQL has it.
  package mutating func append(postgresText bytes: Span<UInt8>) {
    var rest = bytes
    while let zero = rest.firstIndex(of: 0, from: 0) {
      append(repairingUTF8: rest.extracting(first: zero))
      append(literal: "\u{FFFD}")
      rest = rest.extracting(droppingFirst: zero + 1)
    }
    append(repairingUTF8: rest)
  }

  /// Appends bytes.
  package mutating func append(sqlBytes bytes: Span<UInt8>) {
    appendEither { text in
      text.append(sqliteBytes: bytes)
    } or: { text in
      text.append(literal: "'\\x")
      text.append(hexadecimal: bytes)
    }
  }

  /// Appends bytes for SQLite alone.
  package mutating func append(sqliteBytes bytes: Span<UInt8>) {
    append(literal: "X'")
    append(hexadecimal: bytes)
  }

  /// Appends a number for SQLite alone, which has no NaN.
  package mutating func append<Number: BinaryFloatingPoint>(
    sqliteNumber number: Number, _ write: (inout ByteBuffer) -> Void
  ) {
    if number.isFinite { return write(&self) }
    append(literal: number.isNaN ? "NULL" : number < 0 ? "-9e999" : "9e999")
  }

  /// Appends a number whose shortest text `write` appends. PostgreSQL has no number that overflows.
  package mutating func append<Number: BinaryFloatingPoint>(
    sqlNumber number: Number, _ write: (inout ByteBuffer) -> Void
  ) {
    if number.isFinite { return write(&self) }
    appendEither { text in
      text.append(sqliteNumber: number, write)
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

extension Span<UInt8> {
  /// Whether a script holds it as it is: UTF-8 without zero bytes and carriage returns before line ends.
  fileprivate var isPlainText: Bool {
    guard firstIndex(of: 0, from: 0) == nil && firstInvalidUTF8Index(in: self) == nil else { return false }
    var start = 0
    while let index = firstIndex(of: UInt8(ascii: "\r"), from: start) {
      if index + 1 < count, self[index + 1] == UInt8(ascii: "\n") { return false }
      start = index + 1
    }
    return true
  }
}
