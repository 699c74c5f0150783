// Values that are computed, as a tree whose names are looked up. Layer: Query.

import RealmQueryLanguage

/// An expression that was checked against a schema, to be bound again to the file that is at hand when it is evaluated.
package struct BoundExpression: Sendable {
  let syntax: Expression
  package let type: ExpressionType
  /// What ranges point into.
  package let source: [UInt8]
  let subject: ExpressionScope.Subject
  /// The values for `$0`, `$1` …
  let arguments: QueryArguments
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
  /// A value that was computed before.
  case named(String)
  case allObjects(TableKey)
  /// What an operand gives for all objects of a class.
  case allValues(BoundOperand, of: TableKey)
  case condition(BoundPredicate)
  case not(ExpressionNode)
  case negative(ExpressionNode)
  /// Operands that are all texts.
  case concatenation([ExpressionNode])
  case arithmetic(first: ExpressionNode, rest: [(ArithmeticOperator, ExpressionNode)])
  case comparison(ExpressionNode, ComparisonOperator, ExpressionNode)
  case and([ExpressionNode])
  case or([ExpressionNode])
  case coalescing([ExpressionNode])
  case conditional([(condition: ExpressionNode, value: ExpressionNode)], otherwise: ExpressionNode)
  case call(ExpressionFunction, [ExpressionNode])
}

extension ExpressionNode {
  private var parts: [ExpressionNode] {
    switch self {
    case .constant, .constants, .operand, .named, .allObjects, .allValues, .condition: []
    case .not(let operand), .negative(let operand): [operand]
    case .concatenation(let parts), .and(let parts), .or(let parts), .coalescing(let parts),
      .call(_, let parts):
      parts
    case .arithmetic(let first, let rest): [first] + rest.map(\.1)
    case .comparison(let left, _, let right): [left, right]
    case .conditional(let branches, let otherwise):
      branches.flatMap { [$0.condition, $0.value] } + [otherwise]
    }
  }

  /// Whether it gives the same for all objects, whatever file they are in.
  var isConstant: Bool {
    switch self {
    case .operand, .named, .allObjects, .allValues, .condition: return false
    case .call(let function, let arguments):
      if case .generates = function.form(argumentCount: arguments.count) { return false }
    default: break
    }
    return parts.allSatisfy(\.isConstant)
  }

  /// Whether it reads nothing but single values of the object itself.
  var readsOnlyOwnValues: Bool {
    switch self {
    case .operand(.path(let path), _): path.directProperty.map { $0.collection == nil } ?? false
    case .operand, .condition: false
    default: parts.allSatisfy(\.readsOnlyOwnValues)
    }
  }
}

/// The names that an expression may use.
package struct ExpressionScope: Sendable {
  package enum Subject: Sendable {
    /// An object of a class; `old` is the property whose present value that word means.
    case object(className: String, old: String?)
    /// The whole realm: a name is a class, or a value computed before.
    case realm(names: [String: ExpressionType])
  }

  let view: any SchemaView
  let subject: Subject
  let arguments: QueryArguments

  package init(
    _ subject: Subject, in view: any SchemaView, arguments: QueryArguments = QueryArguments()
  ) {
    self.subject = subject
    self.view = view
    self.arguments = arguments
  }
}
