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

  /// Asks for the head of cluster `index`, which will be read soon.
  @inline(__always)
  func prefetchCluster(_ index: Int) {
    tree.snapshot.prefetch(entries[index].ref.offset, Self.clusterHeadSize)
  }

  /// Asks for up to `size` bytes of a leaf of a cluster.
  @inline(__always)
  func prefetchLeaf(_ cluster: Cluster, _ leafIndex: Int, size: Int) {
    if let leaf = slot(leafIndex + 1, of: cluster.node) { tree.snapshot.prefetch(leaf, size) }
  }

  /// Bytes of a leaf of a cluster; nil where there is none.
  func leafSize(_ cluster: Cluster, _ leafIndex: Int) -> Int? {
    guard let leaf = slot(leafIndex + 1, of: cluster.node), let ref = Ref(Int64(leaf)) else { return nil }
    return (try? tree.snapshot.node(ref))?.byteSize
  }

  /// Asks for up to `size` bytes of what the first slot of such a leaf leads to, when the leaf should have arrived.
  @inline(__always)
  func prefetchPart(_ cluster: Cluster, _ leafIndex: Int, size: Int) {
    if let leaf = slot(leafIndex + 1, of: cluster.node), let ref = Ref(Int64(leaf)),
      let node = try? tree.snapshot.node(ref), let part = slot(0, of: node)
    {
      tree.snapshot.prefetch(part, size)
    }
  }

  /// For hints alone: what has no such slot gives none.
  @inline(__always)
  private func slot(_ slot: Int, of node: NodeView) -> Int? {
    guard slot < node.count, node.header.kind == .bits else { return nil }
    return Int(truncatingIfNeeded: node.integers[slot])
  }

  private static let clusterHeadSize = 64
}
