// The tables that a realm is for SQL. Layer: RealmSQL, Mapping.
// A class is a table with its properties that hold single values. Lists, sets and dictionaries are tables of their own,
// `CLASS_NAME`, and so are embedded classes, whose rows name their owner. Links are the primary key of their target, or
// its object key where it has none.

package import RealmEngine

/// The tables of one version of a realm.
package struct SQLSchema: Sendable {
  /// Classes by name, each followed by its side tables.
  package let tables: [SQLTable]
  /// Into `tables`: of the class with that table key.
  private let classIndexes: [TableKey: Int]

  /// The table of a class; nil for keys of none.
  package func table(of key: TableKey) -> SQLTable? { classIndexes[key].map { tables[$0] } }

  /// The table of exported files that holds what the others do not say; a class of this name is another table.
  static let notesName = "_realm"

  package init(_ realm: ReadTransaction, _ form: SQLForm = .plain) {
    var builder = SchemaBuilder(realm, form)
    for index in builder.classes.indices { builder.addTables(ofClass: index) }
    tables = builder.tables
    classIndexes = builder.tableIndexes
  }

  /// Names of columns that are no properties. They give way to properties by underscores before them.
  enum ColumnName {
    static let objectKey = "_key"
    static let owner = "owner"
    static let ownerClass = "owner_class"
    static let ownerProperty = "owner_property"
    static let position = "position"
    static let entryKey = "key"
    static let value = "value"
    /// What WatermelonDB gives every table.
    static let rowName = "id"
    static let changed = "_changed"
    static let status = "_status"
  }
}

/// A class whose properties have their names as columns.
private struct NamedClass {
  let table: Table
  let name: String
  /// Those that hold single values.
  let properties: [(property: Property, name: String)]
  let keyName: String
  let form: SQLForm
  /// The names that are taken.
  private(set) var names = SQLNames()

  init(_ table: Table, named name: String, _ form: SQLForm, without embedding: (Property) -> Bool) {
    self.table = table
    self.name = name
    self.form = form
    var names = SQLNames()
    let key = table.schema.primaryKey
    properties = table.schema.properties.filter { property in
      // A primary key of that name is what rows are named by already.
      let isRowName = form.namesRows && property === key && property.name == SQLSchema.ColumnName.rowName
      return property.collection == nil && !isRowName && !embedding(property)
    }.map { ($0, names.take(form.name($0.name))) }
    keyName =
      form.namesRows ? SQLSchema.ColumnName.rowName : names.take(structural: SQLSchema.ColumnName.objectKey)
    self.names = names
  }

  var schema: ClassSchema { table.schema }

  /// The type of what names an object of the class.
  var linkType: SQLType {
    form.namesRows ? .text : schema.primaryKey.map { SQLType($0.type) ?? .any } ?? .integer
  }

  /// Where what names an object is found.
  var reference: SQLReference {
    let key = form.namesRows ? nil : properties.first { $0.property === schema.primaryKey }
    return SQLReference(table: name, column: key?.name ?? keyName)
  }

  func keyColumn(isHidden: Bool) -> SQLColumn {
    SQLColumn(
      name: keyName, source: .objectKey, type: .integer, isOptional: false, isHidden: isHidden,
      isIndexed: true, reference: nil)
  }

  /// What every table of the library begins with.
  static func libraryColumns(_ form: SQLForm) -> [SQLColumn] {
    guard form.namesRows else { return [] }
    func column(_ name: String, _ source: SQLColumn.Source) -> SQLColumn {
      SQLColumn(
        name: name, source: source, type: .text, isOptional: false, isHidden: false,
        isIndexed: name == SQLSchema.ColumnName.status, reference: nil)
    }
    return [
      column(SQLSchema.ColumnName.rowName, .rowName), column(SQLSchema.ColumnName.changed, .fixed("")),
      column(SQLSchema.ColumnName.status, .fixed("created")),
    ]
  }

  /// What side tables and the tables of embedded classes hold, for statements that want it in one cell.
  mutating func documentColumns() -> [SQLColumn] {
    let single = Set(properties.map { ObjectIdentifier($0.property) })
    return schema.properties.filter { !single.contains(ObjectIdentifier($0)) }.map {
      SQLColumn(
        name: names.take($0.name), source: .document($0), type: .text, isOptional: true, isHidden: true,
        isIndexed: false, reference: nil)
    }
  }

  /// A column that is no property.
  mutating func structuralColumn(
    _ name: String, _ source: SQLColumn.Source, _ type: SQLType, isIndexed: Bool = false,
    reference: SQLReference? = nil
  ) -> SQLColumn {
    SQLColumn(
      name: names.take(structural: name), source: source, type: type, isOptional: true, isHidden: false,
      isIndexed: isIndexed, reference: reference)
  }
}

private struct SchemaBuilder {
  let classes: [NamedClass]
  private let form: SQLForm
  private(set) var tables: [SQLTable] = []
  private(set) var tableIndexes: [TableKey: Int] = [:]
  private var names = SQLNames()
  /// Into `classes`.
  private let classIndexes: [TableKey: Int]
  /// Of embedded classes.
  private let owners: [TableKey: [SQLOwner]]

  init(_ realm: ReadTransaction, _ form: SQLForm) {
    self.form = form
    // By name, so that clashing names give way alike in a realm with the same classes in other slots.
    let tables = realm.classes().sorted { $0.schema.name.utf8.lexicographicallyPrecedes($1.schema.name.utf8) }
    var owners: [TableKey: [SQLOwner]] = [:]
    for table in tables {
      for property in table.schema.properties {
        guard let target = property.embeddedTarget(in: realm) else { continue }
        owners[target, default: []].append(SQLOwner(table: table, property: property))
      }
    }
    self.owners = owners
    var names = SQLNames()
    _ = names.take(SQLSchema.notesName)
    classes = tables.map { table in
      NamedClass(table, named: names.take(form.name(table.schema.name)), form) {
        $0.embeddedTarget(in: realm) != nil
      }
    }
    self.names = names
    classIndexes = Dictionary(
      zip(tables.map(\.schema.tableKey), classes.indices), uniquingKeysWith: { first, _ in first })
  }

  private func target(of property: Property) -> NamedClass? {
    property.target.flatMap { classIndexes[$0] }.map { classes[$0] }
  }

  /// Adds the table of a class and its side tables.
  mutating func addTables(ofClass index: Int) {
    var named = classes[index]
    let schema = named.schema
    tableIndexes[schema.tableKey] = tables.count
    let owners = owners[schema.tableKey] ?? []
    var columns = NamedClass.libraryColumns(form)
    if schema.primaryKey == nil, !form.namesRows { columns.append(named.keyColumn(isHidden: false)) }
    if schema.kind == .embedded { columns += ownerColumns(owners, &named) }
    var keyIndex = 0
    for (property, name) in named.properties {
      let isKey = property === schema.primaryKey
      if isKey, !form.namesRows { keyIndex = columns.count }
      columns.append(
        valueColumn(
          property, named: name, source: .property(property), isIndexed: isKey || property.index == .general))
    }
    if schema.primaryKey != nil, !form.namesRows { columns.append(named.keyColumn(isHidden: true)) }
    columns += named.documentColumns()
    tables.append(
      SQLTable(
        name: named.name, form: form, table: named.table, rows: .objects(owners: owners), columns: columns,
        keyIndex: keyIndex))
    for property in schema.properties
    where property.collection != nil && target(of: property)?.schema.kind != .embedded {
      tables.append(sideTable(of: property, named))
    }
  }

  private func valueColumn(
    _ property: Property, named name: String, source: SQLColumn.Source, isIndexed: Bool
  ) -> SQLColumn {
    let target = target(of: property)
    return SQLColumn(
      name: name, source: source, type: SQLType(property.type) ?? target?.linkType ?? .any,
      isOptional: property.isOptional || property.isLink || property.type == .mixed, isHidden: false,
      isIndexed: isIndexed, reference: property.isLink ? target?.reference : nil)
  }

  /// What an embedded class has before its properties.
  private func ownerColumns(_ owners: [SQLOwner], _ named: inout NamedClass) -> [SQLColumn] {
    typealias Name = SQLSchema.ColumnName
    let ownerClasses = owners.compactMap { classIndexes[$0.table.schema.tableKey] }
    let types = Set(ownerClasses.map { classes[$0].linkType })
    let reference = Set(ownerClasses).count == 1 ? classes[ownerClasses[0]].reference : nil
    var columns = [
      named.structuralColumn(
        Name.owner, .owner, types.count == 1 ? types.first ?? .any : form.typeOfMixedKeys, isIndexed: true,
        reference: reference)
    ]
    if owners.count > 1 {
      columns.append(named.structuralColumn(Name.ownerClass, .ownerClass, .text))
      columns.append(named.structuralColumn(Name.ownerProperty, .ownerProperty, .text))
    }
    if owners.contains(where: { $0.property.collection == .list }) {
      columns.append(named.structuralColumn(Name.position, .position, .integer))
    }
    if owners.contains(where: { $0.property.collection == .dictionary }) {
      columns.append(named.structuralColumn(Name.entryKey, .entryKey, .text))
    }
    return columns
  }

  private mutating func sideTable(of property: Property, _ owner: NamedClass) -> SQLTable {
    typealias Name = SQLSchema.ColumnName
    let isDictionary = property.collection == .dictionary
    return SQLTable(
      name: names.take(form.name(property.name), of: owner.name), form: form, table: owner.table,
      rows: .elements(property),
      columns: NamedClass.libraryColumns(form) + [
        SQLColumn(
          name: Name.owner, source: .owner, type: owner.linkType,
          isOptional: !form.isStrict && owner.schema.primaryKey?.isOptional ?? false, isHidden: false,
          isIndexed: true,
          reference: owner.reference),
        SQLColumn(
          name: isDictionary ? Name.entryKey : Name.position, source: isDictionary ? .entryKey : .position,
          type: isDictionary && !property.hasIntegerKeys ? .text : .integer, isOptional: false,
          isHidden: false, isIndexed: false, reference: nil),
        valueColumn(property, named: Name.value, source: .element(property), isIndexed: false),
      ],
      keyIndex: form.namesRows ? 0 : nil)
  }
}

extension Property {
  /// The embedded class whose objects the property holds; nil where it holds others.
  fileprivate func embeddedTarget(in realm: ReadTransaction) -> TableKey? {
    guard isLink, let target, realm.table(target)?.schema.kind == .embedded else { return nil }
    return target
  }
}
