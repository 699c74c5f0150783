// The 16-byte universally unique identifier.
// Layer: Values. Every pattern of bytes is a valid value; order is bytewise, unsigned.

package import ByteText

/// A 16-byte universally unique identifier, ordered bytewise.
package struct UUIDValue: Hashable, Comparable, Sendable {
  /// Bytes 0–7, most significant first.
  package let high: UInt64
  /// Bytes 8–15, most significant first.
  package let low: UInt64

  package static let byteCount = 16

  package init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Reads the 16 raw bytes in display order; nil when there are not exactly 16.
  package init?(bytes: Span<UInt8>) {
    guard bytes.count == Self.byteCount else { return nil }
    var high: UInt64 = 0
    var low: UInt64 = 0
    for index in 0..<8 {
      high = high << 8 | UInt64(bytes[index])
      low = low << 8 | UInt64(bytes[index + 8])
    }
    self.init(high: high, low: low)
  }

  /// Reads the 8-4-4-4-12 form with digits of either case; nil for anything else.
  package init?(text: Span<UInt8>) {
    guard text.count == 36 else { return nil }
    for index in [8, 13, 18, 23] where text[index] != UInt8(ascii: "-") { return nil }
    guard let part1 = hexadecimalNumber(text, in: 0..<8),
      let part2 = hexadecimalNumber(text, in: 9..<13),
      let part3 = hexadecimalNumber(text, in: 14..<18),
      let part4 = hexadecimalNumber(text, in: 19..<23),
      let part5 = hexadecimalNumber(text, in: 24..<36)
    else { return nil }
    self.init(high: part1 << 32 | part2 << 16 | part3, low: part4 << 48 | part5)
  }

  package static func < (left: UUIDValue, right: UUIDValue) -> Bool {
    left.high != right.high ? left.high < right.high : left.low < right.low
  }

  /// Byte `index` (0–15) in display order.
  package subscript(index: Int) -> UInt8 {
    precondition(index >= 0 && index < Self.byteCount, "a UUID has 16 bytes")
    return UInt8(truncatingIfNeeded: (index < 8 ? high : low) >> UInt64(56 - 8 * (index & 7)))
  }

  /// Appends the 8-4-4-4-12 form in lower case.
  package func write(to text: inout ByteBuffer) {
    for index in 0..<Self.byteCount {
      if index == 4 || index == 6 || index == 8 || index == 10 { text.append(UInt8(ascii: "-")) }
      text.append(hexadecimal: self[index])
    }
  }

}
