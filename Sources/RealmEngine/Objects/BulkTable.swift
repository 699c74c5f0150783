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
  private let buffers: [LeafBuffer?]
  /// Per property: the slots of a column of collections.
  private var roots: [[Int64]]
  private var keys: [Int64] = []
  private var lastKey: Int64 = -1
  private var isSet: [Bool]
  /// Embedded objects that wait for one with a smaller key, by key.
  private var pendingRows: [Int64: [(index: Int, stored: StoredValue)]] = [:]
  private var embeddedCount: Int64 = 0
  private let leafSlotCount: Int

  init(_ table: TableEditor, in load: BulkLoad) {
    self.table = table
    self.load = load
    schema = table.schema
    builder = ClusterTreeBuilder(in: table.store)
    buffers = schema.properties.map { $0.collection == nil ? LeafBuffer($0.layout) : nil }
    roots = schema.properties.map { _ in [] }
    isSet = schema.properties.map { _ in false }
    leafSlotCount = 1 + (table.rows.columns.map(\.leafIndex).max() ?? -1)
  }

  private var store: NodeStore { table.store }

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
    guard !isSet[property], let buffer = buffers[property] else { throw misplaced(property) }
    isSet[property] = true
    return buffer
  }

  private func misplaced(_ property: Int) -> EngineError {
    let name = "\(schema.name).\(schema.properties[property].name)"
    return isSet[property]
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

  package func put(_ property: Int, text: Span<UInt8>) throws(EngineError) {
    if schema.properties[property].type == .mixed {
      return try put(property, .single(.string(ByteString(copying: text))))
    }
    try buffer(property).append(text: text)
  }

  /// Any value of the property's type; embedded objects are made.
  package func put(_ property: Int, _ value: NewValue) throws(EngineError) {
    let definition = schema.properties[property]
    if definition.collection != nil {
      guard !isSet[property] else { throw misplaced(property) }
      isSet[property] = true
      try putCollection(property, definition, value)
      return
    }
    if case .single(let single) = value, !GroupEditor.mayLink(definition) {
      return try buffer(property).append(single)
    }
    let stored = try load.stored(value, definition, owner: table, ObjectKey(lastKey))
    try buffer(property).append(try load.group.write(stored))
  }

  private func putCollection(
    _ property: Int, _ definition: Property, _ value: NewValue
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
    roots[property].append(Int64(root?.offset ?? 0))
  }

  /// Ends an object: properties without a value get their default.
  package func endObject() throws(EngineError) {
    for (index, property) in schema.properties.enumerated() {
      if isSet[index] {
        isSet[index] = false
      } else if property.collection != nil {
        roots[index].append(0)
      } else {
        try buffers[index]?.append(property.layout.defaultValue)
      }
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
        guard !isSet[index] else { throw misplaced(index) }
        isSet[index] = true
        if schema.properties[index].collection != nil {
          let root = try load.group.writeCollection(stored, schema.properties[index])
          roots[index].append(Int64(root?.offset ?? 0))
        } else {
          try buffers[index]?.append(try load.group.write(stored))
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
    for (index, property) in schema.properties.enumerated() {
      let leaf: Ref
      if let buffer = buffers[index] {
        leaf = try buffer.makeLeaf(in: store)
      } else {
        leaf = try store.makeSlots(roots[index])
        roots[index].removeAll(keepingCapacity: true)
      }
      leaves[property.columnKey.leafIndex] = Int64(leaf.offset)
    }
    for hidden in table.backlinkKeys {
      leaves[hidden.leafIndex] = Int64(
        try store.makeSlots([Int64](repeating: 0, count: keys.count)).offset)
    }
    try builder.append(keys, leaves: leaves)
    keys.removeAll(keepingCapacity: true)
  }

  /// Puts the rows into the table.
  func finish() throws(EngineError) {
    if !keys.isEmpty { try writeCluster() }
    if !builder.isEmpty { try table.rows.replaceEmptyTree(with: try builder.finish()) }
    table.noteChange()
  }
}
