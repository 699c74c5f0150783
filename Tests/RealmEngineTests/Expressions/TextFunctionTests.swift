import RealmEngine
import RealmQueryLanguage
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

  private static func name(_ type: ValueType, _ value: Value) -> ComputedName {
    ComputedName(ExpressionType(.value(type)), value)
  }

  private static let largeNames = [
    "big": name(.string, .string(ByteString(String(repeating: "a", count: 12_000_000)))),
    // Of two bytes, and in capitals of three.
    "wide": name(.string, .string(ByteString(String(repeating: "ŉ", count: 6_000_000)))),
    "bytes": name(.data, .data(ByteString(String(repeating: "a", count: 13_000_000)))),
    "pattern": name(.string, .string(ByteString(String(repeating: "%f", count: 2_000_000)))),
  ]

  @Test(
    "a text that no property can hold is refused before it is made", .slow,
    arguments: [
      ("replace(big, 'a', 'aa')", "replace"), ("big + last + big", "+"), ("(big + big) + last", "+"),
      ("join(list(big, big), last)", "join"), ("join(split(big + last, 'aaaa'), '12345678')", "join"),
      ("format('{}{}{}', big, last, big)", "format"), ("format(born, pattern)", "format"),
      ("format('{}', bytes)", "format"), ("upper(wide)", "upper"), ("string(bytes)", "string"),
    ])
  func sizes(text: String, maker: String) throws {
    let realm = try ExpressionRealm()
    let evaluator = try realm.evaluator(text, names: Self.largeNames)
    // It is nothing that does not convert.
    evaluator.toleratesFailures = true
    var cursor = realm.people.blocks()
    let block = try #require(try cursor.next())
    do {
      _ = try evaluator.column(block)
      Issue.record("\(text) has a result")
    } catch {
      #expect(error.kind == .refused)
      #expect(
        error.message
          == "\(maker) would make a text of more than \(TextLimits.textSizeMax) bytes, which no property can hold"
      )
      #expect(error.place == "object 0")
      #expect(error.hint != nil)
    }
  }

  @Test("the longest text that a property can hold is made", .slow)
  func longest() throws {
    let realm = try ExpressionRealm()
    let rest = TextLimits.textSizeMax - 12_000_000
    let size = String(TextLimits.textSizeMax)
    #expect(
      try realm.results("length(big + substring(big, 0, \(rest)))", names: Self.largeNames)
        == [size, size, size])
    #expect(throws: EngineError.self) {
      try realm.results("length(big + substring(big, 0, \(rest + 1)))", names: Self.largeNames)
    }
    #expect(
      try realm.results(
        "length(replace(big, 'a', '')) + length(replace(big, 'aa', 'b'))", names: Self.largeNames)
        == ["6000000", "6000000", "6000000"])
  }

  @Test("conditions do not pass over what is too large")
  func conditions() throws {
    let realm = try ExpressionRealm()
    let source = Array("length(replace(big, 'a', last)) >= 0".utf8)
    let query = try BoundQuery(
      try Predicate(parsing: source), source: source, of: realm.people, in: realm.realm,
      names: Self.largeNames)
    let refusal = { (error: any Error) in (error as? EngineError)?.kind == .refused }
    #expect(performing: { try QueryExecutor(query, in: realm.realm).keys() }, throws: refusal)
    #expect(performing: { try RowEvaluator(realm.realm).keys(query) }, throws: refusal)
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
