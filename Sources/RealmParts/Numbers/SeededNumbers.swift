// Numbers that look random and are the same for the same seed and name, on every machine. Layer: Numbers.

import RealmEngine

/// A source of numbers.
struct SeededNumbers: RandomNumberGenerator {
  private var numbers: RepeatableNumbers

  /// `name`: a source for each, so that one more class or property changes nothing of the others.
  init(seed: UInt64, _ name: String) {
    numbers = RepeatableNumbers(
      seed: name.utf8.reduce(seed ^ 0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 })
  }

  mutating func next() -> UInt64 { numbers.next() }

  /// A number below `limit`, which is above 0. Of limits as small as these no number is more likely than others.
  mutating func below(_ limit: Int) -> Int {
    Int(truncatingIfNeeded: next().multipliedFullWidth(by: UInt64(limit)).high)
  }
}
