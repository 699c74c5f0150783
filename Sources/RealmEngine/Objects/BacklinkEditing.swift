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
    let key = target.newColumnKey(ValueType.backlink.rawValue, [])
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
      let new: Int64
      if old == 0 {
        new = NodeStore.tag(key.value)
      } else if old & 1 == 1 {
        let first = Int64(bitPattern: UInt64(bitPattern: old) >> 1)
        new = Int64(try store.makeTree(.integerKeys, .values([.int(first), .int(key.value)])).offset)
      } else {
        let root = try store.snapshot.refsNode(leaf).requiredRef(row)
        let whole = try splitOversized(root)
        let count = try store.treeCount(whole, .integerKeys)
        new = Int64(try store.insertInTree(whole, .integerKeys, count, .int(key.value)).offset)
      }
      if new != old { try cluster.setLeaf(hidden.leafIndex, try store.setInteger(leaf, row, new)) }
    }
    target.noteChange()
  }

  /// Older engines keep any number of incoming links in one leaf; the current one in a tree.
  private func splitOversized(_ root: Ref) throws(EngineError) -> Ref {
    let node = try store.snapshot.node(root)
    guard !node.isInner, node.count > 1000 else { return root }
    let tree = try store.makeTree(
      .integerKeys, .values(node.integers.array().map { .int($0) }))
    store.release(node)
    return tree
  }

  /// Removes one record of a link; tells whether the target has any incoming link left.
  func removeBacklink(
    to link: ObjectLink, from key: ObjectKey, _ origin: TableEditor, _ column: ColumnKey
  ) throws(EngineError) {
    guard hasTable(link.table) else { return }
    let target = try table(link.table)
    guard let hidden = try backlinkColumn(in: target, origin: origin, column, creating: false),
      let rows = tree(target, of: link.key), try rows.locate(link.key) != nil
    else { return }
    try rows.edit(link.key) { cluster, row throws(EngineError) in
      let leaf = try cluster.leaf(hidden.leafIndex)
      let old = try store.snapshot.refsNode(leaf).slot(row)
      var new = old
      if old & 1 == 1 {
        if old == NodeStore.tag(key.value) { new = 0 }
      } else if old != 0 {
        let root = try splitOversized(try store.snapshot.refsNode(leaf).requiredRef(row))
        new = try removeOrigin(key, from: root)
      }
      if new != old { try cluster.setLeaf(hidden.leafIndex, try store.setInteger(leaf, row, new)) }
    }
    target.noteChange()
    if link.key.value < 0 { try dropTombstone(target, link.key) }
  }

  /// The slot of a list of origins without one of them.
  private func removeOrigin(_ key: ObjectKey, from root: Ref) throws(EngineError) -> Int64 {
    guard let position = try KeyList(root, in: store.snapshot).position(of: key) else {
      return Int64(root.offset)
    }
    let rest = try store.eraseFromTree(root, .integerKeys, position)
    let left = try store.snapshot.node(rest)
    guard !left.isInner, left.count <= 1 else { return Int64(rest.offset) }
    let slot = left.count == 0 ? 0 : NodeStore.tag(left.integers[0])
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
    _ = try tree.erase(key)
    if try tree.tree().count == 0 { try table.dropTombstones() }
  }

  /// The objects that link to `key` of `table` through one hidden column, each once.
  func origins(
    _ table: TableEditor, _ hidden: ColumnKey, of key: ObjectKey
  ) throws(EngineError) -> [ObjectKey] {
    guard let (cluster, row) = try table.rows.locate(key) else { return [] }
    let leaf = try store.snapshot.refsNode(try cluster.leaf(hidden.leafIndex))
    let slot = try leaf.slot(row)
    if slot == 0 { return [] }
    if slot & 1 == 1 { return [ObjectKey(Int64(bitPattern: UInt64(bitPattern: slot) >> 1))] }
    var keys: Set<Int64> = []
    let tree = try BPlusTree(try leaf.requiredRef(row), in: store.snapshot) { node throws(EngineError) in
      node.count
    }
    try tree.forEachLeaf { node throws(EngineError) in
      let values = node.integers
      for index in 0..<values.count { keys.insert(values[index]) }
      return true
    }
    return keys.sorted().map { ObjectKey($0) }
  }

  /// Whether anything links to the object.
  func hasIncomingLinks(_ table: TableEditor, _ key: ObjectKey) throws(EngineError) -> Bool {
    guard let (cluster, row) = try table.rows.locate(key) else { return false }
    for hidden in table.backlinkKeys
    where try store.snapshot.refsNode(try cluster.leaf(hidden.leafIndex)).slot(row) != 0 {
      return true
    }
    return false
  }
}
