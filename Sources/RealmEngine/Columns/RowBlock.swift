// The one seam between the storage of different ages: a run of rows whose columns can each be read as one leaf.
// Layer: Columns. Whoever scans a table goes block by block and never asks how the rows are stored.
// A block has at most 256 rows in formats 10 and later and at most 1000 in older ones.

/// Consecutive rows of a table, with one leaf a column.
package struct RowBlock: Sendable {
  private enum Source {
    case cluster(Cluster, Snapshot)
    /// Rows by number, in formats 2–9; the number is the key.
    case rows(OldRows, first: Int, count: Int)
  }

  private let source: Source

  init(_ cluster: Cluster, in snapshot: Snapshot) { source = .cluster(cluster, snapshot) }

  init(_ rows: OldRows, first: Int, count: Int) { source = .rows(rows, first: first, count: count) }

  package var count: Int {
    switch source {
    case .cluster(let cluster, _): cluster.count
    case .rows(_, _, let count): count
    }
  }

  package func key(_ row: Int) -> ObjectKey {
    switch source {
    case .cluster(let cluster, _): cluster.key(row)
    case .rows(_, let first, _): ObjectKey(Int64(first + row))
    }
  }

  /// The row that has `key`.
  package func row(of key: ObjectKey) -> Int? {
    switch source {
    case .cluster(let cluster, _): return cluster.row(of: key)
    case .rows(_, let first, let count):
      guard let number = Int(exactly: key.value), number >= first, number < first + count else { return nil }
      return number - first
    }
  }

  /// The values of a property. Cost: opens one leaf. A budget is charged for it; where several blocks share the leaf,
  /// with the first of them.
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

  /// Bytes of a column's leaf with everything below it; nil in formats 2–9, whose leaves are not a block's own.
  func leafSize(_ key: ColumnKey, budget: TraversalBudget) throws(EngineError) -> Int? {
    guard case .cluster(let cluster, let snapshot) = source else { return nil }
    guard let ref = try cluster.leafRef(key.leafIndex) else { return 0 }
    return try snapshot.treeSize(ref, budget: budget)
  }

  private func leaf(
    _ key: ColumnKey, _ layout: LeafLayout, budget: TraversalBudget?
  ) throws(EngineError) -> Leaf {
    switch source {
    case .rows(let rows, let first, let count):
      return try rows.leaf(key.leafIndex, first..<first + count, budget: budget)
    case .cluster(let cluster, let snapshot):
      guard let ref = try cluster.leafRef(key.leafIndex) else {
        throw EngineError.damaged(
          at: cluster.node.ref.offset, expected: "a leaf for column \(key.leafIndex)", found: "none")
      }
      let leaf = try snapshot.leaf(ref, layout, rowCount: cluster.count)
      if let budget { try budget.charge(try snapshot.node(ref), with: leaf) }
      return leaf
    }
  }
}

/// Walks a table's rows in key order, block by block.
package struct RowBlockCursor {
  private var clusters: ClusterTree.Cursor?
  /// In formats 2–9.
  private var rows: OldRows.Cursor?
  private let snapshot: Snapshot
  /// What this walk may still meet; reading the blocks' leaves charges it when it is passed on.
  package let budget: TraversalBudget

  init(_ tree: ClusterTree, in snapshot: Snapshot, budget: TraversalBudget? = nil) {
    let clusters = tree.cursor(budget: budget)
    self.budget = clusters.budget
    self.clusters = clusters
    self.snapshot = snapshot
  }

  init(_ rows: OldRows, budget: TraversalBudget? = nil) {
    self.budget = budget ?? TraversalBudget(rows.snapshot)
    self.rows = OldRows.Cursor(rows)
    snapshot = rows.snapshot
  }

  /// The next rows; nil at the end.
  package mutating func next() throws(EngineError) -> RowBlock? {
    if let cluster = try clusters?.next() { return RowBlock(cluster, in: snapshot) }
    if let run = try rows?.next() {
      return RowBlock(run.table, first: run.rows.lowerBound, count: run.rows.count)
    }
    return nil
  }
}
