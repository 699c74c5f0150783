// The realm of a session: read as it is at each statement, changed in one transaction at a time.
// Layer: RealmSession, Realm. Invariant: the lock of a file is held only while a transaction is open, so that
// other programs can go on between statements.

package import RealmEngine

/// What a session may do to the file before it can change objects.
package struct WritePolicy: Sendable {
  var lockTimeoutMilliseconds: Int
  /// `--upgrade`: an older file format becomes the current one; a backup is kept.
  var upgrades: Bool
  /// `--detach`: a synced realm becomes a local one; a backup is kept.
  var detaches: Bool
  /// `--dry-run`: nothing is ever committed.
  var isDryRun: Bool

  package init(
    lockTimeoutMilliseconds: Int = 0, upgrades: Bool = false, detaches: Bool = false, isDryRun: Bool = false
  ) {
    self.lockTimeoutMilliseconds = lockTimeoutMilliseconds
    self.upgrades = upgrades
    self.detaches = detaches
    self.isDryRun = isDryRun
  }
}

/// A realm that is open.
package final class SessionRealm {
  private enum Place {
    case file(SnapshotSource)
    case memory(WritableDatabase)
  }

  private let place: Place
  private let host: any SessionHost
  /// Nil where nothing may be changed.
  private let policy: WritePolicy?
  /// Holds the lock while a transaction is open.
  private var writer: WritableDatabase?
  /// The open transaction.
  package private(set) var transaction: WriteTransaction?

  /// The realm of a file. `policy` nil: only for reading.
  package init(_ source: SnapshotSource, policy: WritePolicy?, _ host: any SessionHost) {
    // Somebody at a prompt may wait for hours before he reads.
    source.rest()
    place = .file(source)
    self.policy = policy
    self.host = host
  }

  /// An empty realm that is gone afterwards.
  package init(inMemory policy: WritePolicy, _ host: any SessionHost) throws(EngineError) {
    place = .memory(try WritableDatabase.inMemory())
    self.policy = policy
    self.host = host
  }

  package static let memoryName = ":memory:"

  package var isWritable: Bool { policy != nil }
  package var isInMemory: Bool { if case .memory = place { true } else { false } }
  package var isInTransaction: Bool { transaction != nil }
  package var isDryRun: Bool { policy?.isDryRun ?? false }

  /// What messages call it.
  package var path: FilePath {
    switch place {
    case .file(let source): source.path
    case .memory: FilePath(Self.memoryName)
    }
  }

  // MARK: Reading

  /// Runs `body` on the realm as it is now, changes of the open transaction included. Outside of one `body` runs
  /// again where another program changed the file meanwhile.
  package func read<Output: RetractableOutput & ~Copyable, Result>(
    to out: inout Output, _ body: (ReadTransaction, inout Output) throws -> Result
  ) throws -> Result {
    if let transaction { return try body(try transaction.view(), &out) }
    switch place {
    case .file(let source):
      return try source.read(to: &out) { database, out in try body(database.transaction, &out) }
    case .memory(let database):
      return try body(database.database.transaction, &out)
    }
  }

  /// The same for what prints nothing.
  package func read<Result>(_ body: (ReadTransaction) throws -> Result) throws -> Result {
    var nothing = NoOutput()
    return try read(to: &nothing) { realm, _ in try body(realm) }
  }

  // MARK: Transactions

  /// Takes the lock and begins a transaction. Throws in a session that only reads, and where one is open.
  package func begin() throws {
    guard let policy else {
      throw SessionError(
        .readOnly(message: "\(path.displayName) is open for reading only"), hint: "add -w to change it")
    }
    guard transaction == nil else {
      throw SessionError(
        .statement(code: "transaction", message: "a transaction is open already"),
        hint: "commit or rollback ends it")
    }
    do {
      let database = try writableDatabase(policy)
      transaction = try database.begin(upgrading: policy.upgrades)
      writer = database
    } catch {
      throw SessionError.naming(path, in: error)
    }
  }

  private func writableDatabase(_ policy: WritePolicy) throws -> WritableDatabase {
    switch place {
    case .memory(let database): return database
    case .file(let source):
      if !policy.isDryRun { try host.makeWritable(source, policy) }
      return try WritableDatabase.open(
        source.path, key: source.key, lockTimeoutMilliseconds: policy.lockTimeoutMilliseconds)
    }
  }

  /// Makes the changes of the open transaction durable, unless nothing may be, and lets the lock go.
  package func commit() throws {
    guard let transaction, let writer else { throw Self.noTransaction(hint: "begin opens one") }
    defer { end() }
    if isDryRun { return }
    do {
      try writer.commit(transaction)
      for remark in writer.remarks { host.warn(remark) }
    } catch {
      throw SessionError.naming(path, in: error)
    }
  }

  /// Forgets the changes of the open transaction and lets the lock go.
  package func rollback() throws {
    guard transaction != nil else {
      throw Self.noTransaction(hint: "begin opens one; without it every change is kept at once")
    }
    end()
  }

  private func end() {
    transaction = nil
    if !isInMemory { writer?.close() }
    writer = nil
  }

  private static func noTransaction(hint: String) -> SessionError {
    SessionError(.statement(code: "transaction", message: "no transaction is open"), hint: hint)
  }
}

extension SessionHost {
  /// Upgrades or detaches the file where that is needed and allowed. What is needed and not allowed is said by whoever
  /// begins a transaction.
  fileprivate func makeWritable(_ source: SnapshotSource, _ policy: WritePolicy) throws {
    guard policy.upgrades || policy.detaches else { return }
    try WholeFileJob.deciding { try makeWritableOnce(source, policy) }
  }

  private func makeWritableOnce(_ source: SnapshotSource, _ policy: WritePolicy) throws {
    let (top, format, version) = try LiveReading.read(source.path, key: source.key) {
      ($0.transaction.top, $0.file.format, $0.version)
    }
    guard let top else { return }
    let isUpgrade = policy.upgrades && format < FileFormat.newest
    let isDetached = policy.detaches && top.historyType.isSynced
    guard isUpgrade || isDetached else { return }
    let report = try run(
      WholeFileJob(
        source: source.path, key: source.key, newKey: source.key,
        target: .inPlace(backupLabel: isUpgrade ? "format-\(format)" : "synced"),
        history: isDetached ? .drop : .keep, isUpgrade: isUpgrade,
        lockTimeoutMilliseconds: policy.lockTimeoutMilliseconds, version: version))
    let done = isDetached ? "made local" : "upgraded from file format \(format) to \(FileFormat.newest)"
    let backup = report.backup.map { "; the original is \($0.displayName)" } ?? ""
    note("\(source.path.displayName) \(done)\(backup)")
  }
}
