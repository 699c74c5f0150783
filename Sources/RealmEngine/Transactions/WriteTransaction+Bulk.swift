// Changes of many objects at once: loading into empty classes, and links of many objects. Layer: Transactions.

extension WriteTransaction {
  /// Begins to fill classes. `finish` of the load makes the objects part of the transaction; until then nothing else
  /// may be changed, and an error means that the transaction is lost.
  package func beginLoad(allowsAnyDictionaryKey: Bool = false) throws(EngineError) -> BulkLoad {
    try checkSound()
    group.allowsAnyDictionaryKey = allowsAnyDictionaryKey
    return BulkLoad(group)
  }

  /// Throws `.constraint` when `value` cannot stand in the property; whether what it links to exists is not asked.
  package func checkForBulk(
    _ value: NewValue, _ property: Property, in schema: ClassSchema
  ) throws(EngineError) { try group.checkForBulk(value, for: property, in: schema) }

  /// Sets a property that links to one object each, or to none. Quick for objects in which it is null.
  package func setLinks(
    _ key: TableKey, _ property: Property, _ links: [(owner: ObjectKey, target: ObjectKey?)]
  ) throws(EngineError) {
    guard let target = property.target, !links.isEmpty else { return }
    let table = try group.table(key)
    let order = links.sorted { $0.owner < $1.owner }
    try change { () throws(EngineError) in
      let load = BulkLoad(group)
      var next = 0
      let leafIndex = property.columnKey.leafIndex
      var taken: [(owner: ObjectKey, value: NewValue)] = []
      try table.rows.edit(order.map(\.owner)) { cluster, rows throws(EngineError) in
        var leaf = try cluster.leaf(leafIndex)
        guard
          case .links(let old) = try group.store.snapshot.leaf(
            leaf, property.layout, rowCount: cluster.count)
        else { preconditionFailure("a property with a target holds links") }
        let isFree = rows.map { old[$0] == nil }
        for (row, isFree) in zip(rows, isFree) {
          let (owner, key) = order[next]
          next += 1
          let link = key.map { ObjectLink(table: target, key: $0) }
          guard isFree else {
            taken.append((owner, .single(link.map(Value.link) ?? .null)))
            continue
          }
          guard let link else { continue }
          leaf = try group.store.setElement(leaf, property.layout, row, .link(link))
          load.noteLink(from: owner, table, property, to: link)
        }
        try cluster.setLeaf(leafIndex, leaf)
      }
      precondition(next == order.count, "objects that get links exist")
      table.noteChange()
      try load.finish()
      for (owner, value) in taken { try group.set(table, property, owner, value) }
    }
  }
}
