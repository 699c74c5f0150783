// The elements of one list or set, however they are stored. Layer: Objects.

/// Elements in order: a tree of them, or in formats 2–9 the only column of a table without a name.
package struct Elements: Sendable {
  private enum Source {
    /// One leaf is all there is, as in most lists.
    case leaf(NodeView, Leaf)
    case tree(BPlusTree, LeafLayout)
    /// Nil for a table without columns, which has no rows.
    case column(OldColumn?)
  }

  private let source: Source

  /// Most elements in a leaf of a list, set or dictionary, whatever engine wrote it.
  package static let perLeafMax = 1000

  init(_ root: Ref, _ layout: LeafLayout, in snapshot: Snapshot) throws(EngineError) {
    guard let form = layout.subtableForm else {
      let node = try snapshot.node(root)
      source =
        node.isInner
        ? .tree(try BPlusTree(inner: node, in: snapshot), layout)
        : .leaf(node, try Self.leaf(node, layout, in: snapshot))
      return
    }
    let columns = try snapshot.refsNode(root)
    guard columns.count > 0 else {
      source = .column(nil)
      return
    }
    source = .column(
      try OldColumn(form, isNullable: layout.isNullable, root: try columns.requiredRef(0), in: snapshot))
  }

  /// How many elements there are, unresolved links included. Cost: constant.
  package var count: Int {
    switch source {
    case .leaf(_, let leaf): leaf.count
    case .tree(let tree, _): tree.count
    case .column(let column): column?.count ?? 0
    }
  }

  /// Calls `body` with every leaf in order until it returns false. Unresolved links are still in it.
  package func forEachLeaf(
    budget: TraversalBudget? = nil, _ body: (Leaf) throws(EngineError) -> Bool
  ) throws(EngineError) {
    switch source {
    case .leaf(let node, let leaf):
      try budget?.charge(node, with: leaf)
      _ = try body(leaf)
    case .tree(let tree, let layout):
      let budget = budget ?? TraversalBudget(tree.snapshot)
      try tree.forEachLeaf(budget: budget) { node throws(EngineError) in
        let leaf = try Self.leaf(node, layout, in: tree.snapshot)
        try budget.charge(leaf.innerByteSize, at: node.ref.offset)
        return try body(leaf)
      }
    case .column(let column):
      try column?.forEachLeaf(budget: budget, body)
    }
  }

  /// The one leaf of a list or set; nil where it has several, or is stored as a table.
  static func onlyLeaf(
    _ root: Ref, _ layout: LeafLayout, in snapshot: Snapshot
  ) throws(EngineError) -> Leaf? {
    guard layout.subtableForm == nil else { return nil }
    let node = try snapshot.node(root)
    return node.isInner ? nil : try leaf(node, layout, in: snapshot)
  }

  private static func leaf(
    _ node: NodeView, _ layout: LeafLayout, in snapshot: Snapshot
  ) throws(EngineError) -> Leaf {
    let leaf = try snapshot.leaf(node, layout)
    guard leaf.count <= perLeafMax else {
      throw EngineError.damaged(
        at: node.ref.offset, expected: "at most \(perLeafMax) elements in a leaf", found: "\(leaf.count)")
    }
    return leaf
  }
}
