// A tree of elements, leaf by leaf, around leaves that cannot be read. Layer: RealmRecovery, Salvage.
// Invariant: the position that a leaf is handed out with comes from the nodes above it, so that what is lost before it does
// not move it.

import RealmEngine

/// Walks a list, a set, or one of a dictionary's two trees.
struct ElementSalvage {
  private let snapshot: Snapshot
  private let layout: LeafLayout
  private let place: String
  private let budget: TraversalBudget
  private let log: SalvageLog
  private(set) var hasLost = false

  /// Elements without bytes of their own that a byte of a node may stand for.
  private static let elementsPerByte = 128
  /// An inner node has as many children as a leaf has elements, and two slots of its own.
  private static let slotsMax = Elements.perLeafMax + 2

  init(_ snapshot: Snapshot, _ layout: LeafLayout, place: String, budget: TraversalBudget, log: SalvageLog) {
    self.snapshot = snapshot
    self.layout = layout
    self.place = place
    self.budget = budget
    self.log = log
  }

  mutating func visit(
    _ root: Ref, _ body: (Int, Leaf) throws(EngineError) -> Void
  ) throws(EngineError) {
    guard layout.subtableForm == nil else { return try visitTable(root, body) }
    try visit(root, first: 0, depth: 0, body)
  }

  /// In formats 2–9 a list is the only column of a table.
  private mutating func visitTable(
    _ root: Ref, _ body: (Int, Leaf) throws(EngineError) -> Void
  ) throws(EngineError) {
    var first = 0
    let isWhole = try log.reading(place) { () throws(EngineError) in
      try snapshot.elements(root, layout).forEachLeaf(budget: budget) { leaf throws(EngineError) in
        try budget.charge(leaf.count / Self.elementsPerByte, at: root.offset)
        try body(first, leaf)
        first += leaf.count
        return true
      }
      return true
    }
    if isWhole == nil { hasLost = true }
  }

  private mutating func visit(
    _ ref: Ref, first: Int, depth: Int, _ body: (Int, Leaf) throws(EngineError) -> Void
  ) throws(EngineError) {
    let node = try log.reading(place) { () throws(EngineError) in
      let node = try snapshot.node(ref)
      guard node.header.kind != .bits || node.count <= Self.slotsMax else {
        throw EngineError.damaged(
          at: ref.offset, expected: "a node of at most \(Self.slotsMax) elements", found: node.description)
      }
      try budget.charge(node)
      if node.isInner {
        try BPlusTree.checkInner(node)
        guard depth < BPlusTree.depthMax else {
          throw EngineError.damaged(at: ref.offset, expected: "a tree that ends", found: "more levels")
        }
      }
      return node
    }
    guard let node else {
      hasLost = true
      return
    }
    guard node.isInner else { return try hand(node, first: first, body) }
    let starts = try log.reading(place) { () throws(EngineError) in try childStarts(node, first: first) }
    guard let starts else {
      hasLost = true
      return
    }
    for child in 0..<node.count - 2 {
      guard let ref = (try? node.ref(child + 1)) ?? nil else {
        log.note(.damaged(at: node.ref.offset, expected: "a ref to child \(child)", found: "none"), place)
        hasLost = true
        continue
      }
      try visit(ref, first: starts[child], depth: depth + 1, body)
    }
  }

  private mutating func hand(
    _ node: NodeView, first: Int, _ body: (Int, Leaf) throws(EngineError) -> Void
  ) throws(EngineError) {
    let leaf = try log.reading(place) { () throws(EngineError) in
      let leaf = try snapshot.leaf(node, layout)
      guard leaf.count <= Elements.perLeafMax else {
        throw EngineError.damaged(
          at: node.ref.offset, expected: "at most \(Elements.perLeafMax) elements in a leaf",
          found: "\(leaf.count)")
      }
      try budget.charge(leaf.innerByteSize + leaf.count / Self.elementsPerByte, at: node.ref.offset)
      return leaf
    }
    guard let leaf else {
      hasLost = true
      return
    }
    try body(first, leaf)
  }

  private func childStarts(_ node: NodeView, first: Int) throws(EngineError) -> [Int] {
    let count = node.count - 2
    if try node.slot(0) & 1 == 1 {
      let perChild = Int(clamping: try node.tagged(0))
      guard perChild > 0, perChild <= Int(Int32.max) else {
        throw EngineError.damaged(at: node.ref.offset, expected: "elements in every child", found: "none")
      }
      return (0..<count).map { first &+ $0 &* perChild }
    }
    let offsets = try snapshot.integersNode(try node.requiredRef(0)).integers
    guard offsets.count >= count - 1 else {
      throw EngineError.damaged(
        at: node.ref.offset, expected: "\(count - 1) child offsets", found: "\(offsets.count)")
    }
    return (0..<count).map { $0 == 0 ? first : first &+ Int(truncatingIfNeeded: offsets.unsigned($0 - 1)) }
  }
}
