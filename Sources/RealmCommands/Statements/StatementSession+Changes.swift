// What all statements that change something share: their transaction, and the question before something is removed.
// Layer: RealmCommands, Statements.

import RealmEngine
import RealmQueryLanguage

extension StatementSession {
  /// Runs a change in the open transaction, or in one of its own. Where it fails in the middle, the open transaction is
  /// rolled back, and the error says so.
  func change<Result>(_ body: (WriteTransaction) throws -> Result) throws -> Result {
    let isOwn = !realm.isInTransaction
    if isOwn { try realm.begin() }
    guard let transaction = realm.transaction else { preconditionFailure("begin opens a transaction") }
    let changeCount = transaction.changeCount
    do {
      let result = try body(transaction)
      if isOwn { try realm.commit() }
      return result
    } catch {
      var diagnostic = Diagnostic(error, file: realm.path)
      if realm.isInTransaction, isOwn || transaction.changeCount != changeCount {
        try rollback()
        if !isOwn { diagnostic.addHint("the transaction was rolled back") }
      }
      throw diagnostic
    }
  }

  /// Whether something may be removed. Asks where it was not said before.
  func confirm(_ deed: String) throws(Diagnostic) -> Bool {
    if settings.isConfirmed || realm.isDryRun || realm.isInMemory { return true }
    return try invocation.confirm(deed)
  }

  /// The class that a statement changes.
  func schema(
    _ name: Name, of source: [UInt8], in transaction: WriteTransaction
  ) throws -> ClassSchema {
    if let schema = try transaction.schema(named: name.text) { return schema }
    return try table(name, of: source, in: try transaction.view()).schema
  }
}

extension Diagnostic {
  /// Says more about what to do or what was done.
  mutating func addHint(_ text: String) { hint = hint.map { "\($0); \(text)" } ?? text }
}
