// Functions on dates. Layer: Query, Functions.
// All dates are in UTC. Nothing is rounded: what a type has no room for is cut off.

import ByteText

extension ExpressionFunction {
  static let dateFunctions: [ExpressionFunction] = [
    ExpressionFunction(
      "date(value, how)",
      "'2020-01-31', '2020-01-31T12:00:00Z', or seconds since 1970; how: 'ms' for milliseconds, or a pattern such as '%d.%m.%Y %H:%M' that a text follows",
      [.anything], optional: [.text], gives: gives(.date), alternative: dateConversion, fault: dateFault,
      dateConversion),
    ExpressionFunction(
      "milliseconds(date)", "the whole milliseconds since 1970", [.date], gives: gives(.int),
      .values { arguments, _ throws(EngineError) in .int(try milliseconds(try date(arguments[0]))) }),
    part("year(date)", "its year, in UTC as all parts of dates") { $0.year },
    part("month(date)", "its month, from 1") { Int64($0.month) },
    part("day(date)", "its day of the month, from 1") { Int64($0.day) },
    part("hour(date)", "its hour, from 0") { Int64($0.hour) },
    part("minute(date)", "its minute, from 0") { Int64($0.minute) },
    part("second(date)", "its second, from 0") { Int64($0.second) },
  ]

  private static func part(
    _ usage: String, _ summary: String, _ part: @escaping @Sendable (CivilTime) -> Int64
  ) -> ExpressionFunction {
    ExpressionFunction(
      usage, summary, [.date], gives: gives(.int),
      .values { arguments, _ throws(EngineError) in
        let date = try date(arguments[0])
        let (carry, _) = Int64(date.nanoseconds).dividedRoundingDown(by: 1_000_000_000)
        return .int(part(CivilTime(secondsSince1970: date.seconds &+ carry)))
      })
  }

  private static func date(_ value: Value) throws(EngineError) -> Timestamp {
    guard case .date(let date) = value else {
      throw EngineError(.constraint, "expected a date, found \(value.kindName)")
    }
    return date
  }

  private static func milliseconds(_ date: Timestamp) throws(EngineError) -> Int64 {
    let (thousands, overflow) = date.seconds.multipliedReportingOverflow(by: 1_000)
    let (sum, carry) = thousands.addingReportingOverflow(Int64(date.nanoseconds / 1_000_000))
    guard !overflow, !carry else {
      throw EngineError(.constraint, "a date of \(date.seconds) seconds has more milliseconds than an int")
    }
    return sum
  }

  // MARK: Making dates

  private static let millisecondsWord = Array("ms".utf8)

  private static let dateConversion = Body.conversion(to: "date") { values, _ throws(EngineError) in
    guard values.count > 1 else { return date(of: values[0]) }
    let pattern = try text(values[1]).bytes.array()
    if pattern == millisecondsWord { return dateOfMilliseconds(values[0]) }
    if let fault = DatePattern.fault(of: pattern, in: .reading) { throw EngineError(.constraint, fault) }
    guard case .string(let text) = values[0] else { return nil }
    return DatePattern.date(text.bytes.span, pattern).map(Value.date)
  }

  private static func dateFault(_ constants: [Value?], _ types: [ExpressionType]) -> String? {
    guard constants.count > 1, case .string(let how)? = constants[1],
      how.bytes.array() != millisecondsWord
    else { return nil }
    return DatePattern.fault(of: constants[1], in: .reading)
  }

  private static func date(of value: Value) -> Value? {
    switch value {
    case .date: return value
    case .int(let seconds): return .date(Timestamp(seconds: seconds, nanoseconds: 0))
    case .string(let text): return Timestamp(iso: text.bytes.span).map(Value.date)
    default: return value.shortestDecimal.flatMap(Timestamp.init(exactly:)).map(Value.date)
    }
  }

  private static func dateOfMilliseconds(_ value: Value) -> Value? {
    guard case .int(let count) = value else {
      let seconds = value.shortestDecimal.map { $0 / Decimal128(1_000) }
      return seconds.flatMap(Timestamp.init(exactly:)).map(Value.date)
    }
    let (seconds, rest) = count.quotientAndRemainder(dividingBy: 1_000)
    return .date(Timestamp(seconds: seconds, nanoseconds: Int32(rest) * 1_000_000))
  }
}

extension Value {
  /// A number with a fraction as its shortest digits say, so that 0.1 is a tenth; nil for what is none.
  fileprivate var shortestDecimal: Decimal128? {
    var text = ByteBuffer()
    switch self {
    case .decimal(let number): return number.isFinite ? number : nil
    case .double(let number) where number.isFinite: text.append(shortest: number)
    case .float(let number) where number.isFinite: text.append(shortest: number)
    default: return nil
    }
    return Decimal128(text: text.span)
  }
}

extension Timestamp {
  private static let nanosecondsPerSecond = Decimal128(1_000_000_000)

  /// Seconds since 1970; digits behind the nanoseconds are cut off. Nil where there are too many.
  fileprivate init?(exactly seconds: Decimal128) {
    guard let whole = seconds.truncatedInt64,
      let fraction = ((seconds - Decimal128(whole)) * Self.nanosecondsPerSecond).truncatedInt64,
      let nanoseconds = Int32(exactly: fraction)
    else { return nil }
    self.init(seconds: whole, nanoseconds: nanoseconds)
  }

  /// The seconds since 1970 with all digits of their fraction.
  var decimalSeconds: Decimal128? {
    Decimal128(seconds) + Decimal128(Int64(nanoseconds)) / Self.nanosecondsPerSecond
  }
}
