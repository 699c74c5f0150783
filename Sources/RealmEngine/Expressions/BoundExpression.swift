// An expression whose names and types were checked against a schema by names. Layer: Expressions.
// Nothing in it depends on where properties are stored: paths are looked up anew for the file that is at hand.

import RealmQueryLanguage

/// A checked expression.
package struct BoundExpression: Sendable {
  let root: ExpressionNode
  package let type: ExpressionType
  /// What ranges point into.
  package let source: [UInt8]
  /// The paths that nodes name by number.
  let paths: [PathUse]
  let objects: [(reference: ObjectReference, range: SourceRange)]
  let subject: ExpressionScope.Subject
  let arguments: QueryArguments
}

/// A path in an expression.
struct PathUse: Sendable {
  let reference: PropertyReference
  /// The class it begins in, where that is not the expression's own.
  let className: String?
}

indirect enum ExpressionNode: Sendable {
  case constant(Value)
  case constants([Value])
  /// `obj('Class', key)`, by number.
  case object(Int)
  /// A value that was computed before.
  case named(String)
  /// A path, by number.
  case path(Int)
  /// All objects of a class.
  case allObjects(className: String)
  /// A path from all objects of a class, by number.
  case allValues(Int)
  case not(ExpressionNode)
  case negative(ExpressionNode, SourceRange)
  /// Operands that are all texts.
  case concatenation([ExpressionNode])
  case arithmetic(first: ExpressionNode, rest: [(ArithmeticOperator, ExpressionNode, SourceRange)])
  case comparison(ExpressionNode, RealmQueryLanguage.ComparisonOperator, ExpressionNode)
  case and([ExpressionNode])
  case or([ExpressionNode])
  case coalescing([ExpressionNode])
  case conditional([(condition: ExpressionNode, value: ExpressionNode)], otherwise: ExpressionNode)
  case call(ExpressionFunction, [ExpressionNode], SourceRange)
}
