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

  private static let clusterHeadSize = 64
}

extension Cluster {
  /// Asks for up to `size` bytes of a leaf.
  @inline(__always)
  func prefetchLeaf(_ leafIndex: Int, size: Int, in snapshot: Snapshot) {
    if let leaf = Self.slot(leafIndex + 1, of: node) { snapshot.prefetch(leaf, size) }
  }

  /// Bytes of a leaf; nil where there is none.
  func leafSize(_ leafIndex: Int, in snapshot: Snapshot) -> Int? {
    guard let leaf = Self.slot(leafIndex + 1, of: node), let ref = Ref(Int64(leaf)) else { return nil }
    return (try? snapshot.node(ref))?.byteSize
  }

  /// Asks for up to `size` bytes of what the first slot of a leaf leads to, when the leaf should have arrived.
  @inline(__always)
  func prefetchPart(_ leafIndex: Int, size: Int, in snapshot: Snapshot) {
    if let leaf = Self.slot(leafIndex + 1, of: node), let ref = Ref(Int64(leaf)),
      let node = try? snapshot.node(ref), let part = Self.slot(0, of: node)
    {
      snapshot.prefetch(part, size)
    }
  }

  /// For hints alone: what has no such slot gives none.
  @inline(__always)
  private static func slot(_ slot: Int, of node: NodeView) -> Int? {
    guard slot < node.count, node.header.kind == .bits else { return nil }
    return Int(truncatingIfNeeded: node.integers[slot])
  }
}
