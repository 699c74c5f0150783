// How dates are written in sources: ISO 8601, numbers since 1970, or a pattern as strptime knows them.
// Layer: RealmSession, Importing.

import ByteText
package import RealmEngine

/// A form of dates.
package enum DateForm: Sendable, Equatable {
  /// A day, or a day and a time with any offset; without one the time is UTC.
  case iso
  case seconds
  case milliseconds
  /// The bytes of a pattern such as `%d/%m/%Y`.
  case pattern([UInt8])

  /// Nil for a word that is no form: a pattern holds a `%` at least.
  package init?(_ word: String) {
    switch word {
    case "iso": self = .iso
    case "seconds": self = .seconds
    case "milliseconds": self = .milliseconds
    default:
      guard DatePattern.fault(of: Array(word.utf8), in: .anyReading) == nil else { return nil }
      self = .pattern(Array(word.utf8))
    }
  }

  /// What `init` makes it of.
  var word: String {
    switch self {
    case .iso: "iso"
    case .seconds: "seconds"
    case .milliseconds: "milliseconds"
    case .pattern(let pattern): String(decoding: pattern, as: UTF8.self)
    }
  }

  /// What is said to be wanted where a cell is no date.
  var example: String {
    switch self {
    case .iso: "2020-01-31T12:00:00Z"
    case .seconds: "seconds since 1970"
    case .milliseconds: "milliseconds since 1970"
    case .pattern: word
    }
  }

  /// The date that a text spells; nil where it spells none.
  package func date(_ text: Span<UInt8>) -> Timestamp? {
    switch self {
    case .iso: Timestamp(iso: text)
    case .seconds: Self.count(text, perSecond: 1)
    case .milliseconds: Self.count(text, perSecond: 1000)
    case .pattern(let pattern): DatePattern.date(text, pattern)
    }
  }

  private static let nanosecondsPerSecond = 1_000_000_000

  /// A number of seconds or parts of them, with a fraction.
  private static func count(_ text: Span<UInt8>, perSecond: Int) -> Timestamp? {
    var point = text.count
    for index in text.indices where text[index] == UInt8(ascii: ".") { point = index }
    guard let whole = Int64(decimalText: text.extracting(0..<point)) else { return nil }
    var fraction = 0
    if point < text.count {
      let digits = text.extracting(point + 1..<text.count)
      guard (1...9).contains(digits.count), let number = Int64(decimalText: digits), number >= 0,
        digits[0] &- UInt8(ascii: "0") <= 9
      else { return nil }
      fraction = Int(number)
      for _ in digits.count..<9 { fraction *= 10 }
      fraction /= perSecond
    }
    let isNegative = text.count > 0 && text[0] == UInt8(ascii: "-")
    let seconds = whole / Int64(perSecond)
    let rest = Int(whole % Int64(perSecond)) * (nanosecondsPerSecond / perSecond)
    return Timestamp(seconds: seconds, nanoseconds: Int32(rest + (isNegative ? -fraction : fraction)))
  }
}
