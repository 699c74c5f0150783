// Whether what a transaction made hangs together: its counts agree with each other and with the old nodes beside them.
// A change that was built on damage is found here, before anything is written. Layer: Transactions.
// Invariant: only new nodes are gone through, and the leaves of new clusters opened, so that the cost is the change's.

/// Compares the new nodes of all tables that were changed with what they lead to.
struct VersionProof {
  private let store: NodeStore
  private var snapshot: Snapshot { store.snapshot }

  private static let depthMax: Int64 = 7
  private static let firstChildSlot = 3

  init(_ store: NodeStore) { self.store = store }

  /// Throws `.damaged` for what readers would refuse.
  func prove(_ table: TableEditor) throws(EngineError) {
    guard table.isChanged else { return }
    let collections = Dictionary(
      uniqueKeysWithValues: table.schema.properties.filter { $0.collection != nil }
        .map { ($0.columnKey.leafIndex, $0) })
    for tree in table.trees {
      let rows = TableRows(columns: tree.columns, collections: collections)
      _ = try proveRows(tree.root, rows, depth: nil)
    }
  }

  /// What the rows of a table consist of.
  private struct TableRows {
    let columns: [RowColumn]
    /// By leaf index.
    let collections: [Int: Property]
  }

  /// What a subtree of rows holds; no keys are told of old nodes, which are what they were.
  private struct RowsBelow {
    let count: Int64
    var lastKey: UInt64?
  }

  // MARK: Rows

  private func proveRows(_ ref: Ref, _ rows: TableRows, depth: Int64?) throws(EngineError) -> RowsBelow {
    try Interruption.check()
    let node = try snapshot.refsNode(ref)
    if let depth, node.isInner != (depth > 0) {
      throw EngineError.damaged(
        at: ref.offset, expected: depth > 0 ? "an inner node" : "a cluster", found: node.description)
    }
    guard node.isInner else { return try proveCluster(node, rows) }
    let stated = try node.tagged(2)
    guard store.isNew(ref) else { return RowsBelow(count: stated) }
    let level = try node.tagged(1)
    guard level >= 1, level <= depth ?? Self.depthMax, depth == nil || level == depth,
      node.count > Self.firstChildSlot
    else {
      throw EngineError.damaged(at: ref.offset, expected: "an inner cluster node", found: node.description)
    }
    let below = try proveChildren(of: node, level: level, rows)
    guard below.count == stated else {
      throw EngineError.damaged(
        at: ref.offset, expected: "\(stated) objects below", found: "\(below.count)")
    }
    return below
  }

  private func proveChildren(
    of node: NodeView, level: Int64, _ rows: TableRows
  ) throws(EngineError) -> RowsBelow {
    let offsets = try node.ref(0).map { ref throws(EngineError) in try snapshot.integersNode(ref).integers }
    let childCount = node.count - Self.firstChildSlot
    guard (offsets?.count ?? childCount) >= childCount else {
      throw EngineError.damaged(
        at: node.ref.offset, expected: "\(childCount) key offsets", found: "\(offsets?.count ?? 0)")
    }
    var total: Int64 = 0
    var last: UInt64?
    for index in 0..<childCount {
      let offset = offsets?.unsigned(index) ?? UInt64(index) << UInt64(8 * level)
      guard last.map({ $0 < offset }) ?? (offset == 0) else {
        throw EngineError.damaged(at: node.ref.offset, expected: "rising object keys", found: "\(offset)")
      }
      let child = try node.requiredRef(Self.firstChildSlot + index)
      let below = try proveRows(child, rows, depth: level - 1)
      let (sum, overflow) = total.addingReportingOverflow(below.count)
      guard !overflow else {
        throw EngineError.damaged(at: child.offset, expected: "a number of objects", found: "\(below.count)")
      }
      total = sum
      last = offset &+ (below.lastKey ?? 0)
    }
    return RowsBelow(count: total, lastKey: last)
  }

  private func proveCluster(_ node: NodeView, _ rows: TableRows) throws(EngineError) -> RowsBelow {
    let cluster = try snapshot.cluster(node, keyOffset: 0)
    guard store.isNew(node.ref) else { return RowsBelow(count: Int64(cluster.count)) }
    var last: UInt64?
    for row in 0..<cluster.count {
      let key = UInt64(bitPattern: cluster.key(row).value)
      guard last.map({ $0 < key }) ?? true else {
        throw EngineError.damaged(at: node.ref.offset, expected: "rising object keys", found: "\(key)")
      }
      last = key
    }
    for column in rows.columns {
      let leaf = try snapshot.node(try cluster.requiredLeafRef(column.leafIndex))
      _ = try snapshot.leaf(leaf, column.layout, rowCount: cluster.count)
      guard column.layout.holdsSlots, store.isNew(leaf.ref) else { continue }
      for row in 0..<cluster.count {
        guard let root = Ref(try leaf.slot(row)), store.isNew(root) else { continue }
        try proveCollection(root, rows.collections[column.leafIndex])
      }
    }
    return RowsBelow(count: Int64(cluster.count), lastKey: last)
  }

  // MARK: Collections

  /// `property` nil: a list of incoming links.
  private func proveCollection(_ root: Ref, _ property: Property?) throws(EngineError) {
    guard let property else {
      _ = try proveTree(root, .integerKeys, depth: 0)
      return
    }
    guard property.collection == .dictionary else {
      _ = try proveTree(root, property.elementLayout, depth: 0)
      return
    }
    let node = try snapshot.refsNode(root)
    let keys = try proveTree(
      try node.requiredRef(0), property.hasIntegerKeys ? .integerKeys : .textKeys, depth: 0)
    let values = try proveTree(try node.requiredRef(1), .mixedElements, depth: 0)
    guard keys == values else {
      throw EngineError.damaged(at: root.offset, expected: "\(keys) values", found: "\(values)")
    }
  }

  /// How many elements the tree holds.
  private func proveTree(_ ref: Ref, _ layout: LeafLayout, depth: Int) throws(EngineError) -> Int {
    let node = try snapshot.node(ref)
    guard node.isInner else { return try snapshot.leaf(node, layout).count }
    try BPlusTree.checkInner(node)
    let stated = try BPlusTree(inner: node, in: snapshot).count
    guard store.isNew(ref) else { return stated }
    guard depth < BPlusTree.depthMax else {
      throw EngineError.damaged(
        at: ref.offset, expected: "a tree of at most \(BPlusTree.depthMax) levels", found: "more")
    }
    var total = 0
    for index in 1..<node.count - 1 {
      let start = try BPlusTree.start(ofChild: index - 1, of: node, in: snapshot)
      guard start == total else {
        throw EngineError.damaged(
          at: ref.offset, expected: "child \(index - 1) to begin with element \(total)", found: "\(start)")
      }
      total += try proveTree(try node.requiredRef(index), layout, depth: depth + 1)
    }
    guard total == stated else {
      throw EngineError.damaged(at: ref.offset, expected: "\(stated) elements", found: "\(total)")
    }
    return total
  }
}

extension BPlusTree {
  /// The element that a child of an inner node begins with, as the node states.
  fileprivate static func start(
    ofChild index: Int, of node: NodeView, in snapshot: Snapshot
  ) throws(EngineError) -> Int {
    guard index > 0 else { return 0 }
    guard try node.slot(0) & 1 == 0 else {
      return Int(clamping: try node.tagged(0).multipliedReportingOverflow(by: Int64(index)).partialValue)
    }
    let offsets = try snapshot.integersNode(try node.requiredRef(0)).integers
    guard index <= offsets.count else {
      throw EngineError.damaged(
        at: node.ref.offset, expected: "\(index) child offsets", found: "\(offsets.count)")
    }
    return Int(clamping: offsets.unsigned(index - 1))
  }
}
