// What `@min @max @sum @avg`, the statements of these names and the functions on lists give: one meaning over values.
// Layer: Query, Operators. Nulls and NaN are passed over, as in the reference engine.

package import RealmQueryLanguage

extension Aggregate {
  /// The aggregate of the elements of a collection or property of type `type`.
  package func result(over values: [Value], of type: ValueType) -> Value {
    switch self {
    case .min: return extreme(of: values, type) { $0 < 0 }
    case .max: return extreme(of: values, type) { $0 > 0 }
    case .sum: return sum(of: values.filter { $0.isNumber && !Self.passesOver($0, of: type) }, type)
    case .avg:
      let numbers = values.filter { $0.isNumber && !Self.passesOver($0, of: type) }
      if numbers.isEmpty { return .null }
      if type == .int {
        // The sum of ints wraps; their average is of the numbers themselves.
        return .double(numbers.reduce(0) { $0 + ($1.doubleValue ?? 0) } / Double(numbers.count))
      }
      return ArithmeticOperation.divide(sum(of: numbers, type), .int(Int64(numbers.count)))
    }
  }

  /// The same over numbers of whatever types; unlike in conditions, a sum of ints that is too large is an error.
  func checkedResult(over values: [Value]) throws(EngineError) -> Value {
    var type = ValueType.int
    var sum: Int64 = 0
    for value in values where value != .null {
      switch value {
      case .int(let number):
        let (next, overflow) = sum.addingReportingOverflow(number)
        if overflow, self == .sum {
          throw EngineError(
            .constraint, "the sum is too large for an int", hint: "add up double(…) or decimal(…)")
        }
        sum = next
      case .float, .double: if type == .int { type = .double }
      case .decimal: type = .decimal128
      default: break
      }
    }
    return result(over: values, of: type)
  }

  /// Whether a value of a property of that type counts for nothing. Among mixed values a float or double that is NaN takes part,
  /// as in the reference engine.
  private static func passesOver(_ value: Value, of type: ValueType) -> Bool {
    switch value {
    case .float, .double: type != .mixed && value.isNaN
    default: value.isNaN
    }
  }

  /// Values of a mixed collection that are no numbers take part, in the order of all values.
  private func extreme(of values: [Value], _ type: ValueType, _ isBetter: (Int) -> Bool) -> Value {
    var best = Value.null
    for value in values where value != .null && !Self.passesOver(value, of: type) {
      if best == .null || isBetter(value.storedOrder(best)) { best = value }
    }
    return best
  }

  private func sum(of numbers: [Value], _ type: ValueType) -> Value {
    switch type {
    case .int:
      return numbers.reduce(.int(0)) { ArithmeticOperation.add($0, $1) }
    case .float, .double:
      return .double(numbers.reduce(0) { $0 + ($1.doubleValue ?? 0) })
    default:
      return .decimal(numbers.reduce(Decimal128.zero) { $0 + ($1.decimalValue ?? .zero) })
    }
  }
}

/// An aggregate of values that come some at a time; the same as `checkedResult` over all of them.
struct RunningAggregate {
  private let aggregate: Aggregate
  /// The sum, or the least or greatest value, until now.
  private var value = Value.null
  private var count = 0

  /// Nil where it takes all values at once: whether numbers of several types are added up as ints depends on the last of them.
  init?(_ aggregate: Aggregate, of type: ValueType) {
    switch aggregate {
    case .min, .max: break
    case .sum, .avg: guard type.isNumber else { return nil }
    }
    self.aggregate = aggregate
  }

  mutating func add(_ values: [Value]) throws(EngineError) {
    switch aggregate {
    case .min, .max: value = try aggregate.checkedResult(over: [value] + values)
    case .sum: try addUp(values)
    case .avg:
      // The sum of ints may be too large for one; their average is of the numbers themselves.
      let numbers = values.filter { $0.isNumber && !$0.isNaN }
      count += numbers.count
      try addUp(numbers.map { if case .int(let number) = $0 { .double(Double(number)) } else { $0 } })
    }
  }

  /// A sum that has become no number stays so.
  private mutating func addUp(_ values: [Value]) throws(EngineError) {
    if !value.isNaN { value = try Aggregate.sum.checkedResult(over: [value] + values) }
  }

  var result: Value {
    switch aggregate {
    case .min, .max: value
    case .sum: value == .null ? .int(0) : value
    case .avg: count == 0 ? .null : ArithmeticOperation.divide(value, .int(Int64(count)))
    }
  }
}
