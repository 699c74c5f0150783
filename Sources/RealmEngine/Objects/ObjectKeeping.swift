// A realm reduced to some of its objects. Layer: Objects.
// Invariants: afterwards no link leads to an object that went, embedded objects have their owner, and nodes in use hold nothing of
// what went. Memory: for keys and links alone, in few bits each.

/// Which objects come along with those that were chosen. Links to others become null or leave their collections.
package enum LinkFollowing: String, CaseIterable, Sendable {
  /// All that links lead to, from one object to the next.
  case links
  /// Embedded objects.
  case owned
  case none
}

extension GroupEditor {
  /// Erases all objects but `chosen` and what comes along with them.
  func keep(_ chosen: [TableKey: ObjectKeyList], _ following: LinkFollowing) throws(EngineError) {
    let kept = try reached(from: chosen, following)
    let tables = try allTables().filter { $0.schema.isClass }
    var gone: [TableKey: ObjectKeyList] = [:]
    for table in tables where !table.isEmbedded {
      gone[table.tableKey] = try keys(of: table) { cluster, row in
        !(kept[table.tableKey]?.contains(cluster.key(row)) ?? false)
      }
    }
    try erase(gone)
    let embedded = tables.filter(\.isEmbedded)
    // Some files hold embedded objects that nobody owns.
    gone = [:]
    for table in embedded { gone[table.tableKey] = try keys(of: table, where: isOrphan(in: table)) }
    try erase(gone, areOrphans: true)
    guard following == .none else { return }
    for table in embedded { gone[table.tableKey] = try keys(of: table) }
    try erase(gone)
  }

  /// The objects that links lead to, those that they begin at among them.
  private func reached(
    from chosen: [TableKey: ObjectKeyList], _ following: LinkFollowing
  ) throws(EngineError) -> [TableKey: ObjectKeySet] {
    var reached: [TableKey: ObjectKeySet] = [:]
    var wave = chosen
    while !wave.isEmpty {
      var next: [TableKey: CompressedIntegers] = [:]
      for (key, keys) in wave.sorted(by: { $0.key.value < $1.key.value }) {
        try Interruption.check()
        let fresh = reached[key, default: ObjectKeySet()].add(keys)
        let table = try table(key)
        let linking = following == .none ? [] : table.schema.properties.filter(Self.mayLink)
        guard !fresh.isEmpty, !linking.isEmpty else { continue }
        try table.rows.edit(fresh.numbers) { cluster, rows throws(EngineError) in
          for property in linking {
            try forEachLink(property, cluster, rows) { _, link throws(EngineError) in
              guard link.key.value >= 0, hasTable(link.table),
                !(reached[link.table]?.contains(link.key) ?? false)
              else { return }
              if following == .owned, try !self.table(link.table).isEmbedded { return }
              next.run(link.table, CompressedIntegers()).append(link.key.value)
            }
          }
        }
      }
      wave = next.mapValues { ObjectKeyList($0) }
    }
    return reached
  }

  /// The objects of a class in the rows that are wanted.
  func keys(
    of table: TableEditor, where isWanted: (Cluster, Int) throws(EngineError) -> Bool = { _, _ in true }
  ) throws(EngineError) -> ObjectKeyList {
    let keys = CompressedIntegers()
    var cursor = try table.rows.tree().cursor()
    while let cluster = try cursor.next() {
      for row in 0..<cluster.count where try isWanted(cluster, row) {
        keys.append(cluster.key(row).value)
      }
    }
    return ObjectKeyList(keys)
  }

  /// Tells embedded objects that nothing links to.
  private func isOrphan(
    in table: TableEditor
  ) -> (Cluster, Int) throws(EngineError) -> Bool {
    let columns = table.schema.backlinks.filter { $0.originTable.map(hasTable) ?? false }
    return { [store] cluster, row throws(EngineError) in
      for column in columns {
        guard let leaf = try cluster.leafRef(column.columnKey.leafIndex) else { continue }
        if try store.snapshot.refsNode(leaf).slot(row) != 0 { return false }
      }
      return true
    }
  }

  /// Removes what a realm holds beside the objects of its classes: tables that are no classes, but for the schema version, objects
  /// that other devices have deleted, and texts that columns name by number.
  func removeAllButObjects() throws(EngineError) {
    let tables = try allTables()
    for table in tables { table.closeTexts() }
    try removePlaceholders(tables)
    let foreign = tables.filter { !$0.schema.isClass && $0.tableName != SchemaVersionTable.name }
    for table in foreign { try eraseAll(table) }
    for table in foreign {
      for property in table.schema.properties.filter(Self.mayLink) { try removeColumn(table, property) }
    }
    // One that a class links to stays, empty.
    for table in foreign where table.schema.backlinks.isEmpty { try removeTable(table) }
  }

  private func removePlaceholders(_ tables: [TableEditor]) throws(EngineError) {
    guard tables.contains(where: { $0.tombstones != nil }) else { return }
    for table in tables {
      let keys = try keys(of: table)
      for property in table.schema.properties where Self.mayLink(property) {
        try forget({ $0.key.value < 0 }, property.columnKey, keys, of: table)
      }
    }
    for table in tables where table.tombstones != nil {
      try table.dropTombstones()
      table.noteChange()
    }
  }
}
