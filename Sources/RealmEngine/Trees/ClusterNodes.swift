// The nodes of a tree of rows, clusters and the inner nodes above them: how they are read and written. Layer: Trees.
// Invariants: keys and key offsets are unsigned numbers that wrap; what stands in a node is checked when it opens.

/// The rows of a cluster leaf: their keys and the refs of their column leaves.
package struct Cluster: Sendable {
  package let node: NodeView
  package let count: Int
  /// Added to the relative keys.
  package let keyOffset: Int64
  /// Relative keys; nil for 0, 1, 2 ….
  package let relativeKeys: PackedIntegers?

  package init(node: NodeView, count: Int, keyOffset: Int64, relativeKeys: PackedIntegers?) {
    self.node = node
    self.count = count
    self.keyOffset = keyOffset
    self.relativeKeys = relativeKeys
  }

  /// The key of row `row`, which must be below `count`.
  package func key(_ row: Int) -> ObjectKey {
    guard let relativeKeys else { return ObjectKey(keyOffset &+ Int64(row)) }
    return ObjectKey(keyOffset &+ Int64(bitPattern: relativeKeys.unsigned(row)))
  }

  /// The row that has `key`, by binary search.
  package func row(of key: ObjectKey) -> Int? {
    let relative = UInt64(bitPattern: key.value &- keyOffset)
    guard let relativeKeys else { return relative < UInt64(count) ? Int(relative) : nil }
    let low = (0..<count).partitionPoint { relativeKeys.unsigned($0) < relative }
    return low < count && relativeKeys.unsigned(low) == relative ? low : nil
  }

  /// The keys as they stand in it.
  var storedKeys: [UInt64] { (0..<count).map { relativeKeys?.unsigned($0) ?? UInt64($0) } }

  /// The ref of the leaf of the column with leaf index `index`; nil where there is none.
  @inline(__always)
  package func leafRef(_ index: Int) throws(EngineError) -> Ref? { try node.refIfPresent(index + 1) }

  /// The same where there must be one.
  @inline(__always)
  package func requiredLeafRef(_ index: Int) throws(EngineError) -> Ref {
    if let slot = node.peek(index + 1), let ref = Ref(Int64(slot)) { return ref }
    throw missingLeaf(index)
  }

  /// Why there is no ref to a leaf.
  @inline(never)
  private func missingLeaf(_ index: Int) -> EngineError {
    do throws(EngineError) {
      _ = try leafRef(index)
      return .damaged(at: node.ref.offset, expected: "a leaf for column \(index)", found: "none")
    } catch {
      return error
    }
  }
}

extension Snapshot {
  /// The cluster that `node` is. `keyOffset`: what the nodes above it add to its keys.
  @inline(__always)
  package func cluster(_ node: NodeView, keyOffset: Int64) throws(EngineError) -> Cluster {
    let first = try node.slot(0)
    let isCount = first & 1 == 1 || first == 0
    let keys = isCount ? nil : try integersNode(try node.requiredRef(0)).integers
    let count = keys.map(\.count) ?? Int(first >> 1 & Int64.max)
    guard count <= ClusterTree.rowsMax else {
      throw EngineError.damaged(
        at: node.ref.offset, expected: "at most \(ClusterTree.rowsMax) objects in a cluster",
        found: "\(count)")
    }
    return Cluster(node: node, count: count, keyOffset: keyOffset, relativeKeys: keys)
  }

  @inline(__always)
  func cluster(at ref: Ref, keyOffset: Int64) throws(EngineError) -> Cluster {
    try cluster(try refsNode(ref), keyOffset: keyOffset)
  }

  /// How many objects are in a cluster, or below an inner node as it states.
  func objectCount(_ node: NodeView) throws(EngineError) -> Int {
    guard node.isInner else { return try cluster(node, keyOffset: 0).count }
    let total = try node.tagged(InnerCluster.countSlot)
    guard total <= ClusterTree.countMax else {
      throw EngineError.damaged(at: node.ref.offset, expected: "a number of objects", found: "\(total)")
    }
    return Int(total)
  }
}

/// An inner node: the key offsets of its children, its depth, the number of objects below, then the children.
package struct InnerCluster {
  package static let depthSlot = 1
  package static let countSlot = 2
  package static let firstChildSlot = 3
  static let childrenMax = 256
  package static let depthMax = 7

  let node: NodeView
  /// Levels below it.
  let depth: Int
  /// Nil where child number N begins with key N · 256^depth.
  let offsets: NodeView?

  struct Child {
    var offset: UInt64
    var ref: Ref
  }

  var childCount: Int { node.count - Self.firstChildSlot }

  package static func compactOffset(_ child: Int, depth: Int) -> UInt64 { UInt64(child) << UInt64(8 * depth) }

  /// What is added to the keys below a child.
  func offset(_ child: Int) -> UInt64 {
    offsets?.integers.unsigned(child) ?? Self.compactOffset(child, depth: depth)
  }

  func child(_ index: Int) throws(EngineError) -> Ref { try node.requiredRef(Self.firstChildSlot + index) }

  func children() throws(EngineError) -> [Child] {
    var children: [Child] = []
    for index in 0..<childCount { children.append(Child(offset: offset(index), ref: try child(index))) }
    return children
  }

  /// The last child whose keys begin at or before `key`; nil where all begin after it.
  func position(of key: UInt64) -> Int? {
    guard let offsets = offsets?.integers else {
      return min(childCount - 1, Int(clamping: key >> UInt64(8 * depth)))
    }
    let low = (0..<childCount).partitionPoint { offsets.unsigned($0) <= key }
    return low > 0 ? low - 1 : nil
  }
}

extension Snapshot {
  /// The inner node that `node` is. `depth`: what the nodes above it say.
  func innerCluster(_ node: NodeView, depth expectedDepth: Int? = nil) throws(EngineError) -> InnerCluster {
    let childCount = node.count - InnerCluster.firstChildSlot
    guard node.hasRefs, node.header.kind == .bits, childCount > 0 else {
      throw EngineError.damaged(
        at: node.ref.offset, expected: "an inner cluster node", found: node.description)
    }
    let depth = try node.tagged(InnerCluster.depthSlot)
    guard depth >= 1, depth <= InnerCluster.depthMax, expectedDepth.map({ $0 == Int(depth) }) ?? true else {
      throw EngineError.damaged(
        at: node.ref.offset, expected: "a depth of \(expectedDepth ?? InnerCluster.depthMax)",
        found: "\(depth)")
    }
    let offsets = try node.ref(0).map { ref throws(EngineError) in try integersNode(ref) }
    if let offsets, offsets.count < childCount {
      throw EngineError.damaged(
        at: offsets.ref.offset, expected: "\(childCount) key offsets", found: "\(offsets.count)")
    }
    return InnerCluster(node: node, depth: Int(depth), offsets: offsets)
  }
}

extension NodeStore {
  /// What a cluster begins with: the number of its rows where their keys are 0, 1, 2 …, else a ref to the keys.
  func makeClusterKeys(_ keys: [UInt64]) throws(EngineError) -> Int64 {
    let isCompact = keys.enumerated().allSatisfy { $1 == UInt64($0) }
    return isCompact ? NodeStore.tag(Int64(keys.count)) : Int64(try makeUnsigned(keys).offset)
  }

  /// A cluster with a leaf for each column.
  func makeCluster(
    _ keys: [UInt64], _ columns: [RowColumn], leaf: (RowColumn) throws(EngineError) -> Ref
  ) throws(EngineError) -> Ref {
    var slots = [try makeClusterKeys(keys)]
    for column in columns {
      while slots.count < column.leafIndex + 2 { slots.append(0) }
      slots[column.leafIndex + 1] = Int64(try leaf(column).offset)
    }
    return try makeSlots(slots)
  }

  func makeInnerCluster(
    _ children: [InnerCluster.Child], depth: Int, total: Int64
  ) throws(EngineError) -> Ref {
    let isCompact = children.enumerated().allSatisfy {
      $1.offset == InnerCluster.compactOffset($0, depth: depth)
    }
    let offsets = isCompact ? nil : try makeUnsigned(children.map(\.offset))
    return try makeSlots(
      [Int64(offsets?.offset ?? 0), NodeStore.tag(Int64(depth)), NodeStore.tag(total)]
        + children.map { Int64($0.ref.offset) }, isInner: true)
  }
}
