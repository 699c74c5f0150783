// The tree of a table's rows: leaf clusters of up to 256 objects, ordered by key. Layer: Trees.
// Invariants: keys rise strictly through a walk; depth falls by one a level; a cluster of N rows is only believed
// up to `rowsMax`; no walk meets more nodes than the data holds.

/// A table's objects.
package struct ClusterTree: Sendable {
  package static let rowsMax = 256
  /// More objects than any file holds.
  package static let countMax = Int64(1) << 40
  /// Bytes of the least node that is a cluster: its header, and the word that begins with the number of its rows.
  private static let clusterSizeMin = 2 * NodeHeader.size

  package let root: NodeView
  let snapshot: Snapshot
  /// Objects in the tree, as its root states.
  package let count: Int

  package init(_ ref: Ref, in snapshot: Snapshot) throws(EngineError) {
    root = try snapshot.refsNode(ref)
    self.snapshot = snapshot
    count = try snapshot.objectCount(root)
  }

  private init(_ tree: ClusterTree, readFrom snapshot: Snapshot) {
    root = tree.root
    count = tree.count
    self.snapshot = snapshot
  }

  /// The same tree, read through another object for the same bytes.
  func reading(_ snapshot: Snapshot) -> ClusterTree { ClusterTree(self, readFrom: snapshot) }

  private func child(_ index: Int, of parent: InnerCluster) throws(EngineError) -> NodeView {
    let child = try snapshot.refsNode(try parent.child(index))
    guard child.isInner == (parent.depth > 1) else {
      throw EngineError.damaged(
        at: child.ref.offset, expected: parent.depth > 1 ? "an inner node" : "a cluster",
        found: child.description)
    }
    return child
  }

  /// The cluster and row of the object with `key`; nil where there is none. Cost: one node a level.
  package func find(_ key: ObjectKey) throws(EngineError) -> (cluster: Cluster, row: Int)? {
    var node = root
    var keyOffset: Int64 = 0
    var depth: Int?
    while node.isInner {
      let parent = try snapshot.innerCluster(node, depth: depth)
      guard let number = parent.position(of: UInt64(bitPattern: key.value &- keyOffset)) else { return nil }
      keyOffset = keyOffset &+ Int64(bitPattern: parent.offset(number))
      node = try child(number, of: parent)
      depth = parent.depth - 1
    }
    let cluster = try snapshot.cluster(node, keyOffset: keyOffset)
    return cluster.row(of: key).map { (cluster, $0) }
  }

  /// The cluster and row of the object that so many others stand before; nil where there are not so many. Cost: the children of
  /// one node a level.
  func find(at position: Int) throws(EngineError) -> (cluster: Cluster, row: Int)? {
    var node = root
    var keyOffset: Int64 = 0
    var depth: Int?
    var left = position
    descent: while node.isInner {
      let parent = try snapshot.innerCluster(node, depth: depth)
      depth = parent.depth - 1
      for number in 0..<parent.childCount {
        let child = try child(number, of: parent)
        let childOffset = keyOffset &+ Int64(bitPattern: parent.offset(number))
        let count = try snapshot.objectCount(child)
        guard left >= count else {
          (node, keyOffset) = (child, childOffset)
          continue descent
        }
        left -= count
      }
      return nil
    }
    let cluster = try snapshot.cluster(node, keyOffset: keyOffset)
    return left < cluster.count ? (cluster, left) : nil
  }

  /// A subtree, and what the nodes above it add to its keys.
  struct Subtree: Hashable {
    let ref: Ref
    let keyOffset: Int64
  }

  var whole: Subtree { Subtree(ref: root.ref, keyOffset: 0) }

  /// Levels above the clusters.
  func depth() throws(EngineError) -> Int { root.isInner ? try snapshot.innerCluster(root).depth : 0 }

  /// What stands below a part at `depth`, which is not 0.
  func children(of part: Subtree, depth: Int, budget: TraversalBudget) throws(EngineError) -> [Subtree] {
    let node = try snapshot.refsNode(part.ref)
    try budget.charge(node)
    let parent = try snapshot.innerCluster(node, depth: depth)
    var children: [Subtree] = []
    for number in 0..<parent.childCount {
      let child = try parent.child(number)
      children.append(
        Subtree(ref: child, keyOffset: part.keyOffset &+ Int64(bitPattern: parent.offset(number))))
    }
    return children
  }

  /// Calls `body` with the ref and key offset of every cluster in order, without opening the clusters.
  func forEachClusterRef(
    budget: TraversalBudget, _ body: (Ref, Int64) -> Void
  ) throws(EngineError) {
    guard root.isInner else { return body(root.ref, 0) }
    var path = [(parent: try snapshot.innerCluster(root), next: 0, keyOffset: Int64(0))]
    try budget.charge(root)
    while let (parent, next, keyOffset) = path.last {
      if parent.depth == 1 {
        try budget.charge(parent.childCount * Self.clusterSizeMin, at: parent.node.ref.offset)
        try parent.node.checkRefsDiffer(in: InnerCluster.firstChildSlot..<parent.node.count)
        for child in 0..<parent.childCount {
          let ref = try parent.child(child)
          body(ref, keyOffset &+ Int64(bitPattern: parent.offset(child)))
        }
        path.removeLast()
        continue
      }
      guard next < parent.childCount else {
        path.removeLast()
        continue
      }
      path[path.count - 1].next += 1
      let childOffset = keyOffset &+ Int64(bitPattern: parent.offset(next))
      let child = try child(next, of: parent)
      try budget.charge(child)
      path.append((try snapshot.innerCluster(child, depth: parent.depth - 1), 0, childOffset))
    }
  }

  /// Walks the clusters in key order.
  package struct Cursor {
    private let tree: ClusterTree
    package let budget: TraversalBudget
    private var path: [(parent: InnerCluster, next: Int, keyOffset: Int64)] = []
    private var isStarted = false
    private var previousKey: Int64?

    init(_ tree: ClusterTree, budget: TraversalBudget) {
      self.tree = tree
      self.budget = budget
    }

    /// The next cluster; nil at the end. Empty clusters are passed over.
    package mutating func next() throws(EngineError) -> Cluster? {
      while let cluster = try step() {
        guard cluster.count > 0 else { continue }
        let first = cluster.key(0).value
        guard previousKey == nil || UInt64(bitPattern: previousKey ?? 0) < UInt64(bitPattern: first) else {
          throw EngineError.damaged(
            at: cluster.node.ref.offset, expected: "rising object keys",
            found: "\(first) after \(previousKey ?? 0)")
        }
        previousKey = cluster.key(cluster.count - 1).value
        return cluster
      }
      return nil
    }

    private mutating func step() throws(EngineError) -> Cluster? {
      if !isStarted {
        isStarted = true
        try budget.charge(tree.root)
        guard tree.root.isInner else { return try tree.snapshot.cluster(tree.root, keyOffset: 0) }
        path.append((try tree.snapshot.innerCluster(tree.root), 0, 0))
      }
      while let (parent, next, keyOffset) = path.last {
        guard next < parent.childCount else {
          path.removeLast()
          continue
        }
        path[path.count - 1].next += 1
        let child = try tree.child(next, of: parent)
        try budget.charge(child)
        let childOffset = keyOffset &+ Int64(bitPattern: parent.offset(next))
        if parent.depth == 1 { return try tree.snapshot.cluster(child, keyOffset: childOffset) }
        path.append((try tree.snapshot.innerCluster(child, depth: parent.depth - 1), 0, childOffset))
      }
      return nil
    }
  }

  package func cursor(budget: TraversalBudget? = nil) -> Cursor {
    Cursor(self, budget: budget ?? TraversalBudget(snapshot))
  }
}
