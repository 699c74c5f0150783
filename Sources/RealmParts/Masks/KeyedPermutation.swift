// A secret permutation of tuples of numbers, each of which stays below its own bound: a Feistel network whose halves are added to
// instead of xored with, so that it is one over any bounds. Layer: Masks.
// Invariant: with the same key, bounds and tweak another tuple gives another one.

/// Permutes tuples of numbers under one key.
struct KeyedPermutation: Sendable {
  let hash: KeyedHash

  /// Bounds are at most this, so that the sum of two numbers is none too large.
  static let boundMax: UInt64 = 1 << 62

  /// Four rounds make a permutation that nobody tells from a random one who sees less than a half has values (Luby and Rackoff);
  /// small halves take more.
  static func rounds(_ left: UInt64, _ right: UInt64) -> Int { rounds(least: min(left, right)) }

  static func rounds(least: UInt64) -> Int { least >= 1 << 24 ? 4 : least >= 1 << 16 ? 6 : 8 }

  /// So many numbers are the one half of a long tuple: enough that nobody meets the same ones twice.
  private static let shortHalf = 2

  /// Moves a number by what `random` makes of its bound.
  @inline(__always)
  private func shift(_ number: UInt64, by random: UInt64, below bound: UInt64) -> UInt64 {
    Self.sum(number, random.multipliedFullWidth(by: bound).high, below: bound)
  }

  /// A number that moves by less than its bound, and begins anew behind it.
  @inline(__always)
  static func sum(_ number: UInt64, _ distance: UInt64, below bound: UInt64) -> UInt64 {
    let sum = number + distance
    return sum >= bound ? sum - bound : sum
  }

  /// What the one number of a pair moves by in a round while the other is this.
  @inline(__always)
  static func distance(
    _ begun: KeyedHash.State, for other: UInt64, _ round: UInt64, below bound: UInt64
  ) -> UInt64 {
    // Two bits are left beside a number.
    begun.hash(other | round << 62).multipliedFullWidth(by: bound).high
  }

  /// A single number is a place in the least square that has as many. Those that land beyond the bound go on until they do
  /// not: less than once for each that does.
  func permute(_ number: UInt64, below bound: UInt64, tweak: UInt64) -> UInt64 {
    if bound < 2 { return number }
    var side = UInt64(Double(bound).squareRoot())
    while side * side < bound { side += 1 }
    var place = number
    repeat {
      let (row, column) = permute(
        place.quotientAndRemainder(dividingBy: side), below: (side, side), tweak: tweak)
      place = row * side + column
    } while place >= bound
    return place
  }

  @inline(__always)
  func permute(
    _ pair: (quotient: UInt64, remainder: UInt64), below bounds: (UInt64, UInt64), tweak: UInt64
  ) -> (UInt64, UInt64) {
    var (left, right) = pair
    let (ofRight, ofLeft) = (hash.begin(tweak), hash.begin(tweak &+ 1))
    for round in 0..<UInt64(Self.rounds(bounds.0, bounds.1) / 2) {
      left = Self.sum(left, Self.distance(ofRight, for: right, round, below: bounds.0), below: bounds.0)
      right = Self.sum(right, Self.distance(ofLeft, for: left, round, below: bounds.1), below: bounds.1)
    }
    return (left, right)
  }

  /// Permutes the first `count` numbers.
  func permute(_ numbers: inout [UInt64], below bounds: [UInt64], count: Int, tweak: UInt64) {
    switch count {
    case 0: return
    case 1: numbers[0] = permute(numbers[0], below: bounds[0], tweak: tweak)
    case 2:
      (numbers[0], numbers[1]) = permute(
        (numbers[0], numbers[1]), below: (bounds[0], bounds[1]), tweak: tweak)
    default:
      let middle = min(Self.shortHalf, count / 2)
      let rounds = Self.rounds(bounds[0], bounds[middle])
      for round in 0..<rounds {
        let (changed, read) =
          round.isMultiple(of: 2) ? (0..<middle, middle..<count) : (middle..<count, 0..<middle)
        var state = hash.begin(tweak &+ UInt64(round))
        for index in read { state.add(numbers[index]) }
        var random = state.finish()
        for index in changed {
          numbers[index] = shift(numbers[index], by: random, below: bounds[index])
          if index < changed.upperBound - 1 { random = state.next() }
        }
      }
    }
  }
}
