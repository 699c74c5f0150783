// Changes to a realm that are made in memory beside its file, to be written to a new one; an upgrade among them.
// Layer: Jobs.

extension Database {
  /// The whole realm in the current format: unchanged parts are read from the file, the others stand in memory. Throws
  /// `.refused` for synced realms, whose server would not know them again.
  func upgraded() throws(EngineError) -> ReadTransaction {
    try beginInMemory(upgrading: true).finished()
  }

  /// Whether its history belongs to a server.
  package var isSynced: Bool {
    guard let history = transaction.top?.historyType else { return false }
    return history != .none && history != .inRealm
  }

  /// Begins a transaction that never reaches this file: `finished` gives what a copy is to be made of. An older format
  /// becomes the current one. Throws `.refused` for a synced realm that would have to be upgraded and keep its history.
  package func beginInMemory(
    upgrading isUpgrade: Bool = false, history: HistoryTreatment = .keep
  ) throws(EngineError) -> WriteTransaction {
    let base = transaction.top
    let mustUpgrade = isUpgrade || base != nil && file.format < FileFormat.newest
    if mustUpgrade, history != .drop, let history = base?.historyType, isSynced {
      throw EngineError(
        .refused, "a realm with the history of '\(history.name)' cannot be upgraded",
        hint: "let the app that syncs it open it, or make a local copy with `copy --local` and upgrade that")
    }
    let isOld = file.format < FileFormat.firstWithClusters
    let limit = file.nodeLimit
    let scratch = file.image.isEncrypted ? nil : ScratchFile(beside: file.path, resultSize: limit)
    let slabs = try SlabArena(above: limit, scratch: scratch)
    // Nothing that is written depends on the file format of the original.
    let snapshot = Snapshot(
      image: file.image, fileLimit: limit, format: FileFormat.newest, slabs: slabs)
    let group = try GroupEditor(
      top: isOld ? nil : base, in: NodeStore(snapshot, slabs: slabs, keepsFreed: false))
    let changed = WriteTransaction(group: group, base: base, snapshot: snapshot)
    guard mustUpgrade else { return changed }
    if isOld {
      try group.rebuild(transaction.classes(allTables: true))
    } else {
      try group.upgrade(from: file.format, mergesEqual: true)
    }
    try checkCounts(try changed.view())
    return changed
  }

  /// No object may be lost. Asymmetric ones, which were only kept until they were sent, go with format 22.
  private func checkCounts(_ view: ReadTransaction) throws(EngineError) {
    for original in transaction.classes() where original.schema.kind != .asymmetric {
      let count = view.table(named: original.schema.name)?.count
      guard count == original.count else {
        throw EngineError(
          .other,
          "the upgrade would lose objects of \(original.schema.name): \(original.count) before, \(count ?? 0) after"
        )
      }
    }
  }
}

extension RealmFile {
  /// Why an upgrade that was interrupted cannot be finished; nil where it can. Such a file is put together from tables of two
  /// ages: that this succeeds is all that can be said of it. Cost: makes the whole realm anew in memory.
  package func flawOfInterruptedUpgrade() throws(EngineError) -> String? {
    do throws(EngineError) {
      let database = try Database(self)
      // Those of a server are finished by whoever syncs them.
      guard !database.isSynced else { return nil }
      let upgraded = try database.upgraded()
      // The SDKs read the version of the schema without asking whether it is there (F-80).
      guard let metadata = upgraded.table(named: SchemaVersionTable.name, allTables: true) else {
        return nil
      }
      let version = metadata.schema.property(named: SchemaVersionTable.property)
      return version?.type == .int && metadata.count > 0 ? nil : "metadata without the version of the schema"
    } catch {
      guard [.damaged, .constraint, .other].contains(error.kind) else { throw error }
      return error.message
    }
  }
}

extension WriteTransaction {
  /// What the first commit into an empty file makes: an engine has counted the empty one as well.
  private static let firstVersion: Int64 = 2

  /// The whole realm with all changes, ready to be written to a new file. Nothing may be changed after it.
  package func finished() throws(EngineError) -> ReadTransaction {
    try checkSound()
    // The versions of a synced realm's history are counted by its client and stay as they are.
    if base.map({ $0.historyType == .none || $0.historyType == .inRealm }) ?? true {
      try group.prepareTopForCommit(isUpgrade: true)
    }
    if base == nil { try group.setTop(GroupSlot.version, NodeStore.tag(Self.firstVersion)) }
    let top = try group.flush(isCommit: true)
    try group.forEachOpenTable { table throws(EngineError) in try VersionProof(group.store).prove(table) }
    return try ReadTransaction(snapshot: snapshot, topOffset: top.offset)
  }
}
