// The 12-byte object identifier.
// Layer: Values. Every pattern of bytes is a valid value; order is bytewise, unsigned.

package import ByteText

/// A 12-byte object identifier, ordered bytewise.
package struct ObjectID: Hashable, Comparable, Sendable {
  /// Bytes 0–7, most significant first.
  package let high: UInt64
  /// Bytes 8–11, most significant first.
  package let low: UInt32

  package static let byteCount = 12

  package init(high: UInt64, low: UInt32) {
    self.high = high
    self.low = low
  }

  /// Reads the 12 raw bytes in display order; nil when there are not exactly 12.
  package init?(bytes: Span<UInt8>) {
    guard bytes.count == Self.byteCount else { return nil }
    var high: UInt64 = 0
    for index in 0..<8 { high = high << 8 | UInt64(bytes[index]) }
    var low: UInt32 = 0
    for index in 8..<12 { low = low << 8 | UInt32(bytes[index]) }
    self.init(high: high, low: low)
  }

  /// Reads 24 hexadecimal digits of either case; nil for anything else.
  package init?(text: Span<UInt8>) {
    guard text.count == 2 * Self.byteCount,
      let high = hexadecimalNumber(text, in: 0..<16),
      let low = hexadecimalNumber(text, in: 16..<24)
    else { return nil }
    self.init(high: high, low: UInt32(truncatingIfNeeded: low))
  }

  package static func < (left: ObjectID, right: ObjectID) -> Bool {
    left.high != right.high ? left.high < right.high : left.low < right.low
  }

  /// Byte `index` (0–11) in display order.
  package subscript(index: Int) -> UInt8 {
    precondition(index >= 0 && index < Self.byteCount, "an object identifier has 12 bytes")
    return index < 8
      ? UInt8(truncatingIfNeeded: high >> UInt64(56 - 8 * index))
      : UInt8(truncatingIfNeeded: low >> UInt32(88 - 8 * index))
  }

  /// Appends 24 lower-case hexadecimal digits.
  package func write(to text: inout ByteBuffer) {
    for index in 0..<Self.byteCount { text.append(hexadecimal: self[index]) }
  }
}

/// The number that up to 16 hexadecimal digits of `text` spell; nil when another byte is among them.
func hexadecimalNumber(_ text: Span<UInt8>, in range: Range<Int>) -> UInt64? {
  var number: UInt64 = 0
  for index in range {
    guard let digit = hexadecimalValue(text[index]) else { return nil }
    number = number << 4 | UInt64(digit)
  }
  return number
}
