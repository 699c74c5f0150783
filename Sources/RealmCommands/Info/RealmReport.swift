// Everything `info` can tell about one file, whether it opens or not. Layer: RealmCommands, Info.

import RealmEngine

/// The facts about one file; what is not known is nil.
struct RealmReport {
  let file: FilePath
  var fileSize: Int?
  var header: FileHeader?
  var isEncrypted: Bool?
  var facts: SnapshotFacts?
  /// Why the file could not be opened.
  var failure: Diagnostic?

  /// The format that the current slot states.
  var format: Int? { header?.selectedFormat }
}

/// What is known of a file that opens.
struct SnapshotFacts {
  struct ClassFacts {
    let schema: ClassSchema
    let count: Int
    /// Nil unless asked for, and in files too old to tell.
    let size: ClassSize?
  }

  /// The format of the snapshot that was read.
  let format: Int
  let space: SpaceUse?
  /// Counts the commits; nil in a file without a snapshot.
  let dataVersion: Int64?
  let history: HistoryType?
  let schemaVersion: Int64?
  let classes: [ClassFacts]
  /// Tables that are no classes and are not among these, and their rows.
  let otherTableCount: Int
  let otherRowCount: Int

  var objectCount: Int { classes.reduce(0) { $0 &+ $1.count } }
}

extension SnapshotFacts {
  /// Cost: constant for each class; with `measures` every node is met.
  init(_ transaction: ReadTransaction, allTables: Bool, measures: Bool) throws(EngineError) {
    let budget = TraversalBudget(transaction.snapshot)
    var classes: [ClassFacts] = []
    for table in transaction.classes(allTables: allTables) {
      let size = measures ? try transaction.size(of: table, budget: budget) : nil
      classes.append(ClassFacts(schema: table.schema, count: table.count, size: size))
    }
    // What SDKs keep for themselves is not worth a word.
    let others = transaction.classes(allTables: true).filter { table in
      !["metadata", "pk"].contains(table.schema.tableName)
        && !classes.contains { $0.schema.tableKey == table.schema.tableKey }
    }
    otherTableCount = others.count
    otherRowCount = others.reduce(0) { $0 &+ $1.count }
    format = transaction.snapshot.format
    space = try transaction.spaceUse()
    dataVersion = transaction.top?.version
    history = transaction.top?.historyType
    schemaVersion = transaction.schemaVersion
    self.classes = classes.sorted {
      $0.schema.name.utf8.lexicographicallyPrecedes($1.schema.name.utf8)
    }
  }
}
