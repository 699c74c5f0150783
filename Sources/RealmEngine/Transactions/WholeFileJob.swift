// The one path on which a realm file is made anew from another: copy, compact, encrypt, decrypt, rekey, upgrade.
// Layer: Transactions.
// Write to a private file beside the target, sync, read it back and compare, put the backup aside, rename, sync the
// directory. Invariants: until the rename the original is untouched; after it the new file is complete. A signal ends
// the process before the first change of a name or after the last one, never between.

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// One whole-file job, ready to run.
package struct WholeFileJob {
  package enum Target: Sendable {
    /// The source itself is replaced; nobody else may have it open. `backupLabel`: what the original's new name says.
    case inPlace(backupLabel: String?)
    /// Another path. `replacing` false: it must not exist.
    case newFile(FilePath, replacing: Bool)
  }

  /// What is happening, for progress displays.
  package enum Stage: Sendable, Hashable {
    case writing, syncing, verifying
  }

  /// Told the bytes that are done and about how many there will be; throws to stop.
  package typealias Progress = (Stage, Int, Int) throws(EngineError) -> Void

  package struct Report: Sendable {
    package let sizeBefore: Int
    package let sizeAfter: Int
    package let objectCount: Int
    package let nodeCount: Int
    package let writingMilliseconds: Int
    package let syncingMilliseconds: Int
    package let verifyingMilliseconds: Int
    /// Where the original is now, if it was kept.
    package let backup: FilePath?
  }

  package let source: FilePath
  package let key: EncryptionKey?
  package let newKey: EncryptionKey?
  package let target: Target
  package let history: HistoryTreatment
  /// The result has the current file format, whatever the source has.
  package let isUpgrade: Bool
  package let lockTimeoutMilliseconds: Int

  /// A realm that another process keeps changing is copied again, up to so many times.
  private static let attemptsMax = 10

  package init(
    source: FilePath, key: EncryptionKey?, newKey: EncryptionKey?, target: Target, history: HistoryTreatment,
    isUpgrade: Bool = false, lockTimeoutMilliseconds: Int = 0
  ) {
    self.source = source
    self.key = key
    self.newKey = newKey
    self.target = target
    self.history = history
    self.isUpgrade = isUpgrade
    self.lockTimeoutMilliseconds = lockTimeoutMilliseconds
  }

  /// Runs the job. After it has succeeded, signals that end the process are held back, so that what was done is also
  /// reported as done; the next job, or `EndSignals.release()`, lets them through.
  package func run(
    progress: @escaping Progress = { _, _, _ in }
  ) throws(EngineError) -> Report {
    EndSignals.release()
    guard let realSource = source.resolved else {
      throw FileHandle.failure("cannot open", source, code: ENOENT)
    }
    guard realSource.status?.isRegular ?? false else {
      throw EngineError(.notARealm, "\(source.displayName) is not a file")
    }
    let place = try self.place(realSource)
    let locks = try self.locks(realSource, place)
    defer { withExtendedLifetime(locks) {} }
    for _ in 1..<Self.attemptsMax {
      do throws(EngineError) {
        return try attempt(realSource, place, progress)
      } catch {
        guard error.kind == .changedWhileRead else { throw error }
      }
    }
    return try attempt(realSource, place, progress)
  }

  /// The size of the file that the job would write. Takes no lock. Cost: reads the whole source.
  package func measure(progress: @escaping Progress = { _, _, _ in }) throws(EngineError) -> Int {
    let database = try Database.open(source, key: key)
    let usedSize = try database.transaction.spaceUse()?.used ?? 0
    let size = try CompactCopy.measure(database.transaction, key: newKey, history: history) {
      done throws(EngineError) in try progress(.writing, done, usedSize)
    }
    guard !database.hasChanged else { throw changed }
    return size
  }

  private func attempt(
    _ realSource: FilePath, _ place: FilePath, _ progress: @escaping Progress
  ) throws(EngineError) -> Report {
    let database = try Database.open(realSource, key: key)
    let usedSize = try database.transaction.spaceUse()?.used ?? 0
    try checkSpace(usedSize, at: place.directory)
    let replacement = try SafeReplacement(target: place, like: place.status ?? realSource.status)
    do throws(EngineError) {
      let report = try write(database, usedSize, to: replacement, progress)
      guard !database.hasChanged else { throw changed }
      return try replace(realSource, replacement, report)
    } catch {
      replacement.discard()
      EndSignals.release()
      // What a writer leaves while it is at work looks like damage.
      throw error.kind == .damaged && database.hasChanged ? changed : error
    }
  }

  private var changed: EngineError {
    EngineError(
      .changedWhileRead, "\(source.displayName) was changed by another process while it was copied",
      hint: "try again when less is written to it")
  }

  /// Changes the names.
  private func replace(
    _ realSource: FilePath, _ replacement: SafeReplacement, _ report: Report
  ) throws(EngineError) -> Report {
    EndSignals.hold()
    var backup: OriginalBackup?
    if case .inPlace(let label?) = target { backup = try OriginalBackup(of: realSource, label: label) }
    try replacement.commit(replacing: replaces)
    backup?.keep()
    return report.with(backup: backup?.path)
  }

  private var replaces: Bool {
    switch target {
    case .inPlace: true
    case .newFile(_, let replacing): replacing
    }
  }

  /// Where the new file will stand, links followed.
  private func place(_ realSource: FilePath) throws(EngineError) -> FilePath {
    guard case .newFile(let path, let replacing) = target else { return realSource }
    guard let existing = path.status else { return path }
    if let original = realSource.status, existing.inode == original.inode, existing.device == original.device
    {
      throw EngineError(.alreadyExists, "source and target are the same file: \(path.displayName)")
    }
    guard existing.isRegular else {
      throw EngineError(.alreadyExists, "\(path.displayName) exists and is not a file")
    }
    guard replacing else {
      throw EngineError(
        .alreadyExists, "\(path.displayName) exists already",
        hint: "choose another name, or replace it with --force")
    }
    return path.resolved ?? path
  }

  /// Nobody may have a file open that is replaced, under whichever of its names.
  private func locks(_ realSource: FilePath, _ place: FilePath) throws(EngineError) -> [FileLock] {
    let given: FilePath
    switch target {
    case .inPlace: given = source
    case .newFile(let path, _):
      guard place.status != nil else { return [] }
      given = path
    }
    var locks = [try FileLock.acquire(place, timeoutMilliseconds: lockTimeoutMilliseconds)]
    if given.statusOfLink?.isLink ?? false {
      locks.append(try FileLock.acquire(given, timeoutMilliseconds: lockTimeoutMilliseconds))
    }
    return locks
  }

  private func checkSpace(_ usedSize: Int, at directory: FilePath) throws(EngineError) {
    let needed =
      newKey == nil ? usedSize : usedSize + usedSize / PageGeometry.pagesPerBlock + 2 * PageGeometry.pageSize
    guard let free = FileHandle.freeSpace(at: directory), free < needed else { return }
    throw EngineError(
      .diskFull,
      "not enough space in \(directory.displayName): about \(needed) bytes are needed, \(free) are free")
  }

  private func write(
    _ database: Database, _ usedSize: Int, to replacement: SafeReplacement, _ progress: @escaping Progress
  ) throws(EngineError) -> Report {
    let start = SystemClock.milliseconds
    let original = isUpgrade ? try database.upgraded() : database.transaction
    let output = try SequentialOutput(replacement.handle, key: newKey)
    let result = try CompactCopy.write(original, history: history, to: output) { done throws(EngineError) in
      try progress(.writing, done, usedSize)
    }
    let written = SystemClock.milliseconds
    try progress(.syncing, usedSize, usedSize)
    try replacement.handle.synchronize()
    let synced = SystemClock.milliseconds
    let copy = try Database(try RealmFile.open(replacement.handle, key: newKey))
    try Self.compareCounts(original, copy.transaction)
    let digest = try CompactCopy.digest(of: copy.transaction, history: .keep) { done throws(EngineError) in
      try progress(.verifying, done, usedSize)
    }
    guard digest == result.digest else {
      throw EngineError(
        .other, "the copy does not read back as it was written",
        hint: "the disk or memory may be failing; nothing was replaced")
    }
    return Report(
      sizeBefore: database.file.fileSize, sizeAfter: copy.file.fileSize,
      objectCount: copy.transaction.classes().reduce(0) { $0 + $1.count }, nodeCount: digest.nodeCount,
      writingMilliseconds: written - start, syncingMilliseconds: synced - written,
      verifyingMilliseconds: SystemClock.milliseconds - synced, backup: nil)
  }

  private static func compareCounts(
    _ original: ReadTransaction, _ copy: ReadTransaction
  ) throws(EngineError) {
    let before = original.classes(allTables: true)
    let after = copy.classes(allTables: true)
    guard before.count == after.count,
      zip(before, after).allSatisfy({ $0.schema.tableName == $1.schema.tableName && $0.count == $1.count })
    else { throw EngineError(.other, "the copy does not hold the classes and counts of the original") }
  }
}

extension WholeFileJob.Report {
  fileprivate func with(backup: FilePath?) -> Self {
    Self(
      sizeBefore: sizeBefore, sizeAfter: sizeAfter, objectCount: objectCount, nodeCount: nodeCount,
      writingMilliseconds: writingMilliseconds, syncingMilliseconds: syncingMilliseconds,
      verifyingMilliseconds: verifyingMilliseconds, backup: backup)
  }
}
