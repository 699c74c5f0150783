// Powers of ten and digit counts in 128 bits, for the arithmetic of Decimal128.
// Layer: Values.

import ByteText

/// 10^`exponent` for 0 … 38, which is all that fits.
func powerOfTen(_ exponent: Int) -> UInt128 {
  exponent < 20
    ? UInt128(powersOfTen64[exponent])
    : UInt128(powersOfTen64[19]) * UInt128(powersOfTen64[exponent - 19])
}

/// The number of decimal digits of `value`; 0 for zero.
func digitCount(_ value: UInt128) -> Int {
  // 1233/4096 is log10(2) rounded down far enough that the guess is right or one too small.
  let guess = ((128 - value.leadingZeroBitCount) * 1233) >> 12
  return guess + (value != 0 && value >= powerOfTen(guess) ? 1 : 0)
}
