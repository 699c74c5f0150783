// Numbers that look random and are the same for the same seed, on every machine (SplitMix64). Layer: Numbers.

/// A source of numbers.
struct SeededNumbers: RandomNumberGenerator {
  private var state: UInt64

  /// `name`: a source for each, so that one more class or property changes nothing of the others.
  init(seed: UInt64, _ name: String) {
    state = name.utf8.reduce(seed ^ 0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A number below `limit`, which is above 0. Of limits as small as these no number is more likely than others.
  mutating func below(_ limit: Int) -> Int {
    Int(truncatingIfNeeded: next().multipliedFullWidth(by: UInt64(limit)).high)
  }
}
