// Expressions that compute a value: in `set`, in migrations and in their assertions. Layer: Syntax.
// As in predicates, a chain of operators is one node with a list.

package typealias ValueExpression = SyntaxNode<ValueExpressionKind>

package indirect enum ValueExpressionKind: Hashable, Sendable {
  case constant(Constant)
  case list(ConstantList)
  /// A property, a link path, or a name that the surroundings define, such as `old`.
  case property(PropertyReference)
  case call(FunctionCall)
  /// `!`
  case not(ValueExpression)
  /// `-` before something that is not a number
  case negative(ValueExpression)
  /// Operators of one precedence, applied from left to right; `rest` is not empty.
  case arithmetic(first: ValueExpression, rest: [ArithmeticStep<ValueExpression>])
  /// Of `==` to `>=`.
  case comparison(ValueExpression, ComparisonOperator, ValueExpression)
  /// `&&`; at least two.
  case and([ValueExpression])
  /// `||`; at least two.
  case or([ValueExpression])
  /// `??`: the first that is not null; at least two.
  case coalescing([ValueExpression])
  /// `c1 ? v1 : c2 ? v2 : … : otherwise`; at least one branch.
  case conditional([ConditionalBranch], otherwise: ValueExpression)
}

package struct ConditionalBranch: Hashable, Sendable {
  package let condition: ValueExpression
  package let value: ValueExpression

  package init(condition: ValueExpression, value: ValueExpression) {
    self.condition = condition
    self.value = value
  }
}

/// `name(argument, …)`; which functions exist is not the parser's business.
package struct FunctionCall: Hashable, Sendable {
  package let name: Name
  package let arguments: [ValueExpression]

  package init(name: Name, arguments: [ValueExpression]) {
    self.name = name
    self.arguments = arguments
  }
}

/// `property = expression`
package struct Assignment: Hashable, Sendable {
  package let target: PropertyPath
  package let value: ValueExpression
  package let range: SourceRange

  package init(target: PropertyPath, value: ValueExpression, range: SourceRange) {
    self.target = target
    self.value = value
    self.range = range
  }
}

/// One column of a result: `path`, `dogs.@count as n` or `@key`.
package struct SelectItem: Hashable, Sendable {
  package let kind: Kind
  /// The name behind `as`.
  package let alias: Name?
  package let range: SourceRange

  package init(_ kind: Kind, alias: Name?, range: SourceRange) {
    self.kind = kind
    self.alias = alias
    self.range = range
  }

  package enum Kind: Hashable, Sendable {
    case property(PropertyReference)
    /// `@key`: the object key.
    case objectKey
  }
}
