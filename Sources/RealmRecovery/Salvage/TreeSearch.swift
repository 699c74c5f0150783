// Trees of clusters that nothing leads to, recognised by the form of their inner nodes. Layer: RealmRecovery, Salvage.

import RealmEngine

/// Looks for inner nodes that no other one names.
struct TreeSearch {
  private let search: NodeSearch
  private let isCandidate: (Int) -> Bool

  /// Inner nodes that are remembered.
  private static let nodesMax = 1 << 16

  /// `isCandidate`: whether a node may stand at an offset.
  init(_ snapshot: Snapshot, isCandidate: @escaping (Int) -> Bool) {
    search = NodeSearch(snapshot)
    self.isCandidate = isCandidate
  }

  /// The uppermost nodes, in the order of their places.
  func roots() throws(EngineError) -> [Ref] {
    var found: [Ref] = []
    var children: Set<Int> = []
    func isWanted(_ header: NodeHeader, _ offset: Int) -> Bool {
      header.isInner && header.hasRefs && header.kind == .bits && header.width >= 8
        && header.count > InnerCluster.firstChildSlot && isCandidate(offset)
    }
    try search.forEachHeader(isWanted) { ref throws(EngineError) in
      guard found.count < Self.nodesMax, let node = try? search.snapshot.refsNode(ref), isInnerCluster(node)
      else { return }
      found.append(ref)
      for slot in InnerCluster.firstChildSlot..<node.count {
        if let child = (try? node.ref(slot)) ?? nil { children.insert(child.offset) }
      }
    }
    return found.filter { !children.contains($0.offset) }
  }

  private func isInnerCluster(_ node: NodeView) -> Bool {
    guard let depth = try? node.slot(InnerCluster.depthSlot), depth & 1 == 1,
      1...InnerCluster.depthMax ~= Int(depth >> 1),
      let count = try? node.slot(InnerCluster.countSlot), count & 1 == 1, count > 0,
      search.work.take(node.count)
    else { return false }
    return (try? node.refIfPresent(0)) != nil
  }
}
