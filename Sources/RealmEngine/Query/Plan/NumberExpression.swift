// Numbers that are calculated from the columns of a class, in the form in which they run: a block of rows at a time.
// Layer: Query, Plan.
// Invariant: an expression gives each row one number or null, the same as the row-by-row evaluator.

package import RealmQueryLanguage

/// A number of each row.
package indirect enum NumberExpression: Sendable {
  /// The types of numbers that blocks hold.
  package enum Kind: Sendable, Hashable { case int, float, double }

  case null
  case int(Int64)
  case float(Float)
  case double(Double)
  /// An int, float or double.
  case property(Property)
  /// Bytes of a string or data, or what else a mixed value has of them.
  case size(Property)
  /// How many elements a list or set has.
  case elementCount(Property)
  /// How many links lead here, those that the columns record together.
  case incomingCount([BacklinkColumn])
  /// How many of the links lead to one of these.
  case linkCount(LinkSource, LinkedKeys)
  /// What the object has that a link leads to.
  case linked(Property, LinkedNumbers)
  /// Over the elements of a list, set or dictionary of ints, floats or doubles.
  case aggregate(Aggregate, Property)
  /// Over what the objects have that the links lead to.
  case linkAggregate(Aggregate, LinkSource, LinkedNumbers)
  /// From left to right.
  case arithmetic(first: NumberExpression, rest: [(NumberVector.Operation, NumberExpression)])

  package var kind: Kind {
    switch self {
    case .null, .int, .size, .elementCount, .incomingCount, .linkCount: .int
    case .linked(_, let numbers): numbers.kind
    case .float: .float
    case .double: .double
    case .property(let property): Self.kind(of: property)
    case .aggregate(let function, let property): Self.kind(of: function, over: Self.kind(of: property))
    case .linkAggregate(let function, _, let numbers): Self.kind(of: function, over: numbers.kind)
    case .arithmetic(let first, let rest): rest.reduce(first.kind) { $0.wider($1.1.kind) }
    }
  }

  private static func kind(of function: Aggregate, over kind: Kind) -> Kind {
    switch function {
    case .min, .max: kind
    case .sum: kind == .int ? .int : .double
    case .avg: .double
    }
  }

  private static func kind(of property: Property) -> Kind {
    switch property.type {
    case .float: .float
    case .double: .double
    default: .int
    }
  }

  /// Rough cost of one row, in units of one integer comparison.
  var cost: Double {
    switch self {
    case .null, .int, .float, .double: 0.5
    case .property: 1
    case .size: 3
    case .elementCount: 20
    case .incomingCount(let columns): 10 * Double(columns.count)
    case .aggregate: 30
    case .linkCount, .linkAggregate: 40
    case .linked: 4
    case .arithmetic(let first, let rest): rest.reduce(first.cost) { $0 + 1 + $1.1.cost }
    }
  }

  /// The columns that it reads.
  var properties: [Property] {
    switch self {
    case .null, .int, .float, .double, .incomingCount: []
    case .property(let property), .size(let property), .elementCount(let property), .linked(let property, _),
      .aggregate(_, let property):
      [property]
    case .linkCount(let source, _), .linkAggregate(_, let source, _): source.property.map { [$0] } ?? []
    case .arithmetic(let first, let rest): first.properties + rest.flatMap(\.1.properties)
    }
  }
}

extension NumberExpression {
  /// The same expression with objects of its own, for one of several threads; see `BlockDirectory`.
  func forOneThread() -> NumberExpression {
    switch self {
    case .null: .null
    case .int(let value): .int(value)
    case .float(let value): .float(value)
    case .double(let value): .double(value)
    case .property(let property): .property(property.forOneThread())
    case .size(let property): .size(property.forOneThread())
    case .elementCount(let property): .elementCount(property.forOneThread())
    case .incomingCount(let columns): .incomingCount(columns.map(\.self))
    case .linkCount(let source, let keys): .linkCount(source.forOneThread(), keys)
    case .linked(let property, let numbers): .linked(property.forOneThread(), numbers)
    case .aggregate(let function, let property): .aggregate(function, property.forOneThread())
    case .linkAggregate(let function, let source, let numbers):
      .linkAggregate(function, source.forOneThread(), numbers)
    case .arithmetic(let first, let rest):
      .arithmetic(first: first.forOneThread(), rest: rest.map { ($0.0, $0.1.forOneThread()) })
    }
  }
}

/// Several links of an object.
package enum LinkSource: Sendable {
  /// A list or set of links.
  case elements(Property)
  /// The links that lead here.
  case incoming(BacklinkColumn)

  fileprivate var property: Property? { if case .elements(let property) = self { property } else { nil } }

  fileprivate func forOneThread() -> LinkSource {
    switch self {
    case .elements(let property): .elements(property.forOneThread())
    case .incoming(let column): .incoming(column)
    }
  }
}

extension NumberExpression.Kind {
  /// The kind of what is calculated from both: a float beside an int stays one.
  func wider(_ other: NumberExpression.Kind) -> NumberExpression.Kind {
    if self == .double || other == .double { return .double }
    return self == .float || other == .float ? .float : .int
  }
}

/// How two numbers of a row must relate.
package struct NumberComparison: Sendable {
  package let left: NumberExpression
  package let comparison: ComparisonOperator
  package let right: NumberExpression
  /// NaN equals itself and is less than all numbers.
  package let ordersNaN: Bool

  /// The same comparison with objects of its own, for one of several threads.
  func forOneThread() -> NumberComparison {
    NumberComparison(
      left: left.forOneThread(), comparison: comparison, right: right.forOneThread(), ordersNaN: ordersNaN)
  }
}
