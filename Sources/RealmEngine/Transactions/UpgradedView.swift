// A realm of an older format as it looks in the current one, ready to be written to a new file. Layer: Transactions.

extension Database {
  /// Nothing that is written depends on the file format of the original.
  private static let firstFormatWithClusters = 10
  private static let slabAlignment = 1 << 20

  /// The whole realm in the current format: unchanged parts are read from the file, the others stand in memory. Throws
  /// `.refused` for synced realms, whose server would not know them again.
  func upgraded() throws(EngineError) -> ReadTransaction {
    let base = transaction.top
    if let history = base?.historyType, history != .none, history != .inRealm {
      throw EngineError(
        .refused, "\(file.path.displayName) cannot be upgraded: its history is \(history.name)",
        hint: "let the app that syncs it open it, or make a local copy with `copy --local` and upgrade that")
    }
    let isOld = file.format < Self.firstFormatWithClusters
    let limit = file.nodeLimit
    let slabs = try SlabArena(base: (limit + Self.slabAlignment) & ~(Self.slabAlignment - 1))
    let snapshot = Snapshot(
      image: file.image, fileLimit: limit, format: Self.formatMax, slabs: slabs)
    let group = try GroupEditor(top: isOld ? nil : base, in: NodeStore(snapshot, slabs: slabs))
    if isOld {
      try group.rebuild(transaction.classes(allTables: true))
    } else {
      try group.upgrade(from: file.format)
    }
    try group.prepareTopForCommit(isUpgrade: true)
    let view = try ReadTransaction(
      snapshot: snapshot, topOffset: try group.flush(isCommit: true).offset)
    try checkCounts(view)
    return view
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
