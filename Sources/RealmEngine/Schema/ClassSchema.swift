// What a class is made of, as every command sees it. Layer: Schema.

import ByteText

/// A named property of a class. A reference: queries hand properties about as they are bound and planned.
package final class Property: Sendable {
  package enum Index: Sendable, Hashable { case none, general, fullText }

  package let name: String
  package let type: ValueType
  package let collection: CollectionKind?
  /// The column's nullable attribute: of the value, or of the elements of a list, set or dictionary.
  package let isOptional: Bool
  package let index: Index
  /// The table that links lead to; nil for properties that are not links.
  package let target: TableKey?
  package let columnKey: ColumnKey
  /// Position in the stored order of the class's columns.
  package let specIndex: Int
  /// The root of the property's index, where it has one.
  package let indexRef: Ref?
  /// Whether a dictionary's keys are integers rather than texts.
  package let hasIntegerKeys: Bool
  /// The distinct texts of an enumerated column.
  package let texts: EnumeratedTexts?
  /// What the one column holds of the tables that formats 2–9 keep lists of values in; nil for trees of elements.
  package let subtableForm: OldForm?

  package init(
    name: String, type: ValueType, collection: CollectionKind?, isOptional: Bool, index: Index,
    target: TableKey?, columnKey: ColumnKey, specIndex: Int, indexRef: Ref?, hasIntegerKeys: Bool,
    texts: EnumeratedTexts?, subtableForm: OldForm?
  ) {
    self.name = name
    self.type = type
    self.collection = collection
    self.isOptional = isOptional
    self.index = index
    self.target = target
    self.columnKey = columnKey
    self.specIndex = specIndex
    self.indexRef = indexRef
    self.hasIntegerKeys = hasIntegerKeys
    self.texts = texts
    self.subtableForm = subtableForm
  }

  /// The same property as an object of its own, for one of several threads; see `BlockDirectory`.
  func forOneThread() -> Property { leading(to: target) }

  /// The same property with links to another table.
  package func leading(to target: TableKey?) -> Property {
    with(target: target, index: index, indexRef: indexRef)
  }

  /// The same property in another column, or as another version of the table tells it.
  package func with(
    name: String? = nil, target: TableKey?, columnKey: ColumnKey? = nil, index: Index, indexRef: Ref?,
    hasIntegerKeys: Bool? = nil
  ) -> Property {
    Property(
      name: name ?? self.name, type: type, collection: collection, isOptional: isOptional, index: index,
      target: target, columnKey: columnKey ?? self.columnKey, specIndex: specIndex, indexRef: indexRef,
      hasIntegerKeys: hasIntegerKeys ?? self.hasIntegerKeys, texts: texts, subtableForm: subtableForm)
  }

  package var isLink: Bool { type == .object }

  /// How leaves of this property's column are to be read.
  package var layout: LeafLayout {
    LeafLayout(type: type, isNullable: isOptional, isCollectionColumn: collection != nil, texts: texts)
  }

  /// What new objects have in it, where it holds one value.
  package var defaultValue: Value { layout.defaultValue }

  /// How leaves of a list or set of this property are to be read.
  package var elementLayout: LeafLayout {
    LeafLayout(type: type, isNullable: isOptional, isInCollection: true, subtableForm: subtableForm)
  }
}

/// A hidden column that records which objects link here.
package struct BacklinkColumn: Sendable {
  package let columnKey: ColumnKey
  /// The table whose objects link here.
  package let originTable: TableKey?
  /// The column there.
  package let originColumn: ColumnKey

  package init(columnKey: ColumnKey, originTable: TableKey?, originColumn: ColumnKey) {
    self.columnKey = columnKey
    self.originTable = originTable
    self.originColumn = originColumn
  }
}

/// A class of objects, or a table that is no class.
package struct ClassSchema: Sendable {
  package enum Kind: Sendable, Hashable {
    case object, embedded, asymmetric
    /// A table of the engine's own or of a program that does not use classes.
    case table

    package var name: String {
      switch self {
      case .object: "object"
      case .embedded: "embedded"
      case .asymmetric: "asymmetric"
      case .table: "table"
      }
    }
  }

  package static let tablePrefix = "class_"

  /// The name of the class that a table is; nil where it is none.
  package static func className(ofTable tableName: String) -> String? { tableName.behind(tablePrefix) }

  /// As users know it: without the prefix of classes.
  package let name: String
  package let tableName: String
  package let kind: Kind
  package let tableKey: TableKey
  /// In stored order.
  package let properties: [Property]
  package let backlinks: [BacklinkColumn]
  /// Index into `properties`.
  package let primaryKeyIndex: Int?
  private let names: NamePositions

  package init(
    name: String, tableName: String, kind: Kind, tableKey: TableKey, properties: [Property],
    backlinks: [BacklinkColumn], primaryKeyIndex: Int?
  ) {
    self.name = name
    self.tableName = tableName
    self.kind = kind
    self.tableKey = tableKey
    self.properties = properties
    self.backlinks = backlinks
    self.primaryKeyIndex = primaryKeyIndex
    names = NamePositions(properties.map(\.name))
  }

  /// The class or table that a stored name and stored flags say.
  package init(
    tableName: String, flags: Int64, tableKey: TableKey, properties: [Property],
    backlinks: [BacklinkColumn], primaryKeyIndex: Int?
  ) {
    let className = Self.className(ofTable: tableName)
    self.init(
      name: className ?? tableName, tableName: tableName,
      kind: className == nil ? .table : flags & 3 == 1 ? .embedded : flags & 3 == 2 ? .asymmetric : .object,
      tableKey: tableKey, properties: properties, backlinks: backlinks, primaryKeyIndex: primaryKeyIndex)
  }

  package var isClass: Bool { kind != .table }
  package var primaryKey: Property? { primaryKeyIndex.map { properties[$0] } }

  package func property(named name: String) -> Property? {
    propertyIndex(named: name).map { properties[$0] }
  }

  package func propertyIndex(named name: String) -> Int? { names(name) }

  /// `this primary key (_id 7)`, for messages.
  package func words(ofKey key: Value) -> String {
    var text = ByteBuffer()
    guard let primaryKey, key.writeKey(to: &text) else { return "this primary key" }
    return "this primary key (\(primaryKey.name.visible) \(text.text.prefix(Self.shownKeySizeMax)))"
  }

  private static let shownKeySizeMax = 100
}
