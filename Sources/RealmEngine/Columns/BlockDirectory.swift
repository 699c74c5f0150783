// A table's row blocks by number: for scans on several threads and hints to the processor. Layer: Columns.

/// All blocks of a table, in key order.
package final class BlockDirectory: Sendable {
  private let owner: BlockOwner
  /// In formats 10 and later.
  private let clusters: ClusterDirectory?
  /// In formats 2–9: where each run of rows begins, and after the last one where it ends.
  private let runBounds: [Int]

  init(_ tree: ClusterTree, in snapshot: Snapshot) throws(EngineError) {
    owner = .clusters(snapshot)
    clusters = try ClusterDirectory(tree)
    runBounds = []
  }

  init(_ rows: OldRows) throws(EngineError) {
    owner = .runs(rows)
    clusters = nil
    runBounds = try rows.runBounds()
  }

  private init(_ clusters: ClusterDirectory) {
    owner = .clusters(clusters.snapshot)
    self.clusters = clusters
    runBounds = []
  }

  /// The same directory with objects of its own, for one of several threads: where they count references to the same
  /// object for every block, they wait for each other most of the time.
  func forOneThread() -> BlockDirectory { clusters.map { BlockDirectory($0.forOneThread()) } ?? self }

  /// What its blocks are read from.
  var snapshot: Snapshot { owner.snapshot }

  package var count: Int { clusters?.count ?? runBounds.count - 1 }

  /// Where block number `index` stands, which may be empty.
  func place(_ index: Int) throws(EngineError) -> BlockPlace { try place(index, in: snapshot) }

  /// Spares callers who ask for many a count of references; `snapshot` is the directory's.
  @inline(__always)
  func place(_ index: Int, in snapshot: Snapshot) throws(EngineError) -> BlockPlace {
    // Bound to a name, the directory of clusters would be counted once more for each block.
    if let cluster = try clusters?.cluster(index, in: snapshot) { return .cluster(cluster) }
    return .rows(first: runBounds[index], count: runBounds[index + 1] - runBounds[index])
  }

  /// The number of the one block that can have the object with `key`, which is not below that of block `start`.
  func index(holding key: ObjectKey, from start: Int) -> Int {
    if let clusters { return clusters.index(holding: key, from: start) }
    let row = Int(clamping: key.value)
    return (start + 1..<max(start + 1, count)).partitionPoint { runBounds[$0] <= row } - 1
  }

  /// The block at a place of this directory.
  func block(_ place: BlockPlace) -> RowBlock { RowBlock(place, of: owner) }

  /// No rows of these blocks yet, with room for some of each of `blockCount` blocks.
  func noRows(blockCount: Int = 0) -> BlockRows { BlockRows(owner, blockCount: blockCount) }

  /// Block number `index`, which may be empty.
  package func block(_ index: Int) throws(EngineError) -> RowBlock { block(try place(index)) }

  // Hints, which never fail: in formats 2–9, whose leaves are not a block's own, there are none.

  /// Asks for what tells where blocks stand.
  func prefetchPlaces(_ range: Range<Int>) { clusters?.prefetch(range) }

  /// Asks for a column's leaf in a block, when what tells where the block stands should have arrived.
  @inline(__always)
  func prefetchLeaf(_ read: ColumnRead, of index: Int) {
    clusters?.prefetchLeaf(read.leafIndex, size: read.leafSize, of: index)
  }

  /// Asks for the first part of such a leaf, where it has parts; the leaf should have arrived by now.
  @inline(__always)
  func prefetchPart(_ read: ColumnRead, of index: Int) {
    if read.partSize > 0 { clusters?.prefetchPart(read.leafIndex, size: read.partSize, of: index) }
  }
}
