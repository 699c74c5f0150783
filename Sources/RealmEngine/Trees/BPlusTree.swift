// The trees that hold lists, sets, dictionaries, incoming links and index lists. Layer: Trees.
// Invariants: at most `depthMax` levels; every child is met at most once a walk; E and totals from the file are
// only compared, never allocated or divided by unchecked.

/// A tree of leaves in element order.
package struct BPlusTree: Sendable {
  package static let depthMax = 8
  let root: NodeView
  let snapshot: Snapshot
  /// Elements in the tree, as its root states; verified by walks.
  package let count: Int

  package init(_ ref: Ref, in snapshot: Snapshot, leafCount: (NodeView) throws(EngineError) -> Int)
    throws(EngineError)
  {
    root = try snapshot.node(ref)
    self.snapshot = snapshot
    count = root.isInner ? try Self.statedCount(root) : try leafCount(root)
  }

  /// A tree of several leaves.
  init(inner root: NodeView, in snapshot: Snapshot) throws(EngineError) {
    self.root = root
    self.snapshot = snapshot
    count = try Self.statedCount(root)
  }

  private static func statedCount(_ inner: NodeView) throws(EngineError) -> Int {
    try checkInner(inner)
    let total = try inner.tagged(inner.count - 1)
    guard total <= Int64(Int32.max) * 64 else {
      throw EngineError.damaged(at: inner.ref.offset, expected: "a total of elements", found: "\(total)")
    }
    return Int(total)
  }

  static func checkInner(_ node: NodeView) throws(EngineError) {
    guard node.hasRefs, node.header.kind == .bits, node.count >= 3 else {
      throw EngineError.damaged(at: node.ref.offset, expected: "an inner tree node", found: node.description)
    }
  }

  /// Calls `body` with every leaf node in order until it returns false.
  package func forEachLeaf(
    budget: TraversalBudget? = nil, _ body: (NodeView) throws(EngineError) -> Bool
  ) throws(EngineError) {
    _ = try visit(root, depth: 0, budget: budget ?? TraversalBudget(snapshot), body)
  }

  private func visit(
    _ node: NodeView, depth: Int, budget: TraversalBudget, _ body: (NodeView) throws(EngineError) -> Bool
  ) throws(EngineError) -> Bool {
    try budget.charge(node)
    guard node.isInner else { return try body(node) }
    try Self.checkInner(node)
    guard depth < Self.depthMax else {
      throw EngineError.damaged(
        at: node.ref.offset, expected: "a tree of at most \(Self.depthMax) levels", found: "more")
    }
    // Leaves of zeros take so few bytes that the budget hardly misses them.
    try node.checkRefsDiffer(in: 1..<node.count - 1)
    for index in 1..<node.count - 1 {
      let child = try snapshot.node(try node.requiredRef(index))
      guard try visit(child, depth: depth + 1, budget: budget, body) else { return false }
    }
    return true
  }

  /// The leaf that holds element `index` and the element's position in it. Cost: one node a level.
  package func leaf(containing index: Int) throws(EngineError) -> (node: NodeView, position: Int) {
    var node = root
    var position = index
    var depth = 0
    while node.isInner {
      try Self.checkInner(node)
      guard depth < Self.depthMax else {
        throw EngineError.damaged(
          at: node.ref.offset, expected: "a tree of at most \(Self.depthMax) levels", found: "more")
      }
      let (child, elements) = try child(of: node, containing: position, total: nil)
      position -= elements.lowerBound
      node = try snapshot.node(try node.requiredRef(child + 1))
      depth += 1
    }
    return (node, position)
  }

  /// The child (from 0) that holds element `index` of the subtree, and the elements that it holds as this node
  /// states. `total`, the elements of the subtree, bounds the last child; without it that one has no end.
  func child(
    of node: NodeView, containing index: Int, total: Int?
  ) throws(EngineError) -> (child: Int, elements: Range<Int>) {
    let last = node.count - 3
    let first = try node.slot(0)
    if first & 1 == 1 {
      let perChild = try node.tagged(0)
      guard perChild > 0 else {
        throw EngineError.damaged(at: node.ref.offset, expected: "elements in every child", found: "none")
      }
      let child = min(Int64(index) / perChild, Int64(last))
      let start = Int(child * perChild)
      if child == Int64(last) { return (last, start..<max(start, total ?? Int.max)) }
      return (Int(child), start..<start + Int(perChild))
    }
    let offsets = try snapshot.integersNode(try node.requiredRef(0)).integers
    guard offsets.count >= last else {
      throw EngineError.damaged(
        at: node.ref.offset, expected: "\(last) child offsets", found: "\(offsets.count)")
    }
    var low = 0
    var high = last
    while low < high {
      let middle = (low + high) / 2
      if offsets.unsigned(middle) <= UInt64(index) { low = middle + 1 } else { high = middle }
    }
    let start = low == 0 ? 0 : Int(offsets.unsigned(low - 1))
    let end = low == last ? total ?? Int.max : Int(clamping: offsets.unsigned(low))
    return (low, start..<max(start, end))
  }
}
