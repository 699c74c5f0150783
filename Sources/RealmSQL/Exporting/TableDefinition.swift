// Real tables of SQLite for those that a realm is for SQL. Layer: RealmSQL, Exporting.

extension SQLTable {
  /// The statement that makes the table.
  var creation: String {
    let columns = visibleColumns.map { "  \($0.definition(isKey: $0.name == keyName))" }
    return "CREATE TABLE \(SQLText.quoted(name: name))(\n\(columns.joined(separator: ",\n"))\n)"
  }

  var keyName: String? { keyIndex.map { columns[$0].name } }

  /// The statements that make the indexes: of indexed properties, and of what rows of side tables are found by.
  func indexCreations(_ names: inout SQLNames) -> [String] {
    visibleColumns.filter { $0.isIndexed && $0.name != keyName }.map { column in
      var columns = [column.name]
      if case .owner = column.source {
        columns += visibleColumns.filter(\.isPlace).map(\.name)
      }
      let list = columns.map { SQLText.quoted(name: $0) }.joined(separator: ", ")
      let index = SQLText.quoted(name: names.take("index_\(name)_\(column.name)"))
      return "CREATE INDEX \(index) ON \(SQLText.quoted(name: name))(\(list))"
    }
  }

  /// The statement that adds a row.
  var insertion: String {
    let places = visibleColumns.map { _ in "?" }.joined(separator: ",")
    return "INSERT INTO \(SQLText.quoted(name: name)) VALUES(\(places))"
  }

  /// The query for all rows, column by column as they were written.
  var selection: String {
    let list = visibleColumns.map { SQLText.quoted(name: $0.name) }.joined(separator: ",")
    return "SELECT \(list) FROM \(SQLText.quoted(name: name))"
  }
}

extension SQLColumn {
  /// The place of an element among others of its owner.
  var isPlace: Bool {
    switch source {
    case .position, .entryKey: true
    default: false
    }
  }

  /// `inPostgreSQL`: as that spells types, and without what other tables must be there for.
  func definition(isKey: Bool, inPostgreSQL: Bool = false) -> String {
    var words = [SQLText.quoted(name: name)]
    // An INTEGER PRIMARY KEY is the number of the row, which is never null; an INT is a column as any other.
    let word =
      inPostgreSQL
      ? type.postgresName : isKey && isOptional && type == .integer ? "INT" : type.rawValue
    if !word.isEmpty { words.append(word) }
    // A primary key of PostgreSQL is never null.
    if isKey { words.append(inPostgreSQL && isOptional ? "UNIQUE" : "PRIMARY KEY") }
    // NaN is null in SQLite.
    if !isOptional, type != .real { words.append("NOT NULL") }
    if let reference, !inPostgreSQL {
      words.append(
        "REFERENCES \(SQLText.quoted(name: reference.table))(\(SQLText.quoted(name: reference.column)))")
    }
    return words.joined(separator: " ")
  }
}

extension SQLType {
  /// The type of PostgreSQL that holds the same.
  fileprivate var postgresName: String {
    switch self {
    case .integer: "BIGINT"
    case .boolean: "BOOLEAN"
    case .real: "DOUBLE PRECISION"
    case .decimal: "NUMERIC"
    case .text, .any: "TEXT"
    case .blob: "BYTEA"
    case .date: "TIMESTAMP WITH TIME ZONE"
    }
  }
}
