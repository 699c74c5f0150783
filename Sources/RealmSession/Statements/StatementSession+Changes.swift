// What all statements that change something share: their transaction, and the question before something is removed.
// Layer: RealmSession, Statements.

package import RealmEngine
package import RealmQueryLanguage

extension StatementSession {
  /// Runs a change in the open transaction, or in one of its own. Where it fails in the middle, the open transaction is
  /// rolled back, and the error says so.
  package func change<Result>(_ body: (WriteTransaction) throws -> Result) throws -> Result {
    let isOwn = !realm.isInTransaction
    hasOwnTransaction = isOwn
    if isOwn { try realm.begin() }
    guard let transaction = realm.transaction else { preconditionFailure("begin opens a transaction") }
    let changeCount = transaction.changeCount
    do {
      let result = try body(transaction)
      if isOwn { try realm.commit() }
      return result
    } catch {
      let named = SessionError.naming(realm.path, in: error)
      guard realm.isInTransaction, isOwn || transaction.changeCount != changeCount else { throw named }
      try rollback()
      guard !isOwn, let refusal = named as? SessionError else { throw named }
      throw refusal.addingHint("the transaction was rolled back")
    }
  }

  /// Changes what must be confirmed first; throws where the answer was no. The question is asked when the lock was given back, so
  /// that nobody is kept out while it waits; then everything is looked at again, and another deed is another question.
  package func changeIfConfirmed<Result>(_ body: (WriteTransaction) throws -> Result) throws -> Result {
    defer { confirmedDeed = nil }
    while true {
      do {
        return try change(body)
      } catch let question as OpenQuestion {
        guard try host.confirm(question.deed) else {
          throw SessionError(.declined(message: question.refusal))
        }
        confirmedDeed = question.deed
      }
    }
  }

  /// Throws `OpenQuestion` where `deed` must be confirmed. What an open transaction does can be taken back; a script was
  /// confirmed as a whole.
  func requireConfirmation(_ deed: String, orSay refusal: String) throws {
    if settings.isConfirmed || realm.isDryRun || realm.isInMemory || !hasOwnTransaction { return }
    guard confirmedDeed != deed else { return }
    throw OpenQuestion(deed: deed, refusal: refusal)
  }

  /// The class that a statement changes.
  func schema(
    _ name: Name, of source: [UInt8], in transaction: WriteTransaction
  ) throws -> ClassSchema {
    if let schema = try transaction.schema(named: name.text) { return schema }
    return try table(name, of: source, in: try transaction.view()).schema
  }

  /// The class that a statement names.
  package func table(_ name: Name, of source: [UInt8], in realm: ReadTransaction) throws -> Table {
    do throws(SessionError) {
      return try realm.requiredClass(name.text, allTables: settings.showsAllTables)
    } catch {
      throw error.located(at: name.range, in: source)
    }
  }

  /// The objects that a statement is about.
  package func bind(
    _ selection: Selection, of source: [UInt8], in realm: ReadTransaction
  ) throws -> BoundQuery {
    let table = try table(selection.className, of: source, in: realm)
    let predicate =
      if let key = selection.key {
        condition(key, try object(key, of: source, in: table), of: table.schema)
      } else {
        selection.predicate ?? Predicate(condition: Expression(.truth(true), range: selection.range))
      }
    return try SessionError.binding(source) { () throws(BindingFailure) in
      try BoundQuery(
        predicate, source: source, of: table, in: realm, arguments: settings.arguments)
    }
  }

  /// Says what a query probably does not mean.
  func warn(about query: BoundQuery) {
    for warning in query.warnings where !warning.isAdvice { host.warn(warning.message) }
  }
}

/// What has to be asked before it is done: thrown behind the lock, asked without it.
struct OpenQuestion: Error {
  let deed: String
  /// What is said after a no.
  let refusal: String
}
