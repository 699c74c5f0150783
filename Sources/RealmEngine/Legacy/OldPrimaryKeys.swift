// Which column is the primary key of each class: formats 2–9 keep that in a table "pk". Layer: Legacy.
// The table has been written in several ways: class names with or without their prefix, columns by name or by
// number; rows may be left over from classes that are gone. The first row for a class counts.

/// The primary keys of all classes.
struct OldPrimaryKeys {
  private var columns: [Int: Int] = [:]

  private static let table = "pk"
  private static let classColumn = "pk_table"
  private static let propertyColumn = "pk_property"

  init(_ tables: [OldTableStorage]) throws(EngineError) {
    guard let table = tables.first(where: { $0.name == Self.table }),
      let classes = table.columns.firstIndex(where: { $0.spec.name == Self.classColumn }),
      let properties = table.columns.firstIndex(where: { $0.spec.name == Self.propertyColumn })
    else { return }
    var tableNumbers: [String: Int] = [:]
    for (number, table) in tables.enumerated() where tableNumbers[table.name] == nil {
      tableNumbers[table.name] = number
    }
    let snapshot = table.rows.snapshot
    var cursor = OldRows.Cursor(table.rows)
    while let (_, rows) = try cursor.next() {
      let classLeaf = try table.rows.leaf(classes, rows, budget: nil)
      let propertyLeaf = try table.rows.leaf(properties, rows, budget: nil)
      for row in 0..<rows.count {
        guard case .string(let name) = try classLeaf.value(row, in: snapshot),
          let number = Self.table(named: name.text, in: tableNumbers), columns[number] == nil
        else { continue }
        columns[number] = Self.column(try propertyLeaf.value(row, in: snapshot), of: tables[number])
      }
    }
  }

  func column(ofTable number: Int) -> Int? { columns[number] }

  private static func table(named name: String, in tables: [String: Int]) -> Int? {
    tables[ClassSchema.tablePrefix + name] ?? (name.hasPrefix(ClassSchema.tablePrefix) ? tables[name] : nil)
  }

  private static func column(_ property: Value, of table: OldTableStorage) -> Int? {
    let number: Int?
    switch property {
    case .string(let name): number = table.propertyNames.firstIndex(of: name.text)
    case .int(let stored): number = Int(exactly: stored)
    default: number = nil
    }
    guard let number, table.columns.indices.contains(number), !table.columns[number].spec.isHidden else {
      return nil
    }
    return number
  }
}
