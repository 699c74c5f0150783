// Inspects one snapshot from its top array down, in this order: structure of all tables, objects, indexes, history,
// then what only the whole can show: links, owners, free blocks, gaps. Layer: Inspection.

/// Which values a pass follows: all, or those of one relation that does not balance.
enum FollowedValues {
  case everything
  case relation(LedgerRelation)

  var isEverything: Bool { if case .everything = self { true } else { false } }

  func includes(_ table: RawTable, _ column: RawColumn) -> Bool {
    guard case .relation(let relation) = self else { return true }
    switch relation.kind {
    case .links(let originTable, let originColumn, let targetTable):
      return table.slot == originTable && column.index == originColumn
        || table.slot == targetTable && column.index == relation.incomingColumn
    case .words(let wordTable, let wordColumn): return table.slot == wordTable && column.index == wordColumn
    }
  }
}

/// How many owners an embedded object seems to have, where that is not one.
struct OwnerCount {
  let table: Int
  let object: Int64
  let offset: Int
  let count: Int
}

/// One inspection of one snapshot.
final class SnapshotInspection {
  var walk: Walk
  let ledger = LinkLedger()
  var followed = FollowedValues.everything
  private(set) var tables: [RawTable] = []
  private(set) var tablesByKey: [Int64: RawTable] = [:]
  var pendingOwners: [OwnerCount] = []
  /// Of the table at hand, where no index tells whether they repeat.
  var primaryKeyHashes: [UInt64] = []

  init(_ walk: Walk) { self.walk = walk }

  func run(_ top: RawNode) {
    tables = inspectTop(top).filter { inspectStructure(of: $0) }
    walk.statistics.tableCount = tables.count
    tablesByKey = Dictionary(tables.map { ($0.key, $0) }) { first, _ in first }
    for table in tables { inspectOpposites(of: table) }
    for table in tables {
      inspectObjects(of: table)
      inspectPrimaryKeys(of: table)
      inspectIndexes(of: table)
    }
    inspectHistory(top)
    reconcile()
    inspectFreeList(top)
    walk.reportGaps()
  }

  /// Without an index, primary keys are compared by their hashes.
  private func inspectPrimaryKeys(of table: RawTable) {
    if primaryKeyHashes.hasRepeats {
      walk.place = Place(table: table.slot, column: table.primaryKey ?? -1)
      walk.report(
        .primaryKeyValue, at: table.top.offset, expected: "a primary key of its own for every object",
        found: "some twice")
    }
    primaryKeyHashes.removeAll()
  }
}
