// Dates by patterns as strptime knows them. Layer: RealmSession, Importing.

import ByteText
import RealmEngine

/// Patterns of `%` and a letter; every other character stands for itself, and blanks for any number of them.
enum DatePattern {
  private static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
    "November", "December",
  ]
  private static let days = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
  private static let letters = Array("YymdeHIMSfpzZbBhaAjTFDs%nt".utf8)
  private static let percent = UInt8(ascii: "%")
  /// Two digits below stand for a year of this century, as in POSIX.
  private static let centuryPivot = 69

  /// Whether every `%` is followed by a letter that is known, and there is one at least.
  static func isValid(_ pattern: [UInt8]) -> Bool {
    var index = 0
    var hasField = false
    while index < pattern.count {
      if pattern[index] == percent {
        guard index + 1 < pattern.count, letters.contains(pattern[index + 1]) else { return false }
        hasField = true
        index += 1
      }
      index += 1
    }
    return hasField
  }

  private struct Fields {
    var year = 1970
    var (month, day, hour, minute, second, nanoseconds, offset) = (1, 1, 0, 0, 0, 0, 0)
    var dayOfYear: Int?
    var isAfternoon: Bool?
    var secondsSince1970: Int?
  }

  static func date(_ text: Span<UInt8>, _ pattern: [UInt8]) -> Timestamp? {
    var fields = Fields()
    var scanner = DateScanner()
    guard scan(text, pattern[...], &scanner, &fields), scanner.isAtEnd(text) else { return nil }
    if let seconds = fields.secondsSince1970 { return Timestamp(seconds: Int64(seconds), nanoseconds: 0) }
    var hour = fields.hour
    if let isAfternoon = fields.isAfternoon {
      guard (1...12).contains(hour) else { return nil }
      hour = hour % 12 + (isAfternoon ? 12 : 0)
    }
    guard
      let time = CivilTime(
        year: Int64(fields.year), month: fields.month, day: fields.day, hour: hour, minute: fields.minute,
        second: fields.second)
    else { return nil }
    guard let dayOfYear = fields.dayOfYear else {
      return Timestamp(time, nanoseconds: fields.nanoseconds, offset: fields.offset)
    }
    guard let start = Timestamp(time, nanoseconds: fields.nanoseconds, offset: fields.offset) else {
      return nil
    }
    return Timestamp(seconds: start.seconds + Int64(dayOfYear - 1) * 86_400, nanoseconds: start.nanoseconds)
  }

  private static func scan(
    _ text: Span<UInt8>, _ pattern: ArraySlice<UInt8>, _ scanner: inout DateScanner, _ fields: inout Fields
  ) -> Bool {
    var index = pattern.startIndex
    while index < pattern.endIndex {
      let byte = pattern[index]
      if byte == percent {
        guard scanField(pattern[index + 1], text, &scanner, &fields) else { return false }
        index += 2
      } else if byte == UInt8(ascii: " ") {
        while scanner.skip(byte, in: text) {}
        index += 1
      } else {
        guard scanner.skip(byte, in: text) else { return false }
        index += 1
      }
    }
    return true
  }

  private static func scanField(
    _ letter: UInt8, _ text: Span<UInt8>, _ scanner: inout DateScanner, _ fields: inout Fields
  ) -> Bool {
    func number(_ most: Int, _ range: ClosedRange<Int>, _ field: WritableKeyPath<Fields, Int>) -> Bool {
      guard let value = scanner.number(1, most, in: text), range.contains(value) else { return false }
      fields[keyPath: field] = value
      return true
    }
    switch letter {
    case UInt8(ascii: "Y"): return number(4, 1...9999, \.year)
    case UInt8(ascii: "y"):
      guard let value = scanner.number(2, 2, in: text) else { return false }
      fields.year = value + (value < centuryPivot ? 2000 : 1900)
      return true
    case UInt8(ascii: "m"): return number(2, 1...12, \.month)
    case UInt8(ascii: "d"), UInt8(ascii: "e"):
      _ = scanner.skip(UInt8(ascii: " "), in: text)
      return number(2, 1...31, \.day)
    case UInt8(ascii: "H"): return number(2, 0...23, \.hour)
    case UInt8(ascii: "I"): return number(2, 1...12, \.hour)
    case UInt8(ascii: "M"): return number(2, 0...59, \.minute)
    case UInt8(ascii: "S"): return number(2, 0...59, \.second)
    case UInt8(ascii: "j"):
      guard let value = scanner.number(1, 3, in: text), (1...366).contains(value) else { return false }
      fields.dayOfYear = value
      return true
    case UInt8(ascii: "f"):
      guard let value = scanner.fraction(in: text) else { return false }
      fields.nanoseconds = value
      return true
    case UInt8(ascii: "s"):
      let isNegative = scanner.skip(UInt8(ascii: "-"), in: text)
      guard let value = scanner.number(1, 18, in: text) else { return false }
      fields.secondsSince1970 = isNegative ? -value : value
      return true
    case UInt8(ascii: "p"):
      guard let value = scanner.word(among: ["AM", "PM"], in: text) else { return false }
      fields.isAfternoon = value == 1
      return true
    case UInt8(ascii: "z"):
      guard let value = scanner.offset(in: text) else { return false }
      fields.offset = value
      return true
    case UInt8(ascii: "Z"): return scanner.word(among: ["UTC", "GMT", "Z"], in: text) != nil
    case UInt8(ascii: "b"), UInt8(ascii: "B"), UInt8(ascii: "h"):
      let short = months.map { String($0.prefix(3)) }
      guard let value = scanner.word(among: months, in: text) ?? scanner.word(among: short, in: text) else {
        return false
      }
      fields.month = value + 1
      return true
    case UInt8(ascii: "a"), UInt8(ascii: "A"):
      let short = days.map { String($0.prefix(3)) }
      return scanner.word(among: days, in: text) != nil || scanner.word(among: short, in: text) != nil
    case UInt8(ascii: "T"): return scan(text, Array("%H:%M:%S".utf8)[...], &scanner, &fields)
    case UInt8(ascii: "F"): return scan(text, Array("%Y-%m-%d".utf8)[...], &scanner, &fields)
    case UInt8(ascii: "D"): return scan(text, Array("%m/%d/%y".utf8)[...], &scanner, &fields)
    case UInt8(ascii: "n"), UInt8(ascii: "t"):
      while scanner.skip(UInt8(ascii: " "), in: text) || scanner.skip(UInt8(ascii: "\t"), in: text) {}
      return true
    default: return scanner.skip(percent, in: text)
    }
  }
}
