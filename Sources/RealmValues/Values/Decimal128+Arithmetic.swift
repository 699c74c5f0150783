// Addition, subtraction, multiplication and division as IEEE 754 defines them: one rounding, half to
// even, to 34 digits, with the preferred exponent where the result is exact.
// Layer: Values. Nothing signals: invalid operations give NaN, division by zero an infinity.

extension Decimal128 {
  package static prefix func - (value: Decimal128) -> Decimal128 {
    Decimal128(low: value.low, high: value.high ^ signBit)
  }

  package static func - (left: Decimal128, right: Decimal128) -> Decimal128 {
    left + (right.isNaN ? right : -right)
  }

  package static func + (left: Decimal128, right: Decimal128) -> Decimal128 {
    guard let a = left.finite, let b = right.finite else {
      if let nan = quietNaN(left, right) { return nan }
      if left.isInfinite && right.isInfinite {
        return left.isNegative == right.isNegative ? left : .nan
      }
      return .infinity(isNegative: left.isInfinite ? left.isNegative : right.isNegative)
    }
    return a.exponent >= b.exponent ? sum(coarse: a, fine: b) : sum(coarse: b, fine: a)
  }

  package static func * (left: Decimal128, right: Decimal128) -> Decimal128 {
    let isNegative = left.isNegative != right.isNegative
    guard let a = left.finite, let b = right.finite else {
      if let nan = quietNaN(left, right) { return nan }
      return left.isZero || right.isZero ? .nan : .infinity(isNegative: isNegative)
    }
    let product = a.coefficient.multipliedFullWidth(by: b.coefficient)
    let exponent = a.exponent + b.exponent
    if product.high == 0 {
      return Decimal128(rounding: product.low, exponent: exponent, isNegative: isNegative)
    }
    // The product has 39 to 68 digits: cut it to at least 35 before the one rounding.
    let dropCount = digitCount(a.coefficient) + digitCount(b.coefficient) - 36
    let (quotient, remainder) = powerOfTen(dropCount).dividingFullWidth(product)
    return Decimal128(
      rounding: quotient, exponent: exponent + dropCount, isNegative: isNegative, isTruncated: remainder != 0)
  }

  package static func / (left: Decimal128, right: Decimal128) -> Decimal128 {
    let isNegative = left.isNegative != right.isNegative
    guard let a = left.finite, let b = right.finite else {
      if let nan = quietNaN(left, right) { return nan }
      if left.isInfinite { return right.isInfinite ? .nan : .infinity(isNegative: isNegative) }
      return Decimal128(Finite(isNegative: isNegative, coefficient: 0, exponent: exponentMin))
    }
    if b.coefficient == 0 { return a.coefficient == 0 ? .nan : .infinity(isNegative: isNegative) }
    let preferredExponent = a.exponent - b.exponent
    if a.coefficient == 0 {
      return Decimal128(rounding: 0, exponent: preferredExponent, isNegative: isNegative)
    }
    // The dividend gets 34 digits more one than the divisor has: a quotient of 34 to 36 digits.
    let widening = digitCountMax - digitCount(a.coefficient)
    let shift = digitCount(b.coefficient) + 1
    let dividend = (a.coefficient * powerOfTen(widening)).multipliedFullWidth(by: powerOfTen(shift))
    let (quotient, remainder) = b.coefficient.dividingFullWidth(dividend)
    let exponent = preferredExponent - widening - shift
    if remainder != 0 {
      return Decimal128(rounding: quotient, exponent: exponent, isNegative: isNegative, isTruncated: true)
    }
    var exact = Finite(isNegative: isNegative, coefficient: quotient, exponent: exponent)
    exact.removeTrailingZeros(upToExponent: preferredExponent)
    return Decimal128(rounding: exact.coefficient, exponent: exact.exponent, isNegative: isNegative)
  }

  /// The sum of two numbers, of which `coarse` has the larger exponent or the same.
  private static func sum(coarse: Finite, fine: Finite) -> Decimal128 {
    if coarse.coefficient == 0 && fine.coefficient == 0 {
      let isNegative = coarse.isNegative && fine.isNegative
      return Decimal128(Finite(isNegative: isNegative, coefficient: 0, exponent: fine.exponent))
    }
    if coarse.coefficient == 0 { return Decimal128(fine) }
    // The coarse coefficient is widened to 37 digits at most; what is still missing to the same
    // exponent is cut off the fine one and remembered.
    let difference = coarse.exponent - fine.exponent
    let widening = min(difference, 37 - digitCount(coarse.coefficient))
    let wide = coarse.coefficient * powerOfTen(widening)
    let cutCount = difference - widening
    let cut = fine.coefficient.quotientAndRemainder(dividingBy: powerOfTen(min(cutCount, 34)))
    let isTruncated = cut.remainder != 0
    let exponent = coarse.exponent - widening
    if coarse.isNegative == fine.isNegative {
      return Decimal128(
        rounding: wide + cut.quotient, exponent: exponent, isNegative: coarse.isNegative,
        isTruncated: isTruncated)
    }
    if wide == cut.quotient && !isTruncated {
      return Decimal128(rounding: 0, exponent: exponent, isNegative: false)
    }
    if wide > cut.quotient {
      return Decimal128(
        rounding: wide - cut.quotient - (isTruncated ? 1 : 0), exponent: exponent,
        isNegative: coarse.isNegative, isTruncated: isTruncated)
    }
    // The fine number can only be the larger one when nothing was cut off it.
    return Decimal128(rounding: cut.quotient - wide, exponent: exponent, isNegative: fine.isNegative)
  }

  /// The first NaN of the two, made quiet; nil when there is none.
  private static func quietNaN(_ left: Decimal128, _ right: Decimal128) -> Decimal128? {
    guard left.isNaN || right.isNaN else { return nil }
    let nan = left.isNaN ? left : right
    let payload = nan.nanPayload
    return Decimal128(
      low: UInt64(truncatingIfNeeded: payload),
      high: nan.high & signBit | nanBits | UInt64(truncatingIfNeeded: payload >> 64))
  }
}
