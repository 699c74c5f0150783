// Permutations of pairs of short numbers, which most masks of numbers are: what their rounds add is hashed when it is first asked for, and
// looked up from then on. Layer: Masks.
// Invariants: the outcome is that of the permutation itself; memory is bounded, whatever values come.

/// Permutes pairs of numbers under one key, and remembers what short ones are moved by.
struct ShortPermutations {
  private let permutation: KeyedPermutation
  /// Which permutation has its shifts where: by its tweak, of which none is 0.
  private var places = [(tweak: UInt64, start: Int)](repeating: (0, 0), count: 1 << placeBits)
  /// For each permutation and round what the left number moves by, for each right one, and the other way round.
  private var shifts: [UInt16] = []

  private static let placeBits: UInt64 = 6
  /// Half of a number of eight digits.
  private static let boundMax: UInt64 = 10_000
  private static let unknown = UInt16.max

  init(_ permutation: KeyedPermutation) { self.permutation = permutation }

  /// Bounds are those of the tweak: the same ones each time.
  @inline(__always)
  mutating func permute(
    _ pair: (quotient: UInt64, remainder: UInt64), below bounds: (UInt64, UInt64), tweak: UInt64
  ) -> (UInt64, UInt64) {
    guard max(bounds.0, bounds.1) <= Self.boundMax, var place = start(of: tweak, below: bounds) else {
      return permutation.permute(pair, below: bounds, tweak: tweak)
    }
    var (left, right) = pair
    for round in 0..<UInt64(KeyedPermutation.rounds(bounds.0, bounds.1) / 2) {
      left = shift(left, at: place, for: right, round, below: bounds.0, tweak: tweak)
      place += Int(bounds.1)
      right = shift(right, at: place, for: left, round, below: bounds.1, tweak: tweak &+ 1)
      place += Int(bounds.0)
    }
    return (left, right)
  }

  @inline(__always)
  private mutating func shift(
    _ number: UInt64, at place: Int, for other: UInt64, _ round: UInt64, below bound: UInt64, tweak: UInt64
  ) -> UInt64 {
    let index = place + Int(other)
    if shifts[index] == Self.unknown {
      shifts[index] = UInt16(
        KeyedPermutation.distance(permutation.hash.begin(tweak), for: other, round, below: bound))
    }
    return KeyedPermutation.sum(number, UInt64(shifts[index]), below: bound)
  }

  /// Nil where another permutation has the place.
  @inline(__always)
  private mutating func start(of tweak: UInt64, below bounds: (UInt64, UInt64)) -> Int? {
    let index = Int((tweak &* 0x9E37_79B9_7F4A_7C15) >> (64 - Self.placeBits))
    if places[index].tweak == tweak { return places[index].start }
    return places[index].tweak == 0 ? take(index, tweak, bounds) : nil
  }

  private mutating func take(_ index: Int, _ tweak: UInt64, _ bounds: (UInt64, UInt64)) -> Int {
    let start = shifts.count
    let count = Int(bounds.0 + bounds.1) * (KeyedPermutation.rounds(bounds.0, bounds.1) / 2)
    shifts.append(contentsOf: repeatElement(Self.unknown, count: count))
    places[index] = (tweak, start)
    return start
  }
}
