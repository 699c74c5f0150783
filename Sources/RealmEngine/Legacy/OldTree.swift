// A tree of leaves in which formats 2–9 keep one element a row. Layer: Legacy.
// Invariants: all leaves stand at the same level; a leaf holds at most `leafElementsMax` elements, the most that
// any engine put into one; the elements that an inner node gives a leaf are the ones the leaf has.

/// A row-aligned tree, read by row.
struct OldTree: Sendable {
  static let leafElementsMax = 1000

  private let tree: BPlusTree
  /// Inner nodes above every leaf.
  private let levels: Int

  /// `leafCount` tells how many elements a leaf holds; it is asked when the root is one.
  init(
    _ ref: Ref, in snapshot: Snapshot, leafCount: (NodeView) throws(EngineError) -> Int
  ) throws(EngineError) {
    tree = try BPlusTree(ref, in: snapshot, leafCount: leafCount)
    var levels = 0
    var node = tree.root
    while node.isInner {
      try BPlusTree.checkInner(node)
      guard levels < BPlusTree.depthMax else {
        throw EngineError.damaged(
          at: node.ref.offset, expected: "a tree of at most \(BPlusTree.depthMax) levels", found: "more")
      }
      levels += 1
      node = try snapshot.node(try node.requiredRef(1))
    }
    self.levels = levels
  }

  /// Elements in the tree, as its root states.
  var count: Int { tree.count }
  var offset: Int { tree.root.ref.offset }

  /// The leaf that holds `row`, and which rows it holds. Cost: one inner node a level; the leaf stays closed.
  func leaf(holding row: Int) throws(EngineError) -> (ref: Ref, rows: Range<Int>) {
    var node = tree.root
    var rows = 0..<tree.count
    for level in 0..<levels {
      if level > 0 { try BPlusTree.checkInner(node) }
      let (child, elements) = try tree.child(
        of: node, containing: row - rows.lowerBound, total: rows.count)
      let first = rows.lowerBound + elements.lowerBound
      rows = first..<max(first, min(rows.upperBound, first + min(elements.count, rows.count)))
      let ref = try node.requiredRef(child + 1)
      guard rows.contains(row) else { break }
      if level == levels - 1 { return (ref, try checked(rows, in: ref)) }
      node = try tree.snapshot.node(ref)
    }
    guard levels == 0, rows.contains(row) else {
      throw EngineError.damaged(at: offset, expected: "a leaf for row \(row)", found: "rows \(rows)")
    }
    return (node.ref, try checked(rows, in: node.ref))
  }

  private func checked(_ rows: Range<Int>, in leaf: Ref) throws(EngineError) -> Range<Int> {
    guard rows.count <= Self.leafElementsMax else {
      throw EngineError.damaged(
        at: leaf.offset, expected: "at most \(Self.leafElementsMax) elements in a leaf",
        found: "\(rows.count)")
    }
    return rows
  }
}
