// Conditions on one column of integers, booleans, dates, floating-point numbers or links. Layer: Query, Plan.

/// What the numbers of a leaf are tested for.
package enum NumberPredicate: Sendable {
  case integers(IntegerRange, acceptsNull: Bool)
  case integerSet(IntegerSet, acceptsNull: Bool)
  case bools(acceptsFalse: Bool, acceptsTrue: Bool, acceptsNull: Bool)
  case floats(FloatingTest<Float>)
  case doubles(FloatingTest<Double>)
  case dates(DateTest, acceptsNull: Bool)
  case dateSet(DateSet, acceptsNull: Bool)
  case links(KeySet, acceptsNull: Bool)
  /// Links that lead nowhere.
  case nullLinks

  /// As a condition's.
  var cost: Double {
    switch self {
    case .integers, .bools: 1
    case .floats: 1.5
    case .links: 2.5
    case .dates, .dateSet: 3
    default: 2
    }
  }
}
