// The total order of decimals: NaNs first by their bits, then by number; 1 equals 1.00 and −0 equals 0.
// Layer: Values. Equality and hash follow that order.

extension Decimal128: Comparable, Hashable {
  package static func < (left: Decimal128, right: Decimal128) -> Bool {
    left.compare(to: right) < 0
  }

  package static func == (left: Decimal128, right: Decimal128) -> Bool {
    left.compare(to: right) == 0
  }

  /// Negative, zero or positive as `self` comes before, with or after `other`.
  package func compare(to other: Decimal128) -> Int {
    if isNaN || other.isNaN {
      if !isNaN { return 1 }
      if !other.isNaN { return -1 }
      return high != other.high ? order(high, other.high) : order(low, other.low)
    }
    let sign = numericSign
    if sign != other.numericSign { return sign < other.numericSign ? -1 : 1 }
    if sign == 0 { return 0 }
    return sign * compareMagnitude(to: other)
  }

  package func hash(into hasher: inout Hasher) {
    guard var parts = finite else {
      hasher.combine(isNaN ? high : Self.infinity(isNegative: isNegative).high)
      hasher.combine(isNaN ? low : 0)
      return
    }
    if parts.coefficient == 0 {
      hasher.combine(UInt64(0))
      return
    }
    parts.removeTrailingZeros(upToExponent: .max)
    hasher.combine(parts.isNegative)
    hasher.combine(parts.coefficient)
    hasher.combine(parts.exponent)
  }

  /// A number of 128 bits that is greater where this number is: more than 2^64 for all numbers. Nil for NaN.
  package var orderedBits: UInt128? {
    if isNaN { return nil }
    let positive: UInt128 = 1 << 127
    guard let parts = finite else {
      // Beyond all exponents.
      return isNegative ? ~(positive | Self.magnitudeMax << 113) : positive | Self.magnitudeMax << 113
    }
    if parts.coefficient == 0 { return positive }
    // As many digits as there can be, below 14 bits of where they begin.
    let digits = digitCount(parts.coefficient)
    let magnitude = UInt128(parts.exponent + digits - Self.exponentMin)
    let bits = positive | magnitude << 113 | parts.coefficient * powerOfTen(Self.digitCountMax - digits)
    return parts.isNegative ? ~bits : bits
  }

  private static let magnitudeMax: UInt128 = 0x3FFF

  /// −1, 0 or 1; for what is not NaN.
  private var numericSign: Int {
    isZero ? 0 : isNegative ? -1 : 1
  }

  /// Compares absolute values of two numbers of which none is zero or NaN.
  private func compareMagnitude(to other: Decimal128) -> Int {
    guard let left = finite else { return other.isInfinite ? 0 : 1 }
    guard let right = other.finite else { return -1 }
    let leftMagnitude = digitCount(left.coefficient) + left.exponent
    let rightMagnitude = digitCount(right.coefficient) + right.exponent
    if leftMagnitude != rightMagnitude { return order(leftMagnitude, rightMagnitude) }
    // With equal magnitudes the exponents differ by less than 34, and the scaled coefficient has as
    // many digits as the other one.
    return left.exponent >= right.exponent
      ? order(left.coefficient * powerOfTen(left.exponent - right.exponent), right.coefficient)
      : order(left.coefficient, right.coefficient * powerOfTen(right.exponent - left.exponent))
  }
}

private func order<Number: Comparable>(_ left: Number, _ right: Number) -> Int {
  left < right ? -1 : left == right ? 0 : 1
}
