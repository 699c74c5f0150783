// Functions on numbers. Layer: Query, Functions.

extension ExpressionFunction {
  static let numberFunctions: [ExpressionFunction] = [
    ExpressionFunction(
      "round(number, digits)", "rounded to this many decimal places, halves away from zero (default 0)",
      [.number], optional: [.whole], gives: { $0[0] },
      .values { arguments, _ throws(EngineError) in
        try rounded(arguments[0], digits: arguments.count > 1 ? try whole(arguments[1]) : 0)
      }),
    ExpressionFunction(
      "abs(number)", "without its sign", [.number], gives: { $0[0] },
      .values { arguments, _ throws(EngineError) in
        switch arguments[0] {
        case .int(let number):
          guard number != Int64.min else {
            throw EngineError(.constraint, "abs(\(number)) does not fit an int")
          }
          return .int(abs(number))
        case .float(let number): return .float(abs(number))
        case .double(let number): return .double(abs(number))
        case .decimal(let number): return .decimal(number < .zero ? -number : number)
        default: throw EngineError(.constraint, "expected a number, found \(arguments[0].kindName)")
        }
      }),
  ]

  private static let digitsMax: Int64 = 18

  private static func rounded(_ value: Value, digits: Int64) throws(EngineError) -> Value {
    guard digits >= 0, digits <= digitsMax else {
      throw EngineError(.constraint, "round takes 0 to \(digitsMax) digits, not \(digits)")
    }
    switch value {
    case .int: return value
    case .float(let number): return .float(Float(rounded(Double(number), digits)))
    case .double(let number): return .double(rounded(number, digits))
    case .decimal(let number): return .decimal(rounded(number, digits))
    default: throw EngineError(.constraint, "expected a number, found \(value.kindName)")
    }
  }

  private static func rounded(_ number: Double, _ digits: Int64) -> Double {
    var power = 1.0
    for _ in 0..<digits { power *= 10 }
    let scaled = (number * power).rounded(.toNearestOrAwayFromZero)
    return scaled.isFinite ? scaled / power : number
  }

  /// What is too large to have digits behind the point stays as it is.
  private static func rounded(_ number: Decimal128, _ digits: Int64) -> Decimal128 {
    var power: Int64 = 1
    for _ in 0..<digits { power *= 10 }
    let half = Decimal128(5) / Decimal128(10)
    let scaled = number * Decimal128(power)
    let shifted = number < .zero ? scaled - half : scaled + half
    guard let whole = shifted.truncatedInt64 else { return number }
    return Decimal128(whole) / Decimal128(power)
  }
}
