// Decimals from and to integers and binary floating point.
// Layer: Values. Binary numbers convert as in the reference engine: exactly when 15 (double) or 7 (float)
// digits hold them, else rounded half to even to exactly that many digits.

import ByteText

extension Decimal128 {
  package init(_ value: Int64) {
    self.init(Finite(isNegative: value < 0, coefficient: UInt128(value.magnitude), exponent: 0))
  }

  package init(rounding value: Double) {
    self.init(value, digitCountMax: 15)
  }

  package init(rounding value: Float) {
    self.init(Double(value), digitCountMax: 7)
  }

  /// The integer this is, or nil when it has a fraction, is out of range or is no number.
  package var exactInt64: Int64? {
    guard let whole = wholePart, whole.isExact else { return nil }
    return whole.value
  }

  /// The integer that is left when the fraction is cut off, or nil when that is out of range.
  package var truncatedInt64: Int64? { wholePart?.value }

  /// The nearest double; overflow gives an infinity.
  package var doubleValue: Double {
    guard let parts = finite else {
      return isNaN ? .nan : isNegative ? -.infinity : .infinity
    }
    // Both numbers are exact below these limits, so one operation rounds correctly.
    if parts.coefficient <= 1 << 53, abs(parts.exponent) <= 22 {
      let magnitude = Double(UInt64(parts.coefficient))
      let power =
        Double(UInt64(powerOfTen(min(19, abs(parts.exponent)))))
        * Double(UInt64(powerOfTen(max(0, abs(parts.exponent) - 19))))
      let value = parts.exponent < 0 ? magnitude / power : magnitude * power
      return parts.isNegative ? -value : value
    }
    var text = ByteBuffer()
    write(to: &text)
    return Double(text.text) ?? .nan
  }

  /// Whether these are the digits of a double of 2^53 and more: all it has, or the few by which it is known. Not so for decimals
  /// that are rounded themselves.
  package func spells(_ value: Double) -> Bool {
    guard let digits = finite, digits.exponent == 0, value.exponent > 52 else { return true }
    let all = UInt128(value.significandBitPattern | 1 << 52) << (value.exponent - 52)
    var few = ByteBuffer()
    few.append(shortest: value)
    return digits.coefficient == all || Decimal128(text: few.span) == self
  }

  private var wholePart: (value: Int64, isExact: Bool)? {
    guard let parts = finite else { return nil }
    if parts.coefficient == 0 { return (0, true) }
    if parts.exponent > 18 { return nil }
    var magnitude = parts.coefficient
    var isExact = true
    if parts.exponent > 0 {
      let (product, overflow) = magnitude.multipliedReportingOverflow(by: powerOfTen(parts.exponent))
      if overflow { return nil }
      magnitude = product
    } else if parts.exponent < 0 {
      let (quotient, remainder) = magnitude.quotientAndRemainder(
        dividingBy: powerOfTen(min(34, -parts.exponent)))
      magnitude = quotient
      isExact = remainder == 0
    }
    guard magnitude <= 1 << 63 else { return nil }
    let value = parts.isNegative ? -Int128(magnitude) : Int128(magnitude)
    return Int64(exactly: value).map { ($0, isExact) }
  }

  private init(_ value: Double, digitCountMax: Int) {
    let isNegative = value.sign == .minus
    if value.isNaN {
      self.init(nanBits: value.bitPattern)
    } else if value.isInfinite {
      self = .infinity(isNegative: isNegative)
    } else {
      let exact = ExactDecimal(value.magnitude)
      let parts = exact.roundedToDigits(digitCountMax)
      self.init(Finite(isNegative: isNegative, coefficient: parts.coefficient, exponent: parts.exponent))
    }
  }

  /// The NaN that carries sign and payload of a double's NaN.
  private init(nanBits bits: UInt64) {
    let payload = UInt128(bits & 0x0007_FFFF_FFFF_FFFF) << 59
    let canonical = payload < powerOfTen(33) ? payload : 0
    self.init(
      low: UInt64(truncatingIfNeeded: canonical),
      high: bits & Self.signBit | Self.nanBits | UInt64(truncatingIfNeeded: canonical >> 64))
  }
}

/// The exact decimal value of a double, digit by digit.
private struct ExactDecimal {
  /// Nine digits each, least significant first; no zero at the end.
  private var limbs: [UInt32]
  /// The power of ten of the least significant digit, at most 0.
  private var exponent: Int

  private static let limbBase: UInt64 = 1_000_000_000

  /// Takes a finite number that is not negative.
  init(_ value: Double) {
    limbs = []
    exponent = 0
    var significand = value.significandBitPattern
    var binaryExponent = -1074
    if value.isNormal {
      significand |= 1 << 52
      binaryExponent = Int(value.exponentBitPattern) - 1075
    }
    if significand == 0 { return }
    let zeroCount = significand.trailingZeroBitCount
    significand >>= UInt64(zeroCount)
    binaryExponent += zeroCount
    while significand > 0 {
      limbs.append(UInt32(significand % Self.limbBase))
      significand /= Self.limbBase
    }
    // m · 2^-k is m · 5^k · 10^-k.
    exponent = min(0, binaryExponent)
    multiply(by: binaryExponent < 0 ? 5 : 2, count: abs(binaryExponent))
  }

  private mutating func multiply(by factor: UInt64, count: Int) {
    var remaining = count
    while remaining > 0 {
      // The largest powers that keep a product below 2^62.
      let step = min(remaining, factor == 5 ? 13 : 30)
      var multiplier: UInt64 = 1
      for _ in 0..<step { multiplier *= factor }
      remaining -= step
      var carry: UInt64 = 0
      for index in limbs.indices {
        let product = UInt64(limbs[index]) * multiplier + carry
        limbs[index] = UInt32(product % Self.limbBase)
        carry = product / Self.limbBase
      }
      while carry > 0 {
        limbs.append(UInt32(carry % Self.limbBase))
        carry /= Self.limbBase
      }
    }
  }

  /// The value itself when it has at most `count` digits without an exponent above 0, else the nearest
  /// number with exactly `count` digits, half to even.
  func roundedToDigits(_ count: Int) -> (coefficient: UInt128, exponent: Int) {
    guard let top = limbs.last else { return (0, 0) }
    // 36 digits always fit; anything below them only breaks ties.
    var coefficient = UInt128(top)
    var index = limbs.count - 1
    while index > 0, coefficient < powerOfTen(27) {
      index -= 1
      coefficient = coefficient * UInt128(Self.limbBase) + UInt128(limbs[index])
    }
    let isTruncated = limbs[..<index].contains { $0 != 0 }
    let lowestExponent = exponent + 9 * index
    let surplus = digitCount(coefficient) - count
    if surplus <= 0 { return (coefficient, lowestExponent) }
    let divisor = powerOfTen(surplus)
    var (rounded, remainder) = coefficient.quotientAndRemainder(dividingBy: divisor)
    if remainder > divisor / 2 || remainder == divisor / 2 && (isTruncated || rounded & 1 == 1) {
      rounded += 1
    }
    let result = (rounded, lowestExponent + surplus)
    return rounded == powerOfTen(count) ? (rounded / 10, result.1 + 1) : result
  }
}
