// Objects that get other keys, and the links to them. Layer: Filling.
// Invariant: objects stay in their order, so that what is in the order of keys stays so.

extension WriteTransaction {
  /// Gives the objects of classes the keys 0, 1, 2 … where they have others: older engines make the keys of primary
  /// keys. Links to objects that are gone go too.
  package func renumberObjects(of classes: [TableKey]) throws(EngineError) {
    var keys: [TableKey: [Int64]] = [:]
    for table in classes {
      let old = try group.table(table).rows.allKeys()
      // They rise.
      if let last = old.last, last != old.count - 1 { keys[table] = old }
    }
    if keys.isEmpty { return }
    // Their keys may become those of others.
    _ = try repairLinks()
    for table in try group.allTables() {
      for property in table.schema.properties where GroupEditor.mayLink(property) {
        if let target = property.target, keys[target] == nil { continue }
        try replaceValues(of: table.tableKey, [property.name], by: MovedLinks(keys, property.target))
      }
    }
    try change { () throws(EngineError) in
      for table in keys.keys { try group.renumber(try group.table(table)) }
      _ = try group.repairLinks()
    }
  }
}

extension GroupEditor {
  fileprivate func renumber(_ table: TableEditor) throws(EngineError) {
    try table.rows.renumber()
    table.sequence = Int64(try table.rows.tree().count)
    table.noteChange()
    let indexed = table.schema.properties.filter { $0.index != .none }
    for property in try rebuildTogether(table, indexed) { try rebuildIndex(table, property) }
  }
}

/// Links to objects by their places among those of their class.
private final class MovedLinks: ValueReplacement, ValueReplacing {
  /// By class, rising.
  private let keys: [TableKey: [Int64]]
  /// Of single links.
  private let target: TableKey?

  init(_ keys: [TableKey: [Int64]], _ target: TableKey?) {
    self.keys = keys
    self.target = target
  }

  func makeWorker() -> any ValueReplacing { self }

  func replaceValues(of leaf: Leaf, in snapshot: Snapshot, into buffer: LeafBuffer) throws(EngineError) {
    for row in 0..<leaf.count {
      guard case .link(let link) = try leaf.value(row, in: snapshot, target: target) else {
        try buffer.appendNull()
        continue
      }
      try buffer.append(.link(replacement(of: link)))
    }
  }

  func replacement(of value: Value) -> Value { value }

  func replacement(of link: ObjectLink) -> ObjectLink {
    guard let keys = keys[link.table] else { return link }
    let place = keys.indices.partitionPoint { keys[$0] < link.key.value }
    return ObjectLink(table: link.table, key: ObjectKey(Int64(place)))
  }
}
