// Random numbers that can be had again. Layer: below all tests.

import RealmValues

/// A small seeded generator, so that a failure can be repeated.
package struct SplitMix64: RandomNumberGenerator {
  private var numbers: RepeatableNumbers

  package init(state: UInt64) { numbers = RepeatableNumbers(seed: state) }

  package mutating func next() -> UInt64 { numbers.next() }

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
