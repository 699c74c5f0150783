// Dates by the letters of `strftime`, written and read, in UTC. Layer: Query.

import ByteText

enum DatePattern {
  private static let percent = UInt8(ascii: "%")
  private static let letters = Array("YmdHMSfLsj%".utf8)
  private static let unreadLetters = Array("j".utf8)

  /// What is wrong with a pattern; nil where it is not known yet.
  static func fault(of value: Value?, forReading isReading: Bool) -> String? {
    guard case .string(let pattern)? = value else { return nil }
    return fault(of: pattern.bytes.array(), forReading: isReading)
  }

  static func fault(of pattern: [UInt8], forReading isReading: Bool) -> String? {
    var found: [UInt8] = []
    var index = 0
    while index < pattern.count {
      if pattern[index] == percent {
        guard index + 1 < pattern.count else { return "the pattern ends in the middle of %" }
        let letter = pattern[index + 1]
        guard letters.contains(letter) else {
          return "dates know no %\(String(decoding: [letter], as: UTF8.self))"
        }
        if isReading, unreadLetters.contains(letter) {
          return "%\(String(decoding: [letter], as: UTF8.self)) can be written, not read"
        }
        found.append(letter)
        index += 1
      }
      index += 1
    }
    if isReading, !found.contains(UInt8(ascii: "Y")), !found.contains(UInt8(ascii: "s")) {
      return "a pattern to read dates needs %Y or %s"
    }
    return nil
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

  /// The date that a text spells as the pattern has it; nil where it does not, or where there is no such date.
  static func read(_ text: [UInt8], _ pattern: [UInt8]) -> Timestamp? {
    var parts = Parts()
    var position = 0
    var index = 0
    while index < pattern.count {
      guard pattern[index] == percent, index + 1 < pattern.count, pattern[index + 1] != percent else {
        if pattern[index] == percent { index += 1 }
        guard position < text.count, text[position] == pattern[min(index, pattern.count - 1)] else {
          return nil
        }
        position += 1
        index += 1
        continue
      }
      guard parts.take(pattern[index + 1], text, &position) else { return nil }
      index += 2
    }
    return position == text.count ? parts.date : nil
  }

  /// What was read so far.
  private struct Parts {
    private var year: Int64 = 1970
    private var month = 1
    private var day = 1
    private var (hour, minute, second) = (0, 0, 0)
    private var nanoseconds = 0
    private var seconds: Int64?

    /// False where no such number stands there.
    mutating func take(_ letter: UInt8, _ text: [UInt8], _ position: inout Int) -> Bool {
      switch letter {
      case UInt8(ascii: "s"):
        let end =
          text[position...].firstIndex { !(Self.isDigit($0) || $0 == UInt8(ascii: "-")) } ?? text.count
        seconds = Int64(decimalText: text[position..<end].span)
        position = end
        return seconds != nil
      case UInt8(ascii: "Y"):
        guard let (number, _) = Self.number(text, &position, digits: 4...4) else { return false }
        year = Int64(number)
      case UInt8(ascii: "f"):
        guard let (number, count) = Self.number(text, &position, digits: 1...9) else { return false }
        nanoseconds = (count..<9).reduce(number) { result, _ in result * 10 }
      case UInt8(ascii: "L"):
        guard let (number, _) = Self.number(text, &position, digits: 3...3) else { return false }
        nanoseconds = number * 1_000_000
      default:
        guard let (number, _) = Self.number(text, &position, digits: 1...2) else { return false }
        switch letter {
        case UInt8(ascii: "m"): month = number
        case UInt8(ascii: "d"): day = number
        case UInt8(ascii: "H"): hour = number
        case UInt8(ascii: "M"): minute = number
        default: second = number
        }
      }
      return true
    }

    var date: Timestamp? {
      guard
        let whole = seconds
          ?? CivilTime(year: year, month: month, day: day, hour: hour, minute: minute, second: second)?
          .secondsSince1970
      else { return nil }
      // Before 1970 both parts are negative.
      return whole < 0 && nanoseconds > 0
        ? Timestamp(seconds: whole + 1, nanoseconds: Int32(nanoseconds - 1_000_000_000))
        : Timestamp(seconds: whole, nanoseconds: Int32(nanoseconds))
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") <= 9 }

    private static func number(
      _ text: [UInt8], _ position: inout Int, digits: ClosedRange<Int>
    ) -> (value: Int, count: Int)? {
      var (value, count) = (0, 0)
      while position < text.count, count < digits.upperBound, isDigit(text[position]) {
        value = value * 10 + Int(text[position] - UInt8(ascii: "0"))
        position += 1
        count += 1
      }
      return count >= digits.lowerBound ? (value, count) : nil
    }
  }
}
