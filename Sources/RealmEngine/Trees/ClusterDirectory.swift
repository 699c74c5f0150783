// Where each cluster of a table stands, so that scans can begin anywhere, run on several threads and ask for memory
// ahead of its use. Layer: Trees. Built from the inner nodes alone: one entry for each child slot that the data
// really has, so its size is bounded by the file's.

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

  /// The cluster with number `index`. Throws when its keys do not lie before those of the next one.
  package func cluster(_ index: Int) throws(EngineError) -> Cluster {
    let entry = entries[index]
    let cluster = try tree.cluster(at: entry.ref, keyOffset: entry.keyOffset)
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

  // Hints to the processor, which never fail.

  /// Asks for the heads of clusters.
  func prefetch(_ range: Range<Int>) {
    let snapshot = tree.snapshot
    for index in range { snapshot.prefetch(entries[index].ref.offset, Self.clusterHeadSize) }
  }

  private static let clusterHeadSize = 64

  /// Asks for up to `size` bytes of a leaf of cluster `index`.
  func prefetchLeaf(_ leafIndex: Int, size: Int, of index: Int) {
    tree.snapshot.prefetchLeaf(leafIndex, ofClusterAt: entries[index].ref, size: size)
  }

  /// Asks for up to `size` bytes of what the first slot of such a leaf leads to.
  func prefetchPart(_ leafIndex: Int, size: Int, of index: Int) {
    tree.snapshot.prefetchPart(leafIndex, ofClusterAt: entries[index].ref, size: size)
  }
}

extension Snapshot {
  /// Asks for up to `size` bytes of a leaf of a cluster, which should have arrived.
  @inline(__always)
  func prefetchLeaf(_ leafIndex: Int, ofClusterAt ref: Ref, size: Int) {
    if let leaf = peek(leafIndex + 1, at: ref) { prefetch(leaf, size) }
  }

  /// Asks for up to `size` bytes of what the first slot of a leaf leads to; the leaf should have arrived.
  @inline(__always)
  func prefetchPart(_ leafIndex: Int, ofClusterAt ref: Ref, size: Int) {
    if let leaf = peek(leafIndex + 1, at: ref), let leafRef = Ref(Int64(leaf)),
      let part = peek(0, at: leafRef)
    {
      prefetch(part, size)
    }
  }

  /// Asks for one element of a leaf, whose head should have arrived.
  @inline(__always)
  func prefetchElement(_ row: Int, _ leafIndex: Int, ofClusterAt ref: Ref) {
    if let leaf = peek(leafIndex + 1, at: ref), let leafRef = Ref(Int64(leaf)),
      let offset = elementOffset(row, at: leafRef)
    {
      prefetch(offset, 1)
    }
  }
}
