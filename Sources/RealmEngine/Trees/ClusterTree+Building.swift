// Building a table's tree of rows from its clusters, in key order. Layer: Trees.

/// Joins clusters into a tree.
final class ClusterTreeBuilder {
  fileprivate struct Node {
    let ref: Ref
    /// The first key below, from which the keys below count; 0 for the first node of a level.
    let firstKey: UInt64
    let count: Int64
  }

  private let store: NodeStore
  private var clusters: [Node] = []
  /// Whether other clusters come before, so that the first one does not begin at 0.
  private let isContinuation: Bool

  init(in store: NodeStore, isContinuation: Bool = false) {
    self.store = store
    self.isContinuation = isContinuation
  }

  var isEmpty: Bool { clusters.isEmpty }

  /// Adds a cluster of rows whose keys, ascending, are all above those before. `leaves` are by leaf index, 0 for none.
  func append(_ keys: [Int64], leaves: [Int64]) throws(EngineError) {
    let firstKey = clusters.isEmpty && !isContinuation ? 0 : UInt64(bitPattern: keys[0])
    let first = try store.makeClusterKeys(keys.map { UInt64(bitPattern: $0) - firstKey })
    clusters.append(
      Node(ref: try store.makeSlots([first] + leaves), firstKey: firstKey, count: Int64(keys.count)))
  }

  /// The root of the tree; at least one cluster was added.
  func finish() throws(EngineError) -> Ref { try join(clusters) }

  /// The root of a tree whose first clusters are those of another one, which is taken apart.
  func finish(behind rows: ClusterTreeEditor) throws(EngineError) -> Ref {
    try join(try rows.takeApart() + clusters)
  }

  /// The root of a tree of the rows of another one, which is taken apart, with the keys 0, 1, 2 …
  fileprivate func finish(renumbering rows: ClusterTreeEditor) throws(EngineError) -> Ref {
    var next: UInt64 = 0
    for node in try rows.takeApart() {
      clusters.append(
        Node(
          ref: try rows.setKeys(node.ref, (0..<node.count).map { UInt64($0) }), firstKey: next,
          count: node.count))
      next += UInt64(node.count)
    }
    return try join(clusters)
  }

  private func join(_ clusters: [Node]) throws(EngineError) -> Ref {
    var level = clusters
    var depth = 1
    while level.count > 1 {
      var parents: [Node] = []
      for start in stride(from: 0, to: level.count, by: InnerCluster.childrenMax) {
        parents.append(
          try parent(level[start..<min(start + InnerCluster.childrenMax, level.count)], depth: depth))
      }
      level = parents
      depth += 1
    }
    return level[0].ref
  }

  private func parent(_ children: ArraySlice<Node>, depth: Int) throws(EngineError) -> Node {
    let base = children[children.startIndex].firstKey
    let total = children.reduce(0) { $0 + $1.count }
    let ref = try store.makeInnerCluster(
      children.map { InnerCluster.Child(offset: $0.firstKey - base, ref: $0.ref) }, depth: depth, total: total
    )
    return Node(ref: ref, firstKey: base, count: total)
  }
}

extension ClusterTreeEditor {
  /// The key of the last row; nil where there are none.
  func lastKey() throws(EngineError) -> Int64? {
    var ref = root
    var offset: UInt64 = 0
    var depth = 0
    while true {
      let node = try snapshot.refsNode(ref)
      guard node.isInner else {
        return try cluster(node).storedKeys.last.map { Int64(bitPattern: offset &+ $0) }
      }
      try checkDepth(depth, ref)
      let parent = try inner(node)
      let last = parent.childCount - 1
      offset = offset &+ parent.offset(last)
      ref = try parent.child(last)
      depth += 1
    }
  }

  /// Puts clusters behind those that are there; their keys are above all of these. Cost: a look at each cluster, and the
  /// inner nodes anew.
  func append(_ builder: ClusterTreeBuilder) throws(EngineError) { root = try builder.finish(behind: self) }

  /// Gives rows the keys 0, 1, 2 …, in the order in which they stand.
  func renumber() throws(EngineError) { root = try ClusterTreeBuilder(in: store).finish(renumbering: self) }

  /// The keys of all rows, which rise.
  func allKeys() throws(EngineError) -> [Int64] {
    var keys: [Int64] = []
    var cursor = try tree().cursor()
    while let cluster = try cursor.next() {
      for row in 0..<cluster.count { keys.append(cluster.key(row).value) }
    }
    return keys
  }

  /// Gives up all inner nodes, and hands the clusters out in key order. The tree is none any more until it gets a root.
  fileprivate func takeApart() throws(EngineError) -> [ClusterTreeBuilder.Node] {
    var clusters: [ClusterTreeBuilder.Node] = []
    try takeApart(root, offset: 0, depth: 0, TraversalBudget(snapshot), &clusters)
    return clusters
  }

  private func takeApart(
    _ ref: Ref, offset: UInt64, depth: Int, _ budget: TraversalBudget,
    _ clusters: inout [ClusterTreeBuilder.Node]
  ) throws(EngineError) {
    let node = try snapshot.refsNode(ref)
    try budget.charge(node)
    guard node.isInner else {
      let count = Int64(try cluster(node).count)
      return clusters.append(ClusterTreeBuilder.Node(ref: ref, firstKey: offset, count: count))
    }
    try checkDepth(depth, ref)
    let parent = try inner(node)
    for child in try parent.children() {
      try takeApart(child.ref, offset: offset &+ child.offset, depth: depth + 1, budget, &clusters)
    }
    releaseInner(parent)
  }
}
