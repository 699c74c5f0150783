// A table's row blocks by number: for scans on several threads and hints to the processor. Layer: Columns.

/// All blocks of a table, in key order.
package struct BlockDirectory: Sendable {
  private enum Source {
    case clusters(ClusterDirectory, Snapshot)
    /// In formats 2–9: where each run of rows begins, and after the last one where it ends.
    case runs(OldRows, bounds: [Int])
  }

  private let source: Source

  init(_ tree: ClusterTree, in snapshot: Snapshot) throws(EngineError) {
    source = .clusters(try ClusterDirectory(tree), snapshot)
  }

  init(_ rows: OldRows) throws(EngineError) { source = .runs(rows, bounds: try rows.runBounds()) }

  package var count: Int {
    switch source {
    case .clusters(let clusters, _): clusters.count
    case .runs(_, let bounds): bounds.count - 1
    }
  }

  /// Block number `index`, which may be empty.
  package func block(_ index: Int) throws(EngineError) -> RowBlock {
    switch source {
    case .clusters(let clusters, let snapshot): RowBlock(try clusters.cluster(index), in: snapshot)
    case .runs(let rows, let bounds):
      RowBlock(rows, first: bounds[index], count: bounds[index + 1] - bounds[index])
    }
  }

  private static let headAhead = 8
  private static let leafAhead = 4

  /// Asks for what a scan that now reads block `index` will read soon: the leaf of `property`, `leafSize` bytes long.
  @inline(__always)
  package func prefetch(after index: Int, leafIndex: Int, leafSize: Int) {
    guard case .clusters(let clusters, _) = source else { return }
    clusters.prefetchCluster(index + Self.headAhead)
    clusters.prefetchLeaf(index + Self.leafAhead, leafIndex: leafIndex, size: leafSize)
  }
}
