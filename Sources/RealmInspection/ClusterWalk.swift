// Walks a cluster tree: shapes, depths, counts and the order of keys (F-36 to F-38). Layer: RealmInspection.
// Invariant: at most `depthMax` levels deep, whatever the tree says.

import RealmFiles

extension Walk {
  private static let rowsMax = 256
  private static let childrenMax = 256
  private static let childShift = 8
  private static let clusterDepthMax = 7

  /// Where an inner node says how many objects are below it.
  static var clusterTotalSlot: Int { InnerSlot.count }

  private enum InnerSlot {
    static let offsets = 0
    static let depth = 1
    static let count = 2
    static let children = 3
  }

  /// The keys a subtree may hold: from `lower` to below `upper`, as unsigned numbers; nil for no bound.
  private struct KeyRange {
    var lower: UInt64
    var upper: UInt64?
  }

  /// Calls `visit` with every leaf cluster of the tree at `root`. Returns the number of objects.
  @discardableResult
  func walkClusters(_ root: RawNode, visit: (RawCluster) -> Void) -> Int {
    guard root.isInner else { return leafCluster(root, KeyRange(lower: 0, upper: nil), 0, visit) }
    return innerCluster(root, depth: nil, KeyRange(lower: 0, upper: nil), visit)
  }

  private func leafCluster(
    _ node: RawNode, _ range: KeyRange, _ keyOffset: UInt64, _ visit: (RawCluster) -> Void
  ) -> Int {
    guard checked(node, node.isSlots && node.count > 0, "a cluster", kind: .clusterNode) != nil else {
      return 0
    }
    let cluster: RawCluster
    switch node.slot(0) {
    case .tagged(let count):
      guard count <= Int64(Self.rowsMax) else {
        reportRows(node, count)
        return 0
      }
      cluster = RawCluster(
        node: node, count: Int(count), keyOffset: Int64(bitPattern: keyOffset), relativeKeys: nil)
    case .ref:
      guard let keys = requiredNumbers(node, 0) else { return 0 }
      guard keys.count <= Self.rowsMax else {
        reportRows(node, Int64(keys.count))
        return 0
      }
      checkUnsigned(keys)
      cluster = RawCluster(
        node: node, count: keys.count, keyOffset: Int64(bitPattern: keyOffset), relativeKeys: keys)
    case let other:
      reportSlot(node, 0, expected: "a number of objects or the ref of their keys", found: other)
      return 0
    }
    checkOrder(cluster, range)
    visit(cluster)
    return cluster.count
  }

  private func reportRows(_ node: RawNode, _ count: Int64) {
    report(
      .clusterCount, at: node.offset, expected: "at most \(Self.rowsMax) objects in a cluster",
      found: "\(count)")
  }

  /// Engines insert into these arrays as if they were at least 8 bits wide.
  private func checkUnsigned(_ node: RawNode) {
    guard node.width < 8, node.count > 0 else { return }
    report(
      .objectKeys, at: node.offset, expected: "keys or offsets of at least 8 bits", found: "\(node.width)")
  }

  private func checkOrder(_ cluster: RawCluster, _ range: KeyRange) {
    var lower = range.lower
    for row in 0..<cluster.count {
      let key = UInt64(bitPattern: cluster.key(row))
      let isInside = key >= lower && (range.upper == nil || key < range.upper ?? 0)
      guard isInside else {
        report(
          .objectKeys, at: cluster.node.offset, object: cluster.key(row),
          expected: "keys that rise from \(lower)\(range.upper.map { " to below \($0)" } ?? "")",
          found: "\(key)")
        return
      }
      lower = key &+ 1
    }
  }

  private func innerCluster(
    _ node: RawNode, depth expectedDepth: Int?, _ range: KeyRange, _ visit: (RawCluster) -> Void
  ) -> Int {
    let childCount = node.count - InnerSlot.children
    guard
      checked(
        node, node.kind == .bits && node.hasRefs && childCount > 0 && childCount <= Self.childrenMax,
        "an inner cluster node of 1 to \(Self.childrenMax) children", kind: .clusterNode) != nil,
      let depth = depth(of: node, expected: expectedDepth)
    else { return 0 }
    let offsets = childOffsets(node, childCount, depth: depth)
    var total = 0
    for index in 0..<childCount {
      guard let child = requiredChild(node, InnerSlot.children + index) else { continue }
      guard child.isInner == (depth > 1) else {
        report(
          .clusterNode, at: child.offset, expected: depth > 1 ? "an inner node" : "a cluster",
          found: child.words)
        continue
      }
      let lower = range.lower &+ offsets[index]
      let upper = index + 1 < childCount ? range.lower &+ offsets[index + 1] : range.upper
      let childRange = KeyRange(lower: lower, upper: upper)
      total +=
        depth > 1
        ? innerCluster(child, depth: depth - 1, childRange, visit)
        : leafCluster(child, childRange, lower, visit)
    }
    checkTotal(node, total)
    return total
  }

  private func depth(of node: RawNode, expected: Int?) -> Int? {
    guard let depth = tagged(node, InnerSlot.depth) else { return nil }
    guard depth >= 1, depth <= Int64(Self.clusterDepthMax), expected == nil || Int(depth) == expected else {
      report(
        .clusterNode, at: node.offset,
        expected: expected.map { "a depth of \($0)" } ?? "a depth of 1 to \(Self.clusterDepthMax)",
        found: "\(depth)")
      return nil
    }
    return Int(depth)
  }

  private func checkTotal(_ node: RawNode, _ total: Int) {
    guard let stored = tagged(node, InnerSlot.count), stored != Int64(total) else { return }
    report(.clusterCount, at: node.offset, expected: "\(total) objects below", found: "\(stored)")
  }

  /// What is added to the keys of each child.
  private func childOffsets(_ node: RawNode, _ childCount: Int, depth: Int) -> [UInt64] {
    let compact = (0..<childCount).map { UInt64($0) << UInt64(Self.childShift * depth) }
    guard node.number(InnerSlot.offsets) != 0 else { return compact }
    guard let keys = requiredNumbers(node, InnerSlot.offsets) else { return compact }
    checkUnsigned(keys)
    guard keys.count >= childCount else {
      report(
        .objectKeys, at: keys.offset, expected: "\(childCount) key offsets", found: "\(keys.count)")
      return compact
    }
    let offsets = (0..<childCount).map { keys.unsignedNumber($0) }
    let isRising = zip(offsets, offsets.dropFirst()).allSatisfy { $0 < $1 }
    if offsets[0] != 0 || !isRising {
      report(
        .objectKeys, at: keys.offset, expected: "key offsets that rise from 0",
        found: offsets.prefix(8).map { "\($0)" }.joined(separator: " "))
    }
    return offsets
  }
}
