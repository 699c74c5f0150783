// Bytes as lower-case hexadecimal digits and back.
// Layer: ByteText. Reading accepts both cases and refuses everything else.

extension ByteBuffer {
  /// Appends one byte as two lower-case hexadecimal digits.
  package mutating func append(hexadecimal byte: UInt8) {
    append(hexadecimalDigit(byte >> 4))
    append(hexadecimalDigit(byte & 15))
  }

  /// Appends every byte of `value`, most significant first, as 16 lower-case hexadecimal digits.
  package mutating func append(hexadecimal value: UInt64) {
    for shift in stride(from: 56, through: 0, by: -8) {
      append(hexadecimal: UInt8(truncatingIfNeeded: value >> UInt64(shift)))
    }
  }
}

/// The value of a hexadecimal digit of either case, or nil for any other byte.
package func hexadecimalValue(_ digit: UInt8) -> UInt8? {
  switch digit {
  case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
  case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
  case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
  default: nil
  }
}

private func hexadecimalDigit(_ nibble: UInt8) -> UInt8 {
  nibble < 10 ? UInt8(ascii: "0") &+ nibble : UInt8(ascii: "a") &- 10 &+ nibble
}
