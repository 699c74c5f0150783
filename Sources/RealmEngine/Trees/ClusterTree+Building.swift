// Building a table's tree of rows from its clusters, in key order. Layer: Trees.

/// Joins clusters into a tree.
final class ClusterTreeBuilder {
  private struct Node {
    let ref: Ref
    /// The first key below, from which the keys below count; 0 for the first node of a level.
    let firstKey: UInt64
    let count: Int64
  }

  private let store: NodeStore
  private var clusters: [Node] = []

  private static let childrenMax = 256
  private static let childShift: UInt64 = 8

  init(in store: NodeStore) { self.store = store }

  var isEmpty: Bool { clusters.isEmpty }

  /// Adds a cluster of rows whose keys, ascending, are all above those before. `leaves` are by leaf index, 0 for none.
  func append(_ keys: [Int64], leaves: [Int64]) throws(EngineError) {
    let firstKey = clusters.isEmpty ? 0 : UInt64(bitPattern: keys[0])
    let relative = keys.map { UInt64(bitPattern: $0) - firstKey }
    let isCompact = relative.enumerated().allSatisfy { $1 == UInt64($0) }
    let first =
      isCompact ? NodeStore.tag(Int64(keys.count)) : Int64(try store.makeUnsigned(relative).offset)
    clusters.append(
      Node(ref: try store.makeSlots([first] + leaves), firstKey: firstKey, count: Int64(keys.count)))
  }

  /// The root of the tree; at least one cluster was added.
  func finish() throws(EngineError) -> Ref {
    var level = clusters
    var depth: UInt64 = 1
    while level.count > 1 {
      var parents: [Node] = []
      for start in stride(from: 0, to: level.count, by: Self.childrenMax) {
        parents.append(
          try parent(level[start..<min(start + Self.childrenMax, level.count)], depth: depth))
      }
      level = parents
      depth += 1
    }
    return level[0].ref
  }

  private func parent(_ children: ArraySlice<Node>, depth: UInt64) throws(EngineError) -> Node {
    let base = children[children.startIndex].firstKey
    let offsets = children.map { $0.firstKey - base }
    let isCompact = offsets.enumerated().allSatisfy { $1 == UInt64($0) << (Self.childShift * depth) }
    let offsetsRef = isCompact ? nil : try store.makeUnsigned(offsets)
    let total = children.reduce(0) { $0 + $1.count }
    let ref = try store.makeSlots(
      [Int64(offsetsRef?.offset ?? 0), NodeStore.tag(Int64(depth)), NodeStore.tag(total)]
        + children.map { Int64($0.ref.offset) }, isInner: true)
    return Node(ref: ref, firstKey: base, count: total)
  }
}
