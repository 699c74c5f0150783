// Predicates of a step, bound in an empty realm of the schema at that point. Layer: Migrations, Schema.
// Where the schema is known in part, the conditions on what is known are checked, and the others left alone.

import RealmEngine
import RealmQueryLanguage
import TextFormats

extension SchemaChecker {
  /// Checks a predicate on the objects of a class, as far as the schema is known.
  mutating func check(_ text: PredicateText, of className: String) {
    let isWhole = schema.description != nil
    let parts = isWhole ? [text.syntax] : text.syntax.condition.comparisons.map { Predicate(condition: $0) }
    for part in parts {
      do throws(BindingFailure) {
        guard let realm = try emptyRealm(), let table = realm.table(named: className) else { return }
        do throws(BindingFailure) {
          _ = try BoundQuery(part, source: text.source, of: table, in: realm)
        } catch {
          guard let failure = isWhole ? error : known(error, in: text.source, of: table.schema) else {
            continue
          }
          throw failure
        }
      } catch {
        report.error(error, in: text.source, at: text.node)
      }
    }
  }

  /// The complaint about a condition, unless it may only be for want of knowledge.
  private func known(_ failure: BindingFailure, in source: [UInt8], of found: ClassSchema) -> BindingFailure?
  {
    guard case .query(let error) = failure else { return nil }
    guard [.property, .backlink, .aggregate, .object, .classLookup, .sorting].contains(error.code) else {
      return failure
    }
    let name = Name(source.text(in: error.range), range: error.range)
    guard schema.classes[found.name]?.absent.contains(name.text) ?? false,
      error.message == QueryError.unknownProperty(name, of: found).message
    else { return nil }
    return .query(
      QueryError(
        error.code, error.message, at: error.range, hint: "an earlier operation dropped or renamed it",
        suggestion: error.suggestion))
  }

  /// An empty realm with all that is known; nil where there cannot be one.
  private mutating func emptyRealm() throws(BindingFailure) -> ReadTransaction? {
    let description = schema.knownDescription
    if let empty, empty.realm.schemaDescription().classes == description.classes { return empty.realm }
    do throws(EngineError) {
      let database = try WritableDatabase.inMemory()
      let transaction = try database.begin()
      try transaction.addClasses(description.definitions)
      try database.commit(transaction)
      empty = (database.database.transaction, database)
      return empty?.realm
    } catch {
      if schema.description == nil { return nil }
      throw .engine(error)
    }
  }
}

extension SyntaxNode where Kind == ConditionKind {
  /// The conditions that are joined by AND, OR and NOT.
  fileprivate var comparisons: [Condition] {
    switch kind {
    case .constant: []
    case .comparison: [self]
    case .not(let inner): inner.comparisons
    case .and(let parts), .or(let parts): parts.flatMap(\.comparisons)
    }
  }
}
