// The history of changes (F-21, F-22). Layer: RealmInspection. A local one is a tree of change sets; those of synced
// files belong to the sync client and are only claimed.

import RealmFiles

extension SnapshotInspection {
  private enum HistoryType {
    static let none: Int64 = 0
    static let outOfRealm: Int64 = 1
    static let inRealm: Int64 = 2
    static let inRealmSchemaMax: Int64 = 1
    static let syncServer: Int64 = 4
  }

  func inspectHistory(_ top: RawNode) {
    walk.place = Place(.history)
    guard top.count > TopSlot.historyType, let type = walk.tagged(top, TopSlot.historyType) else { return }
    if type > HistoryType.syncServer || type == HistoryType.outOfRealm {
      walk.report(.historyType, at: top.offset, expected: "the type 0, 2, 3 or 4", found: "\(type)")
    }
    let schema = walk.tagged(top, TopSlot.historySchema) ?? 0
    if type <= HistoryType.inRealm && schema > HistoryType.inRealmSchemaMax {
      walk.report(
        .historyType, at: top.offset,
        expected: "a schema version of the history up to \(HistoryType.inRealmSchemaMax)", found: "\(schema)")
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
