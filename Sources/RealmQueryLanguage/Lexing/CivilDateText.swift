// The spelling of calendar dates: `Y-M-D`, and with a time of day `Y-M-D(@|T)h:m[:s[:ns|.fraction]][Z|±hh:mm]`.
// Layer: Lexing. First only the shape is found, so that the lexer knows where the date ends; then the fields
// are checked and counted, and what is impossible is reported at its field.

import ByteText

/// Where the fields of a date stand.
struct CivilDateText {
  private typealias Field = Range<Int>

  /// The offset behind the date.
  private(set) var end: Int
  /// Whether a time of day begins but does not go on as one.
  private(set) var isBroken = false

  private let source: [UInt8]
  private let limit: Int
  private var year: Field
  private var month: Field
  private var day: Field
  private var hour: Field?
  private var minute: Field?
  private var second: Field?
  private var nanoseconds: Field?
  private var fraction: Field?
  private var zoneHour: Field?
  private var zoneMinute: Field?

  /// Nil when no date begins at the lower end of `bounds`: a date without a time of day needs a year of four
  /// digits, so that `10-3-1` remains a subtraction.
  init?(in source: [UInt8], bounds: Range<Int>) {
    self.source = source
    limit = bounds.upperBound
    guard let year = Self.digits(at: bounds.lowerBound, in: source, limit: limit),
      let month = Self.digits(after: "-", at: year.upperBound, in: source, limit: limit),
      let day = Self.digits(after: "-", at: month.upperBound, in: source, limit: limit)
    else { return nil }
    (self.year, self.month, self.day) = (year, month, day)
    end = day.upperBound
    if isByte("@", at: end) || isByte("T", at: end) {
      readTime()
    } else if year.count != 4 {
      return nil
    }
  }

  private mutating func readTime() {
    hour = Self.digits(at: end + 1, in: source, limit: limit)
    minute = hour.flatMap { digits(after: ":", at: $0.upperBound) }
    guard let minute else {
      isBroken = true
      return
    }
    end = minute.upperBound
    if let second = digits(after: ":", at: end) {
      self.second = second
      end = second.upperBound
      nanoseconds = digits(after: ":", at: end)
      fraction = digits(after: ".", at: end)
      end = nanoseconds?.upperBound ?? fraction?.upperBound ?? end
    }
    readZone()
  }

  private mutating func readZone() {
    if isByte("Z", at: end) {
      end += 1
      return
    }
    guard isByte("+", at: end) || isByte("-", at: end),
      let hour = Self.digits(at: end + 1, in: source, limit: limit), hour.count == 2,
      let minute = digits(after: ":", at: hour.upperBound), minute.count == 2
    else { return }
    (zoneHour, zoneMinute) = (hour, minute)
    end = minute.upperBound
  }

  private func isByte(_ scalar: Unicode.Scalar, at index: Int) -> Bool {
    index < limit && source[index] == UInt8(ascii: scalar)
  }

  private func digits(after separator: Unicode.Scalar, at index: Int) -> Field? {
    Self.digits(after: separator, at: index, in: source, limit: limit)
  }

  private static func digits(
    after separator: Unicode.Scalar, at index: Int, in source: [UInt8], limit: Int
  ) -> Field? {
    guard index < limit, source[index] == UInt8(ascii: separator) else { return nil }
    return digits(at: index + 1, in: source, limit: limit)
  }

  private static func digits(at index: Int, in source: [UInt8], limit: Int) -> Field? {
    var end = index
    while end < limit, source[end].isDigit { end += 1 }
    return end > index ? index..<end : nil
  }
}

extension CivilDateText {
  /// The instant, with seconds and nanoseconds of the same sign.
  func instant() throws(QueryError) -> (seconds: Int64, nanoseconds: Int32) {
    let year = try number(self.year, "year", 1...9999)
    let month = try number(self.month, "month", 1...12)
    let day = try number(self.day, "day", 1...31)
    let hour = try number(self.hour, "hour", 0...23)
    let minute = try number(self.minute, "minute", 0...59)
    let wholeSecond = try number(self.second, "second", 0...59)
    let time = CivilTime(
      year: Int64(year), month: month, day: day, hour: hour, minute: minute, second: wholeSecond)
    let zone = try number(zoneHour, "hour", 0...23) * 3_600 + number(zoneMinute, "minute", 0...59) * 60
    let isEast = zoneHour.map { isByte("+", at: $0.lowerBound - 1) } ?? false
    let nanoseconds = try nanosecondsOfSecond()
    guard let instant = time?.instant(nanoseconds: nanoseconds, offset: isEast ? zone : -zone) else {
      throw invalid("day \(day) of month \(month)", self.day)
    }
    return instant
  }

  private func nanosecondsOfSecond() throws(QueryError) -> Int {
    if let nanoseconds { return try number(nanoseconds, "nanosecond", 0...999_999_999) }
    guard let fraction else { return 0 }
    guard fraction.count <= 9 else { throw invalid("more than 9 digits of a second", fraction) }
    let digits = try number(fraction, "fraction", 0...999_999_999)
    return (fraction.count..<9).reduce(digits) { value, _ in value * 10 }
  }

  private func number(
    _ field: Field?, _ name: StaticString, _ allowed: ClosedRange<Int>
  ) throws(QueryError) -> Int {
    guard let field else { return 0 }
    var value = 0
    for index in field where value <= allowed.upperBound { value = value * 10 + Int(source[index] - 48) }
    guard allowed.contains(value) else {
      throw invalid("\(name) \(String(decoding: source[field].prefix(20), as: UTF8.self))", field)
    }
    return value
  }

  private func invalid(_ what: String, _ field: Field) -> QueryError {
    QueryError(.date, "not a valid date: \(what)", at: SourceRange(field))
  }
}
