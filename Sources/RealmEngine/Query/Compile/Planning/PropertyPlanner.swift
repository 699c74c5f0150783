// Turns conditions on one property into kernels, where a kernel says exactly the same. Layer: Query, Compile, Planning.

import ByteText

enum PropertyPlanner {
  /// The kernel for `condition`, or else its test of single values.
  static func plan(_ condition: PropertyCondition) -> PlannedCondition {
    condition.property.type == .mixed
      ? .mixed(condition.property, MixedTest(condition.test)) : kernel(condition) ?? .tested(condition)
  }

  private static func kernel(_ condition: PropertyCondition) -> PlannedCondition? {
    let property = condition.property
    switch condition.test {
    case .compare(let relation, let constant): return compare(property, relation, constant)
    case .isOneOf(let constants): return oneOf(property, constants)
    case .isBetween(let low, let high):
      guard let above = compare(property, ComparisonTest(.greaterOrEqual), low),
        let below = compare(property, ComparisonTest(.lessOrEqual), high)
      else { return nil }
      return between(property, above, below)
    }
  }

  private static func between(
    _ property: Property, _ above: PlannedCondition, _ below: PlannedCondition
  ) -> PlannedCondition {
    switch (above, below) {
    case (.column(_, .integers(let low, _)), .column(_, .integers(let high, _))):
      let range = IntegerRange(low: max(low.low, high.low), high: min(low.high, high.high))
      return .column(property, .integers(range, acceptsNull: false))
    case (.column(_, .dates(let low, _)), .column(_, .dates(let high, _))):
      return .column(property, .dates(DateTest(low: low.low, high: high.high), acceptsNull: false))
    case (_, .texts(_, let test)):
      // Null sorts before all texts in comparisons, but lies between no two of them.
      return .and([above, .texts(property, TextTest(test.kind, test.needle, acceptsNull: false))])
    case (
      .column(_, .floats(.compare(.greaterOrEqual, let low))),
      .column(_, .floats(.compare(.lessOrEqual, let high)))
    ):
      return .column(property, .floats(.range(low: low, high: high)))
    case (
      .column(_, .doubles(.compare(.greaterOrEqual, let low))),
      .column(_, .doubles(.compare(.lessOrEqual, let high)))
    ):
      return .column(property, .doubles(.range(low: low, high: high)))
    default: return .and([above, below])
    }
  }

  private static func compare(
    _ property: Property, _ relation: ComparisonTest, _ constant: Value
  ) -> PlannedCondition? {
    if constant == .null { return compareWithNull(property, relation) }
    let isNotEqual = relation.kind == .notEqual
    if case .string(let text) = constant, property.type == .string { return texts(property, relation, text) }
    if case .data(let data) = constant, property.type == .data { return texts(property, relation, data) }
    guard let comparison = relation.comparison else { return nil }
    switch property.type {
    case .int:
      return IntegerRange(comparison, constant).map {
        .column(property, .integers($0, acceptsNull: isNotEqual))
      }
    case .bool: return bools(property, comparison, constant)
    case .double:
      return constant.exactDouble.map { .column(property, .doubles(.compare(comparison, $0))) }
    case .float:
      return constant.exactFloat.map { .column(property, .floats(.compare(comparison, $0))) }
    case .date:
      guard case .date(let date) = constant else { return nil }
      return .column(property, .dates(DateTest(comparison, date), acceptsNull: isNotEqual))
    case .object:
      guard case .link(let link) = constant, link.table == property.target, relation.isEquality else {
        return nil
      }
      let hit = PlannedCondition.links(property, .known(KeySet([link.key])), acceptsNull: false)
      return isNotEqual ? .not(hit) : hit
    case .objectID:
      guard case .objectID(let id) = constant else { return nil }
      return .identifier(property, IdentifierTest(comparison, id))
    case .uuid:
      guard case .uuid(let id) = constant else { return nil }
      return .identifier(property, IdentifierTest(comparison, id))
    case .string, .data, .decimal128, .mixed, .backlink, .typedLink: return nil
    }
  }

  private static func compareWithNull(_ property: Property, _ relation: ComparisonTest) -> PlannedCondition? {
    let isString = property.type == .string
    switch relation.kind {
    case .compare(.equal): return .isNull(property)
    case .compare(.notEqual): return .not(.isNull(property))
    case .compare(.less): return .constant(false)
    case .compare(.greater): return isString ? .not(.isNull(property)) : .constant(false)
    case .compare(.lessOrEqual): return .isNull(property)
    case .compare(.greaterOrEqual): return isString ? .constant(true) : .isNull(property)
    case .beginsWith, .endsWith, .contains: return isString ? .constant(true) : nil
    case .like: return isString ? .isNull(property) : nil
    case .matches: return nil
    }
  }

  private static func bools(
    _ property: Property, _ comparison: ComparisonOperator, _ constant: Value
  ) -> PlannedCondition? {
    guard case .bool(let value) = constant else { return nil }
    return .column(
      property,
      .bools(
        acceptsFalse: comparison.holds(order: value ? -1 : 0),
        acceptsTrue: comparison.holds(order: value ? 0 : 1), acceptsNull: comparison == .notEqual))
  }

  private static func texts(
    _ property: Property, _ relation: ComparisonTest, _ text: ByteString
  ) -> PlannedCondition? {
    guard relation.folding == .none || relation.folding == .latinCase && text.bytes.isUTF8 else { return nil }
    let needle = SearchTerm(text, isCaseInsensitive: relation.folding == .latinCase)
    // In comparisons with constants, null sorts before every text; among data it has no place.
    let isString = property.type == .string
    let test: TextTest
    switch relation.kind {
    case .equal: test = TextTest(.equal, needle, acceptsNull: false)
    case .notEqual: test = TextTest(.equal, needle, isNegated: true, acceptsNull: true)
    case .beginsWith: test = TextTest(.beginsWith, needle, acceptsNull: false)
    case .endsWith: test = TextTest(.endsWith, needle, acceptsNull: false)
    case .contains: test = TextTest(.contains, needle, acceptsNull: false)
    case .compare(let comparison):
      let isBelow = comparison == .less || comparison == .lessOrEqual
      test = TextTest(.compare(comparison), needle, acceptsNull: isString && isBelow)
    case .like: test = TextTest(like: text.bytes.array(), isCaseInsensitive: needle.isCaseInsensitive)
    case .matches:
      guard let expression = try? RegularExpression(text.bytes.array(), foldsCase: needle.isCaseInsensitive)
      else {
        return nil
      }
      test = TextTest(.expression(expression), SearchTerm([]), acceptsNull: false)
    }
    return .texts(property, test)
  }

  private static func oneOf(_ property: Property, _ constants: [Value]) -> PlannedCondition? {
    let acceptsNull = constants.contains(.null)
    let members = constants.filter { $0 != .null }
    switch property.type {
    case .int:
      var integers: [Int64] = []
      for member in members {
        guard let test = IntegerRange(.equal, member) else { return nil }
        if test.low == test.high { integers.append(test.low) }
      }
      return .column(property, .integerSet(IntegerSet(integers), acceptsNull: acceptsNull))
    case .date:
      var dates: [Timestamp] = []
      for member in members {
        guard case .date(let date) = member else { return nil }
        dates.append(date)
      }
      return .column(property, .dateSet(DateSet(dates), acceptsNull: acceptsNull))
    case .string:
      var texts: Set<ByteString> = []
      for case .string(let text) in members { texts.insert(text) }
      return .texts(property, TextTest(.isIn(TextSet(texts)), SearchTerm([]), acceptsNull: acceptsNull))
    case .object:
      var keys: [ObjectKey] = []
      for case .link(let link) in members where link.table == property.target { keys.append(link.key) }
      return .links(property, .known(KeySet(keys.sorted())), acceptsNull: acceptsNull)
    default:
      var equalities: [PlannedCondition] = []
      for constant in constants {
        guard let equality = compare(property, .equal, constant) else { return nil }
        equalities.append(equality)
      }
      let tests = merged(equalities, property)
      return tests.count == 1 ? tests[0] : .anyOf(property, tests)
    }
  }

  /// Equalities of floating-point numbers as one test for all of them.
  private static func merged(
    _ equalities: [PlannedCondition], _ property: Property
  ) -> [PlannedCondition] {
    var (floats, doubles): ([Float], [Double]) = ([], [])
    var others: [PlannedCondition] = []
    for equality in equalities {
      switch equality {
      case .column(_, .floats(.compare(.equal, let number))): floats.append(number)
      case .column(_, .doubles(.compare(.equal, let number))): doubles.append(number)
      default: others.append(equality)
      }
    }
    if !floats.isEmpty { others.append(.column(property, .floats(.isOne(floats)))) }
    if !doubles.isEmpty { others.append(.column(property, .doubles(.isOne(doubles)))) }
    return others
  }
}

extension Value {
  /// The number as a double, where that is all of it.
  fileprivate var exactDouble: Double? {
    switch self {
    case .double(let number): number
    case .float(let number): Double(number)
    case .int(let number): Double(exactly: number)
    default: nil
    }
  }

  /// The number as a float, where that is all of it.
  fileprivate var exactFloat: Float? {
    switch self {
    case .float(let number): number
    case .double(let number): Float(exactly: number)
    case .int(let number): Float(exactly: number)
    default: nil
    }
  }
}

extension DateTest {
  /// The dates that compare with `date` as `comparison` says.
  init(_ comparison: ComparisonOperator, _ date: Timestamp) {
    let value = (seconds: date.seconds, nanoseconds: Int64(date.nanoseconds))
    let least = (seconds: Int64.min, nanoseconds: Int64.min)
    let greatest = (seconds: Int64.max, nanoseconds: Int64.max)
    switch comparison {
    case .equal: self.init(low: value, high: value)
    case .notEqual: self.init(low: value, high: value, isNegated: true)
    case .less: self.init(low: least, high: (value.seconds, value.nanoseconds - 1))
    case .lessOrEqual: self.init(low: least, high: value)
    case .greater: self.init(low: (value.seconds, value.nanoseconds + 1), high: greatest)
    case .greaterOrEqual: self.init(low: value, high: greatest)
    }
  }
}
