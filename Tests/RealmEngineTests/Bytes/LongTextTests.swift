import RealmEngine
import TestSupport
import Testing

/// Texts and needles in which everything begins alike: what stands nowhere else costs length times length to find.
@Suite("Long texts that look alike")
struct LongTextTests {
  private static func holds(
    _ text: [UInt8], _ kind: ComparisonTest.Kind, _ other: [UInt8], _ folding: TextFolding
  )
    -> Bool
  {
    ComparisonTest(kind, folding: folding).holds(
      .string(ByteString(copying: text)), .string(ByteString(copying: other)))
  }

  private static func isNaivelyIn(_ text: [UInt8], _ other: [UInt8]) -> Bool {
    guard other.count <= text.count else { return false }
    return (0...(text.count - other.count)).contains { text[$0..<$0 + other.count].elementsEqual(other) }
  }

  /// Mostly the same letter.
  private static func word(_ count: Int, _ random: inout SplitMix64) -> [UInt8] {
    (0..<count).map { _ in UInt8(ascii: random.next() % 40 == 0 ? "b" : "a") }
  }

  @Test("kernels and evaluator find what a naive search finds", arguments: 0..<UInt64(6))
  func occurrences(seed: UInt64) {
    var random = SplitMix64(state: seed)
    for _ in 0..<4 {
      let text = Self.word(2000, &random)
      let start = Int(random.next() % 1500)
      for length in [1, 17, 40, 300] {
        let others = [Array(text[start..<start + length]), Self.word(length, &random)]
        for other in others {
          let isIn = Self.isNaivelyIn(text, other)
          let upper = other.map { $0 & 0xDF }
          for (needle, folds) in [(other, false), (other, true), (upper, true)] {
            let found = text.withRawBytes { bytes in
              SearchTerm(needle, isCaseInsensitive: folds).isContained(in: bytes)
            }
            #expect(found == isIn, "seed \(seed)")
            #expect(Self.holds(text, .contains, needle, folds ? .latinCase : .none) == isIn, "seed \(seed)")
            let pattern = [UInt8(ascii: "*")] + needle + Array("*?".utf8)
            let isLike = text.withRawBytes {
              TextPattern(pattern, isCaseInsensitive: folds).matches($0)
            }
            #expect(isLike == Self.isNaivelyIn(Array(text.dropLast()), other), "seed \(seed)")
            #expect(Self.holds(text, .like, pattern, folds ? .latinCase : .none) == isLike, "seed \(seed)")
          }
        }
      }
    }
  }

  @Test("many letters are searched for half as many")
  func many() {
    let text = [UInt8](repeating: UInt8(ascii: "a"), count: 1 << 17)
    let half = [UInt8](repeating: UInt8(ascii: "a"), count: 1 << 16)
    let needle = half + [UInt8(ascii: "b")] + half.prefix(1 << 15)
    let star = [UInt8(ascii: "*")]
    let stars = Array(repeating: star + half.prefix(1 << 9), count: 1 << 7).flatMap { $0 }
    for folds in [false, true] {
      let folding: TextFolding = folds ? .latinCase : .none
      text.withRawBytes { bytes in
        #expect(!SearchTerm(needle, isCaseInsensitive: folds).isContained(in: bytes))
        #expect(!TextPattern(star + needle + star, isCaseInsensitive: folds).matches(bytes))
        #expect(!TextPattern(stars + needle, isCaseInsensitive: folds).matches(bytes))
      }
      #expect(!Self.holds(text, .contains, needle, folding))
      #expect(!Self.holds(text, .like, star + needle + star, folding))
      #expect(!Self.holds(text, .like, stars + needle, folding))
    }
  }

  /// Whether a text is like a pattern of letters, `?` and `*`, character by character.
  private static func isNaivelyLike(_ text: ArraySlice<Character>, _ pattern: ArraySlice<Character>) -> Bool {
    // For each beginning of the pattern, whether the text so far is like it.
    var likes = [true] + pattern.indices.map { pattern[...$0].allSatisfy { $0 == "*" } }
    for character in text {
      let before = likes
      likes[0] = false
      for (index, sign) in pattern.enumerated() {
        likes[index + 1] =
          sign == "*"
          ? likes[index] || before[index + 1] : before[index] && (sign == "?" || sign == character)
      }
    }
    return likes[pattern.count]
  }

  @Test(
    "long runs with characters left open are found where they stand",
    arguments: 0..<UInt64(TestScale.cases(fast: 8, usual: 40, long: 40)))
  func wildcards(seed: UInt64) {
    var random = SplitMix64(state: seed)
    let letters: [Character] = random.next() % 2 == 0 ? ["a", "b"] : ["a", "é", "€", "𝄞"]
    func letter() -> Character { letters[Int(random.next() % UInt64(letters.count))] }
    for length in [62, 63, 64, 65, 127, 128, 129, 200] {
      let part = (0..<length).map { _ in letter() }
      var piece = part.map { random.next() % 3 == 0 ? "?" : $0 }
      // Some match nearly.
      if random.next() % 3 == 0 { piece[Int(random.next() % UInt64(length))] = letter() }
      let text = (0..<Int(random.next() % 90)).map { _ in letter() } + part
      let longer = text + (0..<Int(random.next() % 90)).map { _ in letter() }
      for (value, pattern) in [
        (longer, ["*"] + piece + ["*"]), (text, ["*"] + piece), (longer, ["*"] + piece),
        (longer + longer, ["*"] + piece + ["*"] + piece + ["*"]), (part, piece),
        (longer, ["?", "*"] + piece + ["*", "?"]),
      ] {
        let isLike = Self.isNaivelyLike(value[...], pattern[...])
        let (bytes, signs) = (Array(String(value).utf8), Array(String(pattern).utf8))
        for folds in [false, true] {
          let found = bytes.withRawBytes { TextPattern(signs, isCaseInsensitive: folds).matches($0) }
          #expect(found == isLike, "seed \(seed): \(String(value)) like \(String(pattern))")
          let judged = Self.holds(bytes, .like, signs, folds ? .latinCase : .none)
          #expect(judged == isLike, "seed \(seed): \(String(value)) like \(String(pattern))")
        }
      }
    }
  }

  /// Short pieces of all kinds: empty ones, stars in a row, signs that are escaped, letters in both cases.
  @Test("short patterns match what a naive comparison matches", arguments: 0..<UInt64(8))
  func shortPatterns(seed: UInt64) {
    var random = SplitMix64(state: seed)
    let letters: [Character] = ["a", "B", "é", "À", "×", "÷", "€"]
    func word(_ count: UInt64, _ signs: [Character]) -> [Character] {
      (0..<random.next() % count).map { _ in signs[Int(random.next() % UInt64(signs.count))] }
    }
    for _ in 0..<500 {
      let kept = Int(random.next() % 6) + 2
      let text = word(7, letters.prefix(kept) + ["*", "?", "\\"])
      let pattern = word(7, letters.prefix(kept) + ["*", "?", "*"])
      let spelled = Array(String(pattern).utf8)
      let escapedText = Array(String(text.flatMap { "*?\\".contains($0) ? ["\\", $0] : [$0] }).utf8)
      let (bytes, isLike) = (Array(String(text).utf8), Self.isNaivelyLike(text[...], pattern[...]))
      let folded = Self.isNaivelyLike(
        Array(String(text).lowercased())[...], Array(String(pattern).lowercased())[...])
      #expect(Self.holds(bytes, .like, spelled, .none) == isLike, "seed \(seed): \(text) like \(pattern)")
      #expect(
        Self.holds(bytes, .like, spelled, .latinCase) == folded, "seed \(seed): \(text) like \(pattern)")
      #expect(Self.holds(bytes, .like, escapedText, .none), "seed \(seed): \(text)")
    }
  }

  @Test("a million letters are held against ten thousand with as many left open", .slow)
  func manyWildcards() {
    let text = [UInt8](repeating: UInt8(ascii: "a"), count: 1 << 20)
    let star = [UInt8(ascii: "*")]
    let open = Array(repeating: Array("?a".utf8), count: 10_000).flatMap { $0 }
    for pattern in [star + open + Array("b*".utf8), star + open + [UInt8(ascii: "b")]] {
      text.withRawBytes { #expect(!TextPattern(pattern, isCaseInsensitive: false).matches($0)) }
      #expect(!Self.holds(text, .like, pattern, .latinCase))
    }
  }
}
