// A table's row blocks by number: for scans on several threads and hints to the processor. Layer: Columns.

/// All blocks of a table, in key order.
package struct BlockDirectory: Sendable {
  private let clusters: ClusterDirectory
  private let snapshot: Snapshot

  init(_ tree: ClusterTree, in snapshot: Snapshot) throws(EngineError) {
    clusters = try ClusterDirectory(tree)
    self.snapshot = snapshot
  }

  package var count: Int { clusters.count }

  /// Block number `index`, which may be empty.
  package func block(_ index: Int) throws(EngineError) -> RowBlock {
    RowBlock(try clusters.cluster(index), in: snapshot)
  }

  private static let headAhead = 8
  private static let leafAhead = 4

  /// Asks for what a scan that now reads block `index` will read soon: the leaf of `property`, `leafSize` bytes long.
  @inline(__always)
  package func prefetch(after index: Int, leafIndex: Int, leafSize: Int) {
    clusters.prefetchCluster(index + Self.headAhead)
    clusters.prefetchLeaf(index + Self.leafAhead, leafIndex: leafIndex, size: leafSize)
  }
}
