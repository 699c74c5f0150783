// Records of incoming links made anew from the links, for files in which the two disagree. Layer: Objects.
// Invariant: afterwards links and incoming links agree, and no link leads to an object that is not there. Which objects an
// embedded one belongs to is nothing that this decides.

/// What the links of one property say.
private struct LinkCensus {
  /// The origins by the objects that they lead to; an origin stands as often as it links.
  var origins: [TableKey: [ObjectKey: [Int64]]] = [:]
  /// Links to objects that are not there.
  var lost: Set<ObjectLink> = []
  /// The objects that have them.
  var losers: [ObjectKey] = []
}

extension GroupEditor {
  /// Takes out links to objects that are not there, and records all others at their targets. Gives the number of objects
  /// that were changed. Memory: a number a link.
  func repairLinks() throws(EngineError) -> Int {
    var count = 0
    for table in try allTables() {
      for property in table.schema.properties where Self.mayLink(property) {
        let census = try census(of: property, in: table)
        try forget(census.lost.contains, property.columnKey, ObjectKeyList(census.losers), of: table)
        count += census.losers.count
        count += try recordOrigins(census, of: property, in: table)
      }
    }
    return count
  }

  private func census(of property: Property, in table: TableEditor) throws(EngineError) -> LinkCensus {
    var census = LinkCensus()
    try table.rows.editAll { cluster throws(EngineError) in
      let keys = try cluster.cluster()
      try forEachLink(property, cluster, 0..<cluster.count) { row, link throws(EngineError) in
        // Objects that other devices deleted are linked to by keys below 0.
        guard link.key.value >= 0 else { return }
        guard hasTable(link.table), try self.table(link.table).rows.locate(link.key) != nil else {
          census.lost.insert(link)
          if census.losers.last != keys.key(row) { census.losers.append(keys.key(row)) }
          return
        }
        census.origins[link.table, default: [:]][link.key, default: []].append(keys.key(row).value)
      }
    }
    return census
  }

  /// Gives the number of objects whose record was another.
  private func recordOrigins(
    _ census: LinkCensus, of property: Property, in origin: TableEditor
  ) throws(EngineError) -> Int {
    var count = 0
    for target in try allTables() {
      let origins = census.origins[target.tableKey] ?? [:]
      guard
        let hidden = try backlinkColumn(
          in: target, origin: origin, property.columnKey, creating: !origins.isEmpty)
      else { continue }
      var changedCount = 0
      try target.rows.editAll { cluster throws(EngineError) in
        let keys = try cluster.cluster()
        var leaf = try cluster.leaf(hidden.leafIndex)
        for row in 0..<cluster.count {
          let wanted = origins[keys.key(row)] ?? []
          let old = try store.snapshot.refsNode(leaf).slot(row)
          guard try recorded(old).sorted() != wanted.sorted() else { continue }
          if let root = Ref(old) { try store.releaseTree(root) }
          leaf = try store.setInteger(leaf, row, wanted.isEmpty ? 0 : try slot(0, adding: wanted))
          changedCount += 1
        }
        try cluster.setLeaf(hidden.leafIndex, leaf)
      }
      if changedCount > 0 { target.noteChange() }
      count += changedCount
    }
    return count
  }

  /// The origins in an element of a hidden column, as often as they stand there.
  private func recorded(_ slot: Int64) throws(EngineError) -> [Int64] {
    if slot == 0 { return [] }
    guard let root = Ref(slot) else { return [Int64(bitPattern: UInt64(bitPattern: slot) >> 1)] }
    var origins: [Int64] = []
    try forEachOrigin(root) { origins.append($0) }
    return origins
  }
}
