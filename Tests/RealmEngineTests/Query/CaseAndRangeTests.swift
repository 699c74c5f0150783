import RealmEngine
import TestSupport
import Testing

/// Texts of one letter set in all cases, beside numbers at and around the ends of ranges, in leaves of each width.
@Suite("Texts in any case, ranges and lists of numbers")
struct CaseAndRangeTests {
  private static let realm = Result { () throws -> ReadTransaction in
    let realm = try WritableDatabase.withRows([
      PropertyDefinition("indexed", .string, isOptional: true, index: .general),
      PropertyDefinition("narrow", .string, isOptional: true), PropertyDefinition("wide", .string),
      PropertyDefinition("double", .double, isOptional: true),
      PropertyDefinition("float", .float, isOptional: true),
    ]) { write, table in
      var random = SplitMix64(state: 11)
      let numbers: [Double?] = [nil, 0, -0.0, .nan, .infinity, -.infinity, 1, 1.5, 2, 2.25, 3]
      for _ in 0..<900 {
        // Indexes file texts under four bytes a level, and end them with a mark that is a letter too.
        let word =
          random.oneIn(8)
          ? ["a", "a\0", "aaaaaaaaaaaaaa", "aaaaaaaaaaaaaa\0"][random.below(4)]
          : random.word("aAbBxXéÉ@`", upTo: 7)
        let prefix = ["", "Long enough for MEDIUM leaves: ", "long ENOUGH for medium leaves: "][
          random.below(3)]
        let text: (String) -> NewValue = { .single(.string(ByteString($0))) }
        let number = numbers[random.below(numbers.count)]
        _ = try write.create(
          table,
          [
            ("indexed", random.oneIn(9) ? .single(.null) : text(random.oneIn(5) ? prefix : word)),
            ("narrow", random.oneIn(9) ? .single(.null) : text(word)), ("wide", text(prefix + word)),
            ("double", .single(number.map(Value.double) ?? .null)),
            ("float", .single(number.map { .float(Float($0)) } ?? .null)),
          ])
      }
    }
    return realm.database.transaction
  }

  private func check(_ predicate: String) throws {
    let asked = try Asked(Self.realm, "Row")
    let query = try asked.bound(predicate)
    #expect(
      try QueryExecutor(query, in: asked.realm).keys() == RowEvaluator(asked.realm).keys(query),
      "\(predicate)")
  }

  @Test(
    "texts in any case", arguments: ["indexed", "narrow", "wide"],
    ["==", "!=", "BEGINSWITH", "ENDSWITH", "CONTAINS"])
  func cases(property: String, symbol: String) throws {
    var random = SplitMix64(state: 12)
    for _ in 0..<TestScale.cases(fast: 10, usual: 60, long: 60) {
      let word = random.word("aAbBxXéÉ@`", upTo: 5)
      try check("\(property) \(symbol)[c] '\(word)'")
      try check("\(property) \(symbol) '\(word)'")
    }
    try check("\(property) \(symbol)[c] 'LONG ENOUGH for medium leaves: '")
  }

  @Test("texts in order", arguments: ["indexed", "narrow", "wide"], ["<", "<=", ">", ">="])
  func order(property: String, symbol: String) throws {
    var random = SplitMix64(state: 13)
    let letters = "aAbBxXéÉ@`"
    for _ in 0..<40 { try check("\(property) \(symbol) '\(random.word(letters, upTo: 8))'") }
    // As long as the widest of the short texts, and longer; zeros tell texts apart by their lengths alone.
    for text in ["a\\u0000", "aaaaaaaaaaaaaaa", "aaaaaaaaaaaaaaaa", "Long enough for MEDIUM leaves: a", ""] {
      try check("\(property) \(symbol) '\(text)'")
    }
  }

  @Test("an index finds a text in any case")
  func index() throws {
    let asked = try Asked(Self.realm, "Row")
    for text in ["", "aBx", "É", "LONG ENOUGH FOR MEDIUM LEAVES: "] {
      let query = try asked.bound("indexed ==[c] '\(text)'")
      let plan = try QueryExecutor(query, in: asked.realm).plan
      guard case .index = plan.access else {
        Issue.record("a scan for '\(text)'")
        continue
      }
    }
    #expect(try asked.count("indexed ==[c] 'LONG ENOUGH FOR MEDIUM LEAVES: '") > 0)
  }

  @Test("ranges and lists of numbers", arguments: ["double", "float"])
  func numbers(property: String) throws {
    for condition in [
      "BETWEEN {1, 2.25}", "BETWEEN {2, 1}", "BETWEEN {-infinity, 0}", "BETWEEN {0, infinity}", "IN {1}",
      "IN {1, 2, 3}", "IN {1.5, 2.25, 3, 0}", "IN {1, 1.5, 2, 2.25, 3}", "IN {NULL, 2}", "IN {NaN, 1}",
      "IN {}",
      "IN {0.1, 2, 9007199254740993}", "== 0", "!= 1.5", "< 2", "<= 2", "> 2", ">= 2",
    ] {
      try check("\(property) \(condition)")
      try check("NOT \(property) \(condition)")
    }
  }
}
