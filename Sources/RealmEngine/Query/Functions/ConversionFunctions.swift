// Functions from one type to another. Layer: Query.
// A value that has no counterpart gives nil; whether that is an error is for whoever evaluates.

import ByteText

extension ExpressionFunction {
  static let conversionFunctions: [ExpressionFunction] = [
    conversion(
      "int(value)", "a number cut towards zero, decimal digits, a bool as 0 or 1, the seconds of a date", .int
    ) { value, _ in wholeNumber(value) },
    conversion("double(value)", "a number, or text of one", .double) { value, _ in
      switch value {
      case .string(let text): Double(decimalText: text.bytes.span).map(Value.double)
      case .bool(let flag): .double(flag ? 1 : 0)
      default: value.doubleValue.map(Value.double)
      }
    },
    conversion("decimal(value)", "a number, or text of one", .decimal128) { value, _ in
      switch value {
      case .string(let text): Decimal128(text: text.bytes.span).map(Value.decimal)
      default: value.decimalValue.map(Value.decimal)
      }
    },
    conversion("string(value)", "any value as text, as JSON output writes it", .string) {
      value, context throws(EngineError) in try textForm(value, context)
    },
    conversion("bool(value)", "'true' or 'false'; a number unless it is 0", .bool) { value, _ in truth(value)
    },
    conversion("date(value)", "'2020-01-31', '2020-01-31T12:00:00Z', or seconds since 1970", .date) {
      value, _ in date(value)
    },
    ExpressionFunction(
      "format(template, …)", "a template with its {} filled in; or a date by %Y-%m-%d %H:%M:%S %f %j",
      [.textOrDate], optional: [.anything], isVariadic: true, gives: gives(.string),
      .values { arguments, context throws(EngineError) in try format(arguments, context) }),
  ]

  static func conversion(
    _ usage: String, _ summary: String, _ type: ValueType,
    _ convert: @escaping @Sendable (Value, EvaluationContext) throws(EngineError) -> Value?
  ) -> ExpressionFunction {
    ExpressionFunction(
      usage, summary, [.anything], gives: gives(type), .conversion(to: type.name, convert))
  }

  private static func wholeNumber(_ value: Value) -> Value? {
    switch value {
    case .int: return value
    case .bool(let flag): return .int(flag ? 1 : 0)
    case .string(let text): return Int64(decimalText: text.bytes.span).map(Value.int)
    case .date(let date): return .int(date.seconds)
    case .decimal(let number): return number.truncatedInt64.map(Value.int)
    case .float, .double:
      guard let number = value.doubleValue, number.isFinite, abs(number) < 0x1p63 else { return nil }
      return .int(Int64(number))
    default: return nil
    }
  }

  private static func truth(_ value: Value) -> Value? {
    switch value {
    case .bool: return value
    case .int(let number): return .bool(number != 0)
    case .float, .double, .decimal: return value.isNaN ? nil : .bool(value.doubleValue != 0)
    case .string(let text):
      switch text.text.lowercased() {
      case "true", "yes", "1": return .bool(true)
      case "false", "no", "0": return .bool(false)
      default: return nil
      }
    default: return nil
    }
  }

  private static func date(_ value: Value) -> Value? {
    switch value {
    case .date: return value
    case .int(let seconds): return .date(Timestamp(seconds: seconds, nanoseconds: 0))
    case .float, .double, .decimal:
      guard let number = value.doubleValue, number.isFinite, abs(number) < 0x1p62 else { return nil }
      let seconds = Int64(number)
      return .date(
        Timestamp(seconds: seconds, nanoseconds: Int32((number - Double(seconds)) * 1e9)))
    case .string(let text):
      if let date = Timestamp(text: text.bytes.span) { return .date(date) }
      let whole = text.bytes.array() + Array((text.count == 10 ? "T00:00:00Z" : "Z").utf8)
      return Timestamp(text: whole.span).map(Value.date)
    default: return nil
    }
  }

  /// Any single value as text; nil for links and nested collections.
  static func textForm(_ value: Value, _ context: EvaluationContext) throws(EngineError) -> Value? {
    switch value {
    case .null, .link, .list, .dictionary: return nil
    case .string: return value
    case .int(let number): return try context.text { $0.append(decimal: number) }
    case .bool(let flag): return try context.text((flag ? "true" : "false").utf8)
    case .float(let number): return try context.text { $0.append(shortest: number) }
    case .double(let number): return try context.text { $0.append(shortest: number) }
    case .decimal(let number): return try context.text { number.write(to: &$0) }
    case .objectID(let id): return try context.text { id.write(to: &$0) }
    case .uuid(let id): return try context.text { id.write(to: &$0) }
    case .data(let data): return try context.text { $0.append(base64: data.bytes.span) }
    case .date(let date):
      var isWritten = false
      let text = try context.text { isWritten = date.write(to: &$0) }
      return isWritten ? text : nil
    }
  }

  private static func format(
    _ arguments: [Value], _ context: EvaluationContext
  ) throws(EngineError) -> Value {
    if case .date(let date) = arguments[0] {
      guard arguments.count == 2 else { throw EngineError(.constraint, "format of a date needs a pattern") }
      return try context.text(DatePattern.format(date, try text(arguments[1]).bytes.array()))
    }
    var output: [UInt8] = []
    var next = 1
    let template = try text(arguments[0]).bytes.array()
    var index = 0
    while index < template.count {
      if template[index...].starts(with: "{}".utf8) {
        guard next < arguments.count else {
          throw EngineError(.constraint, "format has more {} than values")
        }
        guard let words = try textForm(arguments[next], context)?.textBytes else {
          throw EngineError(.constraint, "format cannot write \(arguments[next].kindName) as text")
        }
        output += words.bytes.array()
        next += 1
        index += 2
      } else {
        output.append(template[index])
        index += 1
      }
    }
    return try context.text(output)
  }
}

/// Dates by the letters of `strftime`, in UTC.
private enum DatePattern {
  static func format(_ date: Timestamp, _ pattern: [UInt8]) -> [UInt8] {
    let (carry, fraction) = Int64(date.nanoseconds).dividedRoundingDown(by: 1_000_000_000)
    let time = CivilTime(secondsSince1970: date.seconds &+ carry)
    var output = ByteBuffer()
    var index = 0
    while index < pattern.count {
      guard pattern[index] == UInt8(ascii: "%"), index + 1 < pattern.count else {
        output.append(pattern[index])
        index += 1
        continue
      }
      switch pattern[index + 1] {
      case UInt8(ascii: "Y"): output.append(decimal: UInt64(clamping: time.year), digitCount: 4)
      case UInt8(ascii: "m"): output.append(decimal: UInt64(time.month), digitCount: 2)
      case UInt8(ascii: "d"): output.append(decimal: UInt64(time.day), digitCount: 2)
      case UInt8(ascii: "H"): output.append(decimal: UInt64(time.hour), digitCount: 2)
      case UInt8(ascii: "M"): output.append(decimal: UInt64(time.minute), digitCount: 2)
      case UInt8(ascii: "S"): output.append(decimal: UInt64(time.second), digitCount: 2)
      case UInt8(ascii: "f"): output.append(decimal: UInt64(fraction), digitCount: 9)
      case UInt8(ascii: "j"): output.append(decimal: dayOfYear(time), digitCount: 3)
      case let other:
        if other != UInt8(ascii: "%") { output.append(pattern[index]) }
        output.append(other)
      }
      index += 2
    }
    return output.bytes
  }

  private static func dayOfYear(_ time: CivilTime) -> UInt64 {
    let start = CivilTime(year: time.year, month: 1, day: 1)?.secondsSince1970 ?? 0
    let today = CivilTime(year: time.year, month: time.month, day: time.day)?.secondsSince1970 ?? 0
    return UInt64(clamping: (today - start) / 86_400 + 1)
  }
}
