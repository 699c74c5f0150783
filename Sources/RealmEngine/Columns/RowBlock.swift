// The one seam between the storage of different ages: a run of rows whose columns can each be read as one leaf.
// Layer: Columns. Whoever scans a table goes block by block and never asks how the rows are stored.
// A block has at most 256 rows in formats 10 and later and at most 1000 in older ones.

/// Where the rows of a block stand: a few words that own nothing, so that a scan counts no references to hand them
/// on. With the rows' owner it is a block.
package enum BlockPlace: Sendable {
  case cluster(Cluster)
  /// Rows by number, in formats 2–9; the number is the key.
  case rows(first: Int, count: Int)

  package var count: Int {
    switch self {
    case .cluster(let cluster): cluster.count
    case .rows(_, let count): count
    }
  }

  package func key(_ row: Int) -> ObjectKey {
    switch self {
    case .cluster(let cluster): cluster.key(row)
    case .rows(let first, _): ObjectKey(Int64(first + row))
    }
  }

  /// The keys where they follow one another; else nil.
  var keyRun: Range<Int64>? {
    if case .cluster(let cluster) = self, cluster.relativeKeys != nil { return nil }
    let first = key(0).value
    let (end, overflow) = first.addingReportingOverflow(Int64(count))
    return overflow ? nil : first..<end
  }

  /// The row that has `key`.
  func row(of key: ObjectKey) -> Int? {
    switch self {
    case .cluster(let cluster): return cluster.row(of: key)
    case .rows(let first, let count):
      guard let number = Int(exactly: key.value), number >= first, number < first + count else { return nil }
      return number - first
    }
  }
}

extension BlockPlace {
  /// Bytes of a column's leaf; nil where that is not known.
  func leafSize(_ leafIndex: Int, in snapshot: Snapshot) -> Int? {
    guard case .cluster(let cluster) = self, let ref = try? cluster.leafRef(leafIndex) else { return nil }
    return (try? snapshot.node(ref))?.byteSize
  }
}

/// Whose bytes the leaves of a table's blocks are.
enum BlockOwner: Sendable {
  case clusters(Snapshot)
  case runs(OldRows)

  var snapshot: Snapshot {
    switch self {
    case .clusters(let snapshot): snapshot
    case .runs(let rows): rows.snapshot
    }
  }

  /// The leaf of a column of the block at `place`.
  func leaf(
    _ key: ColumnKey, _ layout: LeafLayout, at place: BlockPlace, budget: TraversalBudget? = nil
  ) throws(EngineError) -> Leaf {
    switch (place, self) {
    case (.rows(let first, let count), .runs(let rows)):
      return try rows.leaf(key.leafIndex, first..<first + count, budget: budget)
    case (.cluster(let cluster), .clusters(let snapshot)):
      let node = try snapshot.node(try cluster.requiredLeafRef(key.leafIndex))
      let leaf = try snapshot.leaf(node, layout, rowCount: cluster.count)
      if let budget { try budget.charge(node, with: leaf) }
      return leaf
    default: preconditionFailure("clusters are a snapshot's and runs an old table's")
    }
  }

  /// A column of integers or booleans, as they are stored. Says what `leaf` says in a fraction of its time,
  /// which counts where a leaf is opened for a row or two. `snapshot` is the owner's, which is so asked for it once.
  @inline(__always)
  func storedNumbers(
    _ key: ColumnKey, _ layout: LeafLayout, at place: BlockPlace, in snapshot: Snapshot
  ) throws(EngineError) -> IntegerLeaf {
    if case .cluster(let cluster) = place,
      let numbers = snapshot.storedNumbers(
        try snapshot.node(try cluster.requiredLeafRef(key.leafIndex)), layout, rowCount: cluster.count)
    {
      return numbers
    }
    switch try leaf(key, layout, at: place) {
    case .integers(let leaf): return leaf
    case .bools(let leaf): return IntegerLeaf(values: leaf.values, nullSentinel: leaf.nullSentinel)
    default: preconditionFailure("the column is one of integers or booleans")
    }
  }
}

/// Consecutive rows of a table, with one leaf a column.
package struct RowBlock: Sendable {
  package let place: BlockPlace
  private let owner: BlockOwner

  init(_ place: BlockPlace, of owner: BlockOwner) {
    self.place = place
    self.owner = owner
  }

  init(_ cluster: Cluster, in snapshot: Snapshot) { self.init(.cluster(cluster), of: .clusters(snapshot)) }

  init(_ rows: OldRows, first: Int, count: Int) {
    self.init(.rows(first: first, count: count), of: .runs(rows))
  }

  package var count: Int { place.count }

  package func key(_ row: Int) -> ObjectKey { place.key(row) }

  func appendKeys(of rows: [Int32], to keys: inout [ObjectKey]) {
    if let first = place.keyRun?.lowerBound {
      keys.append(contentsOf: rows.lazy.map { ObjectKey(first &+ Int64($0)) })
    } else {
      for row in rows { keys.append(place.key(Int(row))) }
    }
  }

  /// All rows of the block.
  package var whole: BlockRows {
    var rows = BlockRows(owner)
    rows.append(place, 0..<Int32(place.count))
    return rows
  }

  /// These rows of the block behind those of blocks before it.
  package func chosen(_ rows: [Int32], after others: consuming BlockRows?) -> BlockRows {
    var chosen = others ?? BlockRows(owner)
    chosen.append(place, rows)
    return chosen
  }

  /// The row that has `key`.
  package func row(of key: ObjectKey) -> Int? { place.row(of: key) }

  /// The values of a property. Cost: opens one leaf. A budget is charged for it; where several blocks share the leaf,
  /// with the first of them.
  package func leaf(_ property: Property, budget: TraversalBudget? = nil) throws(EngineError) -> Leaf {
    try owner.leaf(property.columnKey, property.layout, at: place, budget: budget)
  }

  /// Where the leaf of a property stands; nil where it has no place of its own.
  func leafRef(_ property: Property) throws(EngineError) -> Ref? {
    guard case .cluster(let cluster) = place else { return nil }
    return try cluster.leafRef(property.columnKey.leafIndex)
  }

  /// The incoming links that a hidden column records.
  package func backlinks(
    _ column: BacklinkColumn, budget: TraversalBudget? = nil
  ) throws(EngineError) -> BacklinkLeaf {
    guard case .backlinks(let leaf) = try owner.leaf(column.columnKey, .backlinks, at: place, budget: budget)
    else {
      preconditionFailure("a layout of incoming links gives a leaf of incoming links")
    }
    return leaf
  }

  /// Bytes of a column's leaf with everything below it; nil in formats 2–9, whose leaves are not a block's own.
  func leafSize(_ key: ColumnKey, budget: TraversalBudget) throws(EngineError) -> Int? {
    guard case .cluster(let cluster) = place, case .clusters(let snapshot) = owner else { return nil }
    guard let ref = try cluster.leafRef(key.leafIndex) else { return 0 }
    return try snapshot.treeSize(ref, budget: budget)
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
