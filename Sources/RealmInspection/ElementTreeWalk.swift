// Walks the trees that hold the elements of collections, incoming links, index lists and the history
// (F-57 to F-59). Layer: RealmInspection. Invariant: at most `treeDepthMax` levels deep.

import RealmFiles

extension Walk {
  private static let treeDepthMax = 8
  static let treeFanOutMax = 1000

  /// What a subtree turned out to be.
  private struct Subtree {
    var count: Int
    var isSound: Bool
    /// Levels of inner nodes.
    var height = 0
  }

  /// Calls `leaf` with every leaf node of the tree and the position of its first element; it returns how many
  /// elements the leaf holds, or nil where it is damaged. Returns the number of elements, nil where unknown.
  @discardableResult
  func walkTree(
    _ root: RawNode, object: Int64? = nil, leafCountMax: Int = Walk.treeFanOutMax,
    leaf: (RawNode, _ start: Int) -> Int?
  ) -> Int? {
    let tree = subtree(root, depth: 0, start: 0, object, leafCountMax, leaf)
    return tree.isSound ? tree.count : nil
  }

  private func subtree(
    _ node: RawNode, depth: Int, start: Int, _ object: Int64?, _ leafCountMax: Int,
    _ leaf: (RawNode, _ start: Int) -> Int?
  ) -> Subtree {
    if node.isInner { return innerNode(node, depth: depth, start: start, object, leafCountMax, leaf) }
    // Elements without bytes cost a file nothing, but whoever looks at each of them much.
    if node.width == 0, node.count - 1 > leafCountMax {
      report(
        .treeLeafSize, at: node.offset, object: object, expected: "1 to \(leafCountMax) elements in a leaf",
        found: "\(node.count)")
      return Subtree(count: 0, isSound: false)
    }
    guard let count = leaf(node, start) else { return Subtree(count: 0, isSound: false) }
    if count > leafCountMax || count == 0 && depth > 0 {
      report(
        .treeLeafSize, at: node.offset, object: object, expected: "1 to \(leafCountMax) elements in a leaf",
        found: "\(count)")
    }
    return Subtree(count: count, isSound: true)
  }

  private func innerNode(
    _ node: RawNode, depth: Int, start: Int, _ object: Int64?, _ leafCountMax: Int,
    _ leaf: (RawNode, _ start: Int) -> Int?
  ) -> Subtree {
    let childCount = node.count - 2
    guard depth < Self.treeDepthMax else {
      report(
        .treeNode, at: node.offset, object: object, expected: "at most \(Self.treeDepthMax) levels",
        found: "more")
      return Subtree(count: 0, isSound: false)
    }
    guard node.kind == .bits, node.hasRefs, childCount > 0, childCount <= Self.treeFanOutMax else {
      report(
        .treeNode, at: node.offset, object: object,
        expected: "an inner node of 1 to \(Self.treeFanOutMax) children", found: node.words)
      return Subtree(count: 0, isSound: false)
    }
    var result = Subtree(count: 0, isSound: true)
    var starts: [Int] = []
    for index in 1...childCount {
      starts.append(result.count)
      guard let child = requiredChild(node, index, object: object) else {
        result.isSound = false
        continue
      }
      let below = subtree(child, depth: depth + 1, start: start + result.count, object, leafCountMax, leaf)
      result.count += below.count
      if !below.isSound { result.isSound = false }
      if index > 1, below.height != result.height - 1 {
        report(
          .treeNode, at: child.offset, object: object, expected: "leaves that all stand on one level",
          found: "a subtree of \(below.height) levels beside one of \(result.height - 1)")
      }
      result.height = below.height + 1
    }
    if result.isSound {
      checkStarts(node, starts, total: result.count, object)
      checkTreeTotal(node, result.count, object)
    } else if case .ref(let offset) = node.slot(0) {
      // Counts tell nothing more, but the array of starts still belongs to the tree.
      _ = self.node(offset, object: object)
    }
    return result
  }

  private func checkTreeTotal(_ node: RawNode, _ total: Int, _ object: Int64?) {
    guard case .tagged(let stored) = node.slot(node.count - 1), stored == Int64(total) else {
      report(
        .treeCount, at: node.offset, object: object, expected: "\(total) elements in the last slot",
        found: node.slot(node.count - 1).words)
      return
    }
  }

  /// Where the children start: multiples of one number, or listed for all but the first.
  private func checkStarts(_ node: RawNode, _ starts: [Int], total: Int, _ object: Int64?) {
    if case .tagged(let perChild) = node.slot(0) {
      let lastCount = Int64(total - starts[starts.count - 1])
      let isCompact = starts.indices.allSatisfy { index in
        let (start, overflow) = Int64(index).multipliedReportingOverflow(by: perChild)
        return !overflow && Int64(starts[index]) == start
      }
      if perChild < 1 || !isCompact || lastCount > perChild {
        report(
          .treeCount, at: node.offset, object: object,
          expected: "\(perChild) elements in every child but the last",
          found: "children that start at \(starts.prefix(8).map { "\($0)" }.joined(separator: " "))")
      }
      return
    }
    guard let offsets = requiredNumbers(node, 0, object: object) else { return }
    let isEqual =
      offsets.count == starts.count - 1
      && (0..<offsets.count).allSatisfy { offsets.unsignedNumber($0) == UInt64(starts[$0 + 1]) }
    if !isEqual {
      let stored = (0..<min(8, offsets.count)).map { "\(offsets.unsignedNumber($0))" }
      report(
        .treeCount, at: offsets.offset, object: object,
        expected:
          "the \(starts.count - 1) starts \(starts.dropFirst().prefix(8).map { "\($0)" }.joined(separator: " "))",
        found: "\(offsets.count): \(stored.joined(separator: " "))")
    }
    if format >= FileInspection.firstClusterFormat && offsets.width < 8 && offsets.count > 0 {
      report(
        .treeCount, at: offsets.offset, object: object, expected: "offsets of at least 8 bits",
        found: "\(offsets.width)")
    }
  }
}
