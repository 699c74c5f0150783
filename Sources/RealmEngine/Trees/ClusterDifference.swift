// The clusters in which two versions of a table differ, found from the top down: what both have is not looked into.
// Layer: Trees. Cost: the nodes on the way to what differs, whatever the tables' size.

/// Clusters that only one of two versions has.
struct ClusterDifference {
  /// Each in key order.
  private(set) var old: [Cluster] = []
  private(set) var new: [Cluster] = []

  /// `isSharing`: at one offset both versions have the same node, because what the older consists of was left alone.
  init(from oldTree: ClusterTree, to newTree: ClusterTree, isSharing: Bool) throws(EngineError) {
    var old = try Level(oldTree)
    var new = try Level(newTree)
    while true {
      if isSharing, old.depth == new.depth { old.removeCommon(&new) }
      let depth = max(old.depth, new.depth)
      guard depth > 0 else { break }
      if old.depth == depth { try old.descend() }
      if new.depth == depth { try new.descend() }
    }
    self.old = try old.clusters()
    self.new = try new.clusters()
  }

  /// What is left of a tree at one of its levels.
  private struct Level {
    let tree: ClusterTree
    let budget: TraversalBudget
    private(set) var depth: Int
    private var parts: [ClusterTree.Subtree]

    init(_ tree: ClusterTree) throws(EngineError) {
      self.tree = tree
      budget = TraversalBudget(tree.snapshot)
      depth = try tree.depth()
      parts = [tree.whole]
    }

    mutating func removeCommon(_ other: inout Level) {
      let common = Set(parts).intersection(other.parts)
      guard !common.isEmpty else { return }
      parts.removeAll(where: common.contains)
      other.parts.removeAll(where: common.contains)
    }

    mutating func descend() throws(EngineError) {
      var children: [ClusterTree.Subtree] = []
      for part in parts { children += try tree.children(of: part, depth: depth, budget: budget) }
      parts = children
      depth -= 1
    }

    func clusters() throws(EngineError) -> [Cluster] {
      var clusters: [Cluster] = []
      for part in parts {
        let cluster = try tree.snapshot.cluster(at: part.ref, keyOffset: part.keyOffset)
        try budget.charge(cluster.node)
        if cluster.count > 0 { clusters.append(cluster) }
      }
      return clusters
    }
  }
}
