// The history of changes (F-21, F-22). Layer: Inspection. A local one is a tree of change sets; those of synced
// files belong to the sync client and are only claimed.

extension SnapshotInspection {
  private enum HistoryType {
    static let none: Int64 = 0
    static let inRealm: Int64 = 2
    static let syncServer: Int64 = 4
  }

  func inspectHistory(_ top: RawNode) {
    walk.place = Place(.history)
    guard top.count > TopSlot.historyType, let type = walk.tagged(top, TopSlot.historyType) else { return }
    if type > HistoryType.syncServer {
      walk.report(.historyType, at: top.offset, expected: "a type from 0 to 4", found: "\(type)")
    }
    guard let root = walk.child(top, TopSlot.history) else { return }
    if type == HistoryType.none {
      walk.report(.historyType, at: top.offset, expected: "no history, as its type says", found: "one")
    }
    guard type == HistoryType.inRealm else {
      walk.claimDescendants(of: root)
      return
    }
    let count = walk.walkTree(root) { node, start in
      guard node.isSlots else {
        return walk.checked(node, false, "change sets").map(\.count)
      }
      let layout = RawLayout(type: .data, isNullable: false)
      guard let leaf = walk.openLeaf(node, layout, count: nil) else { return nil }
      guard leaf.count <= Walk.treeFanOutMax else { return leaf.count }
      walk.validate(leaf, layout, .none)
      return leaf.count
    }
    guard let count else { return }
    walk.statistics.historyEntryCount = count
    let version = walk.tagged(top, TopSlot.version) ?? 0
    if Int64(count) >= max(version, 1) {
      walk.report(
        .history, at: root.offset, expected: "fewer change sets than the version, \(version)",
        found: "\(count)")
    }
  }
}
