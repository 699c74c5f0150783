// Real tables of SQLite for those that a realm is for SQL. Layer: RealmSQL, Exporting.

import ByteText
import TextFormats

/// An index of an exported file.
package struct SQLIndex: Sendable {
  package let name: String
  package let table: String
  package let columns: [String]

  package var creation: String { statement { SQLText.quoted(name: $0) } }
  package var postgresCreation: String { statement { SQLText.quoted(postgresName: $0) } }

  private func statement(_ quoted: (String) -> String) -> String {
    "CREATE INDEX \(quoted(name)) ON \(quoted(table))(\(columns.map(quoted).joined(separator: ", ")))"
  }
}

/// A trigger of an exported file, which deletes what a deleted row owned.
package struct SQLTrigger: Sendable {
  package let table: String
  package let creation: String

  init(on owner: SQLTable, deletingFrom owned: SQLTable, _ names: inout SQLNames) {
    table = owned.name
    func column(_ matches: (SQLColumn.Source) -> Bool) -> String {
      owned.columnIndex(where: matches).map { SQLText.quoted(name: owned.columns[$0].name) } ?? ""
    }
    var className = ByteBuffer()
    className.append(sqliteString: Array(owner.table.schema.name.utf8).span)
    let name = names.take("delete_\(owned.name)_of_\(owner.name)")
    creation =
      """
      CREATE TRIGGER \(SQLText.quoted(name: name)) AFTER DELETE ON \(SQLText.quoted(name: owner.name)) BEGIN
        DELETE FROM \(SQLText.quoted(name: owned.name))
          WHERE \(column { if case .owner = $0 { true } else { false } }) IS OLD.\(SQLText.quoted(name: owner.keyName ?? ""))
          AND \(column { if case .ownerClass = $0 { true } else { false } }) = \(className.text);
      END
      """
  }
}

extension SQLTable {
  /// Whether `table` is of a class that owns objects of this one, and no foreign key says so because others do too.
  func ownersWithoutReference(_ table: SQLTable) -> Bool {
    guard case .objects(let owners) = rows, table.holdsObjects,
      let owner = columnIndex(where: { if case .owner = $0 { true } else { false } }),
      columns[owner].reference == nil
    else { return false }
    return owners.contains { $0.table.schema.tableKey == table.table.schema.tableKey }
  }

  /// The statement that makes the table.
  package var creation: String {
    var columns = visibleColumns.map { "  \($0.definition(isKey: $0.name == keyName, form))" }
    if !placeNames.isEmpty {
      columns.append("  PRIMARY KEY (\(placeNames.map { SQLText.quoted(name: $0) }.joined(separator: ", ")))")
    }
    return "CREATE TABLE \(SQLText.quoted(name: name))(\n\(columns.joined(separator: ",\n"))\n)"
  }

  /// The primary key of a side table, for libraries that want one: the owner, and the place there.
  package var placeNames: [String] {
    guard keyIndex == nil, form.isStrict else { return [] }
    return visibleColumns.filter { if case .owner = $0.source { true } else { $0.isPlace } }.map(\.name)
  }

  /// Its indexes: of indexed properties, and of what rows of side tables are found by. Libraries want one on every column
  /// with a foreign key.
  func indexes(_ names: inout SQLNames) -> [SQLIndex] {
    visibleColumns.filter {
      ($0.isIndexed || form.library != nil && $0.reference != nil) && $0.name != keyName
    }.compactMap { column in
      var columns = [column.name]
      if case .owner = column.source {
        if !placeNames.isEmpty { return nil }
        if !form.namesRows { columns += visibleColumns.filter(\.isPlace).map(\.name) }
      }
      let named = form.library == nil ? Array(columns.prefix(1)) : columns
      return SQLIndex(name: names.take(form.indexName(name, named)), table: name, columns: columns)
    }
  }

  /// The statement that adds a row.
  var insertion: String {
    let places = visibleColumns.map { _ in "?" }.joined(separator: ",")
    return "INSERT INTO \(SQLText.quoted(name: name)) VALUES(\(places))"
  }

  /// The query for all rows, column by column as they were written.
  var selection: String {
    SQLText.selection(visibleColumns.map(\.name), of: name)
  }
}
