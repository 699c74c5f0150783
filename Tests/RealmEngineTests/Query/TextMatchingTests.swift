import Foundation
import RealmEngine
import TestSupport
import Testing

private func matches(
  _ text: String, _ kind: ComparisonTest.Kind, _ other: String, _ folding: TextFolding = .none
)
  -> Bool
{
  ComparisonTest(kind, folding: folding).holds(.string(ByteString(text)), .string(ByteString(other)))
}

@Suite("Text operators")
struct TextMatchingTests {
  @Test("[c] folds ASCII and Latin-1 letters, and no others")
  func latinCase() {
    #expect(matches("Zoë ÉTOILE", .equal, "zOË étoile", .latinCase))
    for scalar in (0xC0...0xFF).compactMap(Unicode.Scalar.init) {
      let isLetterPair = scalar.value < 0xDF && scalar != "×"
      let lower = Unicode.Scalar(scalar.value + (isLetterPair ? 0x20 : 0)).map(String.init) ?? ""
      #expect(matches(String(scalar), .equal, lower, .latinCase))
      #expect(matches(String(scalar), .equal, String(scalar).lowercased(), .latinCase) || !isLetterPair)
    }
    #expect(!matches("×", .equal, "÷", .latinCase) && !matches("ß", .equal, "ÿ", .latinCase))
    #expect(!matches("Мария", .equal, "мария", .latinCase) && !matches("Ÿ", .equal, "ÿ", .latinCase))
    #expect(!matches("\u{C3}", .contains, "\u{E3}x", .latinCase))
  }

  @Test("[d] and [cd] see every letter as Unicode's decomposition and folding have it")
  func diacritics() {
    var checked = 0
    for value in UInt32(0)..<0x2_FFFF {
      guard let scalar = Unicode.Scalar(value), scalar.value > 0x7F else { continue }
      let decomposed = String(scalar).decomposedStringWithCanonicalMapping
      let bases = decomposed.unicodeScalars.filter { $0.properties.canonicalCombiningClass == .notReordered }
      let isDifferent = !decomposed.unicodeScalars.elementsEqual([scalar])
      if !isDifferent, scalar.properties.canonicalCombiningClass == .notReordered { continue }
      checked += 1
      let plain = String(String.UnicodeScalarView(bases))
      if !matches(String(scalar), .equal, plain, .diacritics) {
        Issue.record("U+\(String(value, radix: 16)) is not \(plain.unicodeScalars.map { $0.value })")
      }
    }
    #expect(checked > 13_000)
    #expect(matches("Étoile", .equal, "e\u{301}toile", .diacriticsAndCase))
    #expect(!matches("Étoile", .equal, "etoile", .diacritics))
    #expect(
      matches("ΣΊΣΥΦΟΣ", .equal, "σισυφος", .diacriticsAndCase)
        && matches("ЁЖ", .contains, "еж", .diacriticsAndCase))
    #expect(matches("가나", .beginsWith, "\u{1100}\u{1161}", .diacritics))
    #expect(!matches("ø", .equal, "o", .diacriticsAndCase) && !matches("ß", .equal, "ss", .diacriticsAndCase))
    #expect(!matches("ı", .equal, "i", .diacriticsAndCase))
  }

  @Test("substrings are found where a naive search finds them", arguments: 0..<UInt64(20))
  func substrings(seed: UInt64) {
    var random = SplitMix64(state: seed)
    for _ in 0..<50 {
      let text = random.word("abAé", upTo: 11)
      let other = random.word("abAé", upTo: 3)
      #expect(matches(text, .contains, other) == (other.isEmpty || text.contains(other)), "seed \(seed)")
      #expect(matches(text, .beginsWith, other) == (other.isEmpty || text.hasPrefix(other)), "seed \(seed)")
      #expect(matches(text, .endsWith, other) == (other.isEmpty || text.hasSuffix(other)), "seed \(seed)")
      let folded = (text.lowercased(), other.lowercased())
      #expect(
        matches(text, .contains, other, .latinCase) == (other.isEmpty || folded.0.contains(folded.1)),
        "seed \(seed)")
    }
  }

  @Test("patterns match what a backtracking matcher matches", arguments: 0..<UInt64(20))
  func patterns(seed: UInt64) {
    var random = SplitMix64(state: seed)
    for _ in 0..<100 {
      let text = random.word("abé", upTo: 8)
      let pattern = random.word("abé**?", upTo: 6)
      #expect(
        matches(text, .like, pattern)
          == isLike(Array(text.unicodeScalars)[...], Array(pattern.unicodeScalars)[...]),
        "seed \(seed): \(text) LIKE \(pattern)")
    }
  }

  /// The definition of LIKE, word for word.
  private func isLike(_ text: ArraySlice<Unicode.Scalar>, _ pattern: ArraySlice<Unicode.Scalar>) -> Bool {
    guard let first = pattern.first else { return text.isEmpty }
    if first == "*" {
      return isLike(text, pattern.dropFirst()) || !text.isEmpty && isLike(text.dropFirst(), pattern)
    }
    return !text.isEmpty && (first == "?" || first == text.first)
      && isLike(text.dropFirst(), pattern.dropFirst())
  }

  @Test("a backslash makes a wildcard a letter, and stars do not slow matching down")
  func patternDetails() {
    #expect(matches("a*b", .like, "a\\*b") && !matches("axb", .like, "a\\*b"))
    #expect(
      matches("a\\b", .like, "a\\\\b") && matches("a\\b", .like, "a\\b") && matches("x?", .like, "?\\?"))
    let long = String(repeating: "a", count: 20_000)
    #expect(!matches(long, .like, String(repeating: "*a", count: 200) + "b"))
  }

  @Test("a prepared pattern matches what LIKE matches, in any bytes", arguments: 0..<UInt64(20))
  func preparedPatterns(seed: UInt64) throws {
    var random = SplitMix64(state: seed)
    let signs: [[UInt8]] = [
      [0x61], [0x41], [0x62], [0], [0xC3, 0xA9], [0xC3, 0x89], [0xF0, 0x9F, 0x98, 0x80], [0xE6, 0x97, 0xA5],
    ]
    let broken: [[UInt8]] = [[0xC3], [0xF0, 0x9F], [0x80], [0xA9], [0xFF]]
    let wildcards: [[UInt8]] = ["*", "*", "?", "\\*", "\\?", "\\"].map { Array($0.utf8) }
    func bytes(upTo countMax: Int, _ signs: [[UInt8]]) -> [UInt8] {
      (0..<random.below(countMax + 1)).flatMap { _ in signs[random.below(signs.count)] }
    }
    for _ in 0..<300 {
      let foldsCase = random.oneIn(2)
      let pattern = bytes(upTo: 6, signs + wildcards + wildcards + (foldsCase ? [] : broken))
      let test = TextTest(like: pattern, isCaseInsensitive: foldsCase)
      let relation = ComparisonTest(.like, folding: foldsCase ? .latinCase : .none)
      for _ in 0..<10 {
        let text = ByteString(copying: bytes(upTo: 8, signs + broken))
        #expect(
          test.accepts(text.bytes) == relation.holds(.data(text), .data(ByteString(copying: pattern))),
          "seed \(seed): \(text.bytes.array()) LIKE \(pattern)")
      }
    }
  }

  @Test("patterns of one piece are tests that kernels know")
  func simplePatterns() {
    func isKnown(_ pattern: String) -> Bool {
      if case .like = TextTest(like: Array(pattern.utf8), isCaseInsensitive: false).kind {
        false
      } else {
        true
      }
    }
    #expect(["", "*", "**", "ab", "ab*", "*ab", "**ab**", "a\\*b*"].allSatisfy(isKnown))
    #expect(!["?", "a*b", "*a?", "\\**?"].contains(where: isKnown))
  }

  @Test("letters cannot be folded in bytes that are no text")
  func noText() {
    let broken = Value.data(ByteString(copying: [0x61, 0xFF]))
    #expect(ComparisonTest(.equal).holds(broken, broken))
    #expect(!ComparisonTest(.equal, folding: .latinCase).holds(broken, broken))
    #expect(ComparisonTest(.notEqual, folding: .latinCase).holds(broken, broken))
  }
}
