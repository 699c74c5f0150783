// Which column is the primary key of each class: formats 2–9 keep that in a table "pk". Layer: Legacy.
// The table has been written in several ways: class names with or without their prefix, columns by name or by
// number; rows may be left over from classes that are gone. The first row for a class counts.

/// The primary keys of all classes, gathered row by row.
package struct OldPrimaryKeys {
  package static let table = "pk"
  package static let classColumn = "pk_table"
  package static let propertyColumn = "pk_property"

  private let numbers: [String: Int]
  private let propertyNames: [[String]]
  private var columns: [Int: Int] = [:]

  /// Names of all tables, and of their columns by position, empty for hidden ones.
  package init(tableNames: [String], propertyNames: [[String]]) {
    numbers = Dictionary(tableNames.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    self.propertyNames = propertyNames
  }

  /// Takes one row of the table "pk".
  package mutating func add(class name: Value, property: Value) {
    guard case .string(let name) = name, let table = table(named: name.text), columns[table] == nil else {
      return
    }
    let column: Int?
    switch property {
    case .string(let name): column = propertyNames[table].firstIndex(of: name.text)
    case .int(let number): column = Int(exactly: number)
    default: column = nil
    }
    guard let column, propertyNames[table].indices.contains(column), !propertyNames[table][column].isEmpty
    else { return }
    columns[table] = column
  }

  /// The position of the primary key's column among all columns of a table.
  package func column(ofTable number: Int) -> Int? { columns[number] }

  private func table(named name: String) -> Int? {
    numbers[ClassSchema.tablePrefix + name]
      ?? (ClassSchema.className(ofTable: name) != nil ? numbers[name] : nil)
  }
}
