// A point in time with nanoseconds.
// Layer: Values. Seconds and nanoseconds have the same sign in files of the reference engine, and
// |nanoseconds| < 10^9; any other pair is kept as it is, ordered by (seconds, nanoseconds), and still
// has a text form.

package import ByteText

/// Seconds and nanoseconds since 1970-01-01T00:00:00Z, ordered by that pair.
package struct Timestamp: Hashable, Comparable, Sendable {
  package let seconds: Int64
  package let nanoseconds: Int32

  /// Whether it is a pair that files may hold: less than a second of nanoseconds, with the sign of the seconds.
  package var isStorable: Bool {
    nanoseconds > -1_000_000_000 && nanoseconds < 1_000_000_000
      && (nanoseconds == 0 || seconds == 0 || (seconds < 0) == (nanoseconds < 0))
  }

  package init(seconds: Int64, nanoseconds: Int32) {
    self.seconds = seconds
    self.nanoseconds = nanoseconds
  }

  package static func < (left: Timestamp, right: Timestamp) -> Bool {
    left.seconds != right.seconds ? left.seconds < right.seconds : left.nanoseconds < right.nanoseconds
  }

  /// Appends "2020-01-01T00:00:00.123456789Z", the fraction without trailing zeros.
  ///
  /// Returns false and appends nothing outside the years 1–9999, which the form cannot write.
  package func write(to text: inout ByteBuffer) -> Bool {
    let (carry, fraction) = Int64(nanoseconds).dividedRoundingDown(by: Self.nanosecondsPerSecond)
    let (wholeSeconds, overflow) = seconds.addingReportingOverflow(carry)
    guard !overflow else { return false }
    let time = CivilTime(secondsSince1970: wholeSeconds)
    guard time.year >= 1, time.year <= 9999 else { return false }
    text.append(time)
    if fraction > 0 {
      text.append(UInt8(ascii: "."))
      text.append(decimal: UInt64(fraction), digitCount: 9)
      while text[text.count - 1] == UInt8(ascii: "0") { text.truncate(to: text.count - 1) }
    }
    text.append(UInt8(ascii: "Z"))
    return true
  }

  /// Reads the form that `write(to:)` makes; a fraction may have trailing zeros, up to nine digits.
  /// Nil for any other text and for a date the calendar does not have.
  package init?(text: Span<UInt8>) {
    guard text.count >= 20, text[text.count - 1] == UInt8(ascii: "Z"),
      text[4] == UInt8(ascii: "-"), text[7] == UInt8(ascii: "-"), text[10] == UInt8(ascii: "T"),
      text[13] == UInt8(ascii: ":"), text[16] == UInt8(ascii: ":"),
      let year = decimalNumber(text, in: 0..<4), year >= 1,
      let month = decimalNumber(text, in: 5..<7), let day = decimalNumber(text, in: 8..<10),
      let hour = decimalNumber(text, in: 11..<13), let minute = decimalNumber(text, in: 14..<16),
      let second = decimalNumber(text, in: 17..<19),
      let fraction = Self.fraction(of: text),
      let time = CivilTime(
        year: Int64(year), month: month, day: day, hour: hour, minute: minute, second: second),
      let seconds = time.secondsSince1970
    else { return nil }
    // Before 1970 both parts are negative: -1.5 s is (-1, -500000000).
    if seconds < 0 && fraction > 0 {
      self.init(seconds: seconds + 1, nanoseconds: fraction - Int32(Self.nanosecondsPerSecond))
    } else {
      self.init(seconds: seconds, nanoseconds: fraction)
    }
  }

  /// The nanoseconds between the seconds and the final "Z"; nil when that part is malformed.
  private static func fraction(of text: Span<UInt8>) -> Int32? {
    let digits = 20..<max(20, text.count - 1)
    if text.count == 20 { return 0 }
    guard text[19] == UInt8(ascii: "."), (1...9).contains(digits.count),
      var fraction = decimalNumber(text, in: digits)
    else { return nil }
    for _ in digits.count..<9 { fraction *= 10 }
    return Int32(fraction)
  }

  private static let nanosecondsPerSecond: Int64 = 1_000_000_000
}

/// The number that up to 18 decimal digits of `text` spell; nil when another byte is among them.
private func decimalNumber(_ text: Span<UInt8>, in range: Range<Int>) -> Int? {
  var number = 0
  for index in range {
    let digit = text[index] &- UInt8(ascii: "0")
    guard digit <= 9 else { return nil }
    number = number * 10 + Int(digit)
  }
  return number
}
