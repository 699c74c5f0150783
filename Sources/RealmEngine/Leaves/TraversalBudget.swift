// A bound on how much a damaged file can make a walk do. Layer: Leaves.
// In a sound snapshot the nodes form a tree: one walk meets each at most once, so the sizes of the nodes it meets
// never add up to more than the data. A walk that exceeds it goes round in circles or meets nodes twice.

/// Counts the bytes of the nodes that one walk has met.
package final class TraversalBudget {
  /// Bytes that may still be met.
  package private(set) var remaining: Int

  /// `walks`: how often each node may be met. `other`: the walk before, of the same writer.
  package init(_ snapshot: Snapshot, walks: Int = 1, after other: TraversalBudget? = nil) {
    remaining = (snapshot.fileLimit + (snapshot.slabs?.usedSize ?? 0)) * walks
    if let other { nameBytesLeft = other.nameBytesLeft }
  }

  /// Throws `.damaged` when the walk has met more nodes than the data can hold, and `.cancelled` after an interrupt.
  package func charge(_ node: NodeView) throws(EngineError) {
    try charge(node.byteSize, at: node.ref.offset)
  }

  /// Takes back what was charged since `remaining` was `mark`, or so much of it as `limit` says. Returns how much.
  package func giveBack(since mark: Int, limit: Int) -> Int {
    let size = max(0, min(mark - remaining, limit))
    remaining += size
    return size
  }

  /// Charges a leaf and what it has opened below its own node.
  package func charge(_ node: NodeView, with leaf: Leaf) throws(EngineError) {
    try charge(node.byteSize + leaf.innerByteSize, at: node.ref.offset)
  }

  /// Of these bytes of a name it does not matter how often they are written.
  private static let freeNameSizeMax = 1024
  /// What else of names may be written beside the data, in this walk and those after it.
  private var nameBytesLeft = 1 << 32

  /// Charges what a name that stands for a link has beyond some bytes, lest a small file become an endless text: many links may
  /// lead to one object.
  package func charge(nameOfSize size: Int) throws(EngineError) {
    let rest = size - Self.freeNameSizeMax
    guard rest > 0 else { return }
    let free = min(rest, nameBytesLeft)
    nameBytesLeft -= free
    remaining -= rest - free
    guard remaining < 0 else { return }
    throw EngineError(
      .other, "so many links lead to objects with so long a primary key that they cannot be written")
  }

  /// Charges bytes of nodes that were met without being opened here.
  package func charge(_ byteCount: Int, at offset: Int) throws(EngineError) {
    try Interruption.check()
    remaining -= byteCount
    if remaining < 0 {
      throw EngineError.damaged(
        at: offset, expected: "each node to be used once", found: "nodes used over and over")
    }
  }
}
