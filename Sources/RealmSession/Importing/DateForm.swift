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
      guard DatePattern.isValid(Array(word.utf8)) else { return nil }
      self = .pattern(Array(word.utf8))
    }
  }

  /// What is said to be wanted where a cell is no date.
  var example: String {
    switch self {
    case .iso: "2020-01-31T12:00:00Z"
    case .seconds: "seconds since 1970"
    case .milliseconds: "milliseconds since 1970"
    case .pattern(let pattern): String(decoding: pattern, as: UTF8.self)
    }
  }

  /// The date that a text spells; nil where it spells none.
  package func date(_ text: Span<UInt8>) -> Timestamp? {
    switch self {
    case .iso: Timestamp(text: text) ?? ISODate.date(text)
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

extension Timestamp {
  /// A time of the calendar, `offset` seconds east of UTC; nil where there is none.
  init?(_ time: CivilTime, nanoseconds: Int, offset: Int = 0) {
    guard let local = time.secondsSince1970 else { return nil }
    let seconds = local - Int64(offset)
    // Before 1970 both parts are negative.
    if seconds < 0, nanoseconds > 0 {
      self.init(seconds: seconds + 1, nanoseconds: Int32(nanoseconds - 1_000_000_000))
    } else {
      self.init(seconds: seconds, nanoseconds: Int32(nanoseconds))
    }
  }
}

/// Walks through the text of a date.
struct DateScanner {
  private(set) var position = 0

  mutating func skip(_ byte: UInt8, in text: Span<UInt8>) -> Bool {
    guard position < text.count, text[position] == byte else { return false }
    position += 1
    return true
  }

  func isAtEnd(_ text: Span<UInt8>) -> Bool { position == text.count }

  func next(in text: Span<UInt8>) -> UInt8? { position < text.count ? text[position] : nil }

  /// From `least` to `most` digits, as many as there are.
  mutating func number(_ least: Int, _ most: Int, in text: Span<UInt8>) -> Int? {
    var value = 0
    var count = 0
    while count < most, position < text.count, case let digit = text[position] &- UInt8(ascii: "0"),
      digit <= 9
    {
      value = value * 10 + Int(digit)
      position += 1
      count += 1
    }
    return count >= least ? value : nil
  }

  /// The digits behind a decimal point, as nanoseconds.
  mutating func fraction(in text: Span<UInt8>) -> Int? {
    let start = position
    guard var value = number(1, 9, in: text) else { return nil }
    for _ in position - start..<9 { value *= 10 }
    return value
  }

  /// `Z`, `+01`, `+01:30` or `+0130`, in seconds.
  mutating func offset(in text: Span<UInt8>) -> Int? {
    if skip(UInt8(ascii: "Z"), in: text) || skip(UInt8(ascii: "z"), in: text) { return 0 }
    let isWest = skip(UInt8(ascii: "-"), in: text)
    guard isWest || skip(UInt8(ascii: "+"), in: text), let hours = number(2, 2, in: text), hours < 24 else {
      return nil
    }
    var minutes = 0
    if !isAtEnd(text) {
      _ = skip(UInt8(ascii: ":"), in: text)
      guard let found = number(2, 2, in: text), found < 60 else { return nil }
      minutes = found
    }
    let seconds = (hours * 60 + minutes) * 60
    return isWest ? -seconds : seconds
  }

  /// One of some words, whatever their case; its place among them.
  mutating func word(among words: [String], in text: Span<UInt8>) -> Int? {
    for (index, word) in words.enumerated() where text.count - position >= word.utf8.count {
      let isSame = word.utf8.enumerated().allSatisfy { offset, byte in
        text[position + offset] | 0x20 == byte | 0x20
      }
      if isSame {
        position += word.utf8.count
        return index
      }
    }
    return nil
  }
}

/// ISO 8601 as far as programs write it: `2020-01-31`, `2020-01-31 12:00`, `2020-01-31T12:00:00.5+01:00`.
enum ISODate {
  static func date(_ text: Span<UInt8>) -> Timestamp? {
    var scanner = DateScanner()
    guard let year = scanner.number(4, 4, in: text), scanner.skip(UInt8(ascii: "-"), in: text),
      let month = scanner.number(2, 2, in: text), scanner.skip(UInt8(ascii: "-"), in: text),
      let day = scanner.number(2, 2, in: text)
    else { return nil }
    var (hour, minute, second, nanoseconds, offset) = (0, 0, 0, 0, 0)
    if !scanner.isAtEnd(text) {
      guard
        scanner.skip(UInt8(ascii: "T"), in: text) || scanner.skip(UInt8(ascii: " "), in: text)
          || scanner.skip(UInt8(ascii: "t"), in: text),
        let foundHour = scanner.number(2, 2, in: text), scanner.skip(UInt8(ascii: ":"), in: text),
        let foundMinute = scanner.number(2, 2, in: text)
      else { return nil }
      (hour, minute) = (foundHour, foundMinute)
      if scanner.skip(UInt8(ascii: ":"), in: text) {
        guard let found = scanner.number(2, 2, in: text) else { return nil }
        second = found
        if scanner.skip(UInt8(ascii: "."), in: text) || scanner.skip(UInt8(ascii: ","), in: text) {
          guard let found = scanner.fraction(in: text) else { return nil }
          nanoseconds = found
        }
      }
      if !scanner.isAtEnd(text) {
        _ = scanner.skip(UInt8(ascii: " "), in: text)
        guard let found = scanner.offset(in: text) else { return nil }
        offset = found
      }
    }
    guard scanner.isAtEnd(text), year >= 1,
      let time = CivilTime(
        year: Int64(year), month: month, day: day, hour: hour, minute: minute, second: second)
    else { return nil }
    return Timestamp(time, nanoseconds: nanoseconds, offset: offset)
  }
}
