// The one path on which a realm file is made anew from another: copy, compact, encrypt, decrypt, rekey, upgrade, migrate.
// Layer: Jobs.
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
    /// Nowhere: the file is written, checked and thrown away.
    case rehearsal
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
    package fileprivate(set) var backup: FilePath?
    /// How many places of the source are damaged, and the first of them in words.
    package fileprivate(set) var damageCount = 0
    package fileprivate(set) var damage: [String] = []
    /// What went wrong when the file was in its place already, so that it is no error.
    package fileprivate(set) var remarks: [String] = []
  }

  package let source: FilePath
  package let key: EncryptionKey?
  package let newKey: EncryptionKey?
  package let target: Target
  package let history: HistoryTreatment
  /// The result has the current file format, whatever the source has.
  package let isUpgrade: Bool
  package let lockTimeoutMilliseconds: Int
  package let content: Content
  /// Damage is told instead of refused. What was damaged in place is kept as a backup.
  package let salvages: Bool
  /// What the job was decided on: it runs on no other version. Nil: on whichever there is.
  package let version: SnapshotIdentity?
  /// A version of the source that was found sound already: it is not inspected once more.
  package var soundVersion: SnapshotIdentity?
  /// Held already by who made the job.
  var heldPlace: FilePlace?
  /// Called when the new file is complete and before anything but a backup gets a name, with signals held back; throws to stop.
  package let beforeReplacing: () throws(EngineError) -> Void
  /// Called where the file is not replaced after `beforeReplacing` was called, before signals come through.
  package let undoingThat: () -> Void

  /// What is written. The calls may be made again where the file changed.
  package enum Content {
    /// All that is in use, anew.
    case same
    /// What the call makes of what was read, anew.
    case changed((Database) throws(EngineError) -> ReadTransaction)
    /// All that is in use in another file with the same key, anew.
    case other(FilePath)
    /// The file as it lies, encrypted as it is, and one transaction more.
    case edited((WriteTransaction) throws(EngineError) -> Void)
  }

  package init(
    source: FilePath, key: EncryptionKey?, newKey: EncryptionKey?, target: Target, history: HistoryTreatment,
    isUpgrade: Bool = false, lockTimeoutMilliseconds: Int = 0, salvages: Bool = false,
    content: Content = .same, version: SnapshotIdentity? = nil,
    beforeReplacing: @escaping () throws(EngineError) -> Void = {}, undoingThat: @escaping () -> Void = {}
  ) {
    self.source = source
    self.key = key
    self.newKey = newKey
    self.target = target
    self.history = history
    self.isUpgrade = isUpgrade
    self.lockTimeoutMilliseconds = lockTimeoutMilliseconds
    self.salvages = salvages
    self.content = content
    self.version = version
    self.beforeReplacing = beforeReplacing
    self.undoingThat = undoingThat
  }

  /// Runs the job. After it has succeeded, signals that end the process are held back, so that what was done is also
  /// reported as done; the next job, or `EndSignals.release()`, lets them through.
  package func run(
    progress: @escaping Progress = { _, _, _ in }
  ) throws(EngineError) -> Report {
    EndSignals.release()
    guard let realSource = try source.resolved else {
      throw FileHandle.failure("cannot open", source, code: ENOENT)
    }
    try realSource.requireFile()
    let place = try self.place(realSource)
    defer { withExtendedLifetime(place) {} }
    let report = try LiveReading.repeatedly { number throws(EngineError) in
      try attempt(number, realSource, place, progress)
    }
    if let report { return report }
    throw LiveReading.changed(source)
  }

  /// What a job would write.
  package struct Measurement: Sendable {
    /// Bytes of the file.
    package let size: Int
    /// Of all classes.
    package let objectCount: Int
    /// The version that was measured, where it is sound.
    package let soundVersion: SnapshotIdentity?
  }

  /// Measures the file that the job would write, if it would. Takes no lock. Cost: reads the whole source twice.
  package func measure(progress: @escaping Progress = { _, _, _ in }) throws(EngineError) -> Measurement {
    if case .inPlace = target { try Self.requireReplaceable(try source.resolved ?? source) }
    return try LiveReading.read(source, key: key) { database throws(EngineError) in
      let usedSize = try database.transaction.spaceUse()?.used ?? 0
      let (measured, damage) = try inspecting(database) { inspection throws(EngineError) in
        var original = database.transaction
        if case .changed(let change) = content { original = try change(database) }
        inspection?.begin()
        let size = try CompactCopy.measure(original, key: newKey, history: history) {
          done throws(EngineError) in try progress(.writing, done, usedSize)
        }
        return (size: size, objectCount: original.objectCount)
      }
      return Measurement(
        size: measured.size, objectCount: measured.objectCount,
        soundVersion: damage == .none ? database.version : nil)
    }
  }

  /// Nil: another process changed the source meanwhile; nothing is left of the attempt.
  private func attempt(
    _ number: Int, _ realSource: FilePath, _ place: FilePlace, _ progress: @escaping Progress
  ) throws(EngineError) -> Report? {
    // A file that was replaced may need another key.
    if let version, !version.isOfFile(try realSource.status) { throw Self.outdated(source) }
    guard let live = try LiveReading.open(realSource, key: key, attempt: number) else { return nil }
    var replacement: SafeReplacement?
    do throws(EngineError) {
      let report = try LiveReading.unlessChanged(live) { () throws(EngineError) in
        let database = try decided(on: live)
        let usedSize = try database.transaction.spaceUse()?.used ?? 0
        try checkSpace(usedSize, at: place.path.directory)
        var original = try place.path.status
        if original == nil { original = try realSource.status }
        // A part of what was encrypted is for its user alone.
        if isChanged, key != nil, newKey == nil { original = nil }
        let made = try self.replacement(place, like: original)
        replacement = made
        return try write(database, realSource, usedSize, to: made, progress)
      }
      if let report, let replacement { return try replace(realSource, place, replacement, report) }
      replacement?.discard()
      return nil
    } catch {
      replacement?.discard()
      EndSignals.release()
      throw error
    }
  }

  /// Beside the target; a rehearsal in a directory that takes no files writes where temporary files belong.
  private func replacement(
    _ place: FilePlace, like original: FileHandle.Status?
  ) throws(EngineError) -> SafeReplacement {
    do throws(EngineError) {
      return try SafeReplacement(target: place.path, like: original)
    } catch {
      guard case .rehearsal = target, error.kind == .permission else { throw error }
      return try SafeReplacement(
        target: FilePath.temporaryDirectory.child(place.path.lastComponent), like: nil)
    }
  }

  /// Changes the names.
  private func replace(
    _ realSource: FilePath, _ place: FilePlace, _ replacement: SafeReplacement, _ report: Report
  ) throws(EngineError) -> Report {
    if case .rehearsal = target {
      replacement.discard()
      return report
    }
    let names = place.isTaken ? try place.path.status?.linkCount ?? 1 : 1
    EndSignals.hold()
    // First, because it may let signals through again.
    var backup: OriginalBackup?
    if let backupLabel = backupLabel(report) {
      backup = try OriginalBackup(of: realSource, label: backupLabel)
    }
    do throws(EngineError) {
      try beforeReplacing()
      var remarks = try replacement.commit(replacing: place.isTaken)
      EndSignals.noteFinished()
      if names > 1 {
        remarks.append("\(place.path.displayName) had another name too, under which the file is as it was")
      }
      backup?.keep()
      return report.with(backup: backup?.path, remarks)
    } catch {
      undoingThat()
      throw error
    }
  }

  private func backupLabel(_ report: Report) -> String? {
    guard case .inPlace(let label) = target else { return nil }
    return label ?? (report.damageCount > 0 ? Self.damagedLabel : nil)
  }

  private static let damagedLabel = "damaged"

  /// Where the new file will stand. Nobody may have a file open that is replaced, under whichever of its names.
  private func place(_ realSource: FilePath) throws(EngineError) -> FilePlace {
    if let heldPlace { return heldPlace }
    switch target {
    case .rehearsal: return FilePlace(rehearsalAt: realSource)
    case .inPlace:
      try Self.requireReplaceable(realSource)
      return try FilePlace.hold(realSource, given: source, timeoutMilliseconds: lockTimeoutMilliseconds)
    case .newFile(let path, let replacing):
      guard !(try realSource.status?.isSameFile(as: path.status) ?? false) else {
        throw EngineError(
          .alreadyExists, "source and target are the same file: \(path.displayName)", naming: path.displayName
        )
      }
      return try FilePlace.hold(path, replacing: replacing, timeoutMilliseconds: lockTimeoutMilliseconds)
    }
  }

  /// Who may not write a file may not replace it either.
  private static func requireReplaceable(_ realSource: FilePath) throws(EngineError) {
    _ = try DiskBacking.open(realSource)
    try realSource.requireRenamable()
  }

  /// The realm as it is behind the lock; throws `.outdated` where it is not the one that the job was decided on.
  private func decided(on live: LiveFile) throws(EngineError) -> Database {
    let database = try Database(live)
    guard version.map({ $0 == database.version }) ?? true else { throw Self.outdated(source) }
    return database
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
    _ database: Database, _ realSource: FilePath, _ usedSize: Int, to replacement: SafeReplacement,
    _ progress: @escaping Progress
  ) throws(EngineError) -> Report {
    if case .other(let path) = content {
      let other = try Database.open(path, key: key)
      let copy = VerifiedCopy(key: newKey, history: history, usedSize: usedSize, originalFile: other.file)
      let (report, damage) = try inspecting(other) { inspection throws(EngineError) in
        inspection?.begin()
        return try copy.write(other.transaction, size: database.file.fileSize, to: replacement, progress)
      }
      guard !other.hasChanged else { throw LiveReading.changed(path) }
      return report.with(damage)
    }
    let (report, damage) = try inspecting(database) { inspection throws(EngineError) in
      try writeSource(database, realSource, usedSize, to: replacement, inspection, progress)
    }
    return report.with(damage)
  }

  private var isChanged: Bool { if case .changed = content { true } else { false } }

  /// Copies what is in a realm beside a look for damage, which `copy` begins, unless the version is known to be sound. Throws
  /// `.damaged` where anything is, unless the job salvages.
  private func inspecting<Result>(
    _ database: Database, _ copy: (SourceInspection?) throws(EngineError) -> Result
  ) throws(EngineError) -> (result: Result, damage: SourceInspection.Damage) {
    if let soundVersion, soundVersion == database.version { return (try copy(nil), .none) }
    let workers = ParallelWork.workerCount
    // What writes the most is done on one thread, where there is something left to look at: it has a processor for itself.
    let inspection = SourceInspection(database.file, workers: isChanged ? max(1, workers - 1) : workers)
    defer { inspection.finish() }
    let result: Result
    do throws(EngineError) {
      result = try copy(inspection)
    } catch {
      // What is damaged stops a copy at one of its places, or is no value that can be written.
      if [.damaged, .constraint, .other].contains(error.kind), !salvages { try inspection.refuseDamage() }
      throw error
    }
    if !salvages { try inspection.refuseDamage() }
    return (result, try inspection.found())
  }

  private func writeSource(
    _ database: Database, _ realSource: FilePath, _ usedSize: Int, to replacement: SafeReplacement,
    _ inspection: SourceInspection?, _ progress: @escaping Progress
  ) throws(EngineError) -> Report {
    // Changes are made on all threads, writing on one.
    if !isChanged { inspection?.begin() }
    let original: ReadTransaction
    switch content {
    case .same, .other: original = isUpgrade ? try database.upgraded() : database.transaction
    case .changed(let change):
      original = try change(database)
      inspection?.begin()
    case .edited(let edit):
      let copy = EditedCopy(source: realSource, key: key, edit: edit)
      return try copy.write(to: replacement, usedSize: usedSize, progress)
    }
    let copy = VerifiedCopy(key: newKey, history: history, usedSize: usedSize, originalFile: database.file)
    return try copy.write(original, size: database.file.fileSize, to: replacement, progress)
  }
}

extension WholeFileJob.Report {
  /// Adds what came of putting the file in its place.
  func with(backup: FilePath? = nil, _ remarks: [String]) -> Self {
    var report = self
    report.backup = backup
    report.remarks = remarks
    return report
  }

  fileprivate func with(_ damage: SourceInspection.Damage) -> Self {
    var report = self
    report.damageCount = damage.count
    report.damage = damage.places
    return report
  }
}
