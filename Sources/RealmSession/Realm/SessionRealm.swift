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
  private enum Storage {
    case file(SnapshotSource)
    case memory(WritableDatabase)
  }

  private let place: Storage
  private let host: any SessionHost
  /// Nil where nothing may be changed.
  private let policy: WritePolicy?
  /// Hold the lock while a transaction is open; the second where the file is made anew by it.
  private var writer: WritableDatabase?
  private var remade: RebuildTransaction?
  /// Where a dry run commits to, so that what follows meets what came before; nil where it commits nowhere.
  private var rehearsal: WritableDatabase?
  /// Whether several transactions follow each other.
  package var hasManyTransactions = false
  /// The open transaction.
  package private(set) var transaction: WriteTransaction?
  /// What can be undone; nil where nobody will ask for it.
  package private(set) var history: UndoHistory?

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
  /// The realm as the open transaction, or a dry run before it, has it; nil where it is as the file says.
  package func uncommitted() throws -> ReadTransaction? {
    try transaction.map { try $0.view() } ?? rehearsal?.database.transaction
  }
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
    if let seen = try uncommitted() { return try body(seen, &out) }
    switch place {
    case .file(let source):
      return try source.read(to: &out) { database, out in try body(database.transaction, &out) }
    case .memory(let database):
      return try body(database.database.transaction, &out)
    }
  }

  /// Reads without printing anything.
  package func read<Result>(_ body: (ReadTransaction) throws -> Result) throws -> Result {
    var nothing = NoOutput()
    return try read(to: &nothing) { realm, _ in try body(realm) }
  }

  // MARK: Transactions

  /// Throws in a session that only reads.
  @discardableResult
  package func requireWritable() throws -> WritePolicy {
    if let policy { return policy }
    throw SessionError(.readOnly(path), hint: "add -w to change it")
  }

  /// Takes the lock and begins a transaction. Throws in a session that only reads, and where one is open.
  package func begin() throws {
    let policy = try requireWritable()
    guard transaction == nil else {
      throw SessionError(
        .statement(code: "transaction", message: "a transaction is open already"),
        hint: "end it with commit or rollback")
    }
    do {
      // A dry run that has its copy looks at the file no more.
      if case .file(let source) = place, rehearsal == nil {
        remade = try RebuildTransaction.begin(
          source.path, key: source.key, upgrading: policy.upgrades, detaching: policy.detaches,
          lockTimeoutMilliseconds: policy.lockTimeoutMilliseconds)
      }
      if let remade {
        transaction = remade.transaction
        return
      }
      let database = try writableDatabase(policy)
      transaction = try database.begin()
      writer = database
    } catch {
      throw SessionError.naming(path, in: error)
    }
  }

  private func writableDatabase(_ policy: WritePolicy) throws -> WritableDatabase {
    switch place {
    case .memory(let database): return database
    case .file(let source):
      if let rehearsal { return rehearsal }
      let database = try WritableDatabase.open(
        source.path, key: source.key, lockTimeoutMilliseconds: policy.lockTimeoutMilliseconds)
      guard isDryRun, hasManyTransactions else { return database }
      let copy = try database.copiedInMemory()
      rehearsal = copy
      return copy
    }
  }

  /// Makes the changes of the open transaction durable, unless nothing may be, and lets the lock go.
  package func commit() throws {
    guard let transaction else { throw Self.noTransaction(hint: "use begin first") }
    let change = history == nil || isDryRun ? nil : try effect(of: transaction)
    try commit(transaction)
    if let change { history?.add(change) }
  }

  private func commit(_ transaction: WriteTransaction) throws {
    defer { end() }
    if isDryRun, rehearsal == nil { return }
    do {
      if let remade { return try host.run(remade) }
      try writer?.commit(transaction)
      for remark in writer?.remarks ?? [] { host.warn(remark) }
    } catch {
      throw SessionError.naming(path, in: error)
    }
  }

  /// Forgets the changes of the open transaction and lets the lock go.
  package func rollback() throws {
    guard transaction != nil else {
      throw Self.noTransaction(hint: "use begin first; without it every change is saved immediately")
    }
    end()
  }

  private func end() {
    transaction = nil
    if !isInMemory, rehearsal == nil { writer?.close() }
    writer = nil
    remade = nil
  }

  // MARK: Undoing

  /// Begins to keep what transactions do, so that it can be undone.
  package func keepHistory(_ known: UndoHistory? = nil) { history = history ?? known ?? UndoHistory() }

  /// What the open transaction has done so far. Costs what was changed.
  private func effect(of transaction: WriteTransaction) throws -> UndoHistory.Change {
    guard let writer else { return .fixed(reason: "it made another file of it") }
    do throws(TransactionEffect.Refusal) {
      let effect = try TransactionEffect(
        from: writer.database.transaction, read: try beginReading(writer), to: transaction)
      return .effect(effect)
    } catch {
      switch error {
      case .cannotBeUndone(let reason): return .fixed(reason: reason)
      case .engine(let error) where error.kind == .cancelled:
        end()
        throw error
      // Undoing it is not worth failing for.
      case .engine(let error): return .fixed(reason: error.message)
      }
    }
  }

  private func beginReading(
    _ writer: WritableDatabase
  ) throws(TransactionEffect.Refusal) -> WriteTransaction {
    do throws(EngineError) { return try writer.begin() } catch { throw .engine(error) }
  }

  /// Takes back the last transaction of this session that was not taken back yet, or does the last one again that was; gives
  /// what became of objects. Throws, and changes nothing, where an object that it touched has changed since.
  package func step(_ direction: UndoHistory.Direction) throws -> TransactionEffect {
    guard transaction == nil else {
      throw SessionError(
        .statement(code: "transaction", message: "a transaction is open"),
        hint: "rollback undoes its changes")
    }
    guard let effect = try history?.next(direction) else { throw UndoHistory.nothing(direction) }
    try begin()
    guard let transaction, let writer else { throw UndoHistory.nothing(direction) }
    do {
      try effect.apply(
        to: transaction, from: writer.database.transaction, read: try writer.begin())
    } catch {
      end()
      throw UndoHistory.refusal(direction, error)
    }
    try commit(transaction)
    history?.move(direction)
    return effect
  }

  private static func noTransaction(hint: String) -> SessionError {
    SessionError(.statement(code: "transaction", message: "no transaction is open"), hint: hint)
  }
}

extension SessionHost {
  /// Upgrades or detaches the file with what the transaction changed.
  fileprivate func run(_ realm: RebuildTransaction) throws {
    let report = try run(realm.job)
    let done =
      realm.isDetached
      ? "made local" : "upgraded from file format \(realm.format) to \(FileFormat.newest)"
    let backup = report.backup.map { "; the original is \($0.displayName)" } ?? ""
    note("\(realm.job.source.displayName) \(done)\(backup)")
  }
}
