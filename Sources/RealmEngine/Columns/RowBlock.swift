// The one seam between the storage of different ages: a run of rows whose columns can each be read as one leaf.
// Layer: Columns. Whoever scans a table goes block by block and never asks how the rows are stored.

/// Consecutive rows of a table, with one leaf a column.
package struct RowBlock: Sendable {
  private let cluster: Cluster
  private let snapshot: Snapshot

  init(_ cluster: Cluster, in snapshot: Snapshot) {
    self.cluster = cluster
    self.snapshot = snapshot
  }

  package var count: Int { cluster.count }

  package func key(_ row: Int) -> ObjectKey { cluster.key(row) }

  /// The row that has `key`.
  package func row(of key: ObjectKey) -> Int? { cluster.row(of: key) }

  /// The values of a property. Cost: opens one leaf.
  package func leaf(_ property: Property, budget: TraversalBudget? = nil) throws(EngineError) -> Leaf {
    try leaf(property.columnKey, property.layout, budget: budget)
  }

  /// The incoming links that a hidden column records.
  package func backlinks(
    _ column: BacklinkColumn, budget: TraversalBudget? = nil
  ) throws(EngineError) -> BacklinkLeaf {
    let layout = LeafLayout(type: .backlink, isNullable: false)
    guard case .backlinks(let leaf) = try leaf(column.columnKey, layout, budget: budget) else {
      preconditionFailure("a layout of incoming links gives a leaf of incoming links")
    }
    return leaf
  }

  private func leaf(
    _ key: ColumnKey, _ layout: LeafLayout, budget: TraversalBudget?
  ) throws(EngineError) -> Leaf {
    guard let ref = try cluster.leafRef(key.leafIndex) else {
      throw EngineError.damaged(
        at: cluster.node.ref.offset, expected: "a leaf for column \(key.leafIndex)", found: "none")
    }
    let leaf = try snapshot.leaf(ref, layout, rowCount: cluster.count)
    if let budget { try budget.charge(try snapshot.node(ref), with: leaf) }
    return leaf
  }
}

/// Walks a table's rows in key order, block by block.
package struct RowBlockCursor {
  private var clusters: ClusterTree.Cursor
  private let snapshot: Snapshot

  init(_ tree: ClusterTree, in snapshot: Snapshot, budget: TraversalBudget? = nil) {
    clusters = tree.cursor(budget: budget)
    self.snapshot = snapshot
  }

  /// What this walk may still meet; reading the blocks' leaves charges it when it is passed on.
  package var budget: TraversalBudget { clusters.budget }

  /// The next rows; nil at the end.
  package mutating func next() throws(EngineError) -> RowBlock? {
    try clusters.next().map { RowBlock($0, in: snapshot) }
  }
}
