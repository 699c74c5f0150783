// Integers as text bytes, without a `String` in between. Layer: ByteText.

extension ByteBuffer {
  /// Appends a signed integer in decimal digits.
  package mutating func append(decimal value: Int64) {
    if value < 0 { append(UInt8(ascii: "-")) }
    append(decimal: value.magnitude)
  }

  /// Appends an unsigned integer in decimal digits.
  package mutating func append(decimal value: UInt64) {
    appendDigits(of: value, count: decimalDigitCount(value))
  }

  /// Appends the lowest `digitCount` decimal digits of `value`, with leading zeros.
  package mutating func append(decimal value: UInt64, digitCount: Int) {
    precondition(digitCount >= 0, "a number of digits is not negative")
    appendDigits(of: value, count: digitCount)
  }

  private mutating func appendDigits(of value: UInt64, count: Int) {
    var digits = extend(by: count)
    digits.write(digitsOf: value, from: 0, to: count)
  }
}

/// The number of decimal digits of `value`; 1 for zero.
package func decimalDigitCount(_ value: UInt64) -> Int {
  // 1233/4096 is log10(2) rounded down far enough that the guess is right or one too small.
  let guess = ((64 - (value | 1).leadingZeroBitCount) &* 1233) >> 12
  return guess + (value >= powersOfTen64[guess] ? 1 : 0) + (value == 0 ? 1 : 0)
}

/// 10^0 … 10^19, which is all that fits in 64 bits.
package let powersOfTen64: InlineArray<20, UInt64> = [
  1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000,
  10_000_000_000, 100_000_000_000, 1_000_000_000_000, 10_000_000_000_000, 100_000_000_000_000,
  1_000_000_000_000_000, 10_000_000_000_000_000, 100_000_000_000_000_000, 1_000_000_000_000_000_000,
  10_000_000_000_000_000_000,
]
