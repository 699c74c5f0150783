import RealmEngine
import TestSupport
import Testing

@Suite("Functions on texts")
struct TextFunctionTests {
  /// What a function makes of a text that is not known before an object is read.
  private static func result(
    _ function: String, of text: String, _ rest: String = "", in realm: ExpressionRealm
  ) throws -> String {
    try realm.results("\(function)((age > 99 ? '' : '\(text)')\(rest))")[0]
  }

  @Test("ASCII letters change their case, and no other character")
  func cases() throws {
    let realm = try ExpressionRealm()
    let text = String(String.UnicodeScalarView((32..<127).compactMap(Unicode.Scalar.init)))
      .filter { $0 != "'" && $0 != "\\" }
    #expect(try Self.result("upper", of: text, in: realm) == "'\(text.uppercased())'")
    #expect(try Self.result("lower", of: text, in: realm) == "'\(text.lowercased())'")
  }

  @Test("texts are taken apart and replaced as Swift does it")
  func parts() throws {
    let realm = try ExpressionRealm()
    let seed = testSeed()
    var random = SplitMix64(state: seed)
    let letters = ["a", "b", "é", "→", "ab"]
    for _ in 0..<80 {
      func text(_ counts: ClosedRange<Int>) -> String {
        (0..<Int.random(in: counts, using: &random)).map { _ in
          letters[Int.random(in: 0..<letters.count, using: &random)]
        }.joined()
      }
      let (whole, what) = (text(0...9), text(1...2))
      let parts = Self.parts(Array(whole.utf8), Array(what.utf8))
      #expect(
        try Self.result("split", of: whole, ", '\(what)'", in: realm)
          == "[" + parts.map { "'\($0)'" }.joined(separator: ", ") + "]", "\(whole) by \(what), seed \(seed)")
      #expect(
        try Self.result("replace", of: whole, ", '\(what)', 'ß-'", in: realm)
          == "'\(parts.joined(separator: "ß-"))'", "\(what) in \(whole), seed \(seed)")
    }
  }

  /// The plainest way.
  private static func parts(_ text: [UInt8], _ what: [UInt8]) -> [String] {
    var parts: [[UInt8]] = [[]]
    var index = 0
    while index < text.count {
      if text[index...].starts(with: what) {
        parts.append([])
        index += what.count
      } else {
        parts[parts.count - 1].append(text[index])
        index += 1
      }
    }
    return parts.map { String(decoding: $0, as: UTF8.self) }
  }
}
