// The condition of `compact --if`, and what the user reads meanwhile.

import ByteText
import RealmCommands
import Testing

@Suite("Conditions and progress")
struct CompactConditionTests {
  private static let megabyte = 1 << 20

  @Test(
    "a condition says when a file is worth compacting",
    arguments: [
      ("size > 100MB and used < 50%", true), ("size > 200MB", false), ("used < 39%", false),
      ("used <= 40%", true), ("free >= 120 MB", true), ("free > 120MB", false), ("size = 200mb", true),
      ("size == 204800 KB", true), ("size != 200MB", false), ("SIZE>1K&&used<1TB", true),
      ("not size > 1GB", true), ("!(size > 100MB or free > 1)", false), ("size > 1GB or used < 50 %", true),
      ("50% > used", true), ("size < 1GB and (used > 1TB or free > 50%)", true), ("used = 83886080", true),
    ])
  func evaluates(text: String, holds: Bool) throws {
    let facts = CompactCondition.Facts(size: 200 * Self.megabyte, used: 80 * Self.megabyte)
    #expect(try CompactCondition(text).holds(facts) == holds)
  }

  @Test(
    "what is no condition is refused, with its place",
    arguments: [
      ("", 1), ("size", 5), ("size >", 7), ("size > 100XB", 11), ("size > 1..5", 8), ("big > 1", 1),
      ("(size > 1", 10), ("size > 1) ", 9), ("size > 1 used", 10), ("size => 1", 7),
    ])
  func refuses(text: String, column: Int) {
    #expect {
      _ = try CompactCondition(text)
    } throws: { error in
      guard let diagnostic = error as? Diagnostic else { return false }
      return diagnostic.exit == .usage && diagnostic.excerpt?.column == column
    }
  }

  @Test("nesting is limited")
  func deep() {
    let text = String(repeating: "(", count: 100_000) + "size > 1"
    #expect(throws: Diagnostic.self) { _ = try CompactCondition(text) }
  }

  @Test("sizes and times are short")
  func words() {
    #expect(
      [0, 1, 1023, 1024, 1_048_530, 66_383_872, .max].map(SizeText.bytes) == [
        "0 bytes", "1 byte", "1023 bytes", "1.0 KB", "1.0 MB", "63.3 MB", "8.0 EB",
      ])
    #expect(
      [0, 59, 61, 3599, 3661].map { SizeText.duration(seconds: $0) } == [
        "0 s", "59 s", "1:01 min", "59:59 min", "1:01 h",
      ])
  }

  @Test("progress shows after a second, with rate and time left, and goes away")
  func progress() {
    var time = 0
    var shown: [String] = []
    let meter = ProgressMeter(name: "a.realm", isShown: true, now: { time }, write: { shown.append($0) })
    meter.update(.writing, 0, of: 100 << 20)
    time = 900
    meter.update(.writing, 10 << 20, of: 100 << 20)
    #expect(shown.isEmpty)
    time = 1000
    meter.update(.writing, 20 << 20, of: 100 << 20)
    time = 1050
    meter.update(.writing, 21 << 20, of: 100 << 20)
    #expect(shown == ["a.realm: writing 20 %, 20.0 MB/s, 4 s left"])
    meter.finish()
    #expect(shown.last == "")
  }

  @Test("without a terminal nothing shows")
  func hidden() {
    var time = 0
    var shown: [String] = []
    let meter = ProgressMeter(name: "a.realm", isShown: false, now: { time }, write: { shown.append($0) })
    time = 5000
    meter.update(.verifying, 1, of: 2)
    meter.finish()
    #expect(shown.isEmpty)
  }
}
