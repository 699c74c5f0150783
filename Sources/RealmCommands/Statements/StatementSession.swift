// Runs statements on one realm, one after the other: for scripts, arguments of the command line and the prompt.
// Layer: RealmCommands, Statements. Each kind of statement stands in a file of its own.
// Invariants: a statement that fails has changed nothing, or the open transaction is rolled back and that is said;
// outside of a transaction every statement that changes something is one.

import RealmEngine
import RealmQueryLanguage
import Rendering

/// What statements depend on beside the realm.
struct StatementSettings {
  /// How rows are shown.
  var render: RenderSpec
  /// What `$0`, `$1` … stand for.
  var arguments = QueryArguments()
  var showsAllTables = false
  /// `--yes`: nothing is asked before something is removed.
  var isConfirmed = false
}

/// How many objects statements have changed.
struct ChangeCounts: Equatable {
  var inserted = 0
  var updated = 0
  var deleted = 0

  static func += (left: inout ChangeCounts, right: ChangeCounts) {
    left.inserted += right.inserted
    left.updated += right.updated
    left.deleted += right.deleted
  }

  var total: Int { inserted + updated + deleted }
}

/// A realm, and what statements need to run on it.
final class StatementSession {
  let invocation: Invocation
  let realm: SessionRealm
  var settings: StatementSettings
  /// What was changed and committed since the session began.
  private(set) var committed = ChangeCounts()
  /// What the open transaction has changed.
  private(set) var pending = ChangeCounts()

  init(_ realm: SessionRealm, settings: StatementSettings, _ invocation: Invocation) {
    self.realm = realm
    self.settings = settings
    self.invocation = invocation
  }

  /// Runs one statement, parsed from `source`, and says how many objects it changed. Throws `Diagnostic` with the place
  /// in `source` where there is one, and what else may go wrong with files.
  @discardableResult
  func run(
    _ statement: Statement, of source: [UInt8], to out: inout OutputBuffer
  ) throws -> ChangeCounts {
    let counts = try execute(statement, of: source, to: &out)
    if realm.isInTransaction { pending += counts } else { committed += counts }
    return counts
  }

  /// Makes the changes of the open transaction durable.
  func commit() throws {
    let counts = pending
    pending = ChangeCounts()
    try realm.commit()
    committed += counts
  }

  /// Forgets the changes of the open transaction.
  func rollback() throws {
    pending = ChangeCounts()
    try realm.rollback()
  }

  private func execute(
    _ statement: Statement, of source: [UInt8], to out: inout OutputBuffer
  ) throws -> ChangeCounts {
    switch statement.kind {
    case .select(let selection, let items): try select(selection, items, of: source, to: &out)
    case .count(let selection, let groups): try count(selection, by: groups, of: source, to: &out)
    case .aggregate(let function, let path, let selection, let groups):
      try aggregate(function, path, selection, by: groups, of: source, to: &out)
    case .explain(let inner): try explain(inner, of: source, to: &out)
    case .begin: try realm.begin()
    case .commit: try commit()
    case .rollback: try rollback()
    case .shell(let command):
      throw Diagnostic(
        QueryError(
          .unsupported, "commands with a dot or a backslash belong to the prompt", at: command.name.range),
        in: source)
    case .insert(let insertion): return try insert(insertion, of: source)
    case .update(let selection, let assignments):
      return try update(selection, assignments, of: source)
    case .delete(let selection): return try delete(selection, of: source)
    case .createClass(let declaration):
      try createClasses([DeclaredClass(declaration: declaration, source: source)])
    case .alterClass(let name, let alteration): try alterClass(name, alteration, of: source)
    case .dropClass(let name): try dropClass(name, of: source)
    }
    return ChangeCounts()
  }

  /// Whether a statement changes the realm, so that it needs a transaction.
  static func changes(_ statement: Statement) -> Bool {
    switch statement.kind {
    case .insert, .update, .delete, .createClass, .alterClass, .dropClass: true
    case .select, .count, .aggregate, .begin, .commit, .rollback, .explain, .shell: false
    }
  }
}
