// Where each cluster of a table stands, so that scans can begin anywhere, run on several threads and ask for memory
// ahead of its use. Layer: Trees. Built from the inner nodes alone: one entry for each child slot that the data
// really has, so its size is bounded by the file's.

/// A table's clusters by number, in key order.
package struct ClusterDirectory: Sendable {
  private struct Entry {
    let offset: Int
    let keyOffset: Int64
  }

  private let tree: ClusterTree
  private let entries: [Entry]

  init(_ tree: ClusterTree) throws(EngineError) {
    self.tree = tree
    var entries: [Entry] = []
    let budget = TraversalBudget(tree.snapshot)
    try tree.forEachClusterRef(budget: budget) { ref, keyOffset in
      entries.append(Entry(offset: ref.offset, keyOffset: keyOffset))
    }
    self.entries = entries
  }

  package var count: Int { entries.count }

  /// The cluster with number `index`. Throws when its keys do not lie before those of the next one.
  package func cluster(_ index: Int) throws(EngineError) -> Cluster {
    let entry = entries[index]
    guard let ref = Ref(Int64(entry.offset)) else { preconditionFailure("entries hold refs") }
    let cluster = try tree.cluster(at: ref, keyOffset: entry.keyOffset)
    if index + 1 < entries.count, cluster.count > 0,
      UInt64(bitPattern: cluster.key(cluster.count - 1).value)
        >= UInt64(bitPattern: entries[index + 1].keyOffset)
    {
      throw EngineError.damaged(
        at: entry.offset, expected: "keys below \(entries[index + 1].keyOffset)",
        found: "\(cluster.key(cluster.count - 1).value)")
    }
    return cluster
  }

  /// Asks for the head of cluster `index`, which will be read soon.
  @inline(__always)
  func prefetchCluster(_ index: Int) {
    guard index < entries.count else { return }
    tree.snapshot.prefetch(entries[index].offset, Self.clusterHeadSize)
  }

  /// Asks for up to `size` bytes of a leaf of cluster `index`, whose head should have arrived by now.
  @inline(__always)
  func prefetchLeaf(_ index: Int, leafIndex: Int, size: Int) {
    guard index < entries.count, let ref = Ref(Int64(entries[index].offset)),
      let node = try? tree.snapshot.node(ref), leafIndex + 1 < node.count, node.header.kind == .bits
    else { return }
    tree.snapshot.prefetch(Int(truncatingIfNeeded: node.integers[leafIndex + 1]), size)
  }

  private static let clusterHeadSize = 64
}
