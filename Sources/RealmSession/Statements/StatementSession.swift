// Runs statements that change one realm, one after the other. Those that show something stand with whoever shows it.
// Layer: RealmSession, Statements. Each kind of statement stands in a file of its own.
// Invariants: a statement that fails has changed nothing, or the open transaction is rolled back and that is said;
// outside of a transaction every statement that changes something is one.

package import RealmEngine
package import RealmQueryLanguage

/// What statements depend on beside the realm.
package struct StatementSettings {
  /// What `$0`, `$1` … stand for.
  package var arguments: QueryArguments
  package var showsAllTables: Bool
  /// `--yes`: nothing is asked before something is removed.
  package var isConfirmed: Bool

  package init(arguments: QueryArguments = QueryArguments(), showsAllTables: Bool, isConfirmed: Bool) {
    self.arguments = arguments
    self.showsAllTables = showsAllTables
    self.isConfirmed = isConfirmed
  }
}

/// A realm, and what statements need to run on it.
package final class StatementSession {
  package let realm: SessionRealm
  let host: any SessionHost
  package var settings: StatementSettings
  /// What was changed and committed since the session began.
  package private(set) var committed = ChangeCounts()
  /// What the open transaction has changed.
  package private(set) var pending = ChangeCounts()
  /// Whether a statement that changes objects ran, though it may have found none.
  package private(set) var hasSoughtObjects = false
  /// Whether the statement that runs has a transaction of its own.
  var hasOwnTransaction = false
  /// What the user has said yes to, for the statement that runs.
  var confirmedDeed: String?
  /// The inserts that run one after the other, if some do.
  private(set) var inserts: InsertSequence?

  package init(_ realm: SessionRealm, settings: StatementSettings, _ host: any SessionHost) {
    self.realm = realm
    self.settings = settings
    self.host = host
  }

  /// Runs one statement, parsed from `source`, and says how many objects it changed; nil for one that shows something.
  package func run(_ statement: Statement, of source: [UInt8]) throws -> ChangeCounts? {
    try execute(statement, of: source).map(added)
  }

  /// Makes classes that may link to each other.
  package func run(creating classes: [DeclaredClass]) throws -> ChangeCounts {
    added(try createClasses(classes))
  }

  /// Runs `body`, whose inserts may link to objects that later ones make. Without an open transaction each must stand alone, since
  /// each is one.
  package func runInserts(_ body: () throws -> Void) throws {
    inserts = realm.isInTransaction ? InsertSequence() : nil
    defer { inserts = nil }
    try body()
    guard let inserts else { return }
    try change { _ in try inserts.finish() }
  }

  /// Runs a change that is no statement, and counts what it did.
  package func changeCounting(_ body: (WriteTransaction) throws -> ChangeCounts) throws {
    _ = added(try change(body))
  }

  /// Runs a change of which nothing is kept.
  package func rehearse(_ body: (WriteTransaction) throws -> ChangeCounts) throws {
    guard !realm.isInTransaction else {
      throw SessionError(
        .statement(code: "transaction", message: "a dry run needs a transaction of its own, and one is open"),
        hint: "end it with commit or rollback")
    }
    try realm.begin()
    defer { try? realm.rollback() }
    guard let transaction = realm.transaction else { preconditionFailure("begin opens a transaction") }
    _ = try body(transaction)
  }

  private func added(_ counts: ChangeCounts) -> ChangeCounts {
    if realm.isInTransaction { pending += counts } else { committed += counts }
    return counts
  }

  /// Makes the changes of the open transaction durable.
  package func commit() throws {
    let counts = pending
    pending = ChangeCounts()
    try realm.commit()
    committed += counts
  }

  /// Forgets the changes of the open transaction.
  package func rollback() throws {
    pending = ChangeCounts()
    inserts = nil
    try realm.rollback()
  }

  /// Undoes the last transaction of this session, or does the last one again that was undone.
  package func step(_ direction: UndoHistory.Direction) throws -> ChangeCounts {
    let effect = try realm.step(direction)
    var counts = ChangeCounts()
    try realm.read { realm in
      for (table, count) in effect.counts.sorted(by: { $0.key.value < $1.key.value }) {
        let name = realm.table(table)?.schema.name ?? ""
        counts.add(created: count.created, updated: count.updated, deleted: count.deleted, to: name)
      }
    }
    committed += counts
    return counts
  }

  private func execute(_ statement: Statement, of source: [UInt8]) throws -> ChangeCounts? {
    switch statement.kind {
    case .insert, .update, .delete, .deleteKeys: hasSoughtObjects = true
    default: break
    }
    switch statement.kind {
    case .begin: try realm.begin()
    case .commit: try commit()
    case .rollback: try rollback()
    case .insert(let insertion): return try insert(insertion, of: source)
    case .update(let selection, let assignments):
      return try update(selection, assignments, of: source)
    case .delete(let selection): return try delete(selection, of: source)
    case .deleteKeys(let name, let keys): return try delete(keys, of: name, source)
    case .setSchemaVersion(let version): return try setSchemaVersion(version)
    case .createClass(let declaration):
      return try createClasses([DeclaredClass(declaration: declaration, source: source)])
    case .alterClass(let name, let alteration): return try alterClass(name, alteration, of: source)
    case .dropClass(let name, let linked, let isEmpty):
      return try dropClass(name, linked: linked, isEmpty: isEmpty, of: source)
    case .select, .aggregate, .summarize, .explain, .shell, .sql: return nil
    }
    return ChangeCounts()
  }

  /// Whether a statement changes the realm, so that it needs a transaction.
  package static func changes(_ statement: Statement) -> Bool {
    switch statement.kind {
    case .insert, .update, .delete, .deleteKeys, .createClass, .alterClass, .dropClass, .setSchemaVersion:
      true
    case .select, .aggregate, .summarize, .begin, .commit, .rollback, .explain, .shell, .sql: false
    }
  }
}
