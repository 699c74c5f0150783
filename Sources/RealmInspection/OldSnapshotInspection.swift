// Snapshots of formats before 10: every node claimed once, as many tables as names, and what they hold (F-79).
// Layer: RealmInspection. Tables that a later engine has begun to convert are claimed and not looked into.

import RealmFiles

extension SnapshotInspection {
  private enum OldTop {
    static let sizes = [3, 5, 7, 9, 10]
    /// Version, type of the history, schema version of it.
    static let numbers = [6, 7, 9]
  }

  /// Older formats became this one first, in one commit.
  private static let firstConvertedFormat = 9

  func runOld(_ top: RawNode) {
    walk.place = Place(.top)
    if !OldTop.sizes.contains(top.count) {
      walk.report(
        .topArray, at: top.offset,
        expected: "one of \(OldTop.sizes.map { "\($0)" }.joined(separator: ", ")) slots",
        found: "\(top.count)")
      return
    }
    for index in OldTop.numbers { _ = walk.tagged(top, index) }
    inspectOldTables(top)
    walk.place = Place(.history)
    if top.count > TopSlot.history, let history = walk.child(top, TopSlot.history) {
      walk.claimDescendants(of: history)
    }
    inspectFreeList(top)
    walk.reportGaps()
  }

  private func inspectOldTables(_ top: RawNode) {
    walk.place = Place(.tables)
    guard let names = walk.requiredChild(top, TopSlot.names).flatMap({ openOldTexts($0) }),
      let tables = walk.requiredSlots(top, TopSlot.tables)
    else { return }
    validateOldTexts(names)
    if names.count != tables.count {
      walk.report(
        .tableSlots, at: tables.offset, expected: "as many tables as the \(names.count) names",
        found: "\(tables.count)")
    }
    var rowCounts: [Int: Int] = [:]
    var seen: Set<ByteString> = []
    for slot in 0..<tables.count {
      walk.names.tables[slot] = oldText(names, slot)
      walk.place = Place(.old, table: slot)
      if case .tagged(let tag) = tables.slot(slot) {
        // An upgrade that was interrupted may have erased a table.
        inspectErasedTable(tables, tag: tag, name: walk.names.tables[slot] ?? "")
        continue
      }
      if let name = walk.names.tables[slot], name.isEmpty || !seen.insert(ByteString(name)).inserted {
        walk.report(
          .tableName, at: tables.offset, expected: "a name of its own for every table", found: "'\(name)'")
      }
      guard let table = walk.requiredSlots(tables, slot) else { continue }
      walk.statistics.tableCount += 1
      rowCounts[slot] = inspectOldTable(table, slot)
    }
    // Where an upgrade was interrupted, rows are counted elsewhere.
    if !hasConvertedTables { reportOldLinks(rowCounts: rowCounts) }
  }

  /// Returns how many rows the table has.
  private func inspectOldTable(_ table: RawNode, _ slot: Int) -> Int? {
    if table.count >= TableSlot.countMin {
      hasConvertedTables = true
      if walk.format < Self.firstConvertedFormat {
        walk.report(
          .oldTable, at: table.offset, expected: "a spec and columns, as no upgrade begins with this format",
          found: table.words)
      }
      walk.claimDescendants(of: table)
      return nil
    }
    guard let table = walk.checked(table, table.count == 2, "a spec and columns", kind: .oldTable),
      let spec = walk.requiredChild(table, 0), let columns = inspectOldSpec(spec),
      let roots = walk.requiredSlots(table, 1)
    else { return nil }
    let count = inspectOldColumns(columns, roots)
    walk.statistics.objectCount += count ?? 0
    if walk.names.tables[slot] == Self.metadataTable, !columns.isEmpty {
      let hasColumn = columns.contains { $0.name == Self.versionColumn && $0.type == .int }
      reportSchemaVersion(hasColumn: hasColumn, objectCount: count ?? 0, at: table.offset)
    }
    return count
  }
}
