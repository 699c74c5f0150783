// What stands on either side of a comparison. Layer: Syntax.
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

/// One side of a comparison.
package typealias Operand = SyntaxNode<OperandKind>

package indirect enum OperandKind: Hashable, Sendable {
  case constant(Constant)
  /// `$0` with the quantifier before it; without one it is a constant.
  case quantifiedArgument(Quantifier, ArgumentReference)
  case list(Quantifier?, ConstantList)
  case property(Quantifier?, PropertyReference)
  case subquery(Subquery)
  /// Operators of one precedence, applied from left to right; `rest` is not empty.
  case arithmetic(first: Operand, rest: [ArithmeticStep<Operand>])
  /// Only on the right of GEOWITHIN.
  case shape(GeoShape)
}

/// An operator and what follows it, in a predicate or in an expression.
package struct ArithmeticStep<Operand: Sendable>: Sendable {
  package let symbol: ArithmeticOperator
  package let symbolRange: SourceRange
  package let operand: Operand

  package init(_ symbol: ArithmeticOperator, symbolRange: SourceRange, operand: Operand) {
    self.symbol = symbol
    self.symbolRange = symbolRange
    self.operand = operand
  }
}

extension ArithmeticStep: Equatable where Operand: Equatable {}
extension ArithmeticStep: Hashable where Operand: Hashable {}

package enum ArithmeticOperator: String, Hashable, Sendable {
  case add = "+"
  case subtract = "-"
  case multiply = "*"
  case divide = "/"
  /// Only in expressions.
  case remainder = "%"
}

/// `SUBQUERY(collection, $variable, condition).@count`
package struct Subquery: Hashable, Sendable {
  package let collection: PropertyPath
  /// Begins with `$`; differs from the variables of the subqueries around it.
  package let variable: Name
  package let condition: Condition

  package init(collection: PropertyPath, variable: Name, condition: Condition) {
    self.collection = collection
    self.variable = variable
    self.condition = condition
  }
}

/// A region of the earth; what it holds is checked by whoever binds it.
package typealias GeoShape = SyntaxNode<GeoShapeKind>

package enum GeoShapeKind: Hashable, Sendable {
  case box(GeoPoint, GeoPoint)
  /// The radius is in radians.
  case circle(center: GeoPoint, radius: GeoNumber)
  /// The outer ring first, then holes.
  case polygon([GeoRing])
}

package struct GeoRing: Hashable, Sendable {
  package let points: [GeoPoint]
  package let range: SourceRange

  package init(points: [GeoPoint], range: SourceRange) {
    self.points = points
    self.range = range
  }
}

package struct GeoPoint: Hashable, Sendable {
  package let longitude: GeoNumber
  package let latitude: GeoNumber
  package let altitude: GeoNumber?
  package let range: SourceRange

  package init(longitude: GeoNumber, latitude: GeoNumber, altitude: GeoNumber?, range: SourceRange) {
    self.longitude = longitude
    self.latitude = latitude
    self.altitude = altitude
    self.range = range
  }
}

package typealias GeoNumber = SyntaxNode<GeoNumberKind>

package enum GeoNumberKind: Hashable, Sendable {
  case number(Double)
  case argument(ArgumentReference)
}
