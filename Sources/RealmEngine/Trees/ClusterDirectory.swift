// Where each cluster of a table stands, so that scans can begin anywhere, run on several threads and ask for memory
// ahead of its use. Layer: Trees. Built from the inner nodes alone: one entry for each child slot, of which there are no
// more than clusters that the data has room for, so its size is bounded by the file's.

/// A table's clusters by number, in key order.
package final class ClusterDirectory: Sendable {
  private struct Entry {
    let ref: Ref
    let keyOffset: Int64
  }

  private let tree: ClusterTree
  private let entries: [Entry]

  init(_ tree: ClusterTree) throws(EngineError) {
    self.tree = tree
    var entries: [Entry] = []
    let budget = TraversalBudget(tree.snapshot)
    try tree.forEachClusterRef(budget: budget) { ref, keyOffset in
      entries.append(Entry(ref: ref, keyOffset: keyOffset))
    }
    self.entries = entries
  }

  private init(_ tree: ClusterTree, _ entries: [Entry]) {
    self.tree = tree
    self.entries = entries
  }

  /// See `BlockDirectory`.
  func forOneThread() -> ClusterDirectory {
    ClusterDirectory(tree.reading(tree.snapshot.forOneThread()), entries)
  }

  var snapshot: Snapshot { tree.snapshot }

  package var count: Int { entries.count }

  /// The cluster with number `index`. Throws when its keys do not lie before those of the next one. `snapshot` is the
  /// directory's, which is so asked for it once by whoever reads many.
  @inline(__always)
  func cluster(_ index: Int, in snapshot: Snapshot) throws(EngineError) -> Cluster {
    let entry = entries[index]
    let cluster = try snapshot.cluster(at: entry.ref, keyOffset: entry.keyOffset)
    if index + 1 < entries.count, cluster.count > 0,
      UInt64(bitPattern: cluster.key(cluster.count - 1).value)
        >= UInt64(bitPattern: entries[index + 1].keyOffset)
    {
      throw EngineError.damaged(
        at: entry.ref.offset, expected: "keys below \(entries[index + 1].keyOffset)",
        found: "\(cluster.key(cluster.count - 1).value)")
    }
    return cluster
  }

  /// The number of the last cluster, from `start` on, that begins at or before `key`.
  func index(holding key: ObjectKey, from start: Int) -> Int {
    func begins(_ index: Int) -> Bool {
      UInt64(bitPattern: entries[index].keyOffset) <= UInt64(bitPattern: key.value)
    }
    // Mostly it is near.
    var step = 1
    var low = start
    while low + step < entries.count, begins(low + step) {
      low += step
      step *= 2
    }
    let end = min(low + step, entries.count)
    return (low + 1..<max(low + 1, end)).partitionPoint(begins) - 1
  }

  // Hints to the processor, which never fail.

  /// Asks for the heads of clusters.
  func prefetch(_ range: Range<Int>) {
    let snapshot = tree.snapshot
    for index in range { snapshot.prefetch(entries[index].ref.offset, Self.clusterHeadSize) }
  }

  private static let clusterHeadSize = 64

  /// Asks for up to `size` bytes of a leaf of cluster `index`, whose head should have arrived.
  func prefetchLeaf(_ leafIndex: Int, size: Int, of index: Int) {
    let snapshot = tree.snapshot
    if let leaf = snapshot.peek(leafIndex + 1, at: entries[index].ref) { snapshot.prefetch(leaf, size) }
  }

  /// Asks for up to `size` bytes of what the first slot of such a leaf leads to; the leaf should have arrived.
  func prefetchPart(_ leafIndex: Int, size: Int, of index: Int) {
    let snapshot = tree.snapshot
    snapshot.prefetchPart(ofLeafAt: snapshot.peek(leafIndex + 1, at: entries[index].ref), size)
  }
}

/// Prefetching in clusters that have been read.
extension Snapshot {
  @inline(__always)
  func prefetchLeaf(_ leafIndex: Int, of cluster: Cluster, size: Int) {
    if let leaf = cluster.node.peek(leafIndex + 1) { prefetch(leaf, size) }
  }

  @inline(__always)
  func prefetchPart(_ leafIndex: Int, of cluster: Cluster, size: Int) {
    prefetchPart(ofLeafAt: cluster.node.peek(leafIndex + 1), size)
  }

  @inline(__always)
  fileprivate func prefetchPart(ofLeafAt leaf: Int?, _ size: Int) {
    if let leaf, let ref = Ref(Int64(leaf)), let part = peek(0, at: ref) { prefetch(part, size) }
  }

  /// Asks for some elements of a leaf, whose head should have arrived.
  @inline(__always)
  func prefetchElements(_ rows: borrowing Span<Int32>, _ leafIndex: Int, of cluster: Cluster) {
    guard let leaf = cluster.node.peek(leafIndex + 1), let ref = Ref(Int64(leaf)) else { return }
    rows.forEachRow { row in
      if let offset = elementOffset(row, at: ref) { prefetch(offset, 1) }
    }
  }
}
