// Filling an empty class with many objects: leaves, clusters and the tree are built from the bottom, indexes and incoming
// links afterwards in one go. Layer: Objects.
// Invariants: objects come in rising key order; a row is whole before the next begins; links may lead to objects that come
// later, so they are checked when all are there.

/// The objects of one class, as they arrive.
package final class BulkTable {
  package let schema: ClassSchema
  private let load: BulkLoad
  private let table: TableEditor
  private let builder: ClusterTreeBuilder
  private let columns: [BulkColumn]
  /// Keys of the cluster's rows, the one that was begun among them.
  private let keys = IntegerRun()
  private var lastKey: Int64 = -1
  /// Embedded objects that wait for one with a smaller key, by key.
  private var pendingRows: [Int64: [(index: Int, stored: StoredValue)]] = [:]
  private var embeddedCount: Int64 = 0
  private let leafSlotCount: Int

  init(_ table: TableEditor, in load: BulkLoad) {
    self.table = table
    self.load = load
    schema = table.schema
    builder = ClusterTreeBuilder(in: table.store)
    columns = schema.properties.map(BulkColumn.init)
    leafSlotCount = 1 + (table.rows.columns.map(\.leafIndex).max() ?? -1)
  }

  /// A column's values for the cluster that is being filled.
  private final class BulkColumn {
    /// Nil for a column of collections.
    let buffer: LeafBuffer?
    let isMixed: Bool
    let mayLink: Bool
    let defaultValue: Value
    let roots = IntegerRun()

    init(_ property: Property) {
      buffer = property.collection == nil ? LeafBuffer(property.layout) : nil
      isMixed = property.type == .mixed
      mayLink = GroupEditor.mayLink(property)
      defaultValue = property.layout.defaultValue
    }

    var count: Int { buffer?.count ?? roots.count }
  }

  private var store: NodeStore { table.store }
  /// Rows of the cluster that are whole, while one more has begun.
  private var rowCount: Int { keys.count - 1 }

  // MARK: Rows

  /// Begins an object; nil takes the next key.
  package func beginObject(key: ObjectKey? = nil) throws(EngineError) {
    let next = try load.group.takeKeyForBulk(table, key)
    guard next.value > lastKey else {
      throw EngineError(
        .constraint, "\(schema.name): the object key \(next.value) comes after \(lastKey)")
    }
    lastKey = next.value
    keys.append(next.value)
  }

  /// The key of the object that was begun last.
  package var currentKey: ObjectKey { ObjectKey(lastKey) }

  private func buffer(_ property: Int) throws(EngineError) -> LeafBuffer {
    guard let buffer = columns[property].buffer, buffer.count == rowCount else { throw misplaced(property) }
    return buffer
  }

  private func misplaced(_ property: Int) -> EngineError {
    let name = "\(schema.name).\(schema.properties[property].name)"
    return columns[property].count > rowCount
      ? EngineError(.constraint, "\(name) has two values", at: name)
      : EngineError(
        .constraint, "\(name) is a \(schema.properties[property].collection?.name ?? "value")", at: name)
  }

  package func put(_ property: Int, int number: Int64) throws(EngineError) {
    try buffer(property).append(int: number)
  }

  package func put(_ property: Int, double number: Double) throws(EngineError) {
    try buffer(property).append(double: number)
  }

  package func put(_ property: Int, bool flag: Bool) throws(EngineError) {
    try buffer(property).append(bool: flag)
  }

  package func put(_ property: Int, date: Timestamp) throws(EngineError) {
    try buffer(property).append(date: date)
  }

  package func put(_ property: Int, text: Span<UInt8>) throws(EngineError) {
    if columns[property].isMixed {
      return try put(property, .single(.string(ByteString(copying: text))))
    }
    try buffer(property).append(text: text)
  }

  /// Any value of the property's type; embedded objects are made.
  package func put(_ property: Int, _ value: NewValue) throws(EngineError) {
    let column = columns[property]
    let definition = schema.properties[property]
    if case .single(let single) = value, !column.mayLink, column.buffer != nil {
      let buffer = try buffer(property)
      do throws(EngineError) {
        return try buffer.append(single)
      } catch {
        // The check knows better what is wrong with it.
        try load.group.checkForBulk(value, for: definition, in: schema)
        throw error
      }
    }
    guard column.count == rowCount else { throw misplaced(property) }
    if definition.collection != nil { return try putCollection(column, definition, value) }
    let stored = try load.stored(value, definition, owner: table, ObjectKey(lastKey))
    try buffer(property).append(try load.group.write(stored))
  }

  private func putCollection(
    _ column: BulkColumn, _ definition: Property, _ value: NewValue
  ) throws(EngineError) {
    switch (definition.collection, value) {
    case (.list, .list), (.set, .set), (.set, .list), (.dictionary, .dictionary): break
    default:
      throw EngineError(
        .constraint, "\(schema.name).\(definition.name) cannot hold \(value.kindName)",
        at: "\(schema.name).\(definition.name)")
    }
    let stored = try load.stored(value, definition, owner: table, ObjectKey(lastKey))
    let root = try load.group.writeCollection(stored, definition)
    column.roots.append(Int64(root?.offset ?? 0))
  }

  /// Ends an object: properties without a value get their default.
  package func endObject() throws(EngineError) {
    let rowCount = rowCount
    for column in columns where column.count == rowCount {
      if let buffer = column.buffer { try buffer.append(column.defaultValue) } else { column.roots.append(0) }
    }
    if keys.count == ClusterTreeEditor.rowsMax { try writeCluster() }
  }

  /// Adds a whole embedded object. What it owns is made before its row begins, in this class too.
  func addEmbedded(
    _ values: [(index: Int, value: NewValue)], _ link: ObjectLink
  ) throws(EngineError) -> ObjectLink {
    var prepared: [(index: Int, stored: StoredValue)] = []
    let key = link.key
    for (index, value) in values {
      prepared.append((index, try load.stored(value, schema.properties[index], owner: table, key)))
    }
    pendingRows[key.value] = prepared
    try writePendingRows()
    return link
  }

  /// Rows of embedded objects come in the order of their keys, though inner objects are whole before outer ones.
  private func writePendingRows() throws(EngineError) {
    while let prepared = pendingRows[nextEmbeddedKey.value] {
      pendingRows[nextEmbeddedKey.value] = nil
      lastKey = nextEmbeddedKey.value
      keys.append(lastKey)
      for (index, stored) in prepared {
        guard columns[index].count == rowCount else { throw misplaced(index) }
        if let buffer = columns[index].buffer {
          try buffer.append(try load.group.write(stored))
        } else {
          let root = try load.group.writeCollection(stored, schema.properties[index])
          columns[index].roots.append(Int64(root?.offset ?? 0))
        }
      }
      try endObject()
      embeddedCount += 1
    }
  }

  private var nextEmbeddedKey: ObjectKey {
    GroupEditor.key(sequence: embeddedCount, hasPrimaryKey: false)
  }

  private func writeCluster() throws(EngineError) {
    var leaves = [Int64](repeating: 0, count: leafSlotCount)
    for (column, property) in zip(columns, schema.properties) {
      let leaf: Ref
      if let buffer = column.buffer {
        leaf = try buffer.makeLeaf(in: store)
      } else {
        leaf = try store.makeSlots(column.roots.array)
        column.roots.removeAll()
      }
      leaves[property.columnKey.leafIndex] = Int64(leaf.offset)
    }
    for hidden in table.backlinkKeys {
      leaves[hidden.leafIndex] = Int64(
        try store.makeSlots([Int64](repeating: 0, count: keys.count)).offset)
    }
    try builder.append(keys.array, leaves: leaves)
    keys.removeAll()
  }

  /// Puts the rows into the table.
  func finish() throws(EngineError) {
    if keys.count > 0 { try writeCluster() }
    if !builder.isEmpty { try table.rows.replaceEmptyTree(with: try builder.finish()) }
    table.noteChange()
  }
}
