// Values that are computed, as a tree whose names are looked up. Layer: Query, Plan.

import RealmQueryLanguage

/// An expression that was checked against a schema, to be bound again to the file that is at hand when it is evaluated.
package struct BoundExpression: Sendable {
  let syntax: Expression
  package let type: ExpressionType
  /// What ranges point into.
  package let source: [UInt8]
  let subject: ExpressionScope.Subject
  let element: ExpressionType?
  /// The values for `$0`, `$1` …
  let arguments: QueryArguments
  /// What it looks for objects by: `find(City, 'name', …)`.
  package let searches: [SearchedProperty]
  /// Why it never has a result, where that shows without any object: `1 / 0`.
  package let constantRefusal: EngineError?
}

/// A computed value as an operand of a condition, a column or a key of an order.
package struct ComputedOperand: Sendable {
  let node: ExpressionNode
  /// Of the class whose objects it is computed for.
  let table: TableKey
  package let isList: Bool
  /// What `now()` gives.
  let now: Timestamp
  /// As in conditions of the reference engine, what has no result is null instead of an error, and integers wrap.
  let isLenient: Bool
  /// That of a list which it is calculated from.
  var quantifier: Quantifier?
  /// What new identifiers are made from, together with the key of the object.
  let seed = UInt64.random(in: .min ... .max)

  /// The time, and identifiers for one object.
  func environment(from key: ObjectKey) -> ExpressionEnvironment {
    let step: UInt64 = 0xD6E8_FEB8_6659_FD93
    return ExpressionEnvironment(now: now, seed: seed &+ UInt64(bitPattern: key.value) &* step)
  }
}

indirect enum ExpressionNode: Sendable {
  case constant(Value)
  case constants([Value])
  /// What a path and its like give for the object.
  case operand(BoundOperand, isList: Bool)
  case allObjects(TableKey)
  /// What an operand gives for all objects of a class.
  case allValues(BoundOperand, of: TableKey)
  case condition(BoundPredicate)
  case not(ExpressionNode)
  case negative(ExpressionNode)
  /// Operands that are all texts.
  case concatenation([ExpressionNode])
  case arithmetic(first: ExpressionNode, rest: [(ArithmeticOperator, ExpressionNode)])
  /// Numbers from left to right as the reference engine has them. At most one operand is a list, of which each element is
  /// calculated with; where one has no value there is no result.
  case calculated(first: ExpressionNode, rest: [(ArithmeticOperation, ExpressionNode)])
  case comparison(ExpressionNode, ComparisonOperator, ExpressionNode)
  case and([ExpressionNode])
  case or([ExpressionNode])
  case coalescing([ExpressionNode])
  case conditional([(condition: ExpressionNode, value: ExpressionNode)], otherwise: ExpressionNode)
  case call(ExpressionFunction, [ExpressionNode])
  /// Numbers as ones of a wider type, which other branches or arguments have.
  case widened(ExpressionNode, to: ValueType)
  /// `it`: the element that a function on lists is at.
  case element
  /// `index`: its place, from 0.
  case elementIndex
  /// What a path gives for the object that the element links to.
  case ofElement(BoundOperand, isList: Bool, of: TableKey)
  /// Every element of a list in its turn.
  case overList(ListFunction, ExpressionNode, body: ExpressionNode)
  /// How two single values relate as texts.
  case relation(ExpressionNode, ComparisonTest, ExpressionNode)
  /// The first object whose property has that value.
  case found(by: Property, in: TableKey, ExpressionNode)
  /// The place of the object among all of its class, in the order of a value; nil: in their own order.
  case ranked(Ranking, by: ExpressionNode?)
}

/// How objects of a class are numbered.
struct Ranking: Sendable {
  /// Tells the rankings of one expression apart.
  let number: Int
  /// Whether objects with equal values have one rank; else the order of objects decides between them.
  let sharesRanks: Bool
  let isDescending: Bool
}

/// What is done with the elements of a list, with something computed for each.
enum ListFunction: String, CaseIterable, Sendable {
  case map, filter, sort
}

extension ExpressionNode {
  var parts: [ExpressionNode] {
    switch self {
    case .constant, .constants, .operand, .allObjects, .allValues, .condition, .element, .elementIndex,
      .ofElement:
      []
    case .not(let operand), .negative(let operand), .widened(let operand, _), .found(_, _, let operand):
      [operand]
    case .ranked(_, let operand): operand.map { [$0] } ?? []
    case .overList(_, let list, let body): [list, body]
    case .relation(let left, _, let right): [left, right]
    case .concatenation(let parts), .and(let parts), .or(let parts), .coalescing(let parts),
      .call(_, let parts):
      parts
    case .arithmetic(let first, let rest): [first] + rest.map(\.1)
    case .calculated(let first, let rest): [first] + rest.map(\.1)
    case .comparison(let left, _, let right): [left, right]
    case .conditional(let branches, let otherwise):
      branches.flatMap { [$0.condition, $0.value] } + [otherwise]
    }
  }

  /// The value that stands there, if one does.
  var constantValue: Value? { if case .constant(let value) = self { value } else { nil } }

  /// Whether it gives the same for all objects, whatever file they are in.
  var isConstant: Bool {
    switch self {
    case .operand, .allObjects, .allValues, .condition, .element, .elementIndex, .ofElement, .found, .ranked:
      return false
    default: return !generates && parts.allSatisfy(\.isConstant)
    }
  }

  /// Whether a call in it makes something new for each object.
  var makesIdentifiers: Bool { generates || parts.contains(where: \.makesIdentifiers) }

  private var generates: Bool {
    guard case .call(let function, let arguments) = self,
      case .generates = function.form(argumentCount: arguments.count)
    else { return false }
    return true
  }

  /// Whether it reads nothing but single values of the object itself.
  var readsOnlyOwnValues: Bool {
    switch self {
    case .operand(.path(let path), _): path.directProperty.map { $0.collection == nil } ?? false
    case .operand, .condition, .ofElement, .found, .ranked: false
    default: parts.allSatisfy(\.readsOnlyOwnValues)
    }
  }
}

/// The names that an expression may use.
package struct ExpressionScope: Sendable {
  package enum Subject: Sendable {
    /// An object of a class; `old` is the property whose present value that word means. A name that is no property is a
    /// value computed before.
    case object(className: String, old: String?, names: [String: ComputedName] = [:])
    /// The whole realm: a name is a class, or a value computed before.
    case realm(names: [String: ComputedName])
  }

  let view: any SchemaView
  let subject: Subject
  let arguments: QueryArguments
  /// The type of `it`, where a list is gone through around the expression.
  let element: ExpressionType?

  package init(
    _ subject: Subject, in view: any SchemaView, arguments: QueryArguments = QueryArguments(),
    element: ExpressionType? = nil
  ) {
    self.subject = subject
    self.element = element
    self.view = view
    self.arguments = arguments
  }
}
