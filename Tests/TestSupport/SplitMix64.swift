// Random numbers that can be had again. Layer: below all tests.

/// A small seeded generator, so that a failure can be repeated.
package struct SplitMix64: RandomNumberGenerator {
  private var state: UInt64

  package init(state: UInt64) { self.state = state }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A number from 0 up to, but not including, `limit`.
  package mutating func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &self) }

  /// True once in so many times.
  package mutating func oneIn(_ chances: Int) -> Bool { below(chances) == 0 }

  /// Up to `countMax` of the letters, drawn at random.
  package mutating func word(_ letters: String, upTo countMax: Int) -> String {
    (0..<below(countMax + 1)).reduce(into: "") { word, _ in
      word.append(letters[letters.index(letters.startIndex, offsetBy: below(letters.count))])
    }
  }
}
