// From syntax to a bound query: looks up names, checks types, fits constants, simplifies. Layer: Query.
// Invariants: nothing is read of the objects but the key of an object that `obj()` names; the first fault in the
// order of the text is the one reported.

package import RealmQueryLanguage

/// What all parts of one binding share.
final class BindingContext {
  let realm: ReadTransaction
  let arguments: QueryArguments
  /// The text that all ranges point into.
  let source: [UInt8]
  private(set) var warnings: [QueryWarning] = []

  init(realm: ReadTransaction, arguments: QueryArguments, source: [UInt8]) {
    self.realm = realm
    self.arguments = arguments
    self.source = source
  }

  func warn(_ message: String, at range: SourceRange) { warnings.append(QueryWarning(message, at: range)) }

  /// What is written at `range`, in quotation marks.
  func quoted(_ range: SourceRange) -> String { "'\(source.text(in: range))'" }
}

/// Binds what is said about the objects of one class.
struct QueryBinder {
  let context: BindingContext
  let table: Table
  /// What a SUBQUERY calls the object; nil outside of one.
  let variable: Name?

  var realm: ReadTransaction { context.realm }
}

extension BoundQuery {
  /// Binds `predicate`, parsed from `source`, to the objects of `table`.
  package init(
    _ predicate: Predicate, source: [UInt8], of table: Table, in realm: ReadTransaction,
    arguments: QueryArguments = QueryArguments()
  ) throws(BindingFailure) {
    guard table.schema.kind != .asymmetric else {
      throw .engine(
        EngineError(
          .unknownClass, "the objects of '\(table.schema.name)' are only sent, not kept (it is asymmetric)"))
    }
    let context = BindingContext(realm: realm, arguments: arguments, source: source)
    let binder = QueryBinder(context: context, table: table, variable: nil)
    let condition = try binder.bind(predicate.condition)
    let orderings = try binder.bind(predicate.orderings)
    var warnings = predicate.warnings
    if !context.warnings.isEmpty { warnings += context.warnings }
    self.init(table: table, predicate: condition, orderings: orderings, warnings: warnings)
  }
}

extension QueryBinder {
  func bind(_ condition: Condition) throws(BindingFailure) -> BoundPredicate {
    switch condition.kind {
    case .constant(let value): return .constant(value)
    case .comparison(let comparison): return try bind(comparison)
    case .not(let inner): return .negation(of: try bind(inner))
    case .and(let conditions): return .conjunction(of: try bindAll(conditions))
    case .or(let conditions): return .disjunction(of: try bindAll(conditions))
    }
  }

  private func bindAll(_ conditions: [Condition]) throws(BindingFailure) -> [BoundPredicate] {
    var bound: [BoundPredicate] = []
    for condition in conditions { bound.append(try bind(condition)) }
    return bound
  }
}

extension BoundPredicate {
  static func negation(of predicate: BoundPredicate) -> BoundPredicate {
    switch predicate {
    case .constant(let value): .constant(!value)
    case .not(let inner): inner
    default: .not(predicate)
    }
  }

  static func conjunction(of predicates: [BoundPredicate]) -> BoundPredicate {
    var parts: [BoundPredicate] = []
    for predicate in predicates {
      switch predicate {
      case .constant(true): break
      case .constant(false): return .constant(false)
      case .and(let inner): parts += inner
      default: parts.append(predicate)
      }
    }
    return parts.count > 1 ? .and(parts) : parts.first ?? .constant(true)
  }

  static func disjunction(of predicates: [BoundPredicate]) -> BoundPredicate {
    var parts: [BoundPredicate] = []
    for predicate in predicates {
      switch predicate {
      case .constant(false): break
      case .constant(true): return .constant(true)
      case .or(let inner): parts += inner
      default: parts.append(predicate)
      }
    }
    return parts.count > 1 ? .or(parts) : parts.first ?? .constant(false)
  }
}
