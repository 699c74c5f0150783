// A hash of values, which tells whether others are the same. Layer: RealmSQL, Mapping. It is no defence against forgery.

import RealmEngine

/// A hash over the values of one row, in the order of the columns.
struct RowHash {
  private var state = SIMD2<UInt64>(0x9E37_79B9_7F4A_7C15, 0xC2B2_AE3D_27D4_EB4F)

  private enum Kind {
    static let null: UInt64 = 1
    static let integer: UInt64 = 2
    static let real: UInt64 = 3
    static let text: UInt64 = 4
    static let blob: UInt64 = 5
  }

  mutating func add(_ value: SQLValue) {
    switch value {
    case .null: mix(Kind.null)
    case .integer(let number): add(number)
    case .real(let number): add(number)
    case .text(let text): unsafe text.bytes.withBuffer { unsafe add(text: $0) }
    case .blob(let blob): unsafe blob.bytes.withBuffer { unsafe add(blob: $0) }
    }
  }

  mutating func addNull() { mix(Kind.null) }

  mutating func add(_ number: Int64) {
    mix(Kind.integer)
    mix(UInt64(bitPattern: number))
  }

  mutating func add(_ number: Double) {
    mix(Kind.real)
    mix(number.bitPattern)
  }

  @unsafe mutating func add(text bytes: UnsafeRawBufferPointer) { unsafe add(bytes, Kind.text) }
  @unsafe mutating func add(blob bytes: UnsafeRawBufferPointer) { unsafe add(bytes, Kind.blob) }

  @unsafe private mutating func add(_ bytes: UnsafeRawBufferPointer, _ kind: UInt64) {
    mix(kind | UInt64(bytes.count) << 8)
    var offset = 0
    while offset &+ 8 <= bytes.count {
      mix(unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      offset &+= 8
    }
    var rest: UInt64 = 0
    while offset < bytes.count {
      rest = rest << 8 | UInt64(unsafe bytes[offset])
      offset &+= 1
    }
    if bytes.count & 7 != 0 { mix(rest) }
  }

  @inline(__always)
  private mutating func mix(_ word: UInt64) {
    let product = (state.x ^ word).multipliedFullWidth(by: 0xA076_1D64_78BD_642F)
    state.x = product.low ^ product.high &+ state.y
    state.y = (state.y &+ word) &* 0xE703_7ED1_A0B4_28DB
  }

  /// Mixed so that sums of hashes tell which rows were added.
  var finished: SIMD2<UInt64> {
    var other = self
    other.mix(state.y)
    other.mix(0x8EBC_6AF0_9C88_C6E3)
    return other.state
  }
}
