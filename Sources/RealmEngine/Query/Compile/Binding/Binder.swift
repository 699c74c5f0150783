// From syntax to a bound query: looks up names, checks types, fits constants, simplifies.
// Layer: Query, Compile, Binding.
// Invariants: nothing is read of the objects but the key of an object that `obj()` names; the first fault in the
// order of the text is the one reported.

package import RealmQueryLanguage

/// What all parts of one binding share.
final class BindingContext {
  let view: any SchemaView
  let arguments: QueryArguments
  /// The text that all ranges point into.
  let source: [UInt8]
  /// Whether arithmetic is that of the reference engine alone, which knows no texts.
  let isForReference: Bool
  /// What `now()` gives.
  let now: Timestamp
  private(set) var warnings: [QueryWarning] = []
  /// What `find` looks for objects by, in classes that are not known as well.
  var searches: [SearchedProperty] = []
  /// How often the expression ranks objects; nil where none may, as in conditions.
  var rankingCount: Int?

  init(
    view: any SchemaView, arguments: QueryArguments, source: [UInt8], isForReference: Bool = false,
    now: Timestamp = SystemClock.now
  ) {
    self.view = view
    self.arguments = arguments
    self.source = source
    self.isForReference = isForReference
    self.now = now
  }

  func warn(_ message: String, at range: SourceRange, isAdvice: Bool = false) {
    warnings.append(QueryWarning(message, at: range, isAdvice: isAdvice))
  }

  /// What is written at `range`, in quotation marks.
  func quoted(_ range: SourceRange) -> String { "'\(source.text(in: range))'" }
}

/// Binds what is said about the objects of one class, or about a whole realm.
struct Binder {
  let context: BindingContext
  let schema: ClassSchema
  /// What a SUBQUERY calls the object; nil outside of one.
  var variable: Name?
  /// The property that `old` means, or the way to what is inside of one; nil where that is a name like any other.
  var old: String?
  /// Whether not an object but a whole realm is spoken of.
  var isAboutRealm = false
  /// Values computed before.
  var names: [String: ComputedName] = [:]
  /// The type of `it`; nil outside of functions on lists.
  var element: ExpressionType?
  /// Whether what has no result is an error, as everywhere but in conditions.
  var isStrict = false

  var view: any SchemaView { context.view }
}

extension BoundQuery {
  /// Binds `predicate`, parsed from `source`, to the objects of `table`.
  package init(
    _ predicate: Predicate, source: [UInt8], of table: Table, in realm: ReadTransaction,
    arguments: QueryArguments = QueryArguments(), names: [String: ComputedName] = [:]
  ) throws(BindingFailure) {
    guard table.schema.kind != .asymmetric else {
      throw .engine(
        EngineError(
          .unknownClass, "the objects of '\(table.schema.name)' are only sent, not kept (it is asymmetric)"))
    }
    let context = BindingContext(
      view: realm, arguments: arguments, source: source, isForReference: predicate.isForReference)
    let binder = Binder(context: context, schema: table.schema, names: names)
    let condition = try binder.bind(predicate.condition)
    let orderings = try binder.bind(predicate.orderings)
    var warnings = predicate.warnings
    if !context.warnings.isEmpty { warnings += context.warnings }
    self.init(table: table, predicate: condition, orderings: orderings, warnings: warnings)
  }

  /// Checks `predicate` on the objects of a class, as far as that is known.
  package static func check(
    _ predicate: Predicate, source: [UInt8], of className: String, in view: any SchemaView,
    names: [String: ComputedName] = [:]
  ) throws(BindingFailure) {
    let context = BindingContext(
      view: view, arguments: QueryArguments(), source: source, isForReference: predicate.isForReference)
    guard case .known(let schema) = view.schema(named: className) else { return }
    let binder = Binder(context: context, schema: schema, names: names)
    _ = try binder.bind(predicate.condition)
    _ = try binder.bind(predicate.orderings)
  }
}

extension BoundQuery {
  /// Checks an order of the objects of a class, as far as that is known.
  package static func check(
    _ order: [SortKey], source: [UInt8], of className: String, in view: any SchemaView
  ) throws(BindingFailure) {
    let context = BindingContext(view: view, arguments: QueryArguments(), source: source)
    guard case .known(let schema) = view.schema(named: className) else { return }
    _ = try Binder(context: context, schema: schema).bind(order)
  }
}

extension Binder {
  func bind(_ condition: Expression) throws(BindingFailure) -> BoundPredicate {
    switch condition.kind {
    case .truth(let value): return .constant(value)
    case .comparison(let comparison): return try bind(comparison)
    case .not(let inner): return .negation(of: try bind(inner))
    case .and(let conditions): return .conjunction(of: try bindAll(conditions))
    case .or(let conditions): return .disjunction(of: try bindAll(conditions))
    case .property(let quantifier, let reference):
      throw bareOperand(reference, quantifier, at: condition.range)
    default:
      throw BindingFailure(
        .bareOperand, "\(context.quoted(condition.range)) is not a condition", at: condition.range,
        hint: "compare it with something")
    }
  }

  private func bindAll(_ conditions: [Expression]) throws(BindingFailure) -> [BoundPredicate] {
    return try conditions.map { condition throws(BindingFailure) in try bind(condition) }
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
