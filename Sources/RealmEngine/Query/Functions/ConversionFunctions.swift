// Functions from one type to another. Layer: Query, Functions.
// A value that has no counterpart gives nil; whether that is an error is for whoever evaluates.

import ByteText

extension ExpressionFunction {
  static let conversionFunctions: [ExpressionFunction] = [
    conversion(
      "int(value)", "a number cut towards zero, decimal digits, a bool as 0 or 1, the seconds of a date", .int
    ) { value, _ in wholeNumber(value) },
    conversion(
      "double(value)", "a number, or text of one; the seconds of a date with their fraction", .double
    ) {
      value, _ in
      switch value {
      case .date(let date): date.decimalSeconds.map { .double($0.doubleValue) }
      case .string(let text): Double(decimalText: text.bytes.span).map(Value.double)
      case .bool(let flag): .double(flag ? 1 : 0)
      default: value.doubleValue.map(Value.double)
      }
    },
    conversion("decimal(value)", "a number, or text of one; the exact seconds of a date", .decimal128) {
      value, _ in
      switch value {
      case .date(let date): date.decimalSeconds.map(Value.decimal)
      case .string(let text): Decimal128(holding: text.bytes.span).map(Value.decimal)
      default: value.decimalValue.map(Value.decimal)
      }
    },
    conversion(
      "string(value)", "a value as text, as JSON output writes it; links, lists and dictionaries have none",
      .string
    ) {
      value, context throws(EngineError) in try textForm(value, context)
    },
    conversion("bool(value)", "'true' or 'false'; a number unless it is 0", .bool) { value, _ in truth(value)
    },
    ExpressionFunction(
      "format(template, …)",
      "a template with its {} filled in; or a date by %Y-%m-%d %H:%M:%S, %f (nanoseconds), %L (milliseconds), %s (seconds since 1970), %j (day of the year)",
      [.textOrDate], optional: [.anything], isVariadic: true, gives: gives(.string), fault: formatFault,
      .values { arguments, context throws(EngineError) in try format(arguments, context) }),
  ]

  static func conversion(
    _ usage: String, _ summary: String, _ type: ValueType,
    _ convert: @escaping @Sendable (Value, EvaluationContext) throws(EngineError) -> Value?
  ) -> ExpressionFunction {
    ExpressionFunction(
      usage, summary, [.anything], gives: gives(type),
      .conversion(to: type.name) { values, context throws(EngineError) in try convert(values[0], context) })
  }

  private static func wholeNumber(_ value: Value) -> Value? {
    switch value {
    case .int: return value
    case .bool(let flag): return .int(flag ? 1 : 0)
    case .string(let text): return Int64(decimalText: text.bytes.span).map(Value.int)
    case .date(let date): return .int(date.seconds)
    case .decimal(let number): return number.truncatedInt64.map(Value.int)
    default:
      guard let number = value.doubleValue, number.isFinite, abs(number) < 0x1p63 else { return nil }
      return .int(Int64(number))
    }
  }

  private static func truth(_ value: Value) -> Value? {
    switch value {
    case .bool: return value
    case _ where value.isNumber: return value.isNaN ? nil : .bool(value.doubleValue != 0)
    case .string(let text):
      switch text.text.lowercased() {
      case "true", "yes", "1": return .bool(true)
      case "false", "no", "0": return .bool(false)
      default: return nil
      }
    default: return nil
    }
  }

  /// Any single value as text; nil for null, links and nested collections.
  static func textForm(
    _ value: Value, _ context: EvaluationContext, by maker: String = "string"
  ) throws(EngineError) -> Value? {
    if case .string = value { return value }
    if case .data(let data) = value { try ComputedSize.check(textOf: (data.count + 2) / 3 * 4, by: maker) }
    var isWritten = false
    let text = try context.text(by: maker) { isWritten = value.write(to: &$0) }
    return isWritten ? text : nil
  }

  private static func format(
    _ arguments: [Value], _ context: EvaluationContext
  ) throws(EngineError) -> Value {
    if case .date(let date) = arguments[0] {
      guard arguments.count == 2 else { throw EngineError(.constraint, "format of a date needs a pattern") }
      let pattern = try text(arguments[1]).bytes.array()
      if let fault = DatePattern.fault(of: pattern, in: .writing) {
        throw EngineError(.constraint, fault)
      }
      return try context.text(DatePattern.format(date, pattern), by: "format")
    }
    let template = try text(arguments[0])
    let gapCount = Self.gapCount(template)
    if let fault = templateFault(gapCount: gapCount, valueCount: arguments.count - 1) {
      throw EngineError(.constraint, fault)
    }
    let parts = split(template, by: gap)
    var output = [parts[0]]
    for (part, value) in zip(parts.dropFirst(), arguments.dropFirst()) {
      guard let words = try textForm(value, context, by: "format")?.textBytes else {
        throw EngineError(.constraint, "format cannot write \(value.kindName) as text")
      }
      output += [words, part]
    }
    return .string(try context.joined(output, by: "format"))
  }

  private static let gap = ByteString("{}")

  private static func gapCount(_ template: ByteString) -> Int {
    var count = -1
    forEachPart(of: template, by: gap) { _ in count += 1 }
    return count
  }

  private static func templateFault(gapCount: Int, valueCount: Int) -> String? {
    if gapCount == valueCount { return nil }
    return gapCount > valueCount ? "format has more {} than values" : "format has more values than {}"
  }

  /// What shows before any object is read: another number of values than of gaps, a date without a pattern.
  private static func formatFault(_ constants: [Value?], _ types: [ExpressionType]) -> String? {
    if types[0].isValue(.date) {
      guard constants.count == 2, types[1].isOpen || types[1].isValue(.string) else {
        return "format of a date needs one pattern"
      }
      return DatePattern.fault(of: constants[1], in: .writing)
    }
    guard case .string(let template)? = constants[0] else { return nil }
    return templateFault(gapCount: gapCount(template), valueCount: constants.count - 1)
  }
}
