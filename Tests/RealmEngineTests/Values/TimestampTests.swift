import ByteText
import Foundation
import RealmEngine
import TestSupport
import Testing

private func text(_ seconds: Int64, _ nanoseconds: Int32) -> String? {
  var bytes = ByteBuffer()
  let isWritten = Timestamp(seconds: seconds, nanoseconds: nanoseconds).write(to: &bytes)
  let isUntouched = bytes.isEmpty
  #expect(isWritten != isUntouched)
  return isWritten ? bytes.text : nil
}

private func timestamp(_ text: String) -> Timestamp? {
  Timestamp(text: Array(text.utf8).span)
}

@Suite("Timestamp")
struct TimestampTests {
  @Test("the fraction's trailing zeros are cut, and years outside 1–9999 have no text")
  func textForm() {
    #expect(text(1_577_836_800, 123_456_789) == "2020-01-01T00:00:00.123456789Z")
    #expect(text(0, 0) == "1970-01-01T00:00:00Z")
    #expect(text(0, 500_000_000) == "1970-01-01T00:00:00.5Z")
    #expect(text(0, 100) == "1970-01-01T00:00:00.0000001Z")
    #expect(text(-1, -500_000_000) == "1969-12-31T23:59:58.5Z")
    #expect(text(0, -1) == "1969-12-31T23:59:59.999999999Z")
    #expect(text(-62_135_596_800, 0) == "0001-01-01T00:00:00Z")
    #expect(text(-62_135_596_800, -1) == nil)
    #expect(text(253_402_300_799, 999_999_999) == "9999-12-31T23:59:59.999999999Z")
    #expect(text(253_402_300_800, 0) == nil)
    for seconds in [Int64.min, .max] {
      for nanoseconds in [Int32.min, 0, .max] { #expect(text(seconds, nanoseconds) == nil) }
    }
    #expect(text(0, .max) == "1970-01-01T00:00:02.147483647Z")
  }

  @Test("text is read back strictly")
  func reading() {
    #expect(timestamp("1969-12-31T23:59:58.5Z") == Timestamp(seconds: -1, nanoseconds: -500_000_000))
    #expect(timestamp("1969-12-31T23:59:59.5Z") == Timestamp(seconds: 0, nanoseconds: -500_000_000))
    #expect(timestamp("2020-02-29T00:00:00Z") != nil)
    #expect(
      timestamp("2020-01-01T00:00:00.500Z") == Timestamp(seconds: 1_577_836_800, nanoseconds: 500_000_000))
    for malformed in [
      "", "Z", "2020-01-01", "2020-01-01T00:00:00", "2019-02-29T00:00:00Z", "1900-02-29T00:00:00Z",
      "2020-13-01T00:00:00Z", "2020-00-01T00:00:00Z", "2020-01-32T00:00:00Z", "2020-01-01T24:00:00Z",
      "2020-01-01T00:60:00Z", "2020-01-01T00:00:60Z", "0000-01-01T00:00:00Z", "2020-01-01T00:00:00.Z",
      "2020-01-01T00:00:00.1234567890Z", "2020-01-01t00:00:00Z", "2020-01-01T00:00:00,5Z",
      "+020-01-01T00:00:00Z", "2020-01-01T00:00:00+00:00", "2020-01-01T00:00:00.5xZ",
    ] {
      #expect(timestamp(malformed) == nil, "\(malformed)")
    }
  }

  @Test("random times survive their text, and the calendar agrees with Foundation's")
  func roundTrip() throws {
    let seed = testSeed()
    var random = SplitMix64(state: seed)
    var calendar = Calendar(identifier: .iso8601)
    calendar.timeZone = try #require(TimeZone(identifier: "UTC"))
    for _ in 0..<2_000 {
      let seconds = Int64.random(in: -62_135_596_799...253_402_300_798, using: &random)
      let magnitude = Int32.random(in: 0..<1_000_000_000, using: &random)
      let value = Timestamp(seconds: seconds, nanoseconds: seconds < 0 ? -magnitude : magnitude)
      let written = try #require(text(value.seconds, value.nanoseconds))
      #expect(timestamp(written) == value, "\(written), seed \(seed)")
      // The Gregorian calendar of Foundation begins in 1582.
      if seconds > -12_219_292_800 {
        let parts = calendar.dateComponents(
          [.year, .month, .day, .hour, .minute, .second], from: Date(timeIntervalSince1970: Double(seconds)))
        let time = CivilTime(secondsSince1970: seconds)
        #expect(parts.year == Int(time.year) && parts.month == time.month && parts.day == time.day)
        #expect(parts.hour == time.hour && parts.minute == time.minute && parts.second == time.second)
      }
    }
  }

  @Test("any Int64 of seconds has a calendar date that leads back to it")
  func civilTimeOfAnySecond() {
    let seed = testSeed()
    var random = SplitMix64(state: seed)
    for seconds in [Int64.min, .min + 1, -1, 0, 1, .max]
      + (0..<4_000).map({ Int64.random(in: .min ... .max, using: &random) >> ($0 % 2 == 0 ? 0 : 24) })
    {
      let time = CivilTime(secondsSince1970: seconds)
      #expect(time.secondsSince1970 == seconds, "\(seconds), seed \(seed)")
    }
    #expect(CivilTime(year: .max, month: 12, day: 31)?.secondsSince1970 == nil)
    #expect(CivilTime(year: .min, month: 1, day: 1)?.secondsSince1970 == nil)
  }

  @Test("plain dates are read as all others are")
  func plainDates() {
    let seed = testSeed()
    var random = SplitMix64(state: seed)
    var knownCount = 0
    for _ in 0..<3_000 {
      var text = Array(random.next() % 3 == 0 ? "2020-02-28".utf8 : "1999-12-31T23:59:59Z".utf8)
      for _ in 0..<random.next() % 4 {
        text[Int(random.next() % UInt64(text.count))] =
          Array("0123456789:-TZ ".utf8).randomElement(using: &random) ?? 0
      }
      // A fraction of nothing makes it a date that is not plain.
      let isDay = text.count == 10
      let other = isDay ? text + Array("T00:00".utf8) : text.dropLast() + Array(".0".utf8) + text.suffix(1)
      let time = CivilTime(plain: text.span)
      let isPlain = isDay || text[10] == UInt8(ascii: "T") && text[19] == UInt8(ascii: "Z")
      if isPlain {
        #expect(time?.secondsSince1970 == Timestamp(iso: other.span)?.seconds, "\(text), seed \(seed)")
      } else {
        #expect(time == nil, "\(text), seed \(seed)")
      }
      if time != nil { knownCount += 1 }
    }
    #expect(knownCount > 1_000)
  }

  @Test("order is by seconds, then nanoseconds")
  func order() {
    let sorted = [
      Timestamp(seconds: .min, nanoseconds: .max), Timestamp(seconds: -1, nanoseconds: -5),
      Timestamp(seconds: -1, nanoseconds: 0), Timestamp(seconds: 0, nanoseconds: -1),
      Timestamp(seconds: 0, nanoseconds: 0), Timestamp(seconds: .max, nanoseconds: .min),
    ]
    #expect(sorted.shuffled().sorted() == sorted)
  }
}
