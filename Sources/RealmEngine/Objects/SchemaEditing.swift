// Changing what classes there are, and the version of the schema. Layer: Objects.
// Invariants: every column of links has its hidden column at the target and goes with it; an index that an attribute
// promises exists; names keep their limits; all that could be refused is refused before anything changes.

import RealmQueryLanguage

extension GroupEditor {
  // MARK: Names

  private func checkClassName(_ name: String) throws(EngineError) {
    let size = name.utf8.count
    guard size > 0, size <= ClassDefinition.nameSizeMax else {
      throw EngineError(
        .constraint, "a class name has 1 to \(ClassDefinition.nameSizeMax) bytes, not \(size): \(name)")
    }
    guard try table(named: ClassSchema.tablePrefix + name) == nil else {
      throw EngineError(.constraint, "there is a class \(name) already")
    }
  }

  func checkPropertyName(_ name: String, in schema: ClassSchema) throws(EngineError) {
    let size = name.utf8.count
    guard size > 0, size <= PropertyDefinition.nameSizeMax else {
      throw EngineError(
        .constraint, "a property name has 1 to \(PropertyDefinition.nameSizeMax) bytes, not \(size): \(name)")
    }
    guard schema.property(named: name) == nil else {
      throw EngineError(.constraint, "\(schema.name) has a property \(name) already")
    }
  }

  func requiredTable(_ className: String) throws(EngineError) -> TableEditor {
    guard let table = try table(named: ClassSchema.tablePrefix + className) else {
      throw EngineError(.unknownClass, "there is no class \(className)")
    }
    return table
  }

  // MARK: Classes

  /// Makes classes, which may link to each other.
  func addClasses(_ definitions: [ClassDefinition]) throws(EngineError) {
    try requireRoom(forTables: definitions.count)
    var names: Set<ByteString> = []
    for definition in definitions {
      try checkClassName(definition.name)
      guard names.insert(ByteString(definition.name)).inserted else {
        throw EngineError(.constraint, "the class \(definition.name) is described twice")
      }
    }
    for definition in definitions {
      guard definition.properties.count <= TableEditor.columnsMax else {
        throw TableEditor.full(definition.name)
      }
      try checkClass(definition, among: names)
    }
    var tables: [TableEditor] = []
    let named = try namedTables()
    for definition in definitions {
      let flags: Int64 =
        switch definition.kind {
        case .embedded: 1
        case .asymmetric: 2
        case .object, .table: 0
        }
      let table = try addTable(ClassSchema.tablePrefix + definition.name, flags: flags)
      if named.contains(table.tableKey) { try requireUnnamed(table.tableKey) }
      tables.append(table)
    }
    for (definition, table) in zip(definitions, tables) {
      for var property in definition.properties {
        // A primary key is indexed without saying so.
        if property.name == definition.primaryKey { property.index = .none }
        try addColumn(table, property)
      }
      if let primaryKey = definition.primaryKey { try setPrimaryKey(table, primaryKey) }
    }
  }

  /// The tables that columns lead to, whether they are there or not.
  private func namedTables() throws(EngineError) -> Set<TableKey> {
    var named: Set<TableKey> = []
    for table in try allTables() {
      named.formUnion(table.schema.properties.lazy.compactMap(\.target))
      named.formUnion(table.schema.backlinks.lazy.compactMap(\.originTable))
    }
    return named
  }

  /// Columns that name a table which is not there would lead to a new one with its number.
  private func requireUnnamed(_ key: TableKey) throws(EngineError) {
    for table in try allTables() {
      let schema = table.schema
      guard
        schema.properties.contains(where: { $0.target == key })
          || schema.backlinks.contains(where: { $0.originTable == key })
      else { continue }
      throw EngineError(
        .damaged, "\(schema.name) has links to or from table \(key.value), which the realm does not have")
    }
  }

  /// Throws what keeps a class from being made. `names` are classes that are to be made with it.
  func checkClass(_ definition: ClassDefinition, among names: Set<ByteString>) throws(EngineError) {
    try checkClassName(definition.name)
    var seen: Set<ByteString> = []
    for property in definition.properties {
      let size = property.name.utf8.count
      guard size > 0, size <= PropertyDefinition.nameSizeMax else {
        throw EngineError(
          .constraint,
          "a property name has 1 to \(PropertyDefinition.nameSizeMax) bytes, not \(size): \(property.name)")
      }
      guard seen.insert(ByteString(property.name)).inserted else {
        throw EngineError(.constraint, "\(definition.name).\(property.name) is described twice")
      }
      try check(property, of: definition.name, among: names)
    }
    guard let primaryKey = definition.primaryKey else { return }
    guard definition.kind != .embedded else {
      throw EngineError(.constraint, "the embedded class \(definition.name) cannot have a primary key")
    }
    guard let property = definition.properties.first(where: { $0.name == primaryKey }) else {
      throw EngineError(
        .unknownProperty, "\(definition.name) has no property \(primaryKey) for its primary key")
    }
    try checkPrimaryKey(property.type.type, property.type.collection, "\(definition.name).\(primaryKey)")
  }

  func checkPrimaryKey(
    _ type: ValueType, _ collection: CollectionKind?, _ place: String
  ) throws(EngineError) {
    guard ClassDefinition.canBePrimaryKey(type, collection) else {
      throw EngineError(
        .constraint, "\(place) cannot be a primary key: only int, string, objectId and uuid can")
    }
  }

  /// `names` are classes that are about to be made.
  func check(
    _ property: PropertyDefinition, of className: String, among names: Set<ByteString>
  ) throws(EngineError) {
    let type = property.type
    let place = "\(className).\(property.name)"
    guard PropertyDefinition.canIndex(type.type, type.collection, property.index) else {
      throw EngineError(
        .constraint, "\(place) cannot have \(property.index == .fullText ? "a full-text" : "an") index")
    }
    switch type.type {
    case .object:
      guard let target = type.target else {
        throw EngineError(.constraint, "\(place) is a link and must name a class")
      }
      if names.contains(ByteString(target)) { return }
      guard try table(named: ClassSchema.tablePrefix + target) != nil else {
        throw EngineError(
          .unknownClass, "\(place) links to \(target), which is not a class",
          hint: "the other types: \(TypeWord.allCases.map(\.rawValue).joined(separator: ", "))")
      }
    case .backlink, .typedLink:
      throw EngineError(.constraint, "\(place) cannot have the type \(type.type.name)")
    default: return
    }
  }

  func renameClass(_ table: TableEditor, to name: String) throws(EngineError) {
    try checkClassName(name)
    renameTable(table, to: ClassSchema.tablePrefix + name)
  }

  /// Removes a class and its objects. Throws when properties of other classes link to it.
  func removeClass(_ table: TableEditor) throws(EngineError) {
    let schema = table.schema
    for backlink in schema.backlinks {
      guard let originKey = backlink.originTable, originKey != table.tableKey, hasTable(originKey) else {
        continue
      }
      let origin = try self.table(originKey).schema
      guard let property = origin.properties.first(where: { $0.columnKey == backlink.originColumn }),
        property.type == .object
      else { continue }
      throw EngineError(
        .constraint, "\(schema.name) cannot be dropped: \(origin.name).\(property.name) links to it")
    }
    let linking = schema.properties.filter(Self.mayLink)
    if try leavesNothing(table) {
      for property in linking { try removeHiddenColumns(of: property, table, fromItself: false) }
    } else {
      try eraseAll(table)
      for property in linking { try removeColumn(table, property) }
    }
    try removeTable(table)
  }

  /// Whether the objects of a class can go without being looked at: what others have of them stands in hidden columns alone,
  /// which go as columns. Embedded objects that they own, and mixed values that link to them, have to be found.
  private func leavesNothing(_ table: TableEditor) throws(EngineError) -> Bool {
    guard !table.isEmbedded else { return false }
    let isLinkedFromElsewhere = table.schema.backlinks.contains {
      $0.originTable != table.tableKey && ($0.originTable.map(hasTable) ?? false)
    }
    let ownsEmbedded = try allTables().contains { target in
      target.isEmbedded && target.schema.backlinks.contains { $0.originTable == table.tableKey }
    }
    guard !isLinkedFromElsewhere, !ownsEmbedded else { return false }
    // A stand-in of an object that is to come goes with the last link to it.
    return try allTables().allSatisfy { $0.tombstones == nil }
  }

  /// Erases all objects of a class.
  func eraseAll(_ table: TableEditor) throws(EngineError) {
    try erase([table.tableKey: try keys(of: table)])
  }

  /// Makes a class's objects embedded or of their own. Throws when an object has no owner or several.
  func setEmbedded(_ table: TableEditor, _ isEmbedded: Bool) throws(EngineError) {
    let schema = table.schema
    if table.isEmbedded == isEmbedded { return }
    if isEmbedded {
      guard schema.primaryKey == nil else {
        throw EngineError(.constraint, "\(schema.name) has a primary key and cannot be embedded")
      }
      try checkOwners(table)
      try refuseOwnerCircles(table)
    }
    table.changeSchema { $0.flags = $0.flags & ~3 | (isEmbedded ? 1 : 0) }
  }

  private func checkOwners(_ table: TableEditor) throws(EngineError) {
    let schema = table.schema
    try refuseLinksThatOwnNothing(to: table)
    var cursor = try table.rows.tree().cursor()
    while let cluster = try cursor.next() {
      for row in 0..<cluster.count {
        var count = 0
        for backlink in schema.backlinks {
          count += try incomingCount(table, backlink.columnKey, cluster, row)
        }
        guard count == 1 else {
          throw EngineError(
            .constraint,
            "\(schema.name) cannot be embedded: the object \(cluster.key(row).value) has \(count) owners")
        }
      }
    }
  }

  /// Throws where a set may hold objects of a class, or a mixed value links to one.
  func refuseLinksThatOwnNothing(to table: TableEditor) throws(EngineError) {
    let schema = table.schema
    // A mixed property may have linked to objects that it links to no more.
    var mixed: [(column: ColumnKey, name: String)] = []
    for backlink in schema.backlinks {
      guard let originKey = backlink.originTable, hasTable(originKey) else { continue }
      let origin = try self.table(originKey).schema
      guard let property = origin.properties.first(where: { $0.columnKey == backlink.originColumn })
      else { continue }
      let name = "\(origin.name).\(property.name)"
      if property.type == .mixed {
        mixed.append((backlink.columnKey, name))
      } else if property.collection == .set {
        throw EngineError(.constraint, "\(schema.name) cannot be embedded: \(name) is a set")
      }
    }
    if mixed.isEmpty { return }
    var cursor = try table.rows.tree().cursor()
    while let cluster = try cursor.next() {
      for row in 0..<cluster.count {
        for (column, name) in mixed where try incomingCount(table, column, cluster, row) > 0 {
          throw EngineError(
            .constraint, "\(schema.name) cannot be embedded: \(name) is mixed and links to it",
            at: "object \(cluster.key(row).value)")
        }
      }
    }
  }

  func incomingCount(
    _ table: TableEditor, _ hidden: ColumnKey, _ cluster: Cluster, _ row: Int
  ) throws(EngineError) -> Int {
    guard let ref = try cluster.leafRef(hidden.leafIndex) else { return 0 }
    let leaf = try store.snapshot.refsNode(ref)
    let slot = try leaf.slot(row)
    if slot == 0 || slot & 1 == 1 { return slot == 0 ? 0 : 1 }
    return try store.treeCount(try leaf.requiredRef(row), .integerKeys)
  }

  // MARK: Schema version

  /// Sets the SDKs' schema version, making the table that holds it where needed.
  func setSchemaVersion(_ version: Int64) throws(EngineError) {
    let metadata: TableEditor
    if let existing = try table(named: SchemaVersionTable.name) {
      metadata = existing
    } else {
      metadata = try addTable(SchemaVersionTable.name, flags: 0)
    }
    if metadata.schema.property(named: SchemaVersionTable.property) == nil {
      try addColumn(metadata, PropertyDefinition(SchemaVersionTable.property, .int))
    }
    guard let property = metadata.schema.property(named: SchemaVersionTable.property), property.type == .int
    else {
      throw EngineError(.refused, "the table of the schema version holds something else")
    }
    var cursor = try metadata.rows.tree().cursor()
    if let cluster = try cursor.next() {
      let key = cluster.key(0)
      try set(metadata, property, key, .single(.int(version)))
    } else {
      _ = try create(metadata, key: nil, [(property, .single(.int(version)))])
    }
  }
}
