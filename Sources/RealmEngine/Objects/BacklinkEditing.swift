// The incoming side of links, kept in step with the outgoing one. Layer: Objects.
// Invariant: n links from an object through a column give n entries at the target; an entry that is missing in a file of
// older engines is no error when it is removed.

extension GroupEditor {
  /// The hidden column of `target` that records links through a column; made when mixed values first need it.
  func backlinkColumn(
    in target: TableEditor, origin: TableEditor, _ column: ColumnKey, creating: Bool
  ) throws(EngineError) -> ColumnKey? {
    for key in target.backlinkKeys
    where target.oppositeTables[key.leafIndex] == Int64(origin.tableKey.value)
      && target.oppositeColumns[key.leafIndex] == column.value
    {
      return key
    }
    guard creating else { return nil }
    let key = try target.newColumnKey(ValueType.backlink.rawValue, [])
    try target.addBacklinks(key)
    target.setOpposite(key, table: origin.tableKey, column: column)
    return key
  }

  private func tree(_ table: TableEditor, of key: ObjectKey) -> ClusterTreeEditor? {
    key.value < 0 ? table.tombstones : table.rows
  }

  /// Records a link from `key` through `column` to `link`.
  func addBacklink(
    to link: ObjectLink, from key: ObjectKey, _ origin: TableEditor, _ column: ColumnKey
  ) throws(EngineError) {
    let target = try table(link.table)
    guard let hidden = try backlinkColumn(in: target, origin: origin, column, creating: true),
      let rows = tree(target, of: link.key)
    else { return }
    try rows.edit(link.key) { cluster, row throws(EngineError) in
      let leaf = try cluster.leaf(hidden.leafIndex)
      let old = try store.snapshot.refsNode(leaf).slot(row)
      let new = try slot(old, adding: [key.value])
      if new != old { try cluster.setLeaf(hidden.leafIndex, try store.setInteger(leaf, row, new)) }
    }
    target.noteChange()
  }

  /// What an element of a hidden column is with more origins, which are not none.
  func slot(_ old: Int64, adding origins: [Int64]) throws(EngineError) -> Int64 {
    if old != 0, old & 1 == 0, let root = Ref(old) {
      var whole = try splitOversized(root)
      for origin in origins {
        whole = try store.insertInTree(
          whole, .integerKeys, try store.treeCount(whole, .integerKeys), .int(origin))
      }
      return Int64(whole.offset)
    }
    let all = (old == 0 ? [] : [Int64(bitPattern: UInt64(bitPattern: old) >> 1)]) + origins
    return all.count == 1 ? NodeStore.tag(all[0]) : Int64(try store.makeKeyTree(all).offset)
  }

  /// Older engines keep any number of incoming links in one leaf; the current one in a tree.
  private func splitOversized(_ root: Ref) throws(EngineError) -> Ref {
    let node = try store.snapshot.node(root)
    guard !node.isInner, node.count > 1000 else { return root }
    let tree = try store.makeKeyTree(try node.keys().array())
    store.release(node)
    return tree
  }

  /// Removes the records of links through a column, one for each of them, in the table that they lead to.
  func removeBacklinks(
    _ links: PendingLinks, in target: TableKey, _ origin: TableEditor, _ column: ColumnKey
  ) throws(EngineError) {
    guard !links.isEmpty, hasTable(target) else { return }
    let target = try table(target)
    guard let hidden = try backlinkColumn(in: target, origin: origin, column, creating: false) else { return }
    target.noteChange()
    let hasPlaceholders = links.allTargets.contains { $0 < 0 }
    try removeBacklinks(hasPlaceholders ? links.filter { $0 >= 0 } : links, hidden, in: target.rows)
    guard hasPlaceholders, let tombstones = target.tombstones else { return }
    let placeholders = links.filter { $0 < 0 }
    try removeBacklinks(placeholders, hidden, in: tombstones)
    for key in placeholders.allTargets.rising() { try dropTombstone(target, ObjectKey(key)) }
  }

  private func removeBacklinks(
    _ links: PendingLinks, _ hidden: ColumnKey, in rows: ClusterTreeEditor
  ) throws(EngineError) {
    guard !links.isEmpty else { return }
    var cursor = links.byTarget()
    try rows.edit(links.allTargets.rising()) { cluster, rows throws(EngineError) in
      let keys = try cluster.cluster()
      let old = try cluster.leaf(hidden.leafIndex)
      let leaf = try store.snapshot.refsNode(old)
      var slots = leaf.integers.array()
      for row in rows {
        let target = keys.key(row).value
        var origins: [Int64] = []
        while let link = cursor.next, link.target <= target {
          if link.target == target { origins.append(link.origin) }
          cursor.advance()
        }
        slots[row] = try removing(origins, fromSlot: row, of: leaf)
      }
      try cluster.setLeaf(hidden.leafIndex, try store.makeSlots(slots))
      try store.release(old)
    }
  }

  /// What an element of a hidden column is without some origins, one time each.
  private func removing(
    _ origins: [Int64], fromSlot row: Int, of leaf: NodeView
  ) throws(EngineError) -> Int64 {
    let old = try leaf.slot(row)
    if old == 0 || old & 1 == 1 {
      return origins.contains { old == NodeStore.tag($0) } ? 0 : old
    }
    let root = try leaf.requiredRef(row)
    if origins.count == 1 { return try removeOrigin(ObjectKey(origins[0]), from: try splitOversized(root)) }
    var counts: [Int64: Int] = [:]
    for origin in origins { counts[origin, default: 0] += 1 }
    var left: [Int64] = []
    try forEachOrigin(root) { key in
      if let count = counts[key], count > 0 { counts[key] = count - 1 } else { left.append(key) }
    }
    try store.releaseTree(root)
    guard left.count > 1 else { return left.first.map { NodeStore.tag($0) } ?? 0 }
    return Int64(try store.makeKeyTree(left).offset)
  }

  /// Every origin in a list of them, as often as it stands there.
  func forEachOrigin(_ root: Ref, _ body: (Int64) -> Void) throws(EngineError) {
    let tree = try BPlusTree(root, in: store.snapshot) { node throws(EngineError) in node.count }
    try tree.forEachLeaf { node throws(EngineError) in
      let values = try node.keys()
      for index in 0..<values.count { body(values[index]) }
      return true
    }
  }

  /// The slot of a list of origins without one of them.
  private func removeOrigin(_ key: ObjectKey, from root: Ref) throws(EngineError) -> Int64 {
    guard let position = try KeyList(root, in: store.snapshot).position(of: key) else {
      return Int64(root.offset)
    }
    let rest = try store.eraseFromTree(root, .integerKeys, position)
    let left = try store.snapshot.node(rest)
    guard !left.isInner, left.count <= 1 else { return Int64(rest.offset) }
    let slot = left.count == 0 ? 0 : NodeStore.tag(try left.keys()[0])
    store.release(left)
    return slot
  }

  /// Erases a placeholder that nothing links to any more.
  private func dropTombstone(_ table: TableEditor, _ key: ObjectKey) throws(EngineError) {
    guard let tree = table.tombstones, let (cluster, row) = try tree.locate(key) else { return }
    for hidden in table.backlinkKeys
    where try store.snapshot.refsNode(try cluster.leaf(hidden.leafIndex)).slot(row) != 0 {
      return
    }
    for column in table.columns where TableEditor.layout(column.key).holdsSlots {
      if let root = try store.snapshot.refsNode(try cluster.leaf(column.key.leafIndex)).ref(row) {
        try store.releaseTree(root)
      }
    }
    _ = try tree.erase(CompressedIntegers([key.value])) { _, _ in }
    if try tree.tree().count == 0 { try table.dropTombstones() }
  }

  /// The objects that link to `key` of `table` through one hidden column, each once.
  func origins(
    _ table: TableEditor, _ hidden: ColumnKey, of key: ObjectKey
  ) throws(EngineError) -> [ObjectKey] {
    guard let (cluster, row) = try table.rows.locate(key) else { return [] }
    return try origins(inSlot: row, of: try store.snapshot.refsNode(try cluster.leaf(hidden.leafIndex)))
  }

  /// The same from an element of a hidden column.
  func origins(inSlot row: Int, of leaf: NodeView) throws(EngineError) -> [ObjectKey] {
    let slot = try leaf.slot(row)
    if slot == 0 { return [] }
    if slot & 1 == 1 { return [ObjectKey(Int64(bitPattern: UInt64(bitPattern: slot) >> 1))] }
    var keys: Set<Int64> = []
    try forEachOrigin(try leaf.requiredRef(row)) { keys.insert($0) }
    return keys.sorted().map { ObjectKey($0) }
  }
}
