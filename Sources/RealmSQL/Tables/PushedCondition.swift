// Conditions of SQL in the terms of the query engine. Layer: RealmSQL, Tables.
// Invariant: what is pushed is true of every row that SQLite's condition is true of; where it is said to be exact, of no
// other row.

import ByteText
import RealmEngine

extension Value {
  /// The value of a column of `type` that SQLite shows as `value`; nil where there is none.
  init?(_ value: SQLValue, ofExactly type: ValueType) {
    switch (type, value) {
    case (.int, .integer(let number)): self = .int(number)
    case (.string, .text(let text)): self = .string(text)
    case (.data, .blob(let data)): self = .data(data)
    case (.objectID, .text(let text)):
      guard let id = ObjectID(text: text.bytes.span), SQLValue(text: { id.write(to: &$0) }) == value else {
        return nil
      }
      self = .objectID(id)
    case (.uuid, .text(let text)):
      guard let id = UUIDValue(text: text.bytes.span), SQLValue(text: { id.write(to: &$0) }) == value else {
        return nil
      }
      self = .uuid(id)
    default: return nil
    }
  }
}

/// What is left of a condition when it meets its value.
enum PushedCondition {
  /// Nothing is known: SQLite decides.
  case all
  case never
  case predicate(BoundPredicate)

  /// Whether conditions with this comparison are worth pushing, and whether what is pushed is exact whatever the value.
  static func offer(
    _ comparison: SQLComparison, on property: Property, _ constraint: PlanRequest.Constraint
  ) -> (isPushed: Bool, isExact: Bool) {
    let compares = comparison.operation != nil
    switch property.type {
    case .int, .bool: return (compares || comparison.isNullTest, compares || comparison.isNullTest)
    // What is no number is null for SQLite.
    case .float, .double: return (compares && comparison != .notEqual, compares && comparison != .same)
    case .string:
      if comparison.isNullTest { return (true, true) }
      if comparison == .like || comparison == .glob { return (true, false) }
      guard compares, constraint.comparesBytes else { return (false, false) }
      // A number on the other side may be compared as a number or as a text.
      if case .text? = constraint.constant { return (true, true) }
      return (comparison != .notEqual, false)
    case .data, .objectID, .uuid:
      if comparison.isNullTest { return (true, true) }
      return (comparison.isEquality && constraint.comparesBytes, false)
    case .date:
      if comparison.isNullTest { return (true, true) }
      return (compares && comparison != .notEqual && constraint.comparesBytes, false)
    case .object: return (comparison.isEquality && constraint.comparesBytes, false)
    case .decimal128:
      // Of use to joins alone.
      let isJoined = comparison.isEquality && constraint.constant == nil && constraint.comparesBytes
      return (comparison.isNullTest || isJoined, comparison.isNullTest)
    case .mixed, .typedLink, .backlink: return (false, false)
    }
  }

  init(_ comparison: SQLComparison, _ property: Property, _ argument: PlanArgument, in realm: ReadTransaction)
    throws(EngineError)
  {
    switch argument {
    case .one(let value): self = try Self.condition(comparison, property, value, in: realm)
    case .list(let values):
      var parts: [BoundPredicate] = []
      var isAll = false
      for value in values {
        switch try Self.condition(.equal, property, value, in: realm) {
        case .all: isAll = true
        case .never: continue
        case .predicate(let part): parts.append(part)
        }
      }
      self = isAll ? .all : Self.any(parts)
    }
  }

  /// Any of several equalities, which indexes and kernels take as one where they are of one property.
  private static func any(_ parts: [BoundPredicate]) -> PushedCondition {
    guard let first = parts.first else { return .never }
    if parts.count == 1 { return .predicate(first) }
    var values: [Value] = []
    var property: Property?
    for case .property(let condition) in parts {
      guard case .compare(.equal, let value) = condition.test else { continue }
      values.append(value)
      property = condition.property
    }
    guard let property, values.count == parts.count else { return .predicate(.or(parts)) }
    return .predicate(.property(PropertyCondition(property: property, test: .isOneOf(values))))
  }

  private static func condition(
    _ comparison: SQLComparison, _ property: Property, _ value: SQLValue, in realm: ReadTransaction
  ) throws(EngineError) -> PushedCondition {
    switch comparison {
    case .isNull: return .predicate(test(property, .equal, .null))
    case .isNotNull: return .predicate(test(property, .notEqual, .null))
    case .like, .glob: return pattern(comparison, property, value)
    default: break
    }
    guard let operation = comparison.operation else { return .all }
    if value == .null { return comparison == .same ? null(property) : .never }
    switch property.type {
    case .int, .bool, .float, .double: return NumberCondition(operation, value).pushed(property)
    case .string:
      guard case .text(let text) = value else { return .all }
      return .predicate(excludingNull(property, operation, .string(text)))
    case .data, .objectID, .uuid:
      guard let value = Value(value, ofExactly: property.type) else {
        return property.type == .data ? .all : textless(value)
      }
      return .predicate(test(property, .equal, value))
    case .date: return dates(property, operation, value)
    case .object: return try link(property, value, in: realm)
    default: return .all
    }
  }

  /// Links to what is gone and what is no number are null too.
  private static func null(_ property: Property) -> PushedCondition {
    switch property.type {
    case .float, .double, .object: .all
    default: .predicate(test(property, .equal, .null))
    }
  }

  /// A text that no identifier is written as is equal to none; of a number SQLite decides.
  private static func textless(_ value: SQLValue) -> PushedCondition {
    if case .text = value { .never } else { .all }
  }

  static func test(_ property: Property, _ relation: ComparisonTest, _ value: Value) -> BoundPredicate {
    .property(PropertyCondition(property: property, test: .compare(relation, value)))
  }

  /// Nulls sort before all texts and are unequal to them, and SQL wants none of them.
  static func excludingNull(
    _ property: Property, _ operation: ComparisonOperator, _ value: Value
  ) -> BoundPredicate {
    let condition = test(property, ComparisonTest(operation), value)
    guard property.isOptional, operation != .equal else { return condition }
    return .and([condition, test(property, .notEqual, .null)])
  }

  private static func link(
    _ property: Property, _ value: SQLValue, in realm: ReadTransaction
  ) throws(EngineError) -> PushedCondition {
    // Links to a class that is gone are null.
    guard let target = property.target.flatMap(realm.table) else { return .never }
    if let key = target.schema.primaryKey {
      guard Value(value, ofExactly: key.type) != nil else {
        return key.type == .int ? .all : textless(value)
      }
    } else {
      guard case .integer = value else { return .all }
    }
    guard let position = try target.find(named: value) else { return .never }
    return .predicate(
      test(
        property, .equal, .link(ObjectLink(table: target.schema.tableKey, key: position.key))))
  }

  // MARK: Patterns

  /// What the pattern begins with, as far as it means only itself.
  private static func pattern(
    _ comparison: SQLComparison, _ property: Property, _ value: SQLValue
  ) -> PushedCondition {
    guard case .text(let pattern) = value else { return .all }
    let special: [UInt8] = comparison == .like ? Array("%_".utf8) : Array("*?[".utf8)
    let prefix = Array(pattern.bytes.array().prefix { !special.contains($0) })
    // Letters beyond ASCII have no case for SQLite, and may stand in another form here.
    guard !prefix.isEmpty, prefix.allSatisfy({ $0 > 0 && $0 < 0x80 && $0 != UInt8(ascii: "\\") }) else {
      return .predicate(test(property, .notEqual, .null))
    }
    let relation = ComparisonTest(.beginsWith, folding: comparison == .like ? .latinCase : .none)
    return .predicate(test(property, relation, .string(ByteString(copying: prefix))))
  }

  // MARK: Dates

  /// SQLite compares texts, in which a fraction of a second sorts before its second; so whole seconds around the text
  /// are asked for. Dates without a calendar form sort behind all others.
  private static func dates(
    _ property: Property, _ operation: ComparisonOperator, _ value: SQLValue
  ) -> PushedCondition {
    guard case .text(let text) = value, let second = wholeSecond(text) else {
      return .predicate(test(property, .notEqual, .null))
    }
    let before = Value.date(Timestamp(seconds: second - dateMargin, nanoseconds: 0))
    let after = Value.date(Timestamp(seconds: second + dateMargin, nanoseconds: 0))
    let firstYear = Value.date(Timestamp(seconds: -62_135_596_800 + dateMargin, nanoseconds: 0))
    let isAfter = test(property, ComparisonTest(.greaterOrEqual), before)
    switch operation {
    case .equal: return .predicate(.and([isAfter, test(property, ComparisonTest(.lessOrEqual), after)]))
    case .greater, .greaterOrEqual:
      return .predicate(.or([isAfter, test(property, ComparisonTest(.less), firstYear)]))
    case .less, .lessOrEqual: return .predicate(test(property, ComparisonTest(.lessOrEqual), after))
    case .notEqual: return .all
    }
  }

  /// Seconds around a text that a comparison of texts may put on its other side.
  private static let dateMargin: Int64 = 3

  private static let secondsPerDay: Int64 = 86_400

  /// The second that the text names, or is the beginning of; nil for other texts.
  private static func wholeSecond(_ text: ByteString) -> Int64? {
    let form = Array("0001-01-01T00:00:00Z".utf8)
    var bytes = Array(text.bytes.array().prefix(form.count - 1))
    // A blank sorts before the T of a time, a small letter behind all times of its day: what follows them does not count.
    var isBehindDay = false
    if bytes.count > 10, bytes[10] != UInt8(ascii: "T") {
      isBehindDay = bytes[10] > UInt8(ascii: "T")
      bytes.removeSubrange(10...)
    }
    guard [4, 7, 10, 13, 16, 19].contains(bytes.count) else { return nil }
    guard bytes.indices.allSatisfy({ form[$0].isDigit ? bytes[$0].isDigit : bytes[$0] == form[$0] }) else {
      return nil
    }
    bytes += form[bytes.count...]
    return Timestamp(text: bytes.span).map { $0.seconds + (isBehindDay ? secondsPerDay : 0) }
  }
}

extension SQLComparison {
  /// Nil for what is no comparison of two values.
  var operation: ComparisonOperator? {
    switch self {
    case .equal, .same: .equal
    case .less: .less
    case .lessOrEqual: .lessOrEqual
    case .greater: .greater
    case .greaterOrEqual: .greaterOrEqual
    case .notEqual: .notEqual
    case .isNull, .isNotNull, .like, .glob, .limit, .offset: nil
    }
  }

  var isNullTest: Bool { self == .isNull || self == .isNotNull }
}
