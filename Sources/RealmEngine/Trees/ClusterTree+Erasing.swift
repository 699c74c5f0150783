// Visiting the clusters of some objects, to change them or to take the objects out. Layer: Trees.
// Invariants: those of the tree; a cluster that loses many rows is written once, one that loses all is given up whole.

extension ClusterTreeEditor {
  /// Lets `body` change the clusters that hold some objects, in key order; it gets their rows. `keys` rise, as unsigned numbers;
  /// those without an object are passed over.
  func edit(
    _ keys: CompressedIntegers, _ body: (inout ClusterEdit, [Int]) throws(EngineError) -> Void
  ) throws(EngineError) {
    var erasedCount: Int64 = 0
    root = try visit(root, keys[...], offset: 0, depth: 0, erasing: false, &erasedCount, body) ?? root
  }

  /// Erases objects, whose keys rise likewise, and says how many. `release` gives up what single rows own; where all rows of a cluster go, all that hangs on it
  /// does.
  func erase(
    _ keys: CompressedIntegers, release: (ClusterEdit, [Int]) throws(EngineError) -> Void
  ) throws(EngineError) -> Int {
    var erasedCount: Int64 = 0
    let left = try visit(root, keys[...], offset: 0, depth: 0, erasing: true, &erasedCount) {
      cluster, rows throws(EngineError) in try release(cluster, rows)
    }
    if let left { root = left } else { root = try Self.makeEmptyCluster(columns, in: store) }
    // An inner root with one child is that child, whose keys begin at 0.
    while true {
      let node = try snapshot.refsNode(root)
      guard node.isInner, node.count == InnerCluster.firstChildSlot + 1 else { return Int(erasedCount) }
      let parent = try inner(node)
      root = try parent.child(0)
      releaseInner(parent)
    }
  }

  /// The node afterwards; nil when nothing is left of it, and it has been released.
  private func visit(
    _ ref: Ref, _ keys: Slice<CompressedIntegers>, offset: UInt64, depth: Int, erasing: Bool,
    _ erasedCount: inout Int64, _ body: (inout ClusterEdit, [Int]) throws(EngineError) -> Void
  ) throws(EngineError) -> Ref? {
    let node = try snapshot.refsNode(ref)
    guard node.isInner else {
      let found = try snapshot.cluster(node, keyOffset: Int64(bitPattern: offset))
      let rows = keys.compactMap { found.row(of: ObjectKey($0)) }
      guard !rows.isEmpty else { return ref }
      var cluster = ClusterEdit(store: store, ref: ref, count: found.count)
      cluster.keyOffset = Int64(bitPattern: offset)
      guard erasing else {
        try body(&cluster, rows)
        return cluster.ref
      }
      erasedCount += Int64(rows.count)
      guard rows.count < cluster.count else {
        try store.releaseTree(ref)
        return nil
      }
      try body(&cluster, rows)
      return try erase(rows, from: cluster)
    }
    try checkDepth(depth, ref)
    let parent = try inner(node)
    let countBefore = erasedCount
    var changed: [(position: Int, ref: Ref?)] = []
    var rest = keys
    while let first = rest.first {
      let key = UInt64(bitPattern: first)
      try Interruption.check()
      guard let position = parent.position(of: key &- offset) else {
        throw EngineError.damaged(at: ref.offset, expected: "key offsets from 0", found: node.description)
      }
      var end = rest.endIndex
      if position + 1 < parent.childCount {
        end = rest.firstIndex(notBelow: offset &+ parent.offset(position + 1))
      }
      let child = try parent.child(position)
      let after = try visit(
        child, rest[..<end], offset: offset &+ parent.offset(position), depth: depth + 1, erasing: erasing,
        &erasedCount, body)
      if after != child { changed.append((position, after)) }
      rest = rest[max(end, rest.startIndex + 1)...]
    }
    return try replace(changed, in: parent, erasedCount: erasedCount - countBefore)
  }

  private func replace(
    _ changed: [(position: Int, ref: Ref?)], in parent: InnerCluster, erasedCount: Int64
  ) throws(EngineError) -> Ref? {
    let total = Int64(try snapshot.objectCount(parent.node)) - erasedCount
    guard changed.contains(where: { $0.ref == nil }) else {
      var new = parent.node.ref
      for (position, child) in changed {
        new = try store.setSlot(new, InnerCluster.firstChildSlot + position, child)
      }
      return erasedCount == 0 ? new : try store.setTagged(new, 2, total)
    }
    var left: [InnerCluster.Child?] = try parent.children()
    for (position, child) in changed {
      if let child { left[position]?.ref = child } else { left[position] = nil }
    }
    releaseInner(parent)
    var children = left.compactMap { $0 }
    guard let first = children.first else { return nil }
    if first.offset > 0 { children[0] = .init(offset: 0, ref: try shiftKeys(first.ref, by: first.offset)) }
    return try store.makeInnerCluster(children, depth: parent.depth, total: total)
  }

  /// Up to so many rows of a cluster are erased one by one, in place.
  private static let fewRows = 4

  /// Takes some rows, but not all, out of a cluster.
  private func erase(_ rows: [Int], from cluster: ClusterEdit) throws(EngineError) -> Ref {
    var cluster = cluster
    var isKept = [Bool](repeating: true, count: cluster.count)
    for row in rows { isKept[row] = false }
    for column in columns {
      var leaf = try cluster.leaf(column.leafIndex)
      if rows.count <= Self.fewRows {
        for row in rows.reversed() { leaf = try store.eraseElement(leaf, column.layout, row) }
      } else {
        leaf = try store.leaf(leaf, column.layout, keeping: isKept)
      }
      try cluster.setLeaf(column.leafIndex, leaf)
    }
    let keys = try self.cluster(try snapshot.refsNode(cluster.ref)).storedKeys
    return try setKeys(cluster.ref, zip(keys, isKept).lazy.filter(\.1).map(\.0))
  }

  /// A cluster without rows, which is also a tree without rows.
  static func makeEmptyCluster(_ columns: [RowColumn], in store: NodeStore) throws(EngineError) -> Ref {
    try store.makeCluster([], columns) { column throws(EngineError) in
      try store.makeDefaultLeaf(column.layout, count: 0)
    }
  }

  /// Adds `amount` to all keys below `ref`, keeping the first offset of inner nodes 0.
  private func shiftKeys(_ ref: Ref, by amount: UInt64) throws(EngineError) -> Ref {
    let node = try snapshot.refsNode(ref)
    guard node.isInner else {
      return try setKeys(ref, try cluster(node).storedKeys.map { $0 &+ amount })
    }
    let parent = try inner(node)
    var all = try parent.children()
    for index in all.indices.dropFirst() { all[index].offset = all[index].offset &+ amount }
    all[0].ref = try shiftKeys(all[0].ref, by: amount)
    let total = Int64(try snapshot.objectCount(node))
    releaseInner(parent)
    return try store.makeInnerCluster(all, depth: parent.depth, total: total)
  }
}

extension Slice<CompressedIntegers> {
  /// Where the numbers from `bound` on begin, which rise as unsigned ones.
  fileprivate func firstIndex(notBelow bound: UInt64) -> Int {
    return (startIndex..<endIndex).partitionPoint { UInt64(bitPattern: self[$0]) < bound }
  }
}
