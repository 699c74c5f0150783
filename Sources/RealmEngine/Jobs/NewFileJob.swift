// A realm that is built in memory on its way to a file of its own. Layer: Jobs.
// Invariants: the place is found free, or not in use, before anything is built; what stands there is locked and looked at again
// when the file is complete, so that nobody is kept out while its text arrives; the file appears whole or not at all.

/// Makes one new realm file.
package final class NewFileJob {
  private let realm: WritableDatabase
  /// What fills the empty realm.
  private var transaction: WriteTransaction?
  /// What came of it.
  private var made: ReadTransaction?
  private let path: FilePath
  /// Whether something stood there to be replaced.
  private let isReplacing: Bool
  private let lockTimeoutMilliseconds: Int
  private let key: EncryptionKey?

  /// Throws `.alreadyExists` when something is at `path` and `replacing` is false, and `.busy` when what is there is in
  /// use.
  package init(
    _ path: FilePath, key: EncryptionKey?, replacing: Bool, lockTimeoutMilliseconds: Int = 0
  ) throws(EngineError) {
    let place = try FilePlace.hold(
      path, replacing: replacing, timeoutMilliseconds: lockTimeoutMilliseconds)
    self.path = path
    isReplacing = place.isTaken
    self.lockTimeoutMilliseconds = lockTimeoutMilliseconds
    let directory = place.path.directory
    guard try directory.status?.isDirectory ?? false else {
      throw EngineError(.notFound, "there is no directory \(directory.displayName)")
    }
    self.key = key
    realm = try WritableDatabase.inMemory(for: key == nil ? place.path : nil)
  }

  /// Begins the one transaction that fills the realm.
  package func begin() throws(EngineError) -> WriteTransaction {
    precondition(transaction == nil, "a new realm is filled by one transaction")
    let transaction = try realm.begin()
    self.transaction = transaction
    return transaction
  }

  private func finish() throws(EngineError) {
    guard let transaction = transaction.take() else { preconditionFailure("begun before it is written") }
    made = try transaction.finished()
  }

  /// Writes what was made. The memory it was made in is free then: nobody else may hold the transaction.
  private func writeOut(
    _ copy: VerifiedCopy, to replacement: SafeReplacement, _ progress: @escaping WholeFileJob.Progress
  ) throws(EngineError) -> VerifiedCopy.Written {
    guard let made = made.take() else { preconditionFailure("finished before it is written") }
    return try copy.writeOut(made, to: replacement, progress)
  }

  /// What `write` would give, without a file. Ends the transaction as it does.
  package func measure(
    progress: @escaping WholeFileJob.Progress = { _, _, _ in }
  ) throws(EngineError) -> WholeFileJob.Measurement {
    try finish()
    guard let made = made.take() else { preconditionFailure("finished before it is measured") }
    let usedSize = made.snapshot.slabs?.usedSize ?? 0
    let size = try CompactCopy.measure(made, key: key, history: .forCopy) { done throws(EngineError) in
      try progress(.writing, done, usedSize)
    }
    return WholeFileJob.Measurement(size: size, objectCount: made.objectCount, soundVersion: nil)
  }

  /// Ends the realm's first transaction, which nobody may use any more, writes what came of it, reads it back, and gives the file its name. After it
  /// has succeeded, signals that end the process are held back until `EndSignals.release()`.
  package func write(
    progress: @escaping WholeFileJob.Progress = { _, _, _ in }
  ) throws(EngineError) -> WholeFileJob.Report {
    try finish()
    let size = made?.snapshot.slabs?.usedSize ?? 0
    let place = try FilePlace.hold(
      path, replacing: isReplacing, timeoutMilliseconds: lockTimeoutMilliseconds)
    // A new file may do what the user's mask leaves.
    let replacement = try SafeReplacement(
      target: place.path, like: try place.path.status, mode: 0o666)
    do throws(EngineError) {
      let copy = VerifiedCopy(key: key, history: .forCopy, usedSize: size)
      let written = try writeOut(copy, to: replacement, progress)
      let report = try copy.readBack(written, size: size, from: replacement, progress)
      EndSignals.hold()
      let remarks = try replacement.commit(replacing: place.isTaken)
      return withExtendedLifetime(place) { report.with(remarks) }
    } catch {
      replacement.discard()
      EndSignals.release()
      throw error
    }
  }
}
