// The tree of a table's rows: leaf clusters of up to 256 objects, ordered by key. Layer: Trees.
// Invariants: keys rise strictly through a walk; depth falls by one a level; a cluster of N rows is only believed
// up to `rowsMax`; no walk meets more nodes than the data holds.

/// The rows of a cluster leaf: their keys and the refs of their column leaves.
package struct Cluster: Sendable {
  package let node: NodeView
  package let count: Int
  /// Added to the relative keys.
  let keyOffset: Int64
  /// Relative keys; nil for 0, 1, 2 ….
  let relativeKeys: PackedIntegers?

  /// The key of row `row`, which must be below `count`.
  package func key(_ row: Int) -> ObjectKey {
    guard let relativeKeys else { return ObjectKey(keyOffset &+ Int64(row)) }
    return ObjectKey(keyOffset &+ Int64(bitPattern: relativeKeys.unsigned(row)))
  }

  /// The row that has `key`, by binary search.
  package func row(of key: ObjectKey) -> Int? {
    let (relative, overflow) = key.value.subtractingReportingOverflow(keyOffset)
    guard !overflow, relative >= 0 else { return nil }
    guard let relativeKeys else { return relative < Int64(count) ? Int(relative) : nil }
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if relativeKeys.unsigned(middle) < UInt64(relative) { low = middle + 1 } else { high = middle }
    }
    return low < count && relativeKeys.unsigned(low) == UInt64(relative) ? low : nil
  }

  /// The ref of the leaf of the column with leaf index `index`; nil where there is none.
  @inline(__always)
  package func leafRef(_ index: Int) throws(EngineError) -> Ref? { try node.refIfPresent(index + 1) }

  /// The same where there must be one.
  @inline(__always)
  func requiredLeafRef(_ index: Int) throws(EngineError) -> Ref {
    if let slot = node.peek(index + 1), let ref = Ref(Int64(slot)) { return ref }
    throw missingLeaf(index)
  }

  /// Why there is no ref to a leaf.
  @inline(never)
  private func missingLeaf(_ index: Int) -> EngineError {
    do throws(EngineError) {
      _ = try leafRef(index)
      return .damaged(at: node.ref.offset, expected: "a leaf for column \(index)", found: "none")
    } catch {
      return error
    }
  }
}

extension Snapshot {
  /// The cluster that `node` is. `keyOffset`: what the nodes above it add to its keys.
  @inline(__always)
  func cluster(_ node: NodeView, keyOffset: Int64) throws(EngineError) -> Cluster {
    let first = try node.slot(0)
    let isCount = first & 1 == 1 || first == 0
    let keys = isCount ? nil : try integersNode(try node.requiredRef(0)).integers
    let count = keys.map(\.count) ?? Int(first >> 1 & Int64.max)
    guard count <= ClusterTree.rowsMax else {
      throw EngineError.damaged(
        at: node.ref.offset, expected: "at most \(ClusterTree.rowsMax) objects in a cluster",
        found: "\(count)")
    }
    return Cluster(node: node, count: count, keyOffset: keyOffset, relativeKeys: keys)
  }

  @inline(__always)
  func cluster(at ref: Ref, keyOffset: Int64) throws(EngineError) -> Cluster {
    try cluster(try refsNode(ref), keyOffset: keyOffset)
  }
}

/// A table's objects.
package struct ClusterTree: Sendable {
  package static let rowsMax = 256
  /// More objects than any file holds.
  static let countMax = Int64(1) << 40
  private static let childShift = 8
  private static let depthMax = 7
  private static let firstChildSlot = 3
  /// Bytes of the least node that is a cluster: its header, and the word that begins with the number of its rows.
  private static let clusterSizeMin = 2 * NodeHeader.size

  let root: NodeView
  let snapshot: Snapshot
  /// Objects in the tree, as its root states.
  package let count: Int

  package init(_ ref: Ref, in snapshot: Snapshot) throws(EngineError) {
    root = try snapshot.refsNode(ref)
    self.snapshot = snapshot
    if root.isInner {
      let total = try root.tagged(2)
      guard total <= Self.countMax else {
        throw EngineError.damaged(at: ref.offset, expected: "a number of objects", found: "\(total)")
      }
      count = Int(total)
    } else {
      count = try snapshot.cluster(root, keyOffset: 0).count
    }
  }

  private init(_ tree: ClusterTree, readFrom snapshot: Snapshot) {
    root = tree.root
    count = tree.count
    self.snapshot = snapshot
  }

  /// The same tree, read through another object for the same bytes.
  func reading(_ snapshot: Snapshot) -> ClusterTree { ClusterTree(self, readFrom: snapshot) }

  /// One inner node's children and their key offsets.
  private struct Inner {
    let node: NodeView
    let depth: Int
    let offsets: PackedIntegers?

    var childCount: Int { node.count - ClusterTree.firstChildSlot }

    func keyOffset(_ child: Int) -> Int64 {
      guard let offsets else { return Int64(child) << Int64(ClusterTree.childShift * depth) }
      return Int64(bitPattern: offsets.unsigned(child))
    }

    /// The last child that begins at or before the key `relative`; nil where all begin behind it.
    func child(holding relative: UInt64) -> Int? {
      guard let offsets else {
        return min(childCount - 1, Int(clamping: relative >> UInt64(ClusterTree.childShift * depth)))
      }
      var low = 0
      var high = childCount
      while low < high {
        let middle = (low + high) / 2
        if offsets.unsigned(middle) <= relative { low = middle + 1 } else { high = middle }
      }
      return low > 0 ? low - 1 : nil
    }
  }

  private func inner(_ node: NodeView, expectedDepth: Int?) throws(EngineError) -> Inner {
    guard node.hasRefs, node.header.kind == .bits, node.count > Self.firstChildSlot else {
      throw EngineError.damaged(
        at: node.ref.offset, expected: "an inner cluster node", found: node.description)
    }
    let depth = try node.tagged(1)
    guard depth >= 1, depth <= Int64(Self.depthMax), expectedDepth == nil || Int(depth) == expectedDepth
    else {
      throw EngineError.damaged(
        at: node.ref.offset, expected: "a depth of \(expectedDepth ?? Self.depthMax)", found: "\(depth)")
    }
    var offsets: PackedIntegers?
    if let ref = try node.ref(0) {
      let keys = try snapshot.integersNode(ref).integers
      guard keys.count >= node.count - Self.firstChildSlot else {
        throw EngineError.damaged(
          at: ref.offset, expected: "\(node.count - Self.firstChildSlot) key offsets", found: "\(keys.count)")
      }
      offsets = keys
    }
    return Inner(node: node, depth: Int(depth), offsets: offsets)
  }

  private func child(_ index: Int, of parent: Inner) throws(EngineError) -> NodeView {
    let child = try snapshot.refsNode(try parent.node.requiredRef(Self.firstChildSlot + index))
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
      let parent = try inner(node, expectedDepth: depth)
      let (relative, overflow) = key.value.subtractingReportingOverflow(keyOffset)
      if overflow { return nil }
      guard let number = parent.child(holding: UInt64(bitPattern: relative)) else { return nil }
      keyOffset = keyOffset &+ parent.keyOffset(number)
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
      let parent = try inner(node, expectedDepth: depth)
      depth = parent.depth - 1
      for number in 0..<parent.childCount {
        let child = try child(number, of: parent)
        let childOffset = keyOffset &+ parent.keyOffset(number)
        let count =
          child.isInner
          ? Int(clamping: max(0, try child.tagged(2))) : try snapshot.cluster(child, keyOffset: 0).count
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
  func depth() throws(EngineError) -> Int { root.isInner ? try inner(root, expectedDepth: nil).depth : 0 }

  /// What stands below a part at `depth`, which is not 0.
  func children(of part: Subtree, depth: Int, budget: TraversalBudget) throws(EngineError) -> [Subtree] {
    let node = try snapshot.refsNode(part.ref)
    try budget.charge(node)
    let parent = try inner(node, expectedDepth: depth)
    var children: [Subtree] = []
    for number in 0..<parent.childCount {
      let child = try parent.node.requiredRef(Self.firstChildSlot + number)
      children.append(Subtree(ref: child, keyOffset: part.keyOffset &+ parent.keyOffset(number)))
    }
    return children
  }

  /// Calls `body` with the ref and key offset of every cluster in order, without opening the clusters.
  func forEachClusterRef(
    budget: TraversalBudget, _ body: (Ref, Int64) -> Void
  ) throws(EngineError) {
    guard root.isInner else { return body(root.ref, 0) }
    var path = [(parent: try inner(root, expectedDepth: nil), next: 0, keyOffset: Int64(0))]
    try budget.charge(root)
    while let (parent, next, keyOffset) = path.last {
      if parent.depth == 1 {
        try budget.charge(parent.childCount * Self.clusterSizeMin, at: parent.node.ref.offset)
        try parent.node.checkRefsDiffer(in: Self.firstChildSlot..<parent.node.count)
        for child in 0..<parent.childCount {
          let ref = try parent.node.requiredRef(Self.firstChildSlot + child)
          body(ref, keyOffset &+ parent.keyOffset(child))
        }
        path.removeLast()
        continue
      }
      guard next < parent.childCount else {
        path.removeLast()
        continue
      }
      path[path.count - 1].next += 1
      let childOffset = keyOffset &+ parent.keyOffset(next)
      let child = try child(next, of: parent)
      try budget.charge(child)
      path.append((try inner(child, expectedDepth: parent.depth - 1), 0, childOffset))
    }
  }

  /// Walks the clusters in key order.
  package struct Cursor {
    private let tree: ClusterTree
    package let budget: TraversalBudget
    private var path: [(parent: Inner, next: Int, keyOffset: Int64)] = []
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
        path.append((try tree.inner(tree.root, expectedDepth: nil), 0, 0))
      }
      while let (parent, next, keyOffset) = path.last {
        guard next < parent.childCount else {
          path.removeLast()
          continue
        }
        path[path.count - 1].next += 1
        let child = try tree.child(next, of: parent)
        try budget.charge(child)
        let childOffset = keyOffset &+ parent.keyOffset(next)
        if parent.depth == 1 { return try tree.snapshot.cluster(child, keyOffset: childOffset) }
        path.append((try tree.inner(child, expectedDepth: parent.depth - 1), 0, childOffset))
      }
      return nil
    }
  }

  package func cursor(budget: TraversalBudget? = nil) -> Cursor {
    Cursor(self, budget: budget ?? TraversalBudget(snapshot))
  }
}
