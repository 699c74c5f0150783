// A predicate whose names and types have met the schema: what planners, executors and the reference evaluator work
// on. Layer: Query, Plan.
// Invariants: every type error was found while binding; constants are narrowed towards what they are compared with;
// conditions that cannot depend on the row are `.constant`. Reading a bound predicate can only fail on damage.

/// A condition on one object.
package indirect enum BoundPredicate: Sendable {
  case constant(Bool)
  /// At least two conditions, none of them an `and`.
  case and([BoundPredicate])
  /// At least two conditions, none of them an `or`.
  case or([BoundPredicate])
  case not(BoundPredicate)
  /// One single-valued property of the class against constants: what kernels and indexes answer.
  case property(PropertyCondition)
  /// Everything else that compares: paths, lists, aggregates, arithmetic on either side.
  case comparison(BoundComparison)
  case between(BetweenCondition)
  case fullText(FullTextCondition)
  case geoWithin(GeoCondition)
}

/// A condition on a property that holds one value (never a list, set or dictionary), read straight from the row.
package struct PropertyCondition: Sendable {
  package enum Test: Sendable {
    /// The value's relation to a constant.
    ///
    /// A string property orders null below every string, the null constant included, so `< 'B'` takes nulls and
    /// `>= null` everything. For all other types `ValueComparison` says all there is to say.
    case compare(ComparisonTest, Value)
    /// Equality with any of the constants; the list may hold null and may be empty.
    case isOneOf([Value])
    /// Between two constants, which are not null, both inclusive; never true of null.
    case isBetween(Value, Value)
  }

  package let property: Property
  package let test: Test

  package init(property: Property, test: Test) {
    self.property = property
    self.test = test
  }
}

/// Two operands and how they must relate, under their quantifiers.
///
/// NaN equals itself and is less than all numbers where neither side is constant, and is neither beside a constant.
package struct BoundComparison: Sendable {
  package let left: BoundOperand
  package let relation: ComparisonTest
  package let right: BoundOperand
  /// What it means when both sides are lists and neither has a quantifier.
  package let pairing: ListPairing
  /// The values are sets of types (`TypeNames`), equal when they have one in common.
  package let comparesTypes: Bool

  package init(
    _ left: BoundOperand, _ relation: ComparisonTest, _ right: BoundOperand, pairing: ListPairing = .inOrder,
    comparesTypes: Bool = false
  ) {
    self.left = left
    self.relation = relation
    self.right = right
    self.pairing = pairing
    self.comparesTypes = comparesTypes
  }
}

extension BoundComparison {
  /// Whether a side is more than what stands there.
  var isComputed: Bool {
    if case .computed = left { return true }
    if case .computed = right { return true }
    return false
  }
}

/// How two lists without quantifiers meet.
package enum ListPairing: Sendable, Hashable {
  /// As long as each other, and each element with the one at its place; `!=` is the negation of `==`.
  case inOrder
  /// `==` and `!=` compare what is in them (one side is a set).
  case asSets
  /// Some element of the left with some element of the right (`IN`).
  case anyWithAny
}

/// `operand BETWEEN {low, high}`: the same element has to be in the range, both ends inclusive.
package struct BetweenCondition: Sendable {
  package let operand: BoundOperand
  package let low: Value
  package let high: Value
}

/// `path TEXT 'words'`. The property at the path's end is a string with a full-text index.
package struct FullTextCondition: Sendable {
  package let path: BoundPath
  package let property: Property
  package let words: FullTextQuery
}

/// `path GEOWITHIN region`. The path ends in objects that hold a GeoJSON point.
package struct GeoCondition: Sendable {
  package let path: BoundPath
  /// Of the class that the path ends in: its string `type` and list of doubles `coordinates`.
  package let typeProperty: Property
  package let coordinatesProperty: Property
  package let region: GeoRegion
}
