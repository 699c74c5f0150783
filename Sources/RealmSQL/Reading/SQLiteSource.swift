// A file of SQLite that objects come from: its tables as lines of JSON, and the classes that its tables make.
// Layer: RealmSQL, Reading. The file is hostile input: what does not fit is refused by who reads the lines.

import ByteText
package import RealmEngine
package import Rendering
import TextFormats

/// A file of SQLite, open for reading.
package final class SQLiteSource {
  let connection: SQLConnection
  private let name: String
  /// Tables in the order in which they were made.
  package let tableNames: [String]
  package let viewNames: [String]
  /// What the tables say and the classes of `schema` cannot, or the objects that were written do not.
  package private(set) var omissions: [String] = []

  private var starts: [(line: Int, table: String)] = []

  /// What every file of SQLite begins with.
  package static let signature = Array("SQLite format 3\0".utf8)

  package init(_ path: FilePath) throws(EngineError) {
    name = path.displayName
    do throws(SQLError) {
      connection = try SQLConnection(path.bytes)
      tableNames = try connection.tableNames()
      viewNames = try connection.texts(
        "SELECT name FROM sqlite_schema WHERE type = 'view' ORDER BY rowid")
    } catch {
      throw EngineError(error, file: path.displayName)
    }
  }

  private var viewOmissions: [String] { viewNames.map { "\($0): a view, which is left out" } }

  /// Whether the file holds all of a realm.
  package var isExported: Bool { tableNames.contains(RealmNotes.name) }

  /// Writes the rows of a table, an object a line, whose values are as `definition` says.
  package func writeRows(of table: String, as definition: ClassDefinition, to out: inout OutputBuffer) throws
  {
    try reading(table) {
      let statement = try connection.prepare("SELECT * FROM \(SQLText.quoted(name: table))")
      let names = (0..<statement.columnCount).map(statement.columnName)
      let heads = names.enumerated().map { index, name in
        var text = ByteBuffer()
        text.append(index == 0 ? UInt8(ascii: "{") : UInt8(ascii: ","))
        text.append(jsonKey: name)
        return text.bytes
      }
      let types = Dictionary(definition.properties.map { ($0.name, $0.type.type) }) { first, _ in first }
      let exceptions = try isExported ? RowExceptions(connection) : nil
      let areDates = heads.indices.map { isExported && statement.declaredType($0) == SQLType.date.rawValue }
      let keyIndex = try key(of: table).flatMap(names.firstIndex)
      var rowCount = 0
      while try statement.step() {
        rowCount += 1
        let found = try keyIndex.flatMap { (index) throws(SQLError) in
          try exceptions?.of(table, statement.value(index))
        }
        for index in heads.indices {
          out.text.append(heads[index])
          let value = statement.value(index)
          if let exception = found?[names[index]]?.first, exception.cell == value {
            out.text.append(exception.text.bytes.span)
            continue
          }
          switch value {
          case .integer(let number) where types[names[index]] == .bool && (0...1).contains(number):
            out.text.append(literal: number == 1 ? "true" : "false")
          case .text(let text) where areDates[index] && text.isCountedDate: out.text.append(text.bytes.span)
          default:
            if !isExported, types[names[index]] == .string {
              try value.refuseBrokenText { "\(Self.place(table, rowCount)), column \(names[index])" }
            }
            value.write(to: &out.text)
          }
        }
        out.text.append(literal: "}\n")
        try out.flushIfLarge()
      }
    }
  }

  /// The column that names the rows of a table.
  private func key(of table: String) throws(SQLError) -> String? {
    let statement = try connection.prepare("SELECT name FROM pragma_table_xinfo(?) WHERE pk = 1")
    try statement.bind(1, .text(ByteString(table)))
    return try statement.step() ? statement.value(0).words : nil
  }

  /// `table pet, row 3`
  package static func place(_ table: String, _ row: Int) -> String { "table \(table), row \(row)" }

  /// The classes that hold what the file has.
  package func schema() throws -> SchemaDescription {
    try reading {
      guard isExported else {
        var tables = ForeignTables(connection, tableNames)
        let schema = try tables.schema()
        omissions = tables.omissions + viewOmissions
        return schema
      }
      let documents = try connection.texts(
        "SELECT value FROM \(SQLText.quoted(name: RealmNotes.name)) WHERE class IS NULL AND property = '\(RealmNotes.schemaProperty)'"
      )
      guard documents.count == 1 else {
        throw EngineError(
          .badDocument, "\(name): its table \(RealmNotes.name) describes no schema", naming: name)
      }
      do throws(TextFormatError) {
        return try SchemaDescription(document: try DocumentNode.yamlOrJSON(Array(documents[0].utf8).span))
      } catch {
        throw EngineError(
          .badDocument, "\(name): the schema in its table \(RealmNotes.name): \(error.message)",
          naming: name)
      }
    }
  }

  /// The class that a table's rows make on its own: references to other tables are values.
  package func definition(of table: String) throws -> ClassDefinition {
    try reading {
      var tables = ForeignTables(connection, tableNames)
      return try tables.description(of: table, linking: false)
    }
  }

  /// Writes all objects as lines of a dump; `realm` has the classes of `schema`.
  package func writeObjects(for realm: ReadTransaction, to out: inout OutputBuffer) throws {
    try reading {
      var lines = try DumpLines(connection, isExported: isExported, for: realm)
      try lines.write(to: &out)
      starts = lines.starts
      omissions = try isExported ? lines.additions(tableNames) + viewOmissions : []
    }
  }

  /// The row that one of the objects' lines was made of, the first being 1: `table pet, row 3`.
  package func place(ofLine line: Int) -> String? {
    starts.last { $0.line < line }.map { Self.place($0.table, line - $0.line) }
  }

  private func reading<Result>(_ table: String? = nil, _ body: () throws -> Result) throws -> Result {
    do {
      let result = try body()
      try connection.checkUnchanged()
      return result
    } catch let error as SQLError {
      throw EngineError(table.map(error.reading) ?? error, file: name)
    }
  }
}

extension SQLValue {
  /// Throws for a text that no program could have meant: SQLite takes any bytes for one.
  func refuseBrokenText(_ place: () -> String) throws(EngineError) {
    guard case .text(let text) = self, let index = firstInvalidUTF8Index(in: text.bytes.span) else { return }
    throw EngineError(.badDocument, "\(place()): the text is not UTF-8 (byte \(index + 1))")
  }

  /// Writes the value as JSON without loss.
  func write(to text: inout ByteBuffer) { _ = ValueFormat(.typed).append(single: Value(self), to: &text) }
}

extension SQLConnection {
  /// Without those in which full-text and other special tables keep their own data.
  func tableNames() throws(SQLError) -> [String] {
    try texts(
      """
      SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite!_%' ESCAPE '!' AND name NOT IN
        (SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'shadow') ORDER BY rowid
      """
    )
  }

  /// Those of the tables `names` that are not among `tables`, and columns that these have not; no tables of an export's own.
  func additions(
    _ names: [String], to tables: [SQLTable]
  ) throws(SQLError) -> (tables: [String], columns: [String]) {
    let known = Set((tables.map(\.name) + [RealmNotes.name]).map(SQLNames.folded))
    var additions: [String] = []
    for table in tables {
      let columns = Set(table.visibleColumns.map { SQLNames.folded($0.name) })
      let statement = try prepare("SELECT name FROM pragma_table_xinfo(?)")
      try statement.bind(1, .text(ByteString(table.name)))
      while try statement.step() {
        let name = statement.value(0).words
        if !columns.contains(SQLNames.folded(name)) { additions.append("\(table.name).\(name)") }
      }
    }
    return (names.filter { !known.contains(SQLNames.folded($0)) }, additions)
  }
}
