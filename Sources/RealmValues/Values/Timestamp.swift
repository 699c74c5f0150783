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
  /// Returns false and appends nothing outside the years 1–9999, which the form cannot write. `firstYear` 0: for what takes
  /// that year too.
  package func write(to text: inout ByteBuffer, fromYear firstYear: Int64 = 1) -> Bool {
    let (carry, fraction) = Int64(nanoseconds).dividedRoundingDown(by: Self.nanosecondsPerSecond)
    let (wholeSeconds, overflow) = seconds.addingReportingOverflow(carry)
    guard !overflow else { return false }
    let time = CivilTime(secondsSince1970: wholeSeconds)
    guard time.year >= firstYear, time.year <= 9999 else { return false }
    text.append(time)
    if fraction > 0 {
      text.append(UInt8(ascii: "."))
      text.append(decimal: UInt64(fraction), digitCount: 9)
      while text[text.count - 1] == UInt8(ascii: "0") { text.truncate(to: text.count - 1) }
    }
    text.append(UInt8(ascii: "Z"))
    return true
  }

  private static let nanosecondsPerSecond: Int64 = 1_000_000_000
}
