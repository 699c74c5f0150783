// Adding objects to a class by columns. Layer: Objects.
// Invariant: what the new objects own is made before their rows begin, in this class too.

extension BulkTable {
  /// A column whose objects have been made.
  private enum PreparedColumn {
    case leaf(Leaf, rows: [Int])
    case values([Value])
    case repeated(Value)
    case stored([StoredValue])
    /// Keys of embedded objects.
    case owned([Int64], ObjectTarget)
  }

  /// Where links of a property lead.
  private struct ObjectTarget {
    let table: TableKey
    let links: PendingLinks
  }

  /// Adds so many objects, no one of which has begun. Gives their keys, which are the next ones; properties without a column
  /// get their default.
  func append(_ columns: [NamedColumn], count: Int) throws(EngineError) -> [Int64] {
    var prepared: [(index: Int, column: PreparedColumn)] = []
    for named in columns {
      guard let index = schema.propertyIndex(named: named.property) else {
        throw EngineError(.unknownProperty, "\(schema.name) has no property \(named.property)")
      }
      guard !prepared.contains(where: { $0.index == index }) else {
        throw EngineError(.constraint, "\(schema.name).\(named.property) has two values")
      }
      prepared.append((index, try prepare(named.column, schema.properties[index], count)))
    }
    let keys = try takeNextKeys(count)
    var start = 0
    while start < count {
      let end = min(count, start + BulkBlock.rowsMax - block.keys.count)
      try block.fillUp()
      for index in start..<end { block.keys.append(keys[index]) }
      for (index, column) in prepared { try put(column, start..<end, in: index, of: keys) }
      if block.isFull { try writeCluster(block) }
      start = end
    }
    return keys
  }

  private func prepare(
    _ column: NewColumn, _ property: Property, _ count: Int
  ) throws(EngineError) -> PreparedColumn {
    func stored(_ values: some Sequence<NewValue>) throws(EngineError) -> PreparedColumn {
      var stored: [StoredValue] = []
      for value in values { stored.append(try load.prepared(value, property, of: schema)) }
      return .stored(stored)
    }
    let isPlain = property.collection == nil && !GroupEditor.mayLink(property)
    switch column {
    case .leaf(let leaf, let rows): return .leaf(leaf, rows: rows)
    case .values(let values): return isPlain ? .values(values) : try stored(values.lazy.map { .single($0) })
    case .repeated(let value):
      return isPlain ? .repeated(value) : try stored(repeatElement(.single(value), count: count))
    case .any(let values): return try stored(values)
    case .embedded(let columns):
      guard property.collection == nil, let target = property.target, try load.group.table(target).isEmbedded
      else { throw EngineError(.constraint, "\(schema.name).\(property.name) cannot hold embedded objects") }
      let keys = try load.table(target).append(columns, count: count)
      return .owned(
        keys, ObjectTarget(table: target, links: load.links(from: table, property, to: target)))
    }
  }

  private func put(
    _ column: PreparedColumn, _ range: Range<Int>, in index: Int, of keys: [Int64]
  ) throws(EngineError) {
    let property = schema.properties[index]
    guard let buffer = self.columns[index].buffer else {
      guard case .stored(let values) = column else { throw misplaced(index) }
      for row in range {
        try load.noteLinks(in: values[row], from: ObjectKey(keys[row]), table, property)
        let root = try load.group.writeCollection(values[row], property)
        self.columns[index].roots?.append(Int64(root?.offset ?? 0))
      }
      return
    }
    switch column {
    case .leaf(let leaf, let rows): try buffer.append(leaf, rows[range], in: store.snapshot)
    case .values(let values): for row in range { try append(values[row], to: buffer, property) }
    case .repeated(let value): for _ in range { try append(value, to: buffer, property) }
    case .stored(let values):
      for row in range {
        try load.noteLinks(in: values[row], from: ObjectKey(keys[row]), table, property)
        try buffer.append(try load.group.write(values[row]))
      }
    case .owned(let owned, let target):
      for row in range {
        try buffer.append(.link(ObjectLink(table: target.table, key: ObjectKey(owned[row]))))
        target.links.append(target: owned[row], origin: keys[row])
      }
    }
  }

  private func append(_ value: Value, to buffer: LeafBuffer, _ property: Property) throws(EngineError) {
    do throws(EngineError) {
      if !value.fitsEverywhere { try load.group.checkForBulk(.single(value), for: property, in: schema) }
      try buffer.append(value)
    } catch {
      // The check knows better what is wrong with it.
      try load.group.checkForBulk(.single(value), for: property, in: schema)
      throw error
    }
  }
}
