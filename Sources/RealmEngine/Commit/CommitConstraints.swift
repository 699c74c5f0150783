// What a commit owes those who have the file open: their versions, and the history from which they learn what was changed.
// Layer: Commit.
// The history is a list of changesets, one for each of the last versions; the newest belongs to the version that holds it.
// Changesets from which nobody will advance any more are dropped.

/// The terms of one commit in a session.
struct CommitConstraints {
  let readers: SessionReaders
  /// Nil where the session keeps no history.
  let changeset: [UInt8]?
}

extension GroupEditor {
  private static let changesets = LeafLayout(type: .data, isNullable: true, isInCollection: true)

  /// Adds the changeset of this commit, which follows the version `base`.
  func addToHistory(_ session: CommitConstraints, base: GroupTop?) throws(EngineError) {
    guard let changeset = session.changeset, let base else { return }
    while try store.snapshot.refsNode(top).count < GroupSlot.countWithHistory { try addTopSlot() }
    var root: Ref
    var count = 0
    if base.historyType == .inRealm, let history = base.historyRoot {
      root = history
      count = try store.treeCount(root, Self.changesets)
      root = try changeset.withRawBytes { bytes throws(EngineError) in
        try store.insertInTree(root, Self.changesets, count, .data(ByteString(borrowing: bytes)))
      }
    } else {
      guard session.readers.oldestLive == base.version else { throw Self.noHistory(base) }
      root = try changeset.withRawBytes { bytes throws(EngineError) in
        try store.makeTree(Self.changesets, .values([.data(ByteString(borrowing: bytes))]))
      }
      try setTop(GroupSlot.historyType, NodeStore.tag(HistoryType.inRealmNumber))
    }
    let first = base.version - Int64(count)
    guard first >= 0, session.readers.oldestLive <= base.version else { throw Self.noHistory(base) }
    for _ in 0..<max(0, session.readers.oldestLive - first) {
      root = try store.eraseFromTree(root, Self.changesets, 0)
    }
    try setTop(GroupSlot.historySchemaVersion, NodeStore.tag(HistoryType.inRealmSchema))
    try setTop(GroupSlot.history, Int64(root.offset))
  }

  private static func noHistory(_ base: GroupTop) -> EngineError {
    EngineError.damaged(
      at: base.node.ref.offset, expected: "a history for all who advance from older versions",
      found: "another one")
  }
}
