// Building and changing the trees of lists, sets, dictionaries, incoming links and index lists. Layer: Trees.
// Invariants: no leaf holds more than `elementsPerLeafMax`, no inner node more children; no child is empty; the
// compact form is used only where every child but the last is full. A tree of nothing is one empty leaf.

/// A tree of keys that is made as they come.
struct KeyTreeBuilding {
  private let store: NodeStore
  private var leaves: [NodeStore.TreeChild] = []
  private var keys: [Int64] = []

  init(in store: NodeStore) { self.store = store }

  mutating func append(_ key: Int64) throws(EngineError) {
    if keys.count == NodeStore.elementsPerLeafMax { try closeLeaf() }
    keys.append(key)
  }

  private mutating func closeLeaf() throws(EngineError) {
    leaves.append(NodeStore.TreeChild(ref: try store.makeIntegers(keys), count: keys.count))
    keys.removeAll(keepingCapacity: true)
  }

  mutating func finish() throws(EngineError) -> Ref {
    if leaves.isEmpty || !keys.isEmpty { try closeLeaf() }
    return try store.makeTree(leaves)
  }
}

extension NodeStore {
  private static let treeFanOut = 1000
  fileprivate static let elementsPerLeafMax = 1000

  /// A tree of `values`.
  func makeTree(_ layout: LeafLayout, _ contents: LeafContents) throws(EngineError) -> Ref {
    var leaves: [TreeChild] = []
    var start = 0
    repeat {
      let end = min(start + Self.elementsPerLeafMax, contents.count)
      leaves.append(TreeChild(ref: try makeLeaf(layout, contents[start..<end]), count: end - start))
      start = end
    } while start < contents.count
    return try makeTree(leaves)
  }

  /// A tree of the plain values of a list or set.
  func makeTree(_ layout: LeafLayout, _ values: ArraySlice<Value>) throws(EngineError) -> Ref {
    // Most are one small leaf.
    values.count <= Self.elementsPerLeafMax
      ? try makePlainLeaf(layout, values) : try makeTree(layout, .values(Array(values)))
  }

  /// A tree of keys.
  func makeKeyTree(_ keys: [Int64]) throws(EngineError) -> Ref {
    if keys.count <= Self.elementsPerLeafMax { return try makeIntegers(keys) }
    var tree = KeyTreeBuilding(in: self)
    for key in keys { try tree.append(key) }
    return try tree.finish()
  }

  /// A child of an inner node and the elements below it.
  struct TreeChild {
    var ref: Ref
    var count: Int
  }

  /// Joins subtrees of one level, all but the last full, until one is left.
  fileprivate func makeTree(_ leaves: [TreeChild]) throws(EngineError) -> Ref {
    var level = leaves
    var fullCount = Self.elementsPerLeafMax
    while level.count > 1 {
      var parents: [TreeChild] = []
      for start in stride(from: 0, to: level.count, by: Self.treeFanOut) {
        let children = Array(level[start..<min(start + Self.treeFanOut, level.count)])
        parents.append(try makeInner(children, fullCount: fullCount))
      }
      level = parents
      fullCount *= Self.treeFanOut
    }
    return level[0].ref
  }

  private func makeInner(_ children: [TreeChild], fullCount: Int) throws(EngineError) -> TreeChild {
    var total = 0
    var starts: [UInt64] = []
    var isCompact = true
    for (index, child) in children.enumerated() {
      if index > 0 { starts.append(UInt64(total)) }
      if index < children.count - 1 ? child.count != fullCount : child.count > fullCount { isCompact = false }
      total += child.count
    }
    let first =
      isCompact ? Self.tag(Int64(fullCount)) : Int64(try makeUnsigned(starts).offset)
    let slots = [first] + children.map { Int64($0.ref.offset) } + [Self.tag(Int64(total))]
    return TreeChild(ref: try makeSlots(slots, isInner: true), count: total)
  }

  /// An inner node taken apart.
  private struct TreeInner {
    let node: NodeView
    let offsets: NodeView?
    var children: [TreeChild]

    /// The child that holds element `index`, or for the end the last one; and its first element.
    func child(containing index: Int) -> (position: Int, start: Int) {
      var start = 0
      for (position, child) in children.enumerated() {
        if index < start + child.count || position == children.count - 1 { return (position, start) }
        start += child.count
      }
      return (0, 0)
    }
  }

  private func treeInner(_ node: NodeView) throws(EngineError) -> TreeInner {
    let inner = try BPlusTree.Inner(node, in: snapshot)
    let total = Int(try node.tagged(node.count - 1))
    var children: [TreeChild] = []
    for index in 0..<inner.childCount {
      let start = inner.start(of: index)
      let end = index + 1 < inner.childCount ? inner.start(of: index + 1) : total
      guard start < end else {
        throw EngineError.damaged(
          at: node.ref.offset, expected: "rising element offsets", found: node.description)
      }
      children.append(TreeChild(ref: try node.requiredRef(index + 1), count: end - start))
    }
    return TreeInner(node: node, offsets: inner.offsets, children: children)
  }

  private func releaseInner(_ inner: TreeInner) {
    if let offsets = inner.offsets { release(offsets) }
    release(inner.node)
  }

  /// Elements of a full child of `node`, which is `levels` above the leaves.
  private func fullCount(below node: NodeView) throws(EngineError) -> Int {
    var count = Self.elementsPerLeafMax
    var child = try snapshot.node(try node.requiredRef(1))
    var depth = 0
    while child.isInner {
      depth += 1
      guard depth < BPlusTree.depthMax else {
        throw EngineError.damaged(
          at: node.ref.offset, expected: "a tree of at most \(BPlusTree.depthMax) levels", found: "more")
      }
      count = count.multipliedReportingOverflow(by: Self.treeFanOut).partialValue
      child = try snapshot.node(try child.requiredRef(1))
    }
    return count
  }

  func treeCount(_ root: Ref, _ layout: LeafLayout) throws(EngineError) -> Int {
    try BPlusTree(root, in: snapshot) { node throws(EngineError) in
      try snapshot.leaf(node.ref, layout, rowCount: nil).count
    }.count
  }

  /// All elements of a tree, borrowed as `contents` borrows.
  func treeContents(
    _ root: Ref, _ layout: LeafLayout, budget: TraversalBudget? = nil
  ) throws(EngineError) -> [LeafContents] {
    var leaves: [LeafContents] = []
    let tree = try BPlusTree(root, in: snapshot) { node throws(EngineError) in
      try snapshot.leaf(node.ref, layout, rowCount: nil).count
    }
    try tree.forEachLeaf(budget: budget) { node throws(EngineError) in
      leaves.append(try contents(node.ref, layout))
      return true
    }
    return leaves
  }

  private func checkDepth(_ depth: Int, _ ref: Ref) throws(EngineError) {
    guard depth < BPlusTree.depthMax else {
      throw EngineError.damaged(
        at: ref.offset, expected: "a tree of at most \(BPlusTree.depthMax) levels", found: "more")
    }
  }

  /// Inserts an element before `index`, or behind the last one.
  func insertInTree(
    _ root: Ref, _ layout: LeafLayout, _ index: Int, _ value: Value
  ) throws(EngineError) -> Ref {
    let (new, right) = try insertInSubtree(root, layout, index, value, depth: 0)
    guard let right else { return new }
    let node = try snapshot.node(new)
    let leftCount = try treeCount(new, layout)
    let full = node.isInner ? try fullCount(below: node) * Self.treeFanOut : Self.elementsPerLeafMax
    return try makeInner([TreeChild(ref: new, count: leftCount), right], fullCount: full).ref
  }

  private func insertInSubtree(
    _ ref: Ref, _ layout: LeafLayout, _ index: Int, _ value: Value, depth: Int
  ) throws(EngineError) -> (Ref, TreeChild?) {
    let node = try snapshot.node(ref)
    guard node.isInner else { return try insertInLeaf(ref, layout, index, value) }
    try checkDepth(depth, ref)
    var inner = try treeInner(node)
    let (position, start) = inner.child(containing: index)
    let (child, right) = try insertInSubtree(
      inner.children[position].ref, layout, index - start, value, depth: depth + 1)
    let full = try fullCount(below: node)
    inner.children[position].ref = child
    inner.children[position].count += 1
    if let right {
      inner.children[position].count -= right.count
      inner.children.insert(right, at: position + 1)
    }
    releaseInner(inner)
    guard inner.children.count > Self.treeFanOut else {
      return (try makeInner(inner.children, fullCount: full).ref, nil)
    }
    let cut = position + 2 == inner.children.count ? position + 1 : inner.children.count / 2
    let left = try makeInner(Array(inner.children[..<cut]), fullCount: full)
    return (left.ref, try makeInner(Array(inner.children[cut...]), fullCount: full))
  }

  private func insertInLeaf(
    _ ref: Ref, _ layout: LeafLayout, _ index: Int, _ value: Value
  ) throws(EngineError) -> (Ref, TreeChild?) {
    let count = try snapshot.leaf(ref, layout, rowCount: nil).count
    if count < Self.elementsPerLeafMax { return (try insertElement(ref, layout, index, value), nil) }
    if index == count {
      return (ref, TreeChild(ref: try makeLeaf(layout, [value]), count: 1))
    }
    let contents = try contents(ref, layout)
    let half = count / 2
    var left = try makeLeaf(layout, contents[0..<half])
    var right = try makeLeaf(layout, contents[half..<count])
    try releaseLeaf(ref, layout)
    if index <= half {
      left = try insertElement(left, layout, index, value)
      return (left, TreeChild(ref: right, count: count - half))
    }
    right = try insertElement(right, layout, index - half, value)
    return (left, TreeChild(ref: right, count: count - half + 1))
  }

  /// Removes element `index`.
  func eraseFromTree(_ root: Ref, _ layout: LeafLayout, _ index: Int) throws(EngineError) -> Ref {
    var root = try eraseFromSubtree(root, layout, index, depth: 0)
    // An inner root with one child is that child.
    while true {
      let node = try snapshot.node(root)
      guard node.isInner, node.count == 3 else { return root }
      let inner = try treeInner(node)
      root = inner.children[0].ref
      releaseInner(inner)
    }
  }

  private func eraseFromSubtree(
    _ ref: Ref, _ layout: LeafLayout, _ index: Int, depth: Int
  ) throws(EngineError) -> Ref {
    let node = try snapshot.node(ref)
    guard node.isInner else { return try eraseElement(ref, layout, index) }
    try checkDepth(depth, ref)
    var inner = try treeInner(node)
    let full = try fullCount(below: node)
    let (position, start) = inner.child(containing: index)
    if inner.children[position].count == 1, inner.children.count > 1 {
      // The element's whole branch goes.
      try releaseBranch(inner.children[position].ref, layout, depth: depth + 1)
      inner.children.remove(at: position)
    } else {
      inner.children[position].ref = try eraseFromSubtree(
        inner.children[position].ref, layout, index - start, depth: depth + 1)
      inner.children[position].count -= 1
    }
    releaseInner(inner)
    return try makeInner(inner.children, fullCount: full).ref
  }

  /// Gives up a subtree with all its elements but not what these own (see `releaseLeaf`), save long blobs.
  private func releaseBranch(_ ref: Ref, _ layout: LeafLayout, depth: Int) throws(EngineError) {
    let node = try snapshot.node(ref)
    guard node.isInner else {
      if layout.type == .mixed { try releaseMixedLeaf(ref) } else { try releaseTree(ref) }
      return
    }
    try checkDepth(depth, ref)
    let inner = try treeInner(node)
    for child in inner.children { try releaseBranch(child.ref, layout, depth: depth + 1) }
    releaseInner(inner)
  }
}
