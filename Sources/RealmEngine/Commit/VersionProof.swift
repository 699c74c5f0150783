// Whether what a transaction made hangs together: its counts agree with each other and with the old nodes beside them.
// A change that was built on damage is found here, before anything is written. Layer: Commit.
// Invariant: only new nodes are gone through, and the leaves of new clusters opened, so that the cost is the change's.

/// Compares the new nodes of all tables that were changed with what they lead to.
struct VersionProof: Sendable {
  private let snapshot: Snapshot
  /// Nodes from here on are new.
  private let base: Int

  /// Rows whose leaves take longer to look at than it takes to wake other threads.
  private static let rowsOfThreads = 1 << 16

  init(_ store: NodeStore) {
    snapshot = store.snapshot
    base = store.base
  }

  private func isNew(_ ref: Ref) -> Bool { ref.offset >= base }

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
  private struct TableRows: Sendable {
    let columns: [RowColumn]
    /// By leaf index.
    let collections: [Int: Property]
  }

  /// What a subtree of rows holds; no keys are told of old nodes, which are what they were.
  private struct RowsBelow: Sendable {
    let count: Int64
    var lastKey: UInt64?
  }

  // MARK: Rows

  private func proveRows(_ ref: Ref, _ rows: TableRows, depth: Int?) throws(EngineError) -> RowsBelow {
    try Interruption.check()
    let node = try snapshot.refsNode(ref)
    if let depth, node.isInner != (depth > 0) {
      throw EngineError.damaged(
        at: ref.offset, expected: depth > 0 ? "an inner node" : "a cluster", found: node.description)
    }
    guard node.isInner else { return try proveCluster(node, rows) }
    let stated = try node.tagged(InnerCluster.countSlot)
    guard isNew(ref) else { return RowsBelow(count: stated) }
    let parent = try snapshot.innerCluster(node, depth: depth)
    var sum = ChildSum()
    var isLarge = depth == nil && stated >= Self.rowsOfThreads
    if isLarge { isLarge = try hasManyNewChildren(parent) }
    try proveChildren(of: parent, rows, isLarge: isLarge) { index, child, below throws(EngineError) in
      try sum.add(below, offset: parent.offset(index), child)
    }
    guard sum.rows.count == stated else {
      throw EngineError.damaged(
        at: ref.offset, expected: "\(stated) objects below", found: "\(sum.rows.count)")
    }
    return sum.rows
  }

  /// A change of few objects makes few of them anew.
  private func hasManyNewChildren(_ parent: InnerCluster) throws(EngineError) -> Bool {
    var newCount = 0
    for index in 0..<parent.childCount where isNew(try parent.child(index)) { newCount += 1 }
    return newCount > parent.childCount / 2
  }

  /// Calls `body` for each child in order with what is below it.
  private func proveChildren(
    of parent: InnerCluster, _ rows: TableRows, isLarge: Bool,
    _ body: (_ index: Int, _ child: Ref, RowsBelow) throws(EngineError) -> Void
  ) throws(EngineError) {
    let (count, depth) = (parent.childCount, parent.depth - 1)
    guard isLarge else {
      for index in 0..<count {
        let child = try parent.child(index)
        try body(index, child, try proveRows(child, rows, depth: depth))
      }
      return
    }
    _ = try ParallelWork.forEachMade(of: 0..<count, workers: ParallelWork.workerCount) {
      index throws(EngineError) in
      let child = try parent.child(index)
      return (index, child, try proveRows(child, rows, depth: depth))
    } _: { index, child, below throws(EngineError) in
      try body(index, child, below)
      return true
    }
  }

  /// What is below some children of an inner node, of which each begins behind the one before it.
  private struct ChildSum {
    private(set) var rows = RowsBelow(count: 0)

    mutating func add(_ below: RowsBelow, offset: UInt64, _ child: Ref) throws(EngineError) {
      let place = child.offset
      guard rows.lastKey.map({ $0 < offset }) ?? (offset == 0) else {
        throw EngineError.damaged(at: place, expected: "rising object keys", found: "\(offset)")
      }
      let (sum, overflow) = rows.count.addingReportingOverflow(below.count)
      guard !overflow else {
        throw EngineError.damaged(at: place, expected: "a number of objects", found: "\(below.count)")
      }
      rows = RowsBelow(count: sum, lastKey: offset &+ (below.lastKey ?? 0))
    }
  }

  private func proveCluster(_ node: NodeView, _ rows: TableRows) throws(EngineError) -> RowsBelow {
    let cluster = try snapshot.cluster(node, keyOffset: 0)
    guard isNew(node.ref) else { return RowsBelow(count: Int64(cluster.count)) }
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
      guard column.layout.holdsSlots, isNew(leaf.ref) else { continue }
      for row in 0..<cluster.count {
        guard let root = Ref(try leaf.slot(row)), isNew(root) else { continue }
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
    let stated = try BPlusTree(inner: node, in: snapshot).count
    guard isNew(ref) else { return stated }
    guard depth < BPlusTree.depthMax else {
      throw EngineError.damaged(
        at: ref.offset, expected: "a tree of at most \(BPlusTree.depthMax) levels", found: "more")
    }
    let inner = try BPlusTree.Inner(node, in: snapshot)
    var total = 0
    for index in 1..<node.count - 1 {
      let start = inner.start(of: index - 1)
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
