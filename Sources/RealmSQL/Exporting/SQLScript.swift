// A realm as a script that SQLite and PostgreSQL read: the tables of an exported file. Layer: RealmSQL, Exporting.
// Foreign keys of PostgreSQL come last, because its tables must be there before others refer to them.

import ByteText
import RealmEngine
package import Rendering
import TextFormats

/// Writes scripts.
package struct SQLScript {
  private let export: RealmExport
  /// What PostgreSQL does not read as SQLite does.
  package struct Losses: Sendable {
    /// Texts in which it reads U+FFFD.
    package var texts = 0
    /// Dates beyond those that it has, which are null for it.
    package var dates = 0
    /// Dates of which it rounds the last digits away.
    package var fractions = 0
    /// Links that are null, because the primary keys of their objects are; `_realm` alone tells them.
    package var links = 0
  }

  package private(set) var losses = Losses()
  /// Primary keys of a table in which PostgreSQL may read U+FFFD, as it reads them.
  private var repairedKeys: Set<ByteString> = []
  private var keyedTable = ""

  package init(_ export: RealmExport) { self.export = export }

  package mutating func write(to out: inout OutputBuffer) throws {
    out.text.append(literal: "BEGIN;\n")
    for table in export.tables { write(table, to: &out.text) }
    out.text.append(literal: "CREATE TABLE ")
    out.text.append(sqlName: RealmNotes.name)
    for (index, column) in RealmNotes.columns.enumerated() {
      out.text.append(index == 0 ? UInt8(ascii: "(") : UInt8(ascii: ","))
      out.text.append(sqlName: column)
      // These are of any type, which PostgreSQL does not have.
      if ["key", "place", "cell"].contains(column) {
        out.text.appendEither { _ in
        } or: {
          $0.append(literal: " TEXT")
        }
      } else {
        out.text.append(literal: " TEXT")
      }
    }
    out.text.append(literal: ");\n")
    var losses = Losses()
    try export.forEachBatch { table, batch in
      let columns = table?.visibleColumns
      let keyIndex = columns?.firstIndex { $0.name == table?.keyName }
      let name = table?.name ?? RealmNotes.name
      losses.links += batch.nullLinkCount
      let (sqliteName, postgresName) = (SQLText.quoted(name: name), SQLText.quoted(postgresName: name))
      for row in 0..<batch.count {
        out.text.append(literal: "INSERT INTO ")
        out.text.append(sqliteName, or: postgresName)
        out.text.append(literal: " VALUES(")
        for index in batch.columns.indices {
          if index > 0 { out.text.append(UInt8(ascii: ",")) }
          if index == keyIndex, let table {
            try checkKey(batch.columns[index][row], of: table)
          }
          batch.columns[index][row].write(
            to: &out.text, columns?[index].type ?? .any, &losses)
        }
        out.text.append(literal: ");\n")
        try out.flushIfLarge()
      }
    }
    self.losses = losses
    for index in export.indexes {
      out.text.append(index.creation, or: index.postgresCreation)
      out.text.append(literal: ";\n")
    }
    out.text.append(text: RealmNotes.indexCreation + ";\n")
    for table in export.tables { writeForeignKeys(of: table, to: &out.text) }
    // PostgreSQL would want a function for each, and the name of a class may not end the comment that it takes them for.
    for trigger in export.triggers.map(\.creation) where !trigger.holds("*/") && !trigger.holds("/*") {
      out.text.appendEither {
        $0.append(text: trigger + ";")
      } or: { _ in
      }
      out.text.append(literal: "\n")
    }
    out.text.append(literal: "COMMIT;\n")
    try out.flushIfLarge()
  }

  /// Throws for a key that PostgreSQL does not tell from another one.
  private mutating func checkKey(_ key: SQLValue, of table: SQLTable) throws(EngineError) {
    // U+FFFD begins with this byte, and nothing but zero is valid and missing in PostgreSQL.
    guard case .text(let bytes) = key, case let span = bytes.bytes.span,
      firstInvalidUTF8Index(in: span) != nil || span.firstIndex(of: 0, from: 0) != nil
        || span.firstIndex(of: 0xEF, from: 0) != nil
    else { return }
    var text = ByteBuffer()
    text.append(postgresText: span)
    if keyedTable != table.name { (keyedTable, repairedKeys) = (table.name, []) }
    guard repairedKeys.insert(ByteString(copying: text.span)).inserted else {
      throw EngineError(
        .constraint,
        "\(table.name): two primary keys differ in nothing but bytes for which PostgreSQL reads U+FFFD",
        hint: "a file of SQLite holds both: export --format sqlite")
    }
  }

  private func write(_ table: SQLTable, to text: inout ByteBuffer) {
    text.append(literal: "CREATE TABLE ")
    text.append(SQLText.quoted(name: table.name), or: SQLText.quoted(postgresName: table.name))
    text.append(literal: "(\n")
    let columns = table.visibleColumns
    for (index, column) in columns.enumerated() {
      if index > 0 { text.append(literal: ",\n") }
      text.append(literal: "  ")
      let isKey = column.name == table.keyName
      text.append(
        column.definition(isKey: isKey, table.form),
        or: column.definition(isKey: isKey, table.form, inPostgreSQL: true))
    }
    text.append(literal: "\n);\n")
  }

  private func writeForeignKeys(of table: SQLTable, to text: inout ByteBuffer) {
    for column in table.visibleColumns {
      guard let constraint = column.postgresForeignKey(of: table) else { continue }
      text.appendEither { _ in
      } or: {
        $0.append(text: constraint)
      }
    }
  }
}

extension ByteBuffer {
  /// Appends text for SQLite, and for PostgreSQL where it reads another.
  fileprivate mutating func append(_ sqlite: String, or postgres: String) {
    guard sqlite != postgres else { return append(text: sqlite) }
    appendEither {
      $0.append(text: sqlite)
    } or: {
      $0.append(text: postgres)
    }
  }
}

extension ByteBuffer {
  /// Appends a number in a column that has texts in PostgreSQL, which would write all digits of one with an exponent.
  fileprivate mutating func append(mixed number: Double) {
    var spelling = ByteBuffer()
    spelling.append(shortest: number)
    guard spelling.span.firstIndex(of: UInt8(ascii: "e"), from: 0) != nil else {
      return append(spelling.span)
    }
    appendEither {
      $0.append(spelling.span)
    } or: {
      $0.append(UInt8(ascii: "'"))
      $0.append(spelling.span)
      $0.append(UInt8(ascii: "'"))
    }
  }
}

extension SQLValue {
  private static let microsecondsEnd = "2020-01-31T00:00:00.000000Z".utf8.count

  /// Writes the value as it stands in a column of a type.
  fileprivate func write(to text: inout ByteBuffer, _ type: SQLType, _ losses: inout SQLScript.Losses) {
    switch self {
    case .null: text.append(literal: "NULL")
    case .integer(let number) where type == .boolean: text.append(literal: number == 0 ? "FALSE" : "TRUE")
    case .integer(let number): text.append(decimal: number)
    case .real(let number) where type == .any && number.isFinite: text.append(mixed: number)
    case .real(let number): text.append(sqlNumber: number) { $0.append(shortest: number) }
    case .blob(let bytes): text.append(sqlBytes: bytes.bytes.span)
    case .text(let bytes) where type == .date && bytes.isCountedDate:
      // PostgreSQL has no time so far away.
      losses.dates += 1
      text.appendEither {
        $0.append(sqliteString: bytes.bytes.span)
      } or: {
        $0.append(literal: "NULL")
      }
    case .text(let bytes):
      if type == .date, bytes.count > Self.microsecondsEnd { losses.fractions += 1 }
      if !text.append(sqlString: bytes.bytes.span) { losses.texts += 1 }
    }
  }
}
