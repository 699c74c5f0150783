// Dates by the letters of `strftime` and `strptime`, written and read, in UTC. Layer: Query, Functions.

import ByteText

/// Patterns of `%` and a letter; every other character stands for itself, and read blanks for any number of them.
package enum DatePattern {
  /// What a pattern is for.
  package enum Use {
    case writing
    case reading
    /// A time of day is a date in 1970.
    case anyReading
  }

  private static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
    "November", "December",
  ]
  private static let days = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
  private static let percent = UInt8(ascii: "%")
  private static let writtenLetters = Array("YmdHMSfLsj%".utf8)
  private static let readLetters = writtenLetters + Array("yeIpzZbBhaATFDnt".utf8)
  /// One of them says the year.
  private static let yearLetters = Array("YyFDs".utf8)
  /// Two digits below stand for a year of this century, as in POSIX.
  private static let centuryPivot = 69

  /// What is wrong with a pattern; nil where it is not known yet.
  static func fault(of value: Value?, in use: Use) -> String? {
    guard case .string(let pattern)? = value else { return nil }
    return fault(of: pattern.bytes.array(), in: use)
  }

  package static func fault(of pattern: [UInt8], in use: Use) -> String? {
    var found: [UInt8] = []
    var index = 0
    while index < pattern.count {
      if pattern[index] == percent {
        guard index + 1 < pattern.count else { return "the pattern ends in the middle of %" }
        let letter = pattern[index + 1]
        guard readLetters.contains(letter) else {
          return "dates know no %\(String(decoding: [letter], as: UTF8.self))"
        }
        if use == .writing, !writtenLetters.contains(letter) {
          return "%\(String(decoding: [letter], as: UTF8.self)) can be read, not written"
        }
        found.append(letter)
        index += 1
      }
      index += 1
    }
    switch use {
    case .writing: return nil
    case .reading:
      return found.contains(where: yearLetters.contains) ? nil : "a pattern to read dates needs %Y or %s"
    case .anyReading: return found.isEmpty ? "a pattern to read dates needs a % at least" : nil
    }
  }

  /// The date as the pattern has it; no more of it than shows that a property cannot hold it.
  static func format(_ date: Timestamp, _ pattern: [UInt8]) -> [UInt8] {
    let (carry, fraction) = Int64(date.nanoseconds).dividedRoundingDown(by: 1_000_000_000)
    let seconds = date.seconds &+ carry
    let time = CivilTime(secondsSince1970: seconds)
    var output = ByteBuffer()
    var index = 0
    while index < pattern.count, output.count <= TextLimits.textSizeMax {
      guard pattern[index] == percent, index + 1 < pattern.count else {
        output.append(pattern[index])
        index += 1
        continue
      }
      switch pattern[index + 1] {
      case UInt8(ascii: "Y"): output.append(decimal: UInt64(clamping: time.year), digitCount: 4)
      case UInt8(ascii: "m"): output.append(decimal: UInt64(time.month), digitCount: 2)
      case UInt8(ascii: "d"): output.append(decimal: UInt64(time.day), digitCount: 2)
      case UInt8(ascii: "H"): output.append(decimal: UInt64(time.hour), digitCount: 2)
      case UInt8(ascii: "M"): output.append(decimal: UInt64(time.minute), digitCount: 2)
      case UInt8(ascii: "S"): output.append(decimal: UInt64(time.second), digitCount: 2)
      case UInt8(ascii: "f"): output.append(decimal: UInt64(fraction), digitCount: 9)
      case UInt8(ascii: "L"): output.append(decimal: UInt64(fraction / 1_000_000), digitCount: 3)
      case UInt8(ascii: "s"): output.append(decimal: seconds)
      case UInt8(ascii: "j"): output.append(decimal: dayOfYear(time), digitCount: 3)
      default: output.append(pattern[index + 1])
      }
      index += 2
    }
    return output.bytes
  }

  private static func dayOfYear(_ time: CivilTime) -> UInt64 {
    let start = CivilTime(year: time.year, month: 1, day: 1)?.secondsSince1970 ?? 0
    let today = CivilTime(year: time.year, month: time.month, day: time.day)?.secondsSince1970 ?? 0
    return UInt64(clamping: (today - start) / 86_400 + 1)
  }

  private struct Fields {
    var year = 1970
    var (month, day, hour, minute, second, nanoseconds, offset) = (1, 1, 0, 0, 0, 0, 0)
    var dayOfYear: Int?
    var isAfternoon: Bool?
    var secondsSince1970: Int64?

    var date: Timestamp? {
      if let secondsSince1970 {
        let instant = CivilTime.instant(seconds: secondsSince1970, nanoseconds: nanoseconds)
        return Timestamp(seconds: instant.seconds, nanoseconds: instant.nanoseconds)
      }
      var hour = hour
      if let isAfternoon {
        guard (1...12).contains(hour) else { return nil }
        hour = hour % 12 + (isAfternoon ? 12 : 0)
      }
      guard
        let time = CivilTime(
          year: Int64(year), month: month, day: day, hour: hour, minute: minute, second: second)
      else { return nil }
      // A day of the year is counted on from the first.
      let days = dayOfYear.map { $0 - 1 } ?? 0
      return Timestamp(time, nanoseconds: nanoseconds, offset: offset - days * 86_400)
    }
  }

  /// The date that a text spells as the pattern has it; nil where it does not, or where there is no such date.
  package static func date(_ text: Span<UInt8>, _ pattern: [UInt8]) -> Timestamp? {
    var fields = Fields()
    var scanner = DateScanner()
    guard scan(text, pattern[...], &scanner, &fields), scanner.isAtEnd(text) else { return nil }
    return fields.date
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
      fields.secondsSince1970 = scanner.integer(in: text)
      return fields.secondsSince1970 != nil
    case UInt8(ascii: "L"):
      guard let value = scanner.number(3, 3, in: text) else { return false }
      fields.nanoseconds = value * 1_000_000
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
