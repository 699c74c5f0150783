// The realm of a session: read as it is at each statement, changed in one transaction at a time.
// Layer: RealmCommands, Statements. Invariant: the lock of a file is held only while a transaction is open, so that
// other programs can go on between statements.

import Arguments
import RealmEngine
import Rendering

/// What a session may do to the file before it can change objects.
struct WritePolicy: Sendable {
  var lockTimeoutMilliseconds = 0
  /// `--upgrade`: an older file format becomes the current one; a backup is kept.
  var upgrades = false
  /// `--detach`: a synced realm becomes a local one; a backup is kept.
  var detaches = false
  /// `--dry-run`: nothing is ever committed.
  var isDryRun = false
}

/// A realm that is open.
final class SessionRealm {
  private enum Place {
    case file(SnapshotSource)
    case memory(WritableDatabase)
  }

  private let place: Place
  private let invocation: Invocation
  /// Nil where nothing may be changed.
  private let policy: WritePolicy?
  /// Holds the lock while a transaction is open.
  private var writer: WritableDatabase?
  /// The open transaction.
  private(set) var transaction: WriteTransaction?

  /// Opens the realm at `word`: a file, `-` for standard input, or `:memory:`. `policy` nil: only for reading.
  init(_ word: Word, policy: WritePolicy?, _ invocation: Invocation) throws {
    self.invocation = invocation
    if word.text == Self.memoryName {
      place = .memory(try WritableDatabase.inMemory())
      self.policy = policy ?? WritePolicy()
    } else {
      guard policy == nil || !word.isDash else {
        throw Diagnostic.usage("a realm that comes from standard input cannot be changed")
      }
      place = .file(try invocation.snapshotSource(of: word))
      self.policy = policy
    }
  }

  static let memoryName = ":memory:"

  var isWritable: Bool { policy != nil }
  var isInMemory: Bool { if case .memory = place { true } else { false } }
  var isInTransaction: Bool { transaction != nil }
  var isDryRun: Bool { policy?.isDryRun ?? false }

  /// What messages call it.
  var path: FilePath {
    switch place {
    case .file(let source): source.path
    case .memory: FilePath(Self.memoryName)
    }
  }

  // MARK: Reading

  /// Runs `body` on the realm as it is now, changes of the open transaction included. Outside of one `body` runs
  /// again where another program changed the file meanwhile.
  func read<Result>(
    to out: inout OutputBuffer, _ body: (ReadTransaction, inout OutputBuffer) throws -> Result
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
  func read<Result>(_ body: (ReadTransaction) throws -> Result) throws -> Result {
    var nothing = OutputBuffer { _ throws(EngineError) in }
    return try read(to: &nothing) { realm, _ in try body(realm) }
  }

  // MARK: Transactions

  /// Takes the lock and begins a transaction. Throws in a session that only reads, and where one is open.
  func begin() throws {
    guard let policy else {
      throw Diagnostic(
        .usage, code: "read-only", "\(path.displayName) is open for reading only", hint: "add -w to change it"
      )
    }
    guard transaction == nil else {
      throw Diagnostic(
        .statement, code: "transaction", "a transaction is open already", hint: "commit or rollback ends it")
    }
    do {
      let database = try writableDatabase(policy)
      transaction = try database.begin(upgrading: policy.upgrades)
      writer = database
    } catch {
      throw Diagnostic(error, file: path)
    }
  }

  private func writableDatabase(_ policy: WritePolicy) throws -> WritableDatabase {
    switch place {
    case .memory(let database): return database
    case .file(let source):
      if !policy.isDryRun { try invocation.makeWritable(source, policy) }
      return try WritableDatabase.open(
        source.path, key: source.key, lockTimeoutMilliseconds: policy.lockTimeoutMilliseconds)
    }
  }

  /// Makes the changes of the open transaction durable, unless nothing may be, and lets the lock go.
  func commit() throws {
    guard let transaction, let writer else { throw Self.noTransaction(hint: "begin opens one") }
    defer { end() }
    if isDryRun { return }
    do {
      try writer.commit(transaction)
    } catch {
      throw Diagnostic(error, file: path)
    }
  }

  /// Forgets the changes of the open transaction and lets the lock go.
  func rollback() throws {
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

  private static func noTransaction(hint: String) -> Diagnostic {
    Diagnostic(.statement, code: "transaction", "no transaction is open", hint: hint)
  }
}

extension Invocation {
  /// Upgrades or detaches the file where that is needed and allowed. What is needed and not allowed is said by whoever
  /// begins a transaction.
  fileprivate func makeWritable(_ source: SnapshotSource, _ policy: WritePolicy) throws {
    guard policy.upgrades || policy.detaches else { return }
    let database = try look(source.path, source.key)
    guard let top = database.transaction.top else { return }
    let format = database.file.format
    let isUpgrade = policy.upgrades && format < FileFormat.newest
    let isDetached = policy.detaches && top.historyType.isSynced
    guard isUpgrade || isDetached else { return }
    let report = try run(
      WholeFileJob(
        source: source.path, key: source.key, newKey: source.key,
        target: .inPlace(backupLabel: isUpgrade ? "format-\(format)" : "synced"),
        history: isDetached ? .drop : .keep, isUpgrade: isUpgrade,
        lockTimeoutMilliseconds: policy.lockTimeoutMilliseconds))
    let done = isDetached ? "made local" : "upgraded from file format \(format) to \(FileFormat.newest)"
    let backup = report.backup.map { "; the original is \($0.displayName)" } ?? ""
    note("\(source.path.displayName) \(done)\(backup)")
  }
}
