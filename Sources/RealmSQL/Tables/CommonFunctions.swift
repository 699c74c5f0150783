// Functions that other databases have and SQLite lacks: of texts, of numbers and of decimals. Layer: RealmSQL, Tables.

import ByteText
import RealmEngine

extension SQLConnection {
  /// `failure` hears of what the functions refuse.
  func addCommonFunctions(_ failure: SQLFailure) throws(SQLError) {
    let expressions = KnownExpression()
    // `x REGEXP y` calls it with y first.
    try add(
      SQLFunction("regexp", 2, failure, takesTexts: true) { arguments throws(EngineError) in
        guard case .text(let pattern) = arguments[0].value, case .text(let text) = arguments[1].value else {
          return .null
        }
        return .integer(try expressions.of(pattern).matches(text.bytes.span) ? 1 : 0)
      })
    try add(
      SQLFunction("decimal_cmp", 2, failure, takesTexts: true) { arguments throws(EngineError) in
        guard let left = try arguments[0].decimal("decimal_cmp"),
          let right = try arguments[1].decimal("decimal_cmp")
        else { return .null }
        return .integer(Int64(left.compare(to: right).signum()))
      })
    try add(SQLAggregate("decimal_sum", 1, failure, takesTexts: true) { DecimalSum() })
    try add(SQLAggregate("median", 1, failure) { Median() })
    try add(SQLAggregate("stddev", 1, failure) { Deviation() })
    if !Self.hasFunctions(of: Self.versionWithConcat) { try addJoiningFunctions(failure) }
  }

  /// 3.44 has them, and string_agg in windows too.
  private static let versionWithConcat: Int32 = 3_044_000

  private func addJoiningFunctions(_ failure: SQLFailure) throws(SQLError) {
    try add(
      SQLFunction("concat", -1, failure, takesTexts: true) { arguments throws(EngineError) in
        try Self.joined(arguments[...], nil)
      })
    try add(
      SQLFunction("concat_ws", -1, failure, takesTexts: true) { arguments throws(EngineError) in
        guard let first = arguments.first else {
          throw EngineError(.badQuery, "concat_ws: the separator is missing")
        }
        guard case .text(let separator) = first.value else { return .null }
        return try Self.joined(arguments.dropFirst(), separator)
      })
    try add(SQLAggregate("string_agg", 2, failure, takesTexts: true) { JoinedTexts() })
  }

  private static func joined(
    _ arguments: ArraySlice<SQLFunctionArgument>, _ separator: ByteString?
  ) throws(EngineError) -> SQLValue {
    let texts = JoinedTexts()
    for argument in arguments { try texts.add(argument.value, behind: separator) }
    return texts.text
  }
}

/// The last regular expression, which is mostly the same for all rows.
private final class KnownExpression {
  private var known: (pattern: ByteString, expression: RegularExpression)?

  /// The expression that texts match in which the pattern is found.
  func of(_ pattern: ByteString) throws(EngineError) -> RegularExpression {
    if let known, known.pattern == pattern { return known.expression }
    let anything = Array("(?:(?s).*)".utf8)
    do throws(RegularExpression.Fault) {
      // On its own, so that no parenthesis of it closes one of ours.
      _ = try RegularExpression(pattern.bytes.array(), foldsCase: false)
      let found = try RegularExpression(
        anything + Array("(?:".utf8) + pattern.bytes.array() + Array(")".utf8) + anything, foldsCase: false)
      known = (pattern.owned(), found)
      return found
    } catch {
      throw EngineError(.badQuery, "regexp: \(error.message)")
    }
  }
}

extension SQLFunctionArgument {
  /// Nil for null.
  fileprivate func decimal(_ function: String) throws(EngineError) -> Decimal128? {
    guard case .text(let text) = value else { return nil }
    if let decimal = Decimal128(text: text.bytes.span) { return decimal }
    throw unusable(function, "decimal")
  }

  /// Nil for null.
  fileprivate func number(_ function: String) throws(EngineError) -> Double? {
    switch value {
    case .null: return nil
    case .integer(let number): return Double(number)
    case .real(let number): return number
    case .text(let text):
      if let number = Double(decimalText: text.bytes.span) { return number }
    case .blob: break
    }
    throw unusable(function, "number")
  }

  private func unusable(_ function: String, _ wanted: String) -> EngineError {
    EngineError(.badQuery, "\(function): '\(value.words.prefix(40))' is not a \(wanted)")
  }
}

// MARK: Aggregates

private final class DecimalSum: SQLAccumulator {
  private var sum: Decimal128?
  let size = 0

  func add(_ arguments: [SQLFunctionArgument]) throws(EngineError) {
    guard let decimal = try arguments[0].decimal("decimal_sum") else { return }
    sum = sum.map { $0 + decimal } ?? decimal
  }

  func result() throws(EngineError) -> SQLValue { sum.flatMap { SQLValue(.decimal($0)) } ?? .null }
}

private final class Median: SQLAccumulator {
  private var numbers: [Double] = []
  var size: Int { numbers.capacity * MemoryLayout<Double>.size }

  func add(_ arguments: [SQLFunctionArgument]) throws(EngineError) {
    if let number = try arguments[0].number("median") { numbers.append(number) }
  }

  func result() throws(EngineError) -> SQLValue {
    guard !numbers.isEmpty else { return .null }
    try Interruption.check()
    numbers.sort()
    let middle = QuantilePosition(0.5, of: numbers.count)
    return SQLValue(middle.between(numbers[middle.low], numbers[middle.high]))
  }
}

private final class Deviation: SQLAccumulator {
  private var spread = NumberSpread()
  let size = 0

  func add(_ arguments: [SQLFunctionArgument]) throws(EngineError) {
    if let number = try arguments[0].number("stddev") { spread.add(number) }
  }

  func result() throws(EngineError) -> SQLValue { spread.deviation.map(SQLValue.init) ?? .null }
}

private final class JoinedTexts: SQLAccumulator {
  private var joined = ByteBuffer()
  private var isEmpty = true
  var size: Int { joined.count }

  func add(_ arguments: [SQLFunctionArgument]) throws(EngineError) {
    let separator: ByteString? = if case .text(let text) = arguments[1].value { text } else { nil }
    try add(arguments[0].value, behind: separator)
  }

  /// Null adds nothing.
  func add(_ value: SQLValue, behind separator: ByteString?) throws(EngineError) {
    guard case .text(let text) = value else { return }
    if !isEmpty, let separator { joined.append(separator.bytes.span) }
    isEmpty = false
    joined.append(text.bytes.span)
    guard joined.count <= SQLLimits.lengthMax else {
      throw EngineError(.constraint, "a text of more than \(SQLLimits.lengthMax >> 20) MB")
    }
  }

  var text: SQLValue { .text(ByteString(copying: joined.bytes)) }

  func result() throws(EngineError) -> SQLValue { isEmpty ? .null : text }
}
