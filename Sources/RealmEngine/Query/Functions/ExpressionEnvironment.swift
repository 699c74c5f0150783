// What expressions see of the world: the time, and identifiers that are made anew. Layer: Query, Functions.
// Invariant: with a fixed time and seed the same expressions over the same objects give the same values.

/// A value that was computed before, to be used by its name.
package struct ComputedName: Sendable {
  package let type: ExpressionType
  /// Nil where only its type is known yet.
  package let value: Value?

  package init(_ type: ExpressionType, _ value: Value? = nil) {
    self.type = type
    self.value = value
  }
}

/// The time and the source of new identifiers, shared by all expressions of a run.
package final class ExpressionEnvironment {
  /// What `now()` gives.
  package let now: Timestamp
  private var state: UInt64
  private var counter: UInt32

  /// Values computed before, by name.
  package var names: [String: ComputedName] = [:]

  /// What `find` does where it finds nothing, and what it missed.
  package var searches = Searches()

  private static let counterMask: UInt32 = 0xFF_FFFF
  private static let runMask: UInt64 = 0xFF_FFFF_FFFF

  package init(now: Timestamp, seed: UInt64) {
    self.now = now
    state = seed
    counter = 0
    counter = UInt32(truncatingIfNeeded: next()) & Self.counterMask
  }

  /// The same numbers for the same seed (SplitMix64).
  private func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A new random UUID (version 4).
  func makeUUID() -> UUIDValue {
    UUIDValue(
      high: next() & ~0xF000 | 0x4000, low: next() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000)
  }

  /// A new object identifier: seconds, a number of this run, a counter.
  func makeObjectID() -> ObjectID {
    counter = (counter &+ 1) & Self.counterMask
    let seconds = UInt64(truncatingIfNeeded: now.seconds) & 0xFFFF_FFFF
    let run = runNumber & Self.runMask
    return ObjectID(
      high: seconds << 32 | run >> 8, low: UInt32(truncatingIfNeeded: run & 0xFF) << 24 | counter)
  }

  private lazy var runNumber: UInt64 = next()
}
