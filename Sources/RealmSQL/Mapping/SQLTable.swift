// One table as SQL sees it, and its columns. Layer: RealmSQL, Mapping.
// The virtual tables of statements and the real tables of exported files are both made from these descriptions.

package import RealmEngine

/// The type that a column is declared with; the raw value is the word in `CREATE TABLE`.
package enum SQLType: String, Sendable {
  case integer = "INTEGER"
  case boolean = "BOOLEAN"
  case real = "REAL"
  case decimal = "DECIMAL_TEXT"
  case text = "TEXT"
  case blob = "BLOB"
  /// The word has TEXT in it so that SQLite compares texts as texts: of DATETIME alone it takes '2020' for a number.
  case date = "DATETIME_TEXT"
  /// Any value as it is.
  case any = ""

  /// Of a property's values; nil for links, which have the type of what names their target.
  init?(_ type: ValueType) {
    switch type {
    case .int: self = .integer
    case .bool: self = .boolean
    case .float, .double: self = .real
    case .decimal128: self = .decimal
    case .string, .objectID, .uuid: self = .text
    case .data: self = .blob
    case .date: self = .date
    case .mixed, .typedLink: self = .any
    case .object, .backlink: return nil
    }
  }
}

/// A column that another one's values are found in.
package struct SQLReference: Sendable, Hashable {
  package let table: String
  package let column: String
}

package struct SQLColumn: Sendable {
  /// Where the values come from.
  package enum Source: Sendable {
    case objectKey
    /// The row's name among those of its table, as text, and a text that all rows have: what a library asks for.
    case rowName
    case fixed(String)
    /// A property with single values of the row's object.
    case property(Property)
    /// What names the object that holds the row's element or embedded object; its class, and the property.
    case owner, ownerClass, ownerProperty
    /// The place in a list or set, from 0 on; the key in a dictionary.
    case position, entryKey
    /// The element of a list or set, or the value under a dictionary's key.
    case element(Property)
    /// A list, set, dictionary or embedded object as JSON; always hidden.
    case document(Property)
  }

  package let name: String
  package let source: Source
  package let type: SQLType
  package let isOptional: Bool
  /// Left out of `SELECT *`, and of exported files.
  package let isHidden: Bool
  /// Whether there is an index on the property, or it is the primary key.
  package let isIndexed: Bool
  package let reference: SQLReference?

  /// Whether linked objects know the rows that have a value here.
  var isLink: Bool { if case .property(let property) = source { property.isLink } else { false } }

  /// The property whose values stand here.
  package var property: Property? {
    switch source {
    case .property(let property), .element(let property), .document(let property): property
    case .objectKey, .rowName, .fixed, .owner, .ownerClass, .ownerProperty, .position, .entryKey: nil
    }
  }
}

/// A property that holds embedded objects, and the class that it belongs to.
package struct SQLOwner: Sendable {
  package let table: Table
  package let property: Property
}

package struct SQLTable: Sendable {
  package enum Rows: Sendable {
    /// A row for each object of `table`. `owners`: of an embedded class, all properties that may hold its objects.
    case objects(owners: [SQLOwner])
    /// A row for each element of a list, set or dictionary of the objects of `table`.
    case elements(Property)
  }

  package let name: String
  package let form: SQLForm
  package let table: Table
  package let rows: Rows
  package let columns: [SQLColumn]
  /// Into `columns`: what names a row in other tables. Nil in side tables.
  package let keyIndex: Int?

  /// What SQLite can hold.
  package static let columnsMax = 2000

  /// Why the table cannot be used; nil where it can.
  package var refusal: EngineError? {
    columns.count <= Self.columnsMax
      ? nil
      : EngineError(
        .constraint,
        "\(name) has \(columns.count) columns, and SQLite knows tables with at most \(Self.columnsMax)")
  }

  package var keyName: String? { keyIndex.map { columns[$0].name } }

  /// Whether the class has no primary key, so that `_key` is a column as any other.
  package var isKeyedByObjectKey: Bool {
    guard let keyIndex, case .objectKey = columns[keyIndex].source else { return false }
    return true
  }

  /// Into `columns`: the whole numbers that are the rowids of an exported file, other than object keys.
  var rowNumberIndex: Int? {
    guard let keyIndex, case .property(let property) = columns[keyIndex].source,
      columns[keyIndex].type == .integer, !columns[keyIndex].isOptional, !property.isLink
    else { return nil }
    return keyIndex
  }

  package func columnIndex(where matches: (SQLColumn.Source) -> Bool) -> Int? {
    columns.firstIndex { matches($0.source) }
  }

  static func twoOwners(_ table: Table) -> EngineError {
    EngineError(damage: "an embedded object of \(table.schema.name) has two owners")
  }
}
