import RealmEngine
import TestSupport
import Testing

/// Texts and needles in which everything begins alike: what stands nowhere else costs length times length to find.
@Suite("Long texts that look alike")
struct LongTextTests {
  private static func holds(_ text: [UInt8], _ kind: Relation.Kind, _ other: [UInt8], _ folding: TextFolding)
    -> Bool
  {
    Relation(kind, folding: folding).holds(
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
              Needle(needle, isCaseInsensitive: folds).isContained(in: bytes)
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
        #expect(!Needle(needle, isCaseInsensitive: folds).isContained(in: bytes))
        #expect(!TextPattern(star + needle + star, isCaseInsensitive: folds).matches(bytes))
        #expect(!TextPattern(stars + needle, isCaseInsensitive: folds).matches(bytes))
      }
      #expect(!Self.holds(text, .contains, needle, folding))
      #expect(!Self.holds(text, .like, star + needle + star, folding))
      #expect(!Self.holds(text, .like, stars + needle, folding))
    }
  }
}
