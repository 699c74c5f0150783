// Bringing an exact or truncated result into 34 digits and the exponent range: half to even, gradual
// underflow, overflow to infinity, and exponents above the range folded down with zeros.
// Layer: Values.

extension Decimal128 {
  /// The nearest decimal to (−1)^sign · (`coefficient` + f) · 10^`exponent`, where f is 0, or strictly
  /// between 0 and 1 when `isTruncated`. A truncated coefficient has 35 digits or more.
  init(rounding coefficient: UInt128, exponent: Int, isNegative: Bool, isTruncated: Bool = false) {
    assert(!isTruncated || digitCount(coefficient) > Self.digitCountMax)
    var coefficient = coefficient
    var exponent = exponent
    let surplusDigits = digitCount(coefficient) - Self.digitCountMax
    let dropCount = max(surplusDigits, Self.exponentMin - exponent)
    if dropCount > 0 {
      coefficient = roundedQuotient(coefficient, droppingDigits: dropCount, isTruncated: isTruncated)
      exponent += dropCount
      if coefficient == powerOfTen(Self.digitCountMax) {
        coefficient /= 10
        exponent += 1
      }
    }
    if exponent > Self.exponentMax {
      let shift = exponent - Self.exponentMax
      if coefficient == 0 {
        exponent = Self.exponentMax
      } else if shift <= Self.digitCountMax - digitCount(coefficient) {
        coefficient *= powerOfTen(shift)
        exponent = Self.exponentMax
      } else {
        self = .infinity(isNegative: isNegative)
        return
      }
    }
    self.init(Finite(isNegative: isNegative, coefficient: coefficient, exponent: exponent))
  }
}

extension Decimal128.Finite {
  /// Moves factors of ten from the coefficient into the exponent, until one is left or the limit is met.
  mutating func removeTrailingZeros(upToExponent limit: Int) {
    while exponent < limit, coefficient != 0 {
      let (quotient, remainder) = coefficient.quotientAndRemainder(dividingBy: 10)
      if remainder != 0 { return }
      coefficient = quotient
      exponent += 1
    }
  }
}

/// `value` / 10^`count`, half to even; `isTruncated` says that something more than 0 and less than 1
/// was cut off `value` before.
private func roundedQuotient(_ value: UInt128, droppingDigits count: Int, isTruncated: Bool) -> UInt128 {
  // Every 128-bit value is below half of 10^39.
  guard count <= 38 else { return 0 }
  let (quotient, remainder) = value.quotientAndRemainder(dividingBy: powerOfTen(count))
  let half = powerOfTen(count) / 2
  let isUp = remainder > half || remainder == half && (isTruncated || quotient & 1 == 1)
  return isUp ? quotient + 1 : quotient
}
