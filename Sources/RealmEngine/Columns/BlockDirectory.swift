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

  package var count: Int { clusters?.count ?? runBounds.count - 1 }

  /// Where block number `index` stands, which may be empty.
  @inline(__always)
  func place(_ index: Int) throws(EngineError) -> BlockPlace {
    if let clusters { return .cluster(try clusters.cluster(index)) }
    return .rows(first: runBounds[index], count: runBounds[index + 1] - runBounds[index])
  }

  /// The block at a place of this directory.
  func block(_ place: BlockPlace) -> RowBlock { RowBlock(place, of: owner) }

  /// No rows of these blocks yet.
  func noRows() -> BlockRows { BlockRows(owner) }

  /// Block number `index`, which may be empty.
  package func block(_ index: Int) throws(EngineError) -> RowBlock { block(try place(index)) }

  /// Asks for what tells where block `index` stands.
  @inline(__always)
  func prefetchPlace(_ index: Int) { clusters?.prefetchCluster(index) }

  /// See `BlockOwner`.
  @inline(__always)
  func prefetchLeaf(_ read: ColumnRead, at place: BlockPlace) { owner.prefetchLeaf(read, at: place) }

  /// Bytes of the column's leaf of the block at `place`; nil where that is not known.
  func leafSize(_ read: ColumnRead, at place: BlockPlace) -> Int? {
    guard case .clusters(let snapshot) = owner, case .cluster(let cluster) = place else { return nil }
    return cluster.leafSize(read.leafIndex, in: snapshot)
  }

  @inline(__always)
  func prefetchPart(_ read: ColumnRead, at place: BlockPlace) { owner.prefetchPart(read, at: place) }
}
