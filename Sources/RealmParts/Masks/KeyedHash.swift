// SipHash-1-3 over words: numbers that nobody tells from random ones without the key, whose fewer rounds halve the cost of a
// mask. Layer: Masks.
// Messages are told apart by their first word, so that their lengths need not be part of them.

/// A keyed hash of some words.
struct KeyedHash: Sendable {
  private let low: UInt64
  private let high: UInt64

  init(low: UInt64, high: UInt64) {
    self.low = low
    self.high = high
  }

  /// A hash in the making.
  struct State {
    private var v0: UInt64
    private var v1: UInt64
    private var v2: UInt64
    private var v3: UInt64

    fileprivate init(_ key: KeyedHash) {
      v0 = key.low ^ 0x736f_6d65_7073_6575
      v1 = key.high ^ 0x646f_7261_6e64_6f6d
      v2 = key.low ^ 0x6c79_6765_6e65_7261
      v3 = key.high ^ 0x7465_6462_7974_6573
    }

    @inline(__always)
    private mutating func mix() {
      v0 &+= v1
      v1 = v1 << 13 | v1 >> 51
      v1 ^= v0
      v0 = v0 << 32 | v0 >> 32
      v2 &+= v3
      v3 = v3 << 16 | v3 >> 48
      v3 ^= v2
      v0 &+= v3
      v3 = v3 << 21 | v3 >> 43
      v3 ^= v0
      v2 &+= v1
      v1 = v1 << 17 | v1 >> 47
      v1 ^= v2
      v2 = v2 << 32 | v2 >> 32
    }

    @inline(__always)
    mutating func add(_ word: UInt64) {
      v3 ^= word
      mix()
      v0 ^= word
    }

    /// The hash with one word more.
    @inline(__always)
    func hash(_ last: UInt64) -> UInt64 {
      var state = self
      state.add(last)
      return state.finish()
    }

    @inline(__always)
    mutating func finish() -> UInt64 {
      v2 ^= 0xff
      return mixed()
    }

    /// Another hash of the same words, once it is finished.
    @inline(__always)
    mutating func next() -> UInt64 {
      v1 ^= 0xdd
      return mixed()
    }

    /// Two hashes at once, which leave half of the state unsaid: others for each number. None waits for another.
    @inline(__always)
    func pair(_ number: Int) -> (UInt64, UInt64) {
      var state = self
      state.v2 ^= 0xff ^ UInt64(truncatingIfNeeded: number) << 8
      _ = state.mixed()
      return (state.v0 ^ state.v1, state.v2 ^ state.v3)
    }

    @inline(__always)
    private mutating func mixed() -> UInt64 {
      mix()
      mix()
      mix()
      return v0 ^ v1 ^ v2 ^ v3
    }
  }

  /// What all hashes begin with whose first word is this.
  @inline(__always)
  func begin(_ first: UInt64) -> State {
    var state = State(self)
    state.add(first)
    return state
  }
}
