// Conditions in the form in which they run: over a whole leaf at a time where a kernel exists, row by row where
// none does. Layer: Query, Plan.

/// One condition of a plan.
package indirect enum PlannedCondition: Sendable {
  case constant(Bool)
  case and([PlannedCondition])
  case or([PlannedCondition])
  case not(PlannedCondition)
  case column(Property, NumberPredicate)
  /// Of strings or data.
  case texts(Property, TextTest)
  /// Of object ids or UUIDs.
  case identifier(Property, IdentifierTest)
  /// Whatever is asked of one property and no kernel knows, value by value.
  case tested(PropertyCondition)
  /// Of mixed values.
  case mixed(Property, MixedTest)
  /// Of the entries of a dictionary.
  case entries(DictionaryCondition)
  /// Any of several conditions on one property, which has single values.
  case anyOf(Property, [PlannedCondition])
  /// Numbers that are calculated from columns.
  case numbers(NumberComparison)
  /// Two values of the row, or one and a constant.
  case values(ValueComparison)
  /// Two values of which one at least stands behind links.
  case linkedValues(JoinedComparison)
  /// The link leads to an object with one of these keys, or to none.
  case links(Property, LinkedKeys, acceptsNull: Bool)
  case isNull(Property)
  /// Some of the chosen elements of the list or set meets the condition, which is one on the elements.
  case anyElement(Property, ElementChoice, PlannedCondition)
  /// Some element of the list or set of links leads to one of these.
  case anyLinked(Property, LinkedKeys)
  /// Some object that links here is one of these.
  case anyIncoming(BacklinkColumn, LinkedKeys)
  /// How many elements the collection has.
  case elementCount(Property, IntegerRange)
  /// How many links lead here, those that the columns record together.
  case incomingCount([BacklinkColumn], IntegerRange)
  /// The object has one of these keys.
  case keys(KeySet)
  /// A side is computed, for all rows of a block that are left at once.
  case computed(BoundComparison)
  /// Whatever no kernel knows, asked for each row that is left.
  case rows(BoundPredicate)

  /// Rough cost of asking one row, in units of one integer comparison; the planner's first guess at an order.
  package var cost: Double {
    switch self {
    case .constant: 0
    case .column(_, let test): test.cost
    case .isNull: 2
    case .keys: 3
    case .links: 2.5
    case .texts(_, let test): test.cost
    case .identifier: 4
    case .tested: 40
    case .mixed: 8
    case .entries: 50
    case .numbers(let comparison): 1 + comparison.left.cost + comparison.right.cost
    case .values: 30
    case .linkedValues(let comparison): 60 * Double(comparison.linkCount)
    case .incomingCount(let columns, _): 10 * Double(columns.count)
    case .elementCount: 20
    case .anyLinked, .anyIncoming: 30
    case .anyElement(_, _, let condition): 20 + 4 * condition.cost
    case .and(let parts), .or(let parts), .anyOf(_, let parts): parts.reduce(0) { $0 + $1.cost }
    case .not(let part): part.cost
    case .computed: 200
    case .rows: 300
    }
  }

  /// The condition on what this one is not met by.
  var negated: PlannedCondition {
    if case .column(let property, .integers(let test, let acceptsNull)) = self {
      return .column(property, .integers(test.negated, acceptsNull: !acceptsNull))
    }
    return .not(self)
  }

  /// The one column that a kernel for this condition reads, or that of its first part.
  var firstProperty: Property? {
    switch self {
    case .column(let property, _), .texts(let property, _), .identifier(let property, _),
      .anyOf(let property, _), .links(let property, _, _), .isNull(let property), .mixed(let property, _),
      .anyElement(let property, _, _), .anyLinked(let property, _), .elementCount(let property, _):
      property
    case .and(let parts), .or(let parts): parts.first?.firstProperty
    case .not(let part): part.firstProperty
    case .tested(let condition): condition.property
    case .entries(let condition): condition.property
    case .constant, .rows, .computed, .numbers, .values, .linkedValues, .anyIncoming, .incomingCount, .keys:
      nil
    }
  }

  /// The columns that every block is asked for, or nearly every one.
  var properties: [Property] {
    switch self {
    case .and(let parts), .or(let parts): parts.flatMap(\.properties).distinct
    case .numbers(let comparison): (comparison.left.properties + comparison.right.properties).distinct
    case .values(let comparison): comparison.properties.distinct
    case .linkedValues(let comparison): comparison.properties.distinct
    case .not(let part): part.properties
    default: firstProperty.map { [$0] } ?? []
    }
  }
}

extension [Property] {
  /// Each once.
  fileprivate var distinct: [Property] {
    reduce(into: []) { properties, property in
      if !properties.contains(where: { $0.columnKey == property.columnKey }) { properties.append(property) }
    }
  }
}

extension TextTest {
  fileprivate var cost: Double {
    switch kind {
    case .equal, .beginsWith, .endsWith, .compare: 8
    case .isIn: 12
    case .contains: 16
    case .like: 24
    case .expression: 200
    }
  }
}

/// What the entries of a dictionary are asked for.
package struct DictionaryCondition: Sendable {
  enum Part: Sendable {
    /// The value under a key, which is null where there is none.
    case value(key: ByteString, MixedTest)
    /// Some value.
    case anyValue(MixedTest)
    case anyKey(PropertyCondition.Test)
  }

  let property: Property
  let part: Part
  /// Whether an entry is looked for that fails the test.
  let isNegated: Bool

  init(_ property: Property, _ part: Part, isNegated: Bool = false) {
    self.property = property
    self.part = part
    self.isNegated = isNegated
  }
}
