// Inspects one snapshot from its top array down, in this order: structure of all tables, objects, indexes, history,
// then what only the whole can show: links, owners, free blocks, gaps. Layer: RealmInspection.

import RealmFiles

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
    case .owners(let owned):
      return column.mayLinkAnywhere || column.ownedTable == owned
    }
  }
}

/// One inspection of one snapshot.
final class SnapshotInspection {
  var walk: Walk
  let ledger = LinkLedger()
  var followed = FollowedValues.everything
  private(set) var tables: [RawTable] = []
  private(set) var tablesByKey: [Int64: RawTable] = [:]
  private(set) var tablesBySlot: [Int: RawTable] = [:]
  var ownership = OwnershipChains()
  var hasEmbeddedTables = false
  /// Of formats 2 to 9, by the table that is linked to, and the table and column of the link: the greatest row.
  var oldLinks: [[Int]: OldLinkUse] = [:]
  /// Whether a later engine has begun to upgrade a file of formats 2 to 9.
  var hasConvertedTables = false
  /// Of the table at hand, where no index tells whether they repeat.
  var primaryKeyHashes: [UInt64] = []

  /// What other threads need to help; nil where one thread does it all.
  let shared: SharedInspection?
  /// Whether something may be wrong that only one thread can tell.
  var mustBeTold = false

  init(_ walk: Walk, shared: SharedInspection? = nil) {
    self.walk = walk
    self.shared = shared
  }

  /// Reads what all tables are made of.
  func open(_ top: RawNode) {
    tables = inspectTop(top).filter { inspectStructure(of: $0) }
    walk.statistics.tableCount = tables.count
    tablesByKey = Dictionary(tables.map { ($0.key, $0) }) { first, _ in first }
    tablesBySlot = Dictionary(tables.map { ($0.slot, $0) }) { first, _ in first }
    for table in tables { inspectOpposites(of: table) }
    prepareOwners()
  }

  func run(_ top: RawNode) {
    open(top)
    for table in tables where !mustBeTold {
      inspectObjects(of: table)
      inspectPrimaryKeys(of: table)
      inspectIndexes(of: table)
      inspectSchemaVersion(table)
    }
    if mustBeTold { return }
    inspectHistory(top)
    if shared != nil, !ledger.isBalanced {
      mustBeTold = true
      return
    }
    reconcile()
    inspectFreeList(top)
    walk.reportGaps()
  }

  static let metadataTable = "metadata"
  static let versionColumn = "version"

  /// Where the SDKs keep the version of the schema, they read it without asking whether it is there (F-80).
  private func inspectSchemaVersion(_ table: RawTable) {
    guard table.name == Self.metadataTable, !table.columns.isEmpty else { return }
    let hasColumn = table.columns.contains {
      $0.name == Self.versionColumn && $0.type == .int && $0.shape == .single
    }
    walk.place = Place(table: table.slot)
    reportSchemaVersion(hasColumn: hasColumn, objectCount: table.directory.count, at: table.top.offset)
  }

  func reportSchemaVersion(hasColumn: Bool, objectCount: Int, at offset: Int) {
    guard !hasColumn || objectCount == 0 else { return }
    walk.report(
      .schemaVersion, at: offset, expected: "an object with a number named '\(Self.versionColumn)'",
      found: hasColumn ? "no object" : "none")
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
