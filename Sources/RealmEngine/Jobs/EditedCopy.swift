// Changing a realm without writing all of it anew: a copy of the file, byte for byte, gets one more version.
// Layer: Jobs. Invariant: what is returned as written was read from the file, every node of it, and has the classes
// and counts of what the transaction made.

/// One changed copy of a realm file, to be put in its place by `SafeReplacement`.
struct EditedCopy {
  /// Makes the changes.
  typealias Edit = (WriteTransaction) throws(EngineError) -> Void

  let source: FilePath
  let key: EncryptionKey?
  let edit: Edit

  /// `usedSize`: about how many bytes a walk reads.
  func write(
    to replacement: SafeReplacement, usedSize: Int, _ progress: @escaping WholeFileJob.Progress
  ) throws(EngineError) -> WholeFileJob.Report {
    let start = SystemClock.milliseconds
    let original = try FileHandle.openRealm(source)
    let size = try original.status().size
    try original.copyContent(to: replacement.handle) { done throws(EngineError) in
      try progress(.writing, done, size)
    }
    let realm = try WritableDatabase.privateCopy(replacement.handle, of: source, key: key)
    let transaction = try realm.begin(upgrading: true)
    try edit(transaction)
    let wanted = try transaction.view().classes(allTables: true).map(VerifiedCopy.count)
    let written = SystemClock.milliseconds
    try progress(.syncing, size, size)
    try realm.commit(transaction)
    let synced = SystemClock.milliseconds
    let copy = realm.database
    try VerifiedCopy.compare(wanted, copy.transaction)
    let digest = try CompactCopy.digest(of: copy.transaction, history: .keep) { done throws(EngineError) in
      try progress(.verifying, done, usedSize)
    }
    return WholeFileJob.Report(
      sizeBefore: size, sizeAfter: copy.file.fileSize,
      objectCount: copy.transaction.classes().reduce(0) { $0 + $1.count }, nodeCount: digest.nodeCount,
      writingMilliseconds: written - start, syncingMilliseconds: synced - written,
      verifyingMilliseconds: SystemClock.milliseconds - synced)
  }
}
