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

  private static let childrenMax = 256
  private static let childShift: UInt64 = 8

  init(in store: NodeStore, isContinuation: Bool = false) {
    self.store = store
    self.isContinuation = isContinuation
  }

  var isEmpty: Bool { clusters.isEmpty }

  /// Adds a cluster of rows whose keys, ascending, are all above those before. `leaves` are by leaf index, 0 for none.
  func append(_ keys: [Int64], leaves: [Int64]) throws(EngineError) {
    let firstKey = clusters.isEmpty && !isContinuation ? 0 : UInt64(bitPattern: keys[0])
    let relative = keys.map { UInt64(bitPattern: $0) - firstKey }
    let isCompact = relative.enumerated().allSatisfy { $1 == UInt64($0) }
    let first =
      isCompact ? NodeStore.tag(Int64(keys.count)) : Int64(try store.makeUnsigned(relative).offset)
    clusters.append(
      Node(ref: try store.makeSlots([first] + leaves), firstKey: firstKey, count: Int64(keys.count)))
  }

  /// The root of the tree; at least one cluster was added.
  func finish() throws(EngineError) -> Ref { try join(clusters) }

  /// The root of a tree whose first clusters are those of another one, which is taken apart.
  func finish(behind rows: ClusterTreeEditor) throws(EngineError) -> Ref {
    try join(try rows.takeApart() + clusters)
  }

  private func join(_ clusters: [Node]) throws(EngineError) -> Ref {
    var level = clusters
    var depth: UInt64 = 1
    while level.count > 1 {
      var parents: [Node] = []
      for start in stride(from: 0, to: level.count, by: Self.childrenMax) {
        parents.append(
          try parent(level[start..<min(start + Self.childrenMax, level.count)], depth: depth))
      }
      level = parents
      depth += 1
    }
    return level[0].ref
  }

  private func parent(_ children: ArraySlice<Node>, depth: UInt64) throws(EngineError) -> Node {
    let base = children[children.startIndex].firstKey
    let offsets = children.map { $0.firstKey - base }
    let isCompact = offsets.enumerated().allSatisfy { $1 == UInt64($0) << (Self.childShift * depth) }
    let offsetsRef = isCompact ? nil : try store.makeUnsigned(offsets)
    let total = children.reduce(0) { $0 + $1.count }
    let ref = try store.makeSlots(
      [Int64(offsetsRef?.offset ?? 0), NodeStore.tag(Int64(depth)), NodeStore.tag(total)]
        + children.map { Int64($0.ref.offset) }, isInner: true)
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
        return try keys(node).last.map { Int64(bitPattern: offset &+ $0) }
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
      let count = Int64(try rowCount(node))
      return clusters.append(ClusterTreeBuilder.Node(ref: ref, firstKey: offset, count: count))
    }
    try checkDepth(depth, ref)
    let parent = try inner(node)
    for child in try children(parent) {
      try takeApart(child.ref, offset: offset &+ child.offset, depth: depth + 1, budget, &clusters)
    }
    try releaseInner(parent)
  }
}
