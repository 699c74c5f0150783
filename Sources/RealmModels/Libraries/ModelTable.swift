// The tables of an exported file with the names that they get in a language. Layer: RealmModels, Libraries.
// Code is made from the same description as the file, so that both say the same.

import RealmEngine
import RealmSQL

struct ModelColumn: Sendable {
  let column: SQLColumn
  let name: String
  let isKey: Bool
  let isRequired: Bool
  /// The table that a foreign key leads to.
  let target: String?

  var stored: String { column.name }
}

struct ModelTable: Sendable {
  let table: SQLTable
  let name: String
  let columns: [ModelColumn]
  let indexes: [SQLIndex]

  var stored: String { table.name }
  /// Of several columns; a key of one is a column's own.
  var compoundKey: [ModelColumn] {
    columns.filter { column in table.placeNames.contains { $0 == column.stored } }
  }
  /// The key of rows that are named by no property: SQLite numbers new ones.
  var numberedKey: ModelColumn? {
    columns.first { if case .objectKey = $0.column.source { $0.isKey } else { false } }
  }
  func column(stored: String) -> ModelColumn? { columns.first { $0.stored == stored } }
}

/// All tables of a file for a library.
struct ModelDatabase: Sendable {
  let form: SQLForm
  let version: Int32
  let tables: [ModelTable]

  init(_ realm: ReadTransaction, _ form: SQLForm, _ rules: NameRules, showing chosen: Set<String>?) throws {
    let export = try RealmExport(realm, form)
    self.form = form
    version = form.userVersion(realm.schemaVersion) ?? 0
    var tableNames = ModelNames(tellingCases: false, with: rules.companions)
    let names = tableNames.take(all: export.tables.map(\.name), rules.className)
    let places = Dictionary(export.tables.indices.map { (export.tables[$0].name, $0) }) { first, _ in first }
    func targets(_ table: SQLTable) -> [Int] {
      table.visibleColumns.compactMap { $0.reference.flatMap { places[$0.table] } }
    }
    let hidden = rules.hiddenNames(names, linkingTo: export.tables.map { Set(targets($0)) })
    func isShown(_ index: Int) -> Bool { chosen?.contains(export.tables[index].table.schema.name) ?? true }
    tables = export.tables.indices.filter(isShown).map { index in
      let (table, name) = (export.tables[index], names[index])
      let columns = table.visibleColumns
      var columnNames = ModelNames(tellingCases: true)
      let own = columnNames.take(all: columns.map(\.name)) { stored in
        let legal = rules.name(stored)
        return hidden[index].contains(legal) ? legal + "_" : legal
      }
      return ModelTable(
        table: table, name: name,
        columns: zip(columns, own).map { column, name in
          let isKey = column.name == table.keyName || table.placeNames.contains(column.name)
          return ModelColumn(
            column: column, name: name, isKey: isKey,
            isRequired: column.isRequired(isKey: isKey),
            target: column.reference.flatMap { places[$0.table] }.flatMap { isShown($0) ? names[$0] : nil })
        }, indexes: export.indexes.filter { $0.table == table.name })
    }
  }
}

/// Code that opens the file of `export --for` with the same name.
struct ModelLibrary: Sendable {
  let library: SQLLibrary
  let takesPackage: Bool
  private let rules: @Sendable () -> NameRules
  let write: @Sendable (ModelDatabase, ModelLayout) -> ModelCode

  init(
    library: SQLLibrary, rules: @autoclosure @escaping @Sendable () -> NameRules, takesPackage: Bool = false,
    write: @escaping @Sendable (ModelDatabase, ModelLayout) -> ModelCode
  ) {
    self.library = library
    self.takesPackage = takesPackage
    self.rules = rules
    self.write = write
  }

  static let all = [room, grdb, drift, sqldelight, watermelondb]

  func code(
    _ realm: ReadTransaction, _ form: SQLForm, showing chosen: Set<String>?, _ layout: ModelLayout
  ) throws -> ModelCode {
    write(try ModelDatabase(realm, form, rules(), showing: chosen), layout)
  }
}

extension SQLForm {
  /// The words for an integer, a truth value, a number, a text and bytes; for what has no type; for dates as text and
  /// as numbers.
  func word(
    _ column: ModelColumn,
    _ words: (
      int: String, bool: String, real: String, text: String, blob: String, any: String, dateText: String,
      dateNumber: String
    )
  )
    -> String
  {
    switch column.column.type {
    case .integer: words.int
    case .boolean: words.bool
    case .real: words.real
    case .decimal, .text: words.text
    case .blob: words.blob
    case .any: words.any
    case .date: dates == .text ? words.dateText : words.dateNumber
    }
  }
}
