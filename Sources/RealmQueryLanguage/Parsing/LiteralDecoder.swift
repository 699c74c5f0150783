// From the bytes of a literal token to its value. Layer: Parsing.
// The lexer has found the shape; what can still be wrong is a value that does not exist (a date, a lone
// surrogate, base64 with bad padding).

import ByteText

enum LiteralDecoder {
  /// The value of a token whose kind is a literal.
  static func literal(_ token: Token, in source: [UInt8]) throws(QueryError) -> Literal {
    let bounds = token.range.bounds
    switch token.kind {
    case .null: return .null
    case .true: return .bool(true)
    case .false: return .bool(false)
    case .notANumber: return .notANumber
    case .infinity: return .infinity(isNegative: source[bounds.lowerBound] == UInt8(ascii: "-"))
    case .integer: return integer(in: source, bounds)
    case .radixInteger: return try radixInteger(in: source, token.range)
    case .double: return floatingPoint(in: source, bounds)
    case .float: return singlePrecision(in: source, bounds)
    case .string: return .string(try StringLiteral.bytes(in: source, bounds.dropFirst().dropLast()))
    case .base64: return .string(try base64Bytes(in: source, token.range))
    case .ticks: return try ticks(in: source, token.range)
    case .civilDate: return try civilDate(in: source, token.range)
    case .uuid, .objectID: return identity(token, in: source)
    case .objectKey: return .objectKey(try key(in: source, bounds.dropFirst()))
    case .typedObjectKey:
      let colon = source[bounds].firstIndex(of: UInt8(ascii: ":")) ?? bounds.upperBound
      return .typedObjectKey(
        table: try key(in: source, bounds.lowerBound + 1..<colon),
        key: try key(in: source, colon + 1..<bounds.upperBound))
    default: preconditionFailure("not a literal: \(token.kind)")
    }
  }

  /// The digits in `bounds`, with a sign if there is one, as an Int64; nil when it holds no such number.
  static func int64(in source: [UInt8], _ bounds: Range<Int>) -> Int64? {
    Int64(decimalText: source.span.extracting(bounds))
  }

  private static func integer(in source: [UInt8], _ bounds: Range<Int>) -> Literal {
    int64(in: source, bounds).map { .int($0) } ?? .decimal(text: unsignedText(in: source, bounds))
  }

  /// The text without a leading `+`.
  private static func unsignedText(in source: [UInt8], _ bounds: Range<Int>) -> String {
    let start = source[bounds.lowerBound] == UInt8(ascii: "+") ? bounds.lowerBound + 1 : bounds.lowerBound
    return String(decoding: source[start..<bounds.upperBound], as: UTF8.self)
  }

  private static func radixInteger(in source: [UInt8], _ range: SourceRange) throws(QueryError) -> Literal {
    let radix: UInt128 =
      switch source[range.offset + 1] | 0x20 {
      case UInt8(ascii: "x"): 16
      case UInt8(ascii: "b"): 2
      default: 8
      }
    var value: UInt128 = 0
    for byte in source[range.bounds.dropFirst(2)] {
      let (product, overflow) = value.multipliedReportingOverflow(by: radix)
      value = product + UInt128(hexadecimalValue(byte) ?? 0)
      if overflow {
        throw QueryError(.number, "number \(quoted(source.text(in: range))) is too large", at: range)
      }
    }
    return Int64(exactly: value).map { .int($0) } ?? .decimal(text: String(value))
  }

  private static func floatingPoint(in source: [UInt8], _ bounds: Range<Int>) -> Literal {
    let text = unsignedText(in: source, bounds)
    return .double(Double(text) ?? .nan, text: text)
  }

  private static func singlePrecision(in source: [UInt8], _ bounds: Range<Int>) -> Literal {
    let text = unsignedText(in: source, bounds.dropLast())
    return .float(Float(text) ?? .nan, text: text)
  }

  private static func ticks(in source: [UInt8], _ range: SourceRange) throws(QueryError) -> Literal {
    let colon = source[range.bounds].firstIndex(of: UInt8(ascii: ":")) ?? range.end
    let secondsRange = SourceRange(range.offset + 1..<colon)
    let nanosecondsRange = SourceRange(colon + 1..<range.end)
    guard let seconds = int64(in: source, secondsRange.bounds) else {
      throw QueryError(.date, "not a valid date: too many seconds", at: secondsRange)
    }
    guard let nanoseconds = int64(in: source, nanosecondsRange.bounds), nanoseconds.magnitude < 1_000_000_000
    else {
      throw QueryError(
        .date, "not a valid date: nanoseconds reach a whole second", at: nanosecondsRange)
    }
    guard seconds.signum() * nanoseconds.signum() >= 0 else {
      throw QueryError(
        .date, "not a valid date: seconds and nanoseconds have different signs", at: nanosecondsRange)
    }
    return .date(seconds: seconds, nanoseconds: Int32(nanoseconds))
  }

  private static func civilDate(in source: [UInt8], _ range: SourceRange) throws(QueryError) -> Literal {
    guard let text = CivilDateText(in: source, bounds: range.bounds) else {
      throw QueryError(.date, "not a valid date", at: range)
    }
    let instant = try text.instant()
    return .date(seconds: instant.seconds, nanoseconds: instant.nanoseconds)
  }

  private static func key(in source: [UInt8], _ digits: Range<Int>) throws(QueryError) -> Int64 {
    guard let key = int64(in: source, digits) else {
      throw QueryError(.number, "object key is too large", at: SourceRange(digits))
    }
    return key
  }
}

extension LiteralDecoder {
  private static func identity(_ token: Token, in source: [UInt8]) -> Literal {
    let isDigitOrDash = { (byte: UInt8) in hexadecimalValue(byte) != nil || byte == UInt8(ascii: "-") }
    let opener = source[token.range.bounds].firstIndex(of: UInt8(ascii: "(")) ?? token.range.offset
    let start = source[opener..<token.range.end].firstIndex(where: isDigitOrDash) ?? token.range.end
    let end = source[start..<token.range.end].firstIndex { !isDigitOrDash($0) } ?? token.range.end
    let bytes = IdentityText.bytes(token.kind, in: source, start..<end) ?? []
    return token.kind == .uuid ? .uuid(bytes) : .objectID(bytes)
  }

  /// The bytes of `B64"…"`.
  private static func base64Bytes(in source: [UInt8], _ range: SourceRange) throws(QueryError) -> [UInt8] {
    let digits = range.bounds.dropFirst(4).dropLast()
    guard digits.count.isMultiple(of: 4) else {
      throw QueryError(.base64, "invalid base64", at: range, hint: "pad it with = to a multiple of 4")
    }
    var buffer = ByteBuffer(capacity: max(1, digits.count))
    guard buffer.append(decodingBase64: source.span.extracting(digits)) else {
      throw QueryError(.base64, "invalid base64", at: range)
    }
    return buffer.bytes
  }
}
