// Calendar date and time of day (UTC, proleptic Gregorian) from a count of seconds, and back.
// Layer: ByteText. Works for every Int64 without overflow: year 0 is 1 BC, and the year is an Int64.

/// A calendar date with time of day in UTC.
package struct CivilTime: Hashable, Sendable {
  package let year: Int64
  /// 1–12.
  package let month: Int
  /// 1–31.
  package let day: Int
  package let hour: Int
  package let minute: Int
  package let second: Int

  /// The UTC time `seconds` after 1970-01-01T00:00:00 (before it, when negative).
  package init(secondsSince1970 seconds: Int64) {
    let (days, secondOfDay) = seconds.dividedRoundingDown(by: 86_400)
    // Days are counted from 0000-03-01, so that a leap day is the last day of its year; eras are
    // 400 years of 146,097 days.
    let (era, dayOfEra) = (days + 719_468).dividedRoundingDown(by: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    month = Int(monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9)
    day = Int(dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    hour = Int(secondOfDay / 3_600)
    minute = Int(secondOfDay / 60 % 60)
    second = Int(secondOfDay % 60)
  }

  /// A date that exists in the calendar; nil for a 30 February, an hour 24, a leap second.
  package init?(year: Int64, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0) {
    guard (1...12).contains(month), day >= 1, day <= Self.dayCount(month: month, year: year),
      (0..<24).contains(hour), (0..<60).contains(minute), (0..<60).contains(second)
    else { return nil }
    (self.year, self.month, self.day) = (year, month, day)
    (self.hour, self.minute, self.second) = (hour, minute, second)
  }

  /// Reads dates as most programs write them, `2020-01-31T12:00:00Z` and `2020-01-31`, from the year 1 on; nil for any other text.
  package init?(plain text: Span<UInt8>) {
    guard text.count == 20 || text.count == 10, text[4] == UInt8(ascii: "-"), text[7] == UInt8(ascii: "-"),
      let century = readPair(text, 0), let year = readPair(text, 2), century + year > 0,
      let month = readPair(text, 5), let day = readPair(text, 8)
    else { return nil }
    var (hour, minute, second) = (0, 0, 0)
    if text.count == 20 {
      guard text[10] == UInt8(ascii: "T"), text[13] == UInt8(ascii: ":"), text[16] == UInt8(ascii: ":"),
        text[19] == UInt8(ascii: "Z"), let hours = readPair(text, 11), let minutes = readPair(text, 14),
        let seconds = readPair(text, 17)
      else { return nil }
      (hour, minute, second) = (hours, minutes, seconds)
    }
    self.init(
      year: Int64(century * 100 + year), month: month, day: day, hour: hour, minute: minute, second: second)
  }

  /// Seconds since 1970-01-01T00:00:00, or nil when that is more than an Int64 holds.
  package var secondsSince1970: Int64? {
    let (marchYear, underflow) = year.subtractingReportingOverflow(month <= 2 ? 1 : 0)
    if underflow { return nil }
    let (era, yearOfEra) = marchYear.dividedRoundingDown(by: 400)
    let monthFromMarch = Int64(month > 2 ? month - 3 : month + 9)
    let dayOfYear = (153 * monthFromMarch + 2) / 5 + Int64(day) - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    let secondOfDay = Int64(hour * 3_600 + minute * 60 + second)
    if era.magnitude < 1 << 24 { return (era * 146_097 + dayOfEra - 719_468) * 86_400 + secondOfDay }
    // 128 bits hold the product for every Int64 year.
    let days = Int128(era) * 146_097 + Int128(dayOfEra) - 719_468
    return Int64(exactly: days * 86_400 + Int128(secondOfDay))
  }

  /// The instant `offset` seconds east of UTC, seconds and nanoseconds of the same sign: -1.5 s is (-1, -500000000).
  package func instant(nanoseconds: Int, offset: Int = 0) -> (seconds: Int64, nanoseconds: Int32)? {
    guard let seconds = secondsSince1970.map({ $0 - Int64(offset) }) else { return nil }
    return Self.instant(seconds: seconds, nanoseconds: nanoseconds)
  }

  /// What is `nanoseconds` after a whole second.
  package static func instant(seconds: Int64, nanoseconds: Int) -> (seconds: Int64, nanoseconds: Int32) {
    seconds < 0 && nanoseconds > 0
      ? (seconds + 1, Int32(nanoseconds - 1_000_000_000)) : (seconds, Int32(nanoseconds))
  }

  private static func dayCount(month: Int, year: Int64) -> Int {
    switch month {
    case 4, 6, 9, 11: 30
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    default: 31
    }
  }
}

extension Int64 {
  /// Quotient rounded towards negative infinity, and a remainder that is never negative.
  package func dividedRoundingDown(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
    precondition(divisor > 0, "only positive divisors are rounded down")
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}

/// A calendar date with time of day as text.
extension ByteBuffer {
  /// Appends "2020-01-01T00:00:00"; the year must be one of 0–9999.
  package mutating func append(_ time: CivilTime) {
    precondition(time.year >= 0 && time.year <= 9999, "the form has four digits for the year")
    let (century, year) = Int(time.year).quotientAndRemainder(dividingBy: 100)
    var text = extend(by: 19)
    writePair(century, to: &text, at: 0)
    writePair(year, to: &text, at: 2)
    text[4] = UInt8(ascii: "-")
    writePair(time.month, to: &text, at: 5)
    text[7] = UInt8(ascii: "-")
    writePair(time.day, to: &text, at: 8)
    text[10] = UInt8(ascii: "T")
    writePair(time.hour, to: &text, at: 11)
    text[13] = UInt8(ascii: ":")
    writePair(time.minute, to: &text, at: 14)
    text[16] = UInt8(ascii: ":")
    writePair(time.second, to: &text, at: 17)
  }
}

/// The number that two digits spell.
@inline(__always)
private func readPair(_ text: Span<UInt8>, _ index: Int) -> Int? {
  let (tens, ones) = (text[index] &- UInt8(ascii: "0"), text[index + 1] &- UInt8(ascii: "0"))
  return tens <= 9 && ones <= 9 ? Int(tens) * 10 + Int(ones) : nil
}

/// Writes a number below 100 in two digits.
private func writePair(_ value: Int, to text: inout MutableSpan<UInt8>, at index: Int) {
  let (tens, ones) = UInt8(truncatingIfNeeded: value).quotientAndRemainder(dividingBy: 10)
  text[index] = UInt8(ascii: "0") &+ tens
  text[index + 1] = UInt8(ascii: "0") &+ ones
}
