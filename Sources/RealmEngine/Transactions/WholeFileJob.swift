// The one path on which a realm file is made anew from another: copy, compact, encrypt, decrypt, rekey.
// Layer: Transactions.
// Write to a private file beside the target, sync, read it back and compare, put the backup aside, rename, sync the
// directory. Invariant: until the rename the original is untouched; after it the new file is complete.

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// One whole-file job, ready to run.
package struct WholeFileJob {
  package enum Target: Sendable {
    /// The source itself is replaced; nobody else may have it open. `backup`: where the original goes.
    case inPlace(backup: FilePath?)
    /// Another path. `replacing` false: it must not exist.
    case newFile(FilePath, replacing: Bool)
  }

  /// What is happening, for progress displays.
  package enum Stage: Sendable, Hashable {
    case writing, verifying
  }

  package struct Report: Sendable {
    package let sizeBefore: Int
    package let sizeAfter: Int
    package let objectCount: Int
    package let nodeCount: Int
    package let writingMilliseconds: Int
    package let syncingMilliseconds: Int
    package let verifyingMilliseconds: Int
  }

  package let source: FilePath
  package let key: EncryptionKey?
  package let newKey: EncryptionKey?
  package let target: Target
  package let history: HistoryTreatment
  package let lockTimeoutMilliseconds: Int

  package init(
    source: FilePath, key: EncryptionKey?, newKey: EncryptionKey?, target: Target, history: HistoryTreatment,
    lockTimeoutMilliseconds: Int = 0
  ) {
    self.source = source
    self.key = key
    self.newKey = newKey
    self.target = target
    self.history = history
    self.lockTimeoutMilliseconds = lockTimeoutMilliseconds
  }

  /// Runs the job. `progress` is told the bytes done and the bytes there will be at most; it throws to stop.
  package func run(
    progress: @escaping (Stage, Int, Int) throws(EngineError) -> Void = { _, _, _ in }
  ) throws(EngineError) -> Report {
    guard let realSource = source.resolved else {
      throw FileHandle.failure("cannot open", source, code: ENOENT)
    }
    let lock: FileLock? =
      switch target {
      case .inPlace: try FileLock.acquire(realSource, timeoutMilliseconds: lockTimeoutMilliseconds)
      case .newFile: nil
      }
    defer { withExtendedLifetime(lock) {} }
    let database = try Database.open(realSource, key: key)
    let place = try self.place(realSource)
    let dataSize = database.transaction.top?.logicalSize ?? 0
    try checkSpace(dataSize, at: place.directory)
    let replacement = try SafeReplacement(target: place, like: realSource.status)
    do throws(EngineError) {
      let report = try write(database, dataSize: dataSize, to: replacement, progress: progress)
      guard !database.hasChanged else {
        throw EngineError(
          .changedWhileRead, "\(source.displayName) was changed by another process while it was copied")
      }
      if case .inPlace(let backup?) = target { try keepBackup(of: realSource, as: backup) }
      try replacement.commit(replacing: replaces)
      return report
    } catch {
      replacement.discard()
      throw error
    }
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
    guard replacing else {
      throw EngineError(
        .alreadyExists, "\(path.displayName) exists already",
        hint: "choose another name, or replace it with --force")
    }
    guard existing.isRegular else {
      throw EngineError(.alreadyExists, "\(path.displayName) exists and is not a file")
    }
    let original = realSource.status
    guard existing.inode != original?.inode || existing.device != original?.device else {
      throw EngineError(.alreadyExists, "source and target are the same file: \(path.displayName)")
    }
    return path.resolved ?? path
  }

  private func checkSpace(_ dataSize: Int, at directory: FilePath) throws(EngineError) {
    let needed =
      newKey == nil ? dataSize : dataSize + dataSize / PageGeometry.pagesPerBlock + 2 * PageGeometry.pageSize
    guard let free = FileHandle.freeSpace(at: directory), free < needed else { return }
    throw EngineError(
      .diskFull,
      "not enough space in \(directory.displayName): \(needed) bytes may be needed, \(free) are free")
  }

  private func write(
    _ database: Database, dataSize: Int, to replacement: SafeReplacement,
    progress: @escaping (Stage, Int, Int) throws(EngineError) -> Void
  ) throws(EngineError) -> Report {
    let start = SystemClock.milliseconds
    let output = try SequentialOutput(replacement.handle, key: newKey) { done throws(EngineError) in
      try progress(.writing, done, dataSize)
    }
    let result = try CompactCopy.write(database.transaction, history: history, to: output)
    let written = SystemClock.milliseconds
    try replacement.handle.synchronize()
    let synced = SystemClock.milliseconds
    try progress(.verifying, 0, dataSize)
    let copy = try Database(try RealmFile.open(replacement.handle, key: newKey))
    try Self.compareCounts(database.transaction, copy.transaction)
    let digest = try CompactCopy.digest(of: copy.transaction, history: .keep)
    guard digest == result.digest else {
      throw EngineError(
        .other, "the copy does not read back as it was written",
        hint: "the disk or memory may be failing; nothing was replaced")
    }
    return Report(
      sizeBefore: database.file.fileSize, sizeAfter: copy.file.fileSize,
      objectCount: copy.transaction.classes().reduce(0) { $0 + $1.count }, nodeCount: digest.nodeCount,
      writingMilliseconds: written - start, syncingMilliseconds: synced - written,
      verifyingMilliseconds: SystemClock.milliseconds - synced)
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

  /// Gives the original a second name, so that the rename does not lose it.
  private func keepBackup(of original: FilePath, as backup: FilePath) throws(EngineError) {
    guard original.link(to: backup) else { throw FileHandle.failure("cannot make the backup", backup) }
    try FileHandle.synchronizeDirectory(backup.directory)
  }
}
