// Whether two trees of nodes hold the same bytes, wherever they stand. Layer: Comparison.
// What is equal here is equal as data; what is not may still be, in another layout, so that somebody has to look closer.

/// Compares nodes of two snapshots.
struct TreeEquality {
  private let left: Snapshot
  private let right: Snapshot
  private let leftBudget: TraversalBudget
  private let rightBudget: TraversalBudget
  /// Both are versions of one file, which share nodes.
  private let isOneFile: Bool

  /// Deeper than a sound file goes.
  private static let depthMax = 64

  init(_ left: Snapshot, _ right: Snapshot, isOneFile: Bool) {
    self.left = left
    self.right = right
    self.isOneFile = isOneFile
    // Whole columns first, and then element by element where they differ.
    leftBudget = TraversalBudget(left, walks: 2)
    rightBudget = TraversalBudget(right, walks: 2)
  }

  func isEqual(_ leftRef: Ref, _ rightRef: Ref, depth: Int = 0) throws(EngineError) -> Bool {
    if isOneFile, leftRef == rightRef { return true }
    let (leftNode, rightNode) = (try left.node(leftRef), try right.node(rightRef))
    guard depth < Self.depthMax, leftNode.header.word == rightNode.header.word else { return false }
    try leftBudget.charge(leftNode)
    try rightBudget.charge(rightNode)
    guard leftNode.hasRefs else { return leftNode.payload.equals(rightNode.payload) }
    guard leftNode.header.kind == .bits else { return false }
    // A header alone may promise millions of slots.
    if leftNode.header.width == 0 { return true }
    let (leftSlots, rightSlots) = (leftNode.integers, rightNode.integers)
    for index in 0..<leftNode.count {
      let (leftSlot, rightSlot) = (leftSlots[index], rightSlots[index])
      guard let leftChild = Ref(leftSlot), let rightChild = Ref(rightSlot) else {
        if leftSlot != rightSlot { return false }
        continue
      }
      guard try isEqual(leftChild, rightChild, depth: depth + 1) else { return false }
    }
    return true
  }
}
