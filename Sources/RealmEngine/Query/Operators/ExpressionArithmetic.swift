// Operators on single values. Layer: Query, Operators.
// Outside of conditions nothing is lost silently: what overflows or is divided by zero is an error. In conditions it is
// as the reference engine has it.

import RealmQueryLanguage

enum ExpressionArithmetic {
  /// `left symbol right`; null with null. Two texts are joined by `+` elsewhere.
  static func apply(
    _ symbol: ArithmeticOperator, _ left: Value, _ right: Value, isLenient: Bool = false
  ) throws(EngineError) -> Value {
    if isLenient {
      if let operation = ArithmeticOperation(symbol) { return operation(left, right) }
      return try leniently { () throws(EngineError) in try apply(symbol, left, right) }
    }
    if case .int(let left) = left, case .int(let right) = right { return try integer(symbol, left, right) }
    if left == .null || right == .null { return .null }
    guard left.isNumber, right.isNumber else {
      throw EngineError(
        .constraint, "\(symbol.rawValue) does not work on \(left.kindName) and \(right.kindName)")
    }
    guard let operation = ArithmeticOperation(symbol) else { return try remainder(left, right) }
    return operation(left, right)
  }

  /// Null for an error that values cause.
  static func leniently(_ body: () throws(EngineError) -> Value) throws(EngineError) -> Value {
    do throws(EngineError) {
      return try body()
    } catch {
      guard error.kind == .constraint else { throw error }
      return .null
    }
  }

  private static func integer(
    _ symbol: ArithmeticOperator, _ left: Int64, _ right: Int64
  ) throws(EngineError) -> Value {
    let result: (partialValue: Int64, overflow: Bool) =
      switch symbol {
      case .add: left.addingReportingOverflow(right)
      case .subtract: left.subtractingReportingOverflow(right)
      case .multiply: left.multipliedReportingOverflow(by: right)
      case .divide: left.dividedReportingOverflow(by: right)
      case .remainder: left.remainderReportingOverflow(dividingBy: right)
      }
    guard !result.overflow else {
      throw EngineError(
        .constraint,
        right == 0 && (symbol == .divide || symbol == .remainder)
          ? "\(left) is divided by zero" : "\(left) \(symbol.rawValue) \(right) is too large for an int")
    }
    return .int(result.partialValue)
  }

  private static func remainder(_ left: Value, _ right: Value) throws(EngineError) -> Value {
    if case .decimal = left { throw noRemainder }
    if case .decimal = right { throw noRemainder }
    guard let left = left.doubleValue, let right = right.doubleValue else { return .null }
    return .double(left.truncatingRemainder(dividingBy: right))
  }

  private static var noRemainder: EngineError {
    EngineError(.constraint, "% does not work on decimals")
  }

  static func negative(_ value: Value) throws(EngineError) -> Value {
    switch value {
    case .null: return .null
    case .int(let number): return try integer(.subtract, 0, number)
    case .float(let number): return .float(-number)
    case .double(let number): return .double(-number)
    case .decimal(let number): return .decimal(-number)
    default: throw EngineError(.constraint, "- does not work on \(value.kindName)")
    }
  }

  /// Null equals null and nothing else; in an order with null the answer is null.
  static func compare(
    _ left: Value, _ comparison: ComparisonOperator, _ right: Value
  ) throws(EngineError) -> Value {
    if comparison == .equal || comparison == .notEqual {
      return .bool(areEqual(left, right) == (comparison == .equal))
    }
    if left == .null || right == .null { return .null }
    guard let order = left.compare(to: right) else {
      if left.isNaN || right.isNaN { return .bool(false) }
      throw EngineError(.constraint, "\(left.kindName) and \(right.kindName) cannot be ordered")
    }
    return .bool(comparison.holds(order: order))
  }

  private static func areEqual(_ left: Value, _ right: Value) -> Bool {
    if left == .null || right == .null { return left == right }
    return left.compare(to: right) == 0
  }

  static func condition(_ value: Value) throws(EngineError) -> Bool? {
    switch value {
    case .null: return nil
    case .bool(let flag): return flag
    default: throw EngineError(.constraint, "expected a condition, found \(value.kindName)")
    }
  }
}
