// Snapshots of formats before 10: every node claimed once, and tables as many as names (F-79). Layer: Inspection.
// What columns hold is left to the readers of those formats.

extension SnapshotInspection {
  private enum OldTop {
    static let sizes = [3, 5, 7, 9, 10]
    static let historyStart = 7
  }

  func runOld(_ top: RawNode) {
    walk.place = Place(.top)
    if !OldTop.sizes.contains(top.count) {
      walk.report(
        .topArray, at: top.offset,
        expected: "one of \(OldTop.sizes.map { "\($0)" }.joined(separator: ", ")) slots",
        found: "\(top.count)")
      return
    }
    claimOldTables(top)
    walk.place = Place(.history)
    if top.count > OldTop.historyStart, let history = walk.child(top, TopSlot.history) {
      walk.claimDescendants(of: history)
    }
    inspectFreeList(top)
    walk.reportGaps()
  }

  private func claimOldTables(_ top: RawNode) {
    walk.place = Place(.tables)
    guard let names = walk.requiredChild(top, TopSlot.names),
      let tables = walk.requiredSlots(top, TopSlot.tables)
    else { return }
    walk.claimDescendants(of: names)
    if names.count != tables.count {
      walk.report(
        .tableSlots, at: tables.offset, expected: "as many tables as the \(names.count) names",
        found: "\(tables.count)")
    }
    let texts = names.kind == .bytes && !names.hasRefs ? RawTexts.short(names, isNullable: false) : nil
    for slot in 0..<(tables.width == 0 ? 0 : tables.count) {
      if let texts, slot < texts.count { walk.names.tables[slot] = text(texts, slot) }
      walk.place = Place(.old, table: slot)
      guard let table = walk.child(tables, slot) else { continue }
      walk.statistics.tableCount += 1
      // Interrupted upgrades left tables of the new kind behind.
      if !table.hasRefs || table.count != 2 && table.count < TableSlot.countMin {
        walk.report(
          .oldTable, at: table.offset, expected: "a spec and columns", found: table.words)
      }
      walk.claimDescendants(of: table)
    }
  }
}
