// Dates as people and programs spell them: ISO 8601 in its usual variants. Layer: Values.

package import ByteText

extension Timestamp {
  /// A time of the calendar, `offset` seconds east of UTC; nil where there is none.
  package init?(_ time: CivilTime, nanoseconds: Int, offset: Int = 0) {
    guard let instant = time.instant(nanoseconds: nanoseconds, offset: offset) else { return nil }
    self.init(seconds: instant.seconds, nanoseconds: instant.nanoseconds)
  }

  /// Reads the form that `write(to:)` makes; a fraction may have trailing zeros, up to nine digits.
  /// Nil for any other text and for a date the calendar does not have.
  package init?(text: Span<UInt8>) {
    // What makes a date that `init(iso:)` reads one of this form.
    guard text.count >= 20, text[10] == UInt8(ascii: "T"), text[16] == UInt8(ascii: ":"),
      text[19] == UInt8(ascii: text.count == 20 ? "Z" : "."), text[text.count - 1] == UInt8(ascii: "Z"),
      text.count == 20 || text[text.count - 2] &- UInt8(ascii: "0") <= 9
    else { return nil }
    self.init(iso: text)
  }

  /// Reads `2020-01-31`, `2020-01-31 12:00` and `2020-01-31T12:00:00.5+01:00`; UTC where no offset is given.
  package init?(iso text: Span<UInt8>, fromYear firstYear: Int = 1) {
    if let time = CivilTime(plain: text) {
      self.init(time, nanoseconds: 0)
      return
    }
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
    guard scanner.isAtEnd(text), year >= firstYear,
      let time = CivilTime(
        year: Int64(year), month: month, day: day, hour: hour, minute: minute, second: second)
    else { return nil }
    self.init(time, nanoseconds: nanoseconds, offset: offset)
  }
}

/// Walks through the text of a date.
package struct DateScanner {
  private(set) var position = 0

  package init() {}

  package mutating func skip(_ byte: UInt8, in text: Span<UInt8>) -> Bool {
    guard position < text.count, text[position] == byte else { return false }
    position += 1
    return true
  }

  package func isAtEnd(_ text: Span<UInt8>) -> Bool { position == text.count }

  /// From `least` to `most` digits, as many as there are.
  package mutating func number(_ least: Int, _ most: Int, in text: Span<UInt8>) -> Int? {
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

  /// A number of any length, negative with a sign.
  package mutating func integer(in text: Span<UInt8>) -> Int64? {
    let start = position
    _ = skip(UInt8(ascii: "-"), in: text)
    while position < text.count, text[position] &- UInt8(ascii: "0") <= 9 { position += 1 }
    return Int64(decimalText: text.extracting(start..<position))
  }

  /// The digits behind a decimal point, as nanoseconds.
  package mutating func fraction(in text: Span<UInt8>) -> Int? {
    let start = position
    guard var value = number(1, 9, in: text) else { return nil }
    for _ in position - start..<9 { value *= 10 }
    return value
  }

  /// `Z`, `+01`, `+01:30` or `+0130`, in seconds.
  package mutating func offset(in text: Span<UInt8>) -> Int? {
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
  package mutating func word(among words: [String], in text: Span<UInt8>) -> Int? {
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
