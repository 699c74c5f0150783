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

  package static func checkInner(_ node: NodeView) throws(EngineError) {
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
    let inner = try Inner(node, in: snapshot)
    let child = inner.child(containing: index)
    let start = inner.start(of: child)
    let end = child + 1 < inner.childCount ? inner.start(of: child + 1) : total ?? Int.max
    return (child, start..<max(start, end))
  }

  /// An inner node: how many elements each child has, or where each but the first begins; the children; the total.
  struct Inner {
    let node: NodeView
    /// Nil where all children but the last have `perChild` elements.
    let offsets: NodeView?
    private let perChild: Int

    init(_ node: NodeView, in snapshot: Snapshot) throws(EngineError) {
      try BPlusTree.checkInner(node)
      self.node = node
      if try node.slot(0) & 1 == 1 {
        offsets = nil
        perChild = Int(try node.tagged(0))
        guard perChild > 0 else {
          throw EngineError.damaged(
            at: node.ref.offset, expected: "elements in every child", found: "none")
        }
      } else {
        let stored = try snapshot.integersNode(try node.requiredRef(0))
        guard stored.count >= node.count - 3 else {
          throw EngineError.damaged(
            at: node.ref.offset, expected: "\(node.count - 3) child offsets", found: "\(stored.count)")
        }
        offsets = stored
        perChild = 0
      }
    }

    var childCount: Int { node.count - 2 }

    /// The element that a child begins with.
    func start(of child: Int) -> Int {
      if child == 0 { return 0 }
      if let offsets { return Int(clamping: offsets.integers.unsigned(child - 1)) }
      let (start, overflow) = child.multipliedReportingOverflow(by: perChild)
      return overflow ? Int.max : start
    }

    /// The child that has the element at `index`; the last one for all behind it.
    func child(containing index: Int) -> Int {
      guard let offsets = offsets?.integers else { return min(index / perChild, childCount - 1) }
      return (0..<childCount - 1).partitionPoint { offsets.unsigned($0) <= UInt64(index) }
    }
  }
}
