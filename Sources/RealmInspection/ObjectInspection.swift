// The objects of a table, column by column: every cluster's leaves, and what stands behind them
// (F-39, F-40, F-66, F-67, F-70, F-71). Layer: RealmInspection.

import RealmFiles

extension SnapshotInspection {
  /// Walks both trees of a table: its objects and the placeholders for objects that do not exist.
  func inspectObjects(of table: RawTable) {
    walk.place = Place(.rows, table: table.slot)
    guard let root = walk.requiredChild(table.top, TableSlot.clusters) else { return }
    let helped = SharedInspection.isLarge(root) ? shared : nil
    var waiting: [RawCluster] = []
    let count = walk.walkClusters(root) { cluster in
      if let row = (0..<cluster.count).first(where: { cluster.key($0) < 0 }) {
        walk.report(
          .objectKeys, at: cluster.node.offset, object: cluster.key(row), expected: "keys from 0 on",
          found: "\(cluster.key(row))")
      }
      if followed.isEverything { table.directory.append(cluster) }
      if helped == nil { inspectCluster(cluster, of: table) } else { waiting.append(cluster) }
    }
    if let helped { inspect(waiting, of: table, helped) }
    walk.statistics.objectCount += count
    table.directory.complete()
    inspectTombstones(of: table)
  }

  private func inspectTombstones(of table: RawTable) {
    walk.place = Place(.tombstones, table: table.slot)
    guard let root = walk.child(table.top, TableSlot.tombstones) else { return }
    walk.statistics.unresolvedObjectCount += walk.walkClusters(root) { cluster in
      if let row = (0..<cluster.count).first(where: { cluster.key($0) > -2 }) {
        walk.report(
          .tombstone, at: cluster.node.offset, object: cluster.key(row),
          expected: "keys of unresolved objects, below -1", found: "\(cluster.key(row))")
      }
      inspectCluster(cluster, of: table)
    }
  }

  func inspectCluster(_ cluster: RawCluster, of table: RawTable) {
    let node = cluster.node
    noteOwned(cluster, of: table)
    guard node.count >= table.clusterSlotCount else {
      walk.report(
        .clusterLeaf, at: node.offset, expected: "\(table.clusterSlotCount) slots: keys and a leaf a column",
        found: "\(node.count)")
      return
    }
    // Values of objects need no part to be found by; placeholders do.
    let tree = walk.place.part
    let part = tree == .tombstones ? tree : nil
    defer { walk.place = Place(tree, table: table.slot) }
    for column in table.columns where followed.includes(table, column) {
      walk.place = Place(part, table: table.slot, column: column.index)
      inspectLeaf(of: column, in: cluster, table)
    }
    if followed.isEverything {
      walk.place = Place(tree, table: table.slot)
      reportUnknownLeaves(cluster, of: table)
    }
  }

  private func reportUnknownLeaves(_ cluster: RawCluster, of table: RawTable) {
    let node = cluster.node
    guard node.width > 0, node.count > table.columns.count + 1 else { return }
    for index in 1..<node.count where node.number(index) != 0 && !table.hasColumn(leaf: index - 1) {
      walk.report(
        .clusterLeaf, at: node.offset, expected: "0 where there is no column",
        found: "\(node.slot(index).words) in slot \(index)")
      if let leaf = walk.child(node, index) { walk.claimDescendants(of: leaf) }
    }
  }

  private func inspectLeaf(
    of column: RawColumn, in cluster: RawCluster, _ table: RawTable
  ) {
    let slot = 1 + column.key.leafIndex
    guard case .ref = cluster.node.slot(slot) else {
      walk.report(
        .clusterLeaf, at: cluster.node.offset, expected: "a leaf in slot \(slot)",
        found: cluster.node.slot(slot).words)
      return
    }
    guard let node = walk.requiredChild(cluster.node, slot),
      let leaf = walk.openLeaf(node, column.layout, count: cluster.count)
    else { return }
    let labels = RowLabels.rows(cluster)
    walk.validate(leaf, column.layout, labels)
    switch leaf {
    case .links, .typedLinks:
      for row in 0..<cluster.count { follow(leaf.value(row, walk), from: column, table, leaf, labels, row) }
    case .mixed(let mixed): inspectMixed(mixed, of: column, table, labels, object: nil, depth: 0)
    case .backlinks(let node): inspectIncoming(node, of: column, cluster)
    case .collections(let node):
      for row in 0..<cluster.count where node.number(row) != 0 {
        inspectCollection(node, row, of: column, table, object: cluster.key(row))
      }
    default: note(leaf, of: column, table, cluster)
    }
  }

  /// Keeps what later comparisons need of plain values: words of texts, and primary keys that have no index.
  private func note(_ leaf: RawLeaf, of column: RawColumn, _ table: RawTable, _ cluster: RawCluster) {
    guard walk.place.part != .tombstones else { return }
    if column.hasWordIndex {
      for row in 0..<cluster.count { noteWords(leaf.value(row, walk), of: column, object: cluster.key(row)) }
    }
    if table.primaryKey == column.index, !column.hasIndex, followed.isEverything {
      for row in 0..<cluster.count {
        guard let value = leaf.value(row, walk) else { continue }
        primaryKeyHashes.append(IndexPath.hash(of: value))
      }
    }
  }

  // MARK: Links

  /// Enters a link into the ledger; everything else is passed over.
  func follow(
    _ value: RawValue?, from column: RawColumn, _ table: RawTable, _ leaf: RawLeaf, _ labels: RowLabels,
    _ index: Int, object: Int64? = nil
  ) {
    let relation: Int?
    let target: Int64
    switch value {
    case .link(let key)?:
      relation = column.relation
      target = key
    case .typedLink(let tableKey, let key)?:
      relation = self.relation(of: column, table, to: tableKey)
      target = key
    default: return
    }
    walk.statistics.linkCount += 1
    guard let relation, target != -1 else {
      walk.report(
        .linkTarget, at: leaf.offset, labels, index, expected: "a link to an object of a class that exists",
        found: "key \(target) of another")
      return
    }
    guard let origin = object ?? labels.label(index).object else { return }
    ledger.addForward(relation, origin: origin, target: target)
    if hasEmbeddedTables { noteOwner(of: value, column, table, origin: origin) }
  }

  private func relation(of column: RawColumn, _ table: RawTable, to tableKey: Int64) -> Int? {
    if let known = column.relationsByTable[tableKey] { return known }
    guard let target = tablesByKey[tableKey] else { return nil }
    let relation = ledger.relation(
      .links(originTable: table.slot, originColumn: column.index, targetTable: target.slot))
    column.relationsByTable[tableKey] = relation
    return relation
  }

  private func inspectIncoming(
    _ node: RawNode, of column: RawColumn, _ cluster: RawCluster
  ) {
    guard node.width > 0 else { return }
    for row in 0..<cluster.count {
      let key = cluster.key(row)
      switch node.slot(row) {
      case .empty: continue
      case .tagged(let origin):
        if let relation = column.relation { ledger.addBackward(relation, origin: origin, target: key) }
      case .ref(let offset):
        if let list = walk.node(offset, object: key) { inspectOrigins(list, of: column, target: key) }
      case let other:
        walk.reportSlot(node, row, expected: "origins of links", found: other, object: key)
      }
    }
  }

  /// A tree of the keys of objects that link to `target`; in older files one leaf of any length.
  private func inspectOrigins(_ root: RawNode, of column: RawColumn, target: Int64) {
    let counted = walk.walkTree(root, object: target, leafCountMax: .max) { node, _ in
      guard let node = walk.checked(node, node.isNumbers, "keys", kind: .incomingLinks, object: target) else {
        return nil
      }
      guard let relation = column.relation else { return node.count }
      if node.width == 0 {
        ledger.addBackward(relation, origin: 0, target: target, times: node.count)
      } else {
        for index in 0..<node.count {
          ledger.addBackward(relation, origin: node.number(index), target: target)
        }
      }
      return node.count
    }
    guard let counted, counted < 2, followed.isEverything else { return }
    walk.report(
      .incomingLinks, at: root.offset, object: target, severity: .repairable,
      expected: "a list of at least 2 origins", found: "\(counted)")
  }
}
