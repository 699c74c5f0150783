// Turning formats 10 to 23 into 24 in place: what the reference engine does when it opens such a file for writing.
// Layer: Objects.
// Not converted, because both forms are valid: decimals of full width, mixed leaves of four slots, long backlink leaves,
// lists in search indexes, keys of objects.

extension GroupEditor {
  /// First formats with an index on every primary key, with dictionaries as parallel trees, and the current one.
  private static let primaryKeyIndexFormat = 22
  private static let parallelDictionaryFormat = 23
  private static let byteOrderFormat = 24

  /// `mergesEqual`: equal elements of a set, or keys of a dictionary, become one instead of an error. What makes a new file
  /// of all of a realm has looked for such damage itself.
  func upgrade(from format: Int, mergesEqual: Bool) throws(EngineError) {
    let tables = try allTables()
    // Dictionaries first: what is erased below may hold them.
    let former = Snapshot(
      image: store.snapshot.image, fileLimit: store.snapshot.fileLimit, format: format)
    for table in tables {
      for property in table.schema.properties {
        if property.collection == .dictionary {
          try upgradeDictionaries(table, property, former, mergesEqual)
        }
        if property.collection == .set, [.string, .data, .mixed].contains(property.type) {
          try sortSets(table, property, mergesEqual)
        }
      }
    }
    for table in tables where format < Self.byteOrderFormat { renameLinkLists(table) }
    for table in tables {
      if format == Self.primaryKeyIndexFormat, table.schema.kind == .asymmetric { try eraseAll(table) }
      if format < Self.primaryKeyIndexFormat, let primaryKey = table.schema.primaryKey {
        if table.indexRoot(primaryKey.columnKey) == nil {
          table.setIndexRoot(primaryKey.columnKey, try store.makeIndexNode([], []))
          try rebuildIndex(table, table.schema.primaryKey ?? primaryKey)
        }
      }
    }
  }

  /// Link lists had a type number of their own.
  private func renameLinkLists(_ table: TableEditor) {
    func replacement(_ key: ColumnKey) -> ColumnKey {
      guard key.isOldLinkList else { return key }
      return ColumnKey(
        leafIndex: key.leafIndex, typeNumber: ValueType.object.rawValue, attributes: key.attributes,
        tag: key.tag)
    }
    let isAffected =
      table.columns.contains { $0.key.isOldLinkList }
      || table.oppositeColumns.contains {
        $0 != TableEditor.noColumn && ColumnKey($0).isOldLinkList
      }
    if isAffected { table.replaceKeys(replacement) }
  }

  /// Writes dictionaries as parallel trees, sorted by the bytes of their keys. Those that are stay as they are.
  private func upgradeDictionaries(
    _ table: TableEditor, _ property: Property, _ former: Snapshot, _ mergesEqual: Bool
  ) throws(EngineError) {
    let mayStay = former.format >= Self.parallelDictionaryFormat
    try editRoots(table, property) { root throws(EngineError) in
      var entries: [(key: Value, value: StoredValue)] = []
      var isMet: Set<Value> = []
      let found = try former.entries(of: property, at: root)
      for entry in found {
        let key = entry.key.owned()
        let isNew = isMet.insert(key).inserted
        guard isNew || mergesEqual else {
          throw EngineError(
            .damaged, "a dictionary of \(table.schema.name).\(property.name) has a key twice")
        }
        if isNew { entries.append((key, try stored(entry.value))) }
      }
      if mayStay, entries.count == found.count, Self.rises(entries.map(\.key)) { return root }
      return try writeCollection(.dictionary(entries), property)
    }
  }

  /// Puts the elements of sets in the order of the current format. Most are in it already.
  private func sortSets(
    _ table: TableEditor, _ property: Property, _ mergesEqual: Bool
  ) throws(EngineError) {
    try editRoots(table, property) { root throws(EngineError) in
      let set = try stored(root, property)
      if case .list(let elements) = set {
        let values = elements.compactMap(\.single)
        if Self.rises(values) { return root }
        // No engine keeps a value twice, but for NaNs.
        let comparable = values.filter { !$0.isNaN }.sorted { $0.storedOrder($1) < 0 }
        guard mergesEqual || Self.rises(comparable) else {
          throw EngineError(
            .damaged, "a set of \(table.schema.name).\(property.name) has an element twice")
        }
      }
      return try writeCollection(set, property)
    }
  }

  /// Whether values stand in stored order, each once.
  private static func rises(_ values: [Value]) -> Bool {
    zip(values, values.dropFirst()).allSatisfy { $0.storedOrder($1) < 0 }
  }

  /// Replaces roots of a property of collections.
  private func editRoots(
    _ table: TableEditor, _ property: Property, _ body: (Ref) throws(EngineError) -> Ref?
  ) throws(EngineError) {
    let index = property.columnKey.leafIndex
    var isChanged = false
    try table.rows.editAll { cluster throws(EngineError) in
      var leaf = try cluster.leaf(index)
      for row in 0..<cluster.count {
        guard let old = try store.snapshot.refsNode(leaf).ref(row) else { continue }
        let new = try body(old)
        if new == old { continue }
        leaf = try store.setSlot(leaf, row, new)
        try store.releaseTree(old)
        isChanged = true
      }
      try cluster.setLeaf(index, leaf)
    }
    if isChanged { table.noteChange() }
  }
}

extension StoredValue {
  fileprivate var single: Value? { if case .single(let value) = self { value } else { nil } }
}
