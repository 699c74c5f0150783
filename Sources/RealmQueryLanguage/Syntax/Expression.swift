// What gives a value, and what holds or does not: one tree for predicates, columns, keys of orders and groups,
// assignments and migrations. Layer: Syntax.
// A chain of operators is one node with a list, however long, so that no tree is deeper than its text has
// parentheses.

/// A value that stands in the text, or that an argument supplies.
package typealias Constant = SyntaxNode<ConstantKind>

package enum ConstantKind: Hashable, Sendable {
  case literal(Literal)
  case argument(ArgumentReference)
  /// `obj('Class', key)`
  indirect case object(ObjectReference)
}

/// An object named by its class and primary key.
package struct ObjectReference: Hashable, Sendable {
  package let className: Name
  package let primaryKey: PrimaryKey
  package let primaryKeyRange: SourceRange

  package init(className: Name, primaryKey: PrimaryKey, primaryKeyRange: SourceRange) {
    self.className = className
    self.primaryKey = primaryKey
    self.primaryKeyRange = primaryKeyRange
  }

  package enum PrimaryKey: Hashable, Sendable {
    /// An integer, a string, a UUID or an ObjectId.
    case literal(Literal)
    case argument(ArgumentReference)
  }
}

/// `{ a, b, … }`; its elements are constants.
package struct ConstantList: Hashable, Sendable {
  package let elements: [Constant]
  package let range: SourceRange

  package init(elements: [Constant], range: SourceRange) {
    self.elements = elements
    self.range = range
  }
}

package enum Quantifier: Hashable, Sendable {
  /// ANY, SOME
  case any
  case all
  case noneOf
}

/// Anything that can be written where a value or a condition is due.
package typealias Expression = SyntaxNode<ExpressionKind>

package indirect enum ExpressionKind: Hashable, Sendable {
  case constant(Constant)
  /// `$0` with the quantifier before it; without one it is a constant.
  case quantifiedArgument(Quantifier, ArgumentReference)
  case list(Quantifier?, ConstantList)
  /// A property, a link path, or a name that the surroundings define, such as `old`.
  case property(Quantifier?, PropertyReference)
  case subquery(Subquery)
  /// Only on the right of GEOWITHIN.
  case shape(GeoShape)
  case call(FunctionCall)
  /// `-` before something that is not a number
  case negative(Expression)
  /// Operators of one precedence, applied from left to right; `rest` is not empty.
  case arithmetic(first: Expression, rest: [ArithmeticStep])
  /// `??`: the first that is not null; at least two.
  case coalescing([Expression])
  /// `c1 ? v1 : c2 ? v2 : … : otherwise`; at least one branch.
  case conditional([ConditionalBranch], otherwise: Expression)

  /// TRUEPREDICATE, FALSEPREDICATE
  case truth(Bool)
  case comparison(Comparison)
  case not(Expression)
  /// At least two.
  case and([Expression])
  /// At least two.
  case or([Expression])
}

package struct ConditionalBranch: Hashable, Sendable {
  package let condition: Expression
  package let value: Expression

  package init(condition: Expression, value: Expression) {
    self.condition = condition
    self.value = value
  }
}

/// `name(argument, …)`; which functions exist is not the parser's business.
package struct FunctionCall: Hashable, Sendable {
  package let name: Name
  package let arguments: [Expression]

  package init(name: Name, arguments: [Expression]) {
    self.name = name
    self.arguments = arguments
  }
}

/// An operator and what follows it.
package struct ArithmeticStep: Hashable, Sendable {
  package let symbol: ArithmeticOperator
  package let symbolRange: SourceRange
  package let operand: Expression

  package init(_ symbol: ArithmeticOperator, symbolRange: SourceRange, operand: Expression) {
    self.symbol = symbol
    self.symbolRange = symbolRange
    self.operand = operand
  }
}

package enum ArithmeticOperator: String, Hashable, Sendable {
  case add = "+"
  case subtract = "-"
  case multiply = "*"
  case divide = "/"
  case remainder = "%"
}

/// `SUBQUERY(collection, $variable, condition).@count`
package struct Subquery: Hashable, Sendable {
  package let collection: PropertyPath
  /// Begins with `$`; differs from the variables of the subqueries around it.
  package let variable: Name
  package let condition: Expression

  package init(collection: PropertyPath, variable: Name, condition: Expression) {
    self.collection = collection
    self.variable = variable
    self.condition = condition
  }
}
