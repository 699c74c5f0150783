// Changing what properties a class has: their names, types, indexes and primary key. Layer: Objects.
// Invariants: every column of links has its hidden column at the target and goes with it; an index that an attribute
// promises exists; all that could be refused is refused before anything changes.

extension GroupEditor {
  // MARK: Properties

  func addProperty(_ table: TableEditor, _ definition: PropertyDefinition) throws(EngineError) {
    try addProperties(table, [definition])
  }

  func addProperties(_ table: TableEditor, _ definitions: [PropertyDefinition]) throws(EngineError) {
    let schema = table.schema
    var names: Set<ByteString> = []
    for definition in definitions {
      try checkPropertyName(definition.name, in: schema)
      guard names.insert(ByteString(definition.name)).inserted else {
        throw EngineError(.constraint, "\(schema.name) has a property \(definition.name) already")
      }
      try check(definition, of: schema.name, among: [])
    }
    for definition in definitions { try addColumn(table, definition) }
  }

  func addColumn(_ table: TableEditor, _ definition: PropertyDefinition) throws(EngineError) {
    let target: TableEditor? =
      if definition.type.type == .object, let name = definition.type.target { try requiredTable(name) } else {
        nil
      }
    if let target, target.schema.kind == .asymmetric {
      throw EngineError(
        .constraint,
        "\(table.schema.name).\(definition.name) cannot link to \(target.schema.name), which is asymmetric: its objects are only sent"
      )
    }
    try addColumn(table, definition, attributes: definition.attributes, target: target)
  }

  /// Adds a column; one of links leads to `target`, whatever the definition names.
  func addColumn(
    _ table: TableEditor, _ definition: PropertyDefinition, attributes: ColumnAttributes,
    target: TableEditor?
  ) throws(EngineError) {
    let key = try table.newColumnKey(definition.type.type.rawValue, attributes)
    try table.add(
      TableEditor.Column(
        name: Array(definition.name.utf8), key: key, typeWord: definition.typeWord,
        attributes: attributes))
    if definition.type.type == .object, let target {
      let hidden = try target.newColumnKey(ValueType.backlink.rawValue, [])
      try target.addBacklinks(hidden)
      target.setOpposite(hidden, table: table.tableKey, column: key)
      table.setOpposite(key, table: target.tableKey, column: hidden)
    }
    try setIndex(table, key, definition.index)
  }

  func renameProperty(_ table: TableEditor, _ property: Property, to name: String) throws(EngineError) {
    try checkPropertyName(name, in: table.schema)
    table.editColumns { columns in columns[property.specIndex].name = Array(name.utf8) }
  }

  /// Removes a property with its values; embedded objects in it go too.
  func removeProperty(_ table: TableEditor, _ property: Property) throws(EngineError) {
    if table.primaryKey == property.columnKey { table.changeSchema { $0.primaryKey = nil } }
    if property.type == .object, let target = property.target, hasTable(target),
      try self.table(target).isEmbedded
    {
      try eraseOwned(table, property, target)
    }
    try removeColumn(table, property)
  }

  /// Erases all embedded objects that a property owns.
  func eraseOwned(
    _ table: TableEditor, _ property: Property, _ target: TableKey
  ) throws(EngineError) {
    let owned = try self.table(target)
    guard let hidden = try backlinkColumn(in: owned, origin: table, property.columnKey, creating: false)
    else {
      return
    }
    let keys = try keys(of: owned) { cluster, row throws(EngineError) in
      try incomingCount(owned, hidden, cluster, row) > 0
    }
    try erase([target: keys])
  }

  /// Removes a column and the hidden columns that record its links.
  func removeColumn(_ table: TableEditor, _ property: Property) throws(EngineError) {
    if Self.mayLink(property) { try removeHiddenColumns(of: property, table, fromItself: true) }
    try table.remove(property.columnKey)
  }

  /// Removes the hidden columns that record the links of a property. `fromItself`: those in its own table too.
  func removeHiddenColumns(
    of property: Property, _ table: TableEditor, fromItself: Bool
  ) throws(EngineError) {
    for target in try allTables() where fromItself || target.tableKey != table.tableKey {
      for backlink in target.schema.backlinks
      where backlink.originTable == table.tableKey && backlink.originColumn == property.columnKey {
        try target.remove(backlink.columnKey)
      }
    }
  }

  // MARK: Indexes and primary keys

  /// Gives a property an index, or takes it away. The index of a primary key stays.
  func setIndex(_ table: TableEditor, _ key: ColumnKey, _ index: Property.Index) throws(EngineError) {
    guard let position = table.columns.lastIndex(where: { $0.key == key }) else { return }
    let column = table.columns[position]
    var attributes = column.attributes.subtracting([.indexed, .fullText])
    if index == .general { attributes.insert(.indexed) }
    if index == .fullText { attributes.insert(.fullText) }
    let isPrimaryKey = table.primaryKey == key
    guard attributes != column.attributes || table.indexRoot(key) == nil && index != .none else { return }
    guard !isPrimaryKey || index != .fullText else {
      throw EngineError(.constraint, "a primary key cannot have a full-text index")
    }
    table.editColumns { $0[position].attributes = attributes }
    if index == .none && !isPrimaryKey { return try table.dropIndex(key) }
    try buildIndex(table, key)
  }

  func buildIndex(_ table: TableEditor, _ key: ColumnKey) throws(EngineError) {
    if table.indexRoot(key) == nil { table.setIndexRoot(key, try store.makeIndexNode([], [])) }
    guard let property = table.schema.properties.first(where: { $0.columnKey == key }) else { return }
    try rebuildIndex(table, property)
  }

  /// Makes a property the primary key, or leaves the class without one. Throws when values repeat.
  func setPrimaryKey(_ table: TableEditor, _ name: String?) throws(EngineError) {
    let schema = table.schema
    var key: ColumnKey?
    if let name {
      guard let property = schema.property(named: name) else {
        throw EngineError(.unknownProperty, "\(schema.name) has no property \(name)")
      }
      guard !table.isEmbedded else {
        throw EngineError(.constraint, "the embedded class \(schema.name) cannot have a primary key")
      }
      try checkPrimaryKey(property.type, property.collection, "\(schema.name).\(name)")
      if schema.primaryKey?.columnKey == property.columnKey { return }
      try checkUnique(table, property)
      key = property.columnKey
    }
    if let old = schema.primaryKey, !table.columns[old.specIndex].attributes.contains(.indexed) {
      try table.dropIndex(old.columnKey)
    }
    table.changeSchema {
      // Keys of objects are numbered in another way from now on; the next one is searched for.
      $0.primaryKey = key
    }
    if let key {
      if let position = table.columns.firstIndex(where: { $0.key == key }),
        table.columns[position].attributes.contains(.fullText)
      {
        table.editColumns { $0[position].attributes.remove(.fullText) }
        try table.dropIndex(key)
      }
      try buildIndex(table, key)
    }
  }

  private func checkUnique(_ table: TableEditor, _ property: Property) throws(EngineError) {
    let objects = Table(schema: table.schema, clusters: try table.rows.tree())
    guard try objects.keysWithRepeatedValues(of: property).isEmpty else {
      throw EngineError(
        .constraint, "\(table.schema.name).\(property.name) cannot be the primary key: values repeat")
    }
  }

  // MARK: Columns of another kind

  /// Puts a column of another key in a property's place: the same name and position, each value (or element of a
  /// collection) as `convert` makes it; nil leaves all as they are. Not for links.
  func replaceColumn(
    _ table: TableEditor, _ property: Property, type: ValueType, isOptional: Bool,
    _ convert: ((Value) throws(EngineError) -> Value)?
  ) throws(EngineError) {
    let old = table.columns[property.specIndex]
    var attributes = property.columnKey.attributes
    if isOptional { attributes.insert(.nullable) } else { attributes.remove(.nullable) }
    let key = try table.newColumnKey(type.rawValue, attributes)
    let index = property.index
    let isPrimaryKey = table.primaryKey == property.columnKey
    try table.add(
      TableEditor.Column(
        name: old.name, key: key, typeWord: old.typeWord & ~0xFFFF | Int64(type.rawValue),
        attributes: attributes),
      at: property.specIndex + 1)
    let layout = TableEditor.layout(key)
    try table.rows.editAll { cluster throws(EngineError) in
      let source = try cluster.leaf(property.columnKey.leafIndex)
      if convert == nil, try isSame(source, property, under: layout, rowCount: cluster.count) {
        // The old column goes with what the new one had.
        let empty = try cluster.leaf(key.leafIndex)
        try cluster.setLeaf(key.leafIndex, source)
        return try cluster.setLeaf(property.columnKey.leafIndex, empty)
      }
      let convert = convert ?? { value in value }
      let new =
        property.collection == nil
        ? try store.makeLeaf(layout, try convertedLeaf(source, property.layout, convert))
        : try convertedCollections(source, property, type: type, isOptional: isOptional, convert)
      try store.releaseLeaf(try cluster.leaf(key.leafIndex), layout)
      try cluster.setLeaf(key.leafIndex, new)
    }
    if isPrimaryKey { table.changeSchema { $0.primaryKey = key } }
    try table.remove(property.columnKey)
    if index != .none && !(isPrimaryKey && !old.attributes.contains(.indexed)) {
      try setIndex(table, key, index)
    }
    if isPrimaryKey { try buildIndex(table, key) }
  }

  /// Whether a leaf of single values holds the same under a layout with another right to be null.
  private func isSame(
    _ ref: Ref, _ property: Property, under layout: LeafLayout, rowCount: Int
  ) throws(EngineError) -> Bool {
    guard property.collection == nil, property.type != .int, property.layout.texts == nil else {
      return false
    }
    // What stands for null elsewhere is a value in a leaf without nulls.
    guard layout.isNullable else { return true }
    return try store.snapshot.leaf(ref, layout, rowCount: rowCount).nullRows(in: store.snapshot).isEmpty
  }

  private func convertedLeaf(
    _ source: Ref, _ layout: LeafLayout, _ convert: (Value) throws(EngineError) -> Value
  ) throws(EngineError) -> [Value] {
    let leaf = try store.snapshot.leaf(source, layout, rowCount: nil)
    var values: [Value] = []
    for row in 0..<leaf.count { values.append(try convert(try leaf.value(row, in: store.snapshot))) }
    return values
  }

  /// The collections of one cluster with their elements converted; the old ones go with their column.
  private func convertedCollections(
    _ source: Ref, _ property: Property, type: ValueType, isOptional: Bool,
    _ convert: (Value) throws(EngineError) -> Value
  ) throws(EngineError) -> Ref {
    let elementLayout = LeafLayout(type: type, isNullable: isOptional, isInCollection: true)
    let roots = try store.snapshot.refsNode(source).integers.array()
    var slots: [Int64] = []
    for slot in roots {
      guard let root = Ref(slot) else {
        slots.append(0)
        continue
      }
      switch try stored(root, property) {
      case .list(let elements):
        var values: [Value] = []
        for case .single(let value) in elements { values.append(try convert(value)) }
        if property.collection == .set { values = Self.setOrder(values, property.type) }
        slots.append(Int64(try store.makeTree(elementLayout, .values(values)).offset))
      case .dictionary(let entries):
        var converted: [(key: Value, value: StoredValue)] = []
        for entry in entries {
          guard case .single(let value) = entry.value else { continue }
          converted.append((entry.key, .single(try convert(value))))
        }
        slots.append(Int64(try writeCollection(.dictionary(converted), property)?.offset ?? 0))
      case .single, .named: slots.append(0)
      }
    }
    return try store.makeSlots(slots)
  }

  /// Lets a property hold null, or no longer. Nulls become `replacement`; without one they are refused.
  func setOptional(
    _ table: TableEditor, _ property: Property, _ isOptional: Bool, nullReplacement replacement: Value?
  ) throws(EngineError) {
    let place = "\(table.schema.name).\(property.name)"
    guard property.type != .object, property.type != .mixed else {
      throw EngineError(
        .constraint, "\(place): whether links and mixed values are optional follows from their kind")
    }
    if property.isOptional == isOptional { return }
    if !isOptional, replacement == nil { try checkNoNulls(table, property, place) }
    guard !isOptional, let replacement else {
      return try replaceColumn(table, property, type: property.type, isOptional: isOptional, nil)
    }
    try replaceColumn(table, property, type: property.type, isOptional: false) { value throws(EngineError) in
      if case .null = value { replacement } else { value }
    }
  }

  private func checkNoNulls(_ table: TableEditor, _ property: Property, _ place: String) throws(EngineError) {
    var cursor = try table.rows.tree().cursor()
    while let cluster = try cursor.next() {
      guard let ref = try cluster.leafRef(property.columnKey.leafIndex) else { continue }
      guard let row = try firstRowWithNull(ref, property, rowCount: cluster.count) else { continue }
      throw EngineError(
        .constraint, "\(place) cannot be required: the object \(cluster.key(row).value) has null")
    }
  }

  private func firstRowWithNull(
    _ ref: Ref, _ property: Property, rowCount: Int
  ) throws(EngineError) -> Int? {
    guard property.collection != nil else {
      return try store.snapshot.leaf(ref, property.layout, rowCount: rowCount)
        .nullRows(in: store.snapshot).first
    }
    for row in 0..<rowCount {
      guard let root = try store.snapshot.refsNode(ref).ref(row) else { continue }
      let hasNull =
        switch try stored(root, property) {
        case .list(let elements): elements.contains { if case .single(.null) = $0 { true } else { false } }
        case .dictionary(let entries):
          entries.contains { if case .single(.null) = $0.value { true } else { false } }
        case .single, .named: false
        }
      if hasNull { return row }
    }
    return nil
  }
}
