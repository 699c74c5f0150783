// A run of equally wide integers inside a node. Layer: Nodes.
// Invariant: `payload` holds at least `start + count` elements of `width` bits, so no valid index reads outside.

/// Integers packed at 0, 1, 2, 4, 8, 16, 32 or 64 bits: below 8 bits unsigned, from 8 bits on two's complement.
package struct PackedIntegers: Sendable {
  package let payload: RawBytes
  package let width: Int
  /// The element of the node that index 0 means.
  package let start: Int
  package let count: Int

  @inline(__always)
  init(payload: RawBytes, width: Int, start: Int, count: Int) {
    precondition(start >= 0 && count >= 0 && (start + count) * width <= payload.count * 8)
    self.payload = payload
    self.width = width
    self.start = start
    self.count = count
  }

  /// `count` zeros that no node holds.
  static func zeros(count: Int) -> PackedIntegers {
    PackedIntegers(payload: .empty, width: 0, start: 0, count: count)
  }

  /// A narrower run; the bounds must lie inside this one.
  package func slice(_ first: Int, _ length: Int) -> PackedIntegers {
    precondition(first >= 0 && length >= 0 && first <= count - length)
    return PackedIntegers(payload: payload, width: width, start: start + first, count: length)
  }

  /// The element at `index`, which must be below `count`.
  package subscript(index: Int) -> Int64 {
    @inline(__always) get {
      assert(index >= 0 && index < count)
      return Self.element(of: payload, width: width, at: start &+ index)
    }
  }

  /// Element number `position` of a payload, in which it must be.
  @inline(__always)
  static func element(of payload: RawBytes, width: Int, at position: Int) -> Int64 {
    switch width {
    case 8: return Int64(payload.load(Int8.self, at: position))
    case 16: return Int64(payload.load(Int16.self, at: position &* 2))
    case 32: return Int64(payload.load(Int32.self, at: position &* 4))
    case 64: return payload.load(Int64.self, at: position &* 8)
    case 0: return 0
    default: return narrowElement(of: payload, width: width, at: position)
    }
  }

  /// An element of a width below a byte.
  @inline(__always)
  private static func narrowElement(of payload: RawBytes, width: Int, at position: Int) -> Int64 {
    let bit = position &* width
    return Int64(payload[bit >> 3] >> UInt8(bit & 7) & UInt8((1 << width) &- 1))
  }

  /// The element read as unsigned: key arrays and offset arrays, whose width is 8 or more in sound files.
  package func unsigned(_ index: Int) -> UInt64 {
    let value = UInt64(bitPattern: self[index])
    return width >= 8 && width < 64 ? value & ((1 << UInt64(width)) &- 1) : value
  }

  /// The largest value that the width holds: the null sentinel of nullable integers.
  @inline(__always)
  package static func upperBound(width: Int) -> Int64 {
    width == 0 ? 0 : width < 8 ? (1 << Int64(width)) - 1 : Int64.max >> Int64(64 - width)
  }

  /// The smallest value that the width holds.
  @inline(__always)
  package static func lowerBound(width: Int) -> Int64 { width < 8 ? 0 : -1 - upperBound(width: width) }
}
