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
  private var numbers: RepeatableNumbers
  private var counter: UInt32

  /// Values computed before, by name.
  package var names: [String: ComputedName] = [:]

  /// What `find` does where it finds nothing, and what it missed.
  package var searches = Searches()

  private static let counterMask: UInt32 = 0xFF_FFFF
  private static let runMask: UInt64 = 0xFF_FFFF_FFFF

  package init(now: Timestamp, seed: UInt64) {
    self.now = now
    numbers = RepeatableNumbers(seed: seed)
    counter = UInt32(truncatingIfNeeded: numbers.next()) & Self.counterMask
  }

  /// A new random UUID (version 4).
  func makeUUID() -> UUIDValue {
    UUIDValue(
      high: numbers.next() & ~0xF000 | 0x4000,
      low: numbers.next() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000)
  }

  /// A new object identifier: seconds, a number of this run, a counter.
  func makeObjectID() -> ObjectID {
    counter = (counter &+ 1) & Self.counterMask
    let seconds = UInt64(truncatingIfNeeded: now.seconds) & 0xFFFF_FFFF
    let run = runNumber & Self.runMask
    return ObjectID(
      high: seconds << 32 | run >> 8, low: UInt32(truncatingIfNeeded: run & 0xFF) << 24 | counter)
  }

  private lazy var runNumber: UInt64 = numbers.next()
}
