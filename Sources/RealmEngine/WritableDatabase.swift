// The face of the engine for those who write: a realm file that nobody else has open, or in whose session this process is the
// one that may commit. Layer: beside all folders.
// Invariants: the lock, or the mutex of writing, is held from before the header is read until deinit; one transaction at a time.

/// A realm, open for reading and writing.
package final class WritableDatabase {
  /// The newest version. What was read through an older one must not be used after a commit.
  package private(set) var database: Database
  private let path: FilePath
  private let backing: any FileBacking
  private let key: EncryptionKey?
  /// The file beside which large transactions may keep a part of what they make.
  private let target: FilePath?
  /// What stood there when it was opened.
  private let original: FileHandle.Status?
  private var place: FilePlace?
  /// In which this process is the one that may commit; nil where nobody else has the file open.
  private var session: LiveSession?
  /// Locked beside a session where the file has several names, for those who come by another one.
  private var lockedFile: FileHandle?
  /// Whether a file that a commit has spoilt is of no use to anybody.
  private let isPrivate: Bool

  /// Of the newest version.
  private let spaceProof = SpaceProof()

  /// Whether a small file is inspected before its first change, whatever the change will touch.
  package var inspectsSmallFiles = true
  private var isClosed = false

  /// What went wrong when a commit had been made, so that it is no error of that commit.
  package private(set) var remarks: [String] = []

  private static let initialSize = 4096
  /// Formats from this one on become the current one where they lie.
  package static let upgradableFormatMin = 10
  private static let pauseMilliseconds: Int32 = 10
  /// Commits of others are waited for at least so long.
  private static let sessionPatienceMilliseconds = 5000

  /// Opens the realm at `path`, waiting up to `lockTimeoutMilliseconds` for others to close it. Throws `.busy` when they
  /// don't. Synced realms open, but begin no transaction.
  package static func open(
    _ path: FilePath, key: EncryptionKey? = nil, lockTimeoutMilliseconds: Int = 0
  ) throws(EngineError) -> WritableDatabase {
    // A missing file is an error before anything is made beside it; its size counts once nobody else can change it.
    _ = try DiskBacking.open(path)
    let resolved = try path.resolved ?? path
    let start = SystemClock.milliseconds
    while true {
      let rest = lockTimeoutMilliseconds - (SystemClock.milliseconds - start)
      do throws(EngineError) {
        let place = try FilePlace.hold(resolved, given: path, timeoutMilliseconds: 0)
        return try WritableDatabase(
          try DiskBacking.open(place.path), path: path, key: key, place: place, for: place.path)
      } catch {
        guard error.kind == .busy else { throw error }
        if let joined = try join(resolved, given: path, key: key, withinMilliseconds: rest) { return joined }
        try Interruption.check()
        guard rest > 0 else { throw explained(error, resolved, key) }
      }
      try Interruption.pause(milliseconds: pauseMilliseconds)
    }
  }

  private static func explained(
    _ error: EngineError, _ path: FilePath, _ key: EncryptionKey?
  ) -> EngineError {
    guard let obstacle = LiveSession.obstacle(path, isEncrypted: key != nil) else { return error }
    return EngineError(
      error.kind, "\(error.message) and cannot be changed beside others: \(obstacle)", naming: error.file,
      hint: error.hint)
  }

  /// Opens the realm in the session of those who have it open, as the one who may commit. Nil where that cannot be.
  private static func join(
    _ resolved: FilePath, given: FilePath, key: EncryptionKey?, withinMilliseconds rest: Int
  ) throws(EngineError) -> WritableDatabase? {
    // An engine that reads an encrypted file while another process writes pages of it may take what it reads for damage, and
    // end its app: it trusts checks that it read before (L-14).
    guard key == nil else { return nil }
    let patience = Int32(clamping: max(rest, sessionPatienceMilliseconds))
    guard let session = LiveSession.join(given, writingWithin: patience) else { return nil }
    let lockedFile: FileHandle?
    do throws(EngineError) {
      lockedFile = try FilePlace.lockedFile(resolved, timeoutMilliseconds: 0)
    } catch {
      guard error.kind == .busy else { throw error }
      return nil
    }
    let backing = try DiskBacking.open(resolved)
    try takeBackUnknownVersion(backing, session)
    let database = try WritableDatabase(
      backing, path: given, key: key, place: nil, for: resolved, session: session)
    database.lockedFile = lockedFile
    return database.isOfSession(session) ? database : nil
  }

  /// Whether the file holds the version that is the newest of the session.
  private func isOfSession(_ session: LiveSession) -> Bool {
    guard let top = database.transaction.top, database.file.header.form != .streaming else { return false }
    return UInt64(top.version) == session.kept.version && top.node.ref.offset == session.kept.top
      && top.logicalSize == session.kept.size
      && (top.historyType == .inRealm || top.historyType == .none)
      && (session.keepsHistory || top.historyType == .none)
  }

  /// Where a process ended when it had written a version and not told the session of it (L-18), the header selects that one, and
  /// its other slot has the newest that the session knows: it is selected again, because others may have begun to write
  /// over what nobody knows of.
  private static func takeBackUnknownVersion(
    _ backing: any FileBacking, _ session: LiveSession
  ) throws(EngineError) {
    let content = try backing.content()
    guard let header = FileHeader(content.bytes.slice(0, min(content.size, FileHeader.size))),
      header.form == .slots
    else { return }
    let other = 1 - header.selectedSlot
    let newest = UInt64(session.kept.top)
    guard header.topRef(slot: header.selectedSlot) != newest, header.topRef(slot: other) == newest,
      header.format(slot: other) == FileFormat.newest
    else { return }
    try Commit.select(other, header, by: try DataWriter(backing, key: nil))
  }

  /// Makes an empty realm at `path`, where nothing may be.
  package static func create(_ path: FilePath, key: EncryptionKey? = nil) throws(EngineError)
    -> WritableDatabase
  {
    let backing = try DiskBacking.create(path)
    let place = try FilePlace.hold(path, given: path, timeoutMilliseconds: 0)
    try format(backing, key: key)
    return try WritableDatabase(backing, path: path, key: key, place: place, for: place.path)
  }

  /// A realm in memory, gone with this object. `target`: the file that its content is for, beside which a part may wait.
  package static func inMemory(for target: FilePath? = nil) throws(EngineError) -> WritableDatabase {
    let backing = try MemoryBacking()
    try format(backing, key: nil)
    return try WritableDatabase(
      backing, path: FilePath(":memory:"), key: nil, place: nil, for: target, isPrivate: true)
  }

  /// A copy in memory, in which can be tried what would become of the realm. Costs its size.
  package func copiedInMemory() throws(EngineError) -> WritableDatabase {
    try WritableDatabase(
      try MemoryBacking(copying: backing), path: path, key: key, place: nil, for: target, isPrivate: true)
  }

  /// A file without a name yet, a copy of the realm at `path`: it is thrown away where a commit fails.
  static func privateCopy(
    _ handle: FileHandle, of path: FilePath, key: EncryptionKey?
  ) throws(EngineError) -> WritableDatabase {
    try WritableDatabase(
      try DiskBacking(handle), path: path, key: key, place: nil, for: path, isPrivate: true)
  }

  /// An empty realm on any backing.
  package convenience init(formatting backing: any FileBacking, key: EncryptionKey?) throws(EngineError) {
    try Self.format(backing, key: key)
    try self.init(backing, key: key)
  }

  /// The realm that a backing holds.
  package convenience init(_ backing: any FileBacking, key: EncryptionKey?) throws(EngineError) {
    try self.init(backing, path: FilePath(":memory:"), key: key, place: nil)
  }

  private init(
    _ backing: any FileBacking, path: FilePath, key: EncryptionKey?, place: FilePlace?,
    for target: FilePath? = nil, session: LiveSession? = nil, isPrivate: Bool = false
  ) throws(EngineError) {
    self.target = target
    original = try target?.status
    self.session = session
    self.isPrivate = isPrivate
    self.backing = backing
    self.path = path
    self.key = key
    self.place = place
    database = try Self.read(backing, path, key)
  }

  private static func read(
    _ backing: any FileBacking, _ path: FilePath, _ key: EncryptionKey?
  ) throws(EngineError) -> Database {
    try Database(try RealmFile(content: try backing.content(), path: path, key: key))
  }

  /// Writes a header without any version.
  private static func format(_ backing: any FileBacking, key: EncryptionKey?) throws(EngineError) {
    let writer = try DataWriter(backing, key: key)
    try writer.extend(to: initialSize)
    var page = [UInt8](repeating: 0, count: initialSize)
    page.replaceSubrange(FileHeader.magicRange, with: FileHeader.magicBytes)
    try page.withRawBytes { bytes throws(EngineError) in try writer.write(bytes, at: 0) }
    try writer.flush()
  }

  /// Lets others open the realm; no transaction can begin any more.
  package func close() {
    place = nil
    session = nil
    lockedFile = nil
    isClosed = true
  }

  // MARK: Transactions

  /// Begins a transaction on the newest version. Throws `.refused` for synced realms and `.upgradeNeeded` for older
  /// formats, unless `upgrading` asks for the upgrade as part of the transaction; formats before 10 can only be copied.
  /// `detaching` makes a synced realm a local one by the same commit: it never syncs again.
  package func begin(
    upgrading isUpgrade: Bool = false, detaching isDetached: Bool = false
  ) throws(EngineError) -> WriteTransaction {
    precondition(!isClosed, "a closed realm cannot be written")
    let file = database.file
    let base = database.transaction.top
    try checkWritable(file, base, isUpgrade: isUpgrade, isDetached: isDetached)
    if session != nil, base?.historyType.isSynced ?? false || file.format < FileFormat.newest {
      throw EngineError(.busy, of: file.path, "is in use, and becomes another kind of file alone")
    }
    if inspectsSmallFiles {
      try refuseDamage(in: file)
      inspectsSmallFiles = false
    }
    let limit = file.nodeLimit
    let scratch = key == nil ? target.map { ScratchFile(beside: $0, resultSize: limit) } : nil
    let slabs = try SlabArena(above: limit, scratch: scratch)
    // A file without a version has no format yet.
    let format = base == nil ? FileFormat.newest : file.format
    let snapshot = Snapshot(image: file.image, fileLimit: limit, format: format, slabs: slabs)
    let store = NodeStore(snapshot, slabs: slabs)
    let transaction = WriteTransaction(
      group: try GroupEditor(top: base, in: store), base: base, snapshot: snapshot)
    if base?.historyType.isSynced ?? false { try transaction.detach() }
    if base != nil, file.format < FileFormat.newest { try transaction.upgrade(from: file.format) }
    return transaction
  }

  private func checkWritable(
    _ file: RealmFile, _ base: GroupTop?, isUpgrade: Bool, isDetached: Bool
  ) throws(EngineError) {
    guard let base else { return }
    switch base.historyType {
    case .none, .inRealm: break
    case .syncClient, .syncServer:
      guard !isDetached else { break }
      throw EngineError(
        .refused, of: file.path, "is a synced realm: changes made here would never be synced",
        hint: "make a local copy with `copy --local` and change that, or add --detach; a backup is kept")
    case .outOfRealm, .unknown:
      throw EngineError(
        .refused, of: file.path, "has a history that cannot be kept: \(base.historyType.name)")
    }
    guard file.format == FileFormat.newest || isUpgrade && file.format >= Self.upgradableFormatMin else {
      throw EngineError(
        .upgradeNeeded, of: file.path, "has file format \(file.format) and must be upgraded first",
        hint: "use `upgrade`, or --upgrade with a writing command; a backup is kept")
    }
  }

  /// Makes a transaction's changes durable. One without changes writes nothing; one that fails puts every byte of the file
  /// back. Signals that end the process wait until it is over; after it has succeeded they wait on, so that what was done is also
  /// reported as done, until the next lock or `EndSignals.release()` lets them through.
  package func commit(_ transaction: WriteTransaction) throws(EngineError) {
    try transaction.checkSound()
    precondition(
      transaction.base?.version == database.transaction.top?.version, "one transaction follows the other")
    defer { transaction.finish() }
    guard transaction.isChanged else { return }
    if isPrivate {
      database = try write(transaction, to: backing)
      return
    }
    let isShared = place != nil || session != nil
    if isShared, let target {
      try requirePlace(at: target)
      try OriginalBackup.separate(from: target)
    }
    do throws(EngineError) {
      if let session {
        // The others may let us wait for these, and nothing is written yet.
        let terms = try self.terms(of: transaction, in: session)
        EndSignals.hold(butInterrupts: true)
        database = try write(transaction, in: session, terms)
      } else {
        if isShared { EndSignals.hold(butInterrupts: true) }
        database = try writeOrUndo(transaction) { backing throws(EngineError) in
          try write(transaction, to: backing)
        }
      }
      // What is done now is also reported as done.
      if isShared {
        EndSignals.hold()
        EndSignals.noteFinished()
      }
    } catch {
      if isShared { EndSignals.release() }
      throw error
    }
  }

  /// What would be written to a file without its name is lost.
  private func requirePlace(at target: FilePath) throws(EngineError) {
    guard let original, !original.isSameFile(as: try target.status) else { return }
    throw EngineError(
      .outdated, of: path, "was removed or replaced since the transaction began, so nothing was saved",
      hint: "do it again on the file that is there now")
  }

  /// They hold until the commit: who joins meanwhile reads the newest version, and nobody else may commit.
  private func terms(
    of transaction: WriteTransaction, in session: LiveSession
  ) throws(EngineError) -> CommitConstraints {
    let changeset =
      session.keepsHistory
      ? try Changeset.bytes(from: database.transaction, to: try transaction.view(), path: path) : nil
    return CommitConstraints(readers: try session.survey(path), changeset: changeset)
  }

  /// Commits beside others, who keep what they read and are told what was changed.
  private func write(
    _ transaction: WriteTransaction, in session: LiveSession, _ terms: CommitConstraints
  ) throws(EngineError) -> Database {
    try session.alone(path) { () throws(EngineError) in
      try writeOrUndo(transaction) { backing throws(EngineError) in
        let written = try write(transaction, to: backing, terms: terms)
        guard let top = written.transaction.top else { return written }
        try session.publish(
          KeptVersion(version: UInt64(top.version), top: top.node.ref.offset, size: top.logicalSize),
          terms.readers, path)
        return written
      }
    }
  }

  private func writeOrUndo(
    _ transaction: WriteTransaction, _ write: (any FileBacking) throws(EngineError) -> Database
  ) throws(EngineError) -> Database {
    let undoable = UndoableBacking(backing, neverShrinks: session != nil)
    do throws(EngineError) {
      let written = try write(undoable)
      guard undoable.keep() else { return written }
      // A mapping of bytes that are gone must not be read.
      return (try? Self.read(backing, path, key)) ?? written
    } catch {
      do throws(EngineError) {
        try undoable.undo()
      } catch let undoError {
        // The disk does not even take back what was there. What counts is which version the header selects.
        guard let selected = selected(transaction) else { throw error }
        remarks.append("the changes are made, but may be lost in a power cut: \(undoError.message)")
        return selected
      }
      throw error
    }
  }

  /// The transaction's version, where the file says that it is the newest.
  private func selected(_ transaction: WriteTransaction) -> Database? {
    guard let database = try? Self.read(backing, path, key) else { return nil }
    return database.transaction.top?.version == transaction.base?.version ? nil : database
  }

  /// Writes the new version and reads it back.
  private func write(
    _ transaction: WriteTransaction, to backing: any FileBacking, terms: CommitConstraints? = nil
  ) throws(EngineError) -> Database {
    let writer = try DataWriter(backing, key: key)
    try Commit(
      transaction.group, base: transaction.base, header: database.file.header, writer: writer,
      proof: spaceProof, session: terms
    ).run(isUpgrade: transaction.isUpgrade)
    let written = try Self.read(backing, path, key)
    if EnvironmentSwitch.verifiesCommits { try verifyWholeFile(written.file, madeOf: database.file) }
    return written
  }
}
