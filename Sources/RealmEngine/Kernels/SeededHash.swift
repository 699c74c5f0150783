// A hash for tables of values from files. Layer: Kernels.
// Invariant: every table has secrets of its own, so that no file can be made whose values collide.

/// Hashes numbers and bytes, a word at a time.
package struct SeededHash: Sendable {
  private let secrets: (UInt64, UInt64)

  package init() {
    var random = SystemRandomNumberGenerator()
    secrets = (random.next(), random.next() | 1)
  }

  var start: UInt64 { secrets.0 }

  /// `state` with a word more.
  @inline(__always)
  func mix(_ state: UInt64, _ word: UInt64) -> UInt64 {
    let product = (state ^ word).multipliedFullWidth(by: secrets.1)
    return product.high ^ product.low ^ state
  }

  /// `state` with two words more, in the time of one.
  @inline(__always)
  func mix(_ state: UInt64, _ first: UInt64, _ second: UInt64) -> UInt64 {
    let product = (state ^ first).multipliedFullWidth(by: secrets.1 ^ second)
    return product.high ^ product.low ^ state
  }

  /// `state` with all of the bytes, and their number, more.
  @inline(__always)
  func mix(_ state: UInt64, _ bytes: RawBytes) -> UInt64 {
    var state = mix(state, UInt64(bytes.count))
    for offset in stride(from: 0, to: bytes.count, by: 8) { state = mix(state, bytes.word(at: offset)) }
    return state
  }
}
