// The IEEE 754-2008 decimal of 34 digits, kept as its 128 bits in binary-integer encoding.
// Layer: Values. Every bit pattern is a value: a coefficient of 10^34 or more and the large form are
// non-canonical and read as zero. A file's null is one particular NaN; only the functions named for
// null patterns know it.

/// A decimal number with up to 34 digits and an exponent; 12.50 and 12.5 are equal but look different.
package struct Decimal128: Sendable {
  package let low: UInt64
  package let high: UInt64

  /// The number with these 128 bits (BID128), as files store it.
  package init(low: UInt64, high: UInt64) {
    self.low = low
    self.high = high
  }

  /// (−1)^sign · coefficient · 10^exponent, taken apart.
  struct Finite: Sendable {
    var isNegative: Bool
    /// Below 10^34.
    var coefficient: UInt128
    /// −6176 … 6111.
    var exponent: Int
  }

  static let digitCountMax = 34
  static let exponentMin = -6176
  static let exponentMax = 6111

  package static let zero = Decimal128(Finite(isNegative: false, coefficient: 0, exponent: 0))
  package static let infinity = Decimal128(low: 0, high: infinityBits)
  package static let nan = Decimal128(low: 0, high: nanBits)

  package var isNegative: Bool { high & Self.signBit != 0 }
  package var isNaN: Bool { high & Self.nanBits == Self.nanBits }
  package var isInfinite: Bool { high & Self.nanBits == Self.infinityBits }
  package var isFinite: Bool { high & Self.infinityBits != Self.infinityBits }
  package var isZero: Bool { finite?.coefficient == 0 }

  /// The payload of a NaN, its lowest 110 bits; 0 when that is not canonical (10^33 or more).
  package var nanPayload: UInt128 {
    guard isNaN else { return 0 }
    let payload = UInt128(high & 0x0000_3FFF_FFFF_FFFF) << 64 | UInt128(low)
    return payload < powerOfTen(33) ? payload : 0
  }

  /// Packs parts that are in range (the precondition of `Finite`).
  init(_ parts: Finite) {
    assert(parts.coefficient < powerOfTen(34) && parts.exponent >= Self.exponentMin)
    assert(parts.exponent <= Self.exponentMax)
    let field = UInt64(parts.exponent - Self.exponentMin)
    let sign = parts.isNegative ? Self.signBit : 0
    self.init(
      low: UInt64(truncatingIfNeeded: parts.coefficient),
      high: sign | field << 49 | UInt64(truncatingIfNeeded: parts.coefficient >> 64))
  }

  /// Sign, coefficient and exponent; nil for NaN and the infinities.
  var finite: Finite? {
    guard isFinite else { return nil }
    if high & Self.largeFormBits == Self.largeFormBits {
      let field = Int(truncatingIfNeeded: high >> 47 & 0x3FFF)
      return Finite(isNegative: isNegative, coefficient: 0, exponent: field + Self.exponentMin)
    }
    let coefficient = UInt128(high & 0x0001_FFFF_FFFF_FFFF) << 64 | UInt128(low)
    let field = Int(truncatingIfNeeded: high >> 49 & 0x3FFF)
    return Finite(
      isNegative: isNegative, coefficient: coefficient < powerOfTen(34) ? coefficient : 0,
      exponent: field + Self.exponentMin)
  }

  /// The digits without sign and exponent; 0 for what is no number.
  package var coefficient: UInt128 { finite?.coefficient ?? 0 }

  /// The digits without zeros at the end, and the power of ten that they count; nil for zero and what is no number.
  package var significant: (digits: UInt128, exponent: Int)? {
    guard let parts = finite, parts.coefficient > 0 else { return nil }
    var (digits, exponent) = (parts.coefficient, parts.exponent)
    while digits % 10 == 0 {
      digits /= 10
      exponent += 1
    }
    return (digits, exponent)
  }

  /// A number with other digits, below 10^34, that count powers of ten, and with zeros at the end as this one has them; what is no
  /// number stays what it is.
  package func with(digits: UInt128, exponent: Int) -> Decimal128 {
    guard let parts = finite else { return self }
    var new = Finite(
      isNegative: parts.isNegative && parts.coefficient > 0, coefficient: digits, exponent: exponent)
    while new.exponent > parts.exponent, new.coefficient < powerOfTen(Self.digitCountMax - 1) {
      new.coefficient *= 10
      new.exponent -= 1
    }
    return Decimal128(new)
  }

  static func infinity(isNegative: Bool) -> Decimal128 {
    Decimal128(low: 0, high: infinityBits | (isNegative ? signBit : 0))
  }

  static let signBit: UInt64 = 1 << 63
  static let infinityBits: UInt64 = 0x7800_0000_0000_0000
  static let nanBits: UInt64 = 0x7C00_0000_0000_0000
  static let signalingBit: UInt64 = 0x0200_0000_0000_0000
  private static let largeFormBits: UInt64 = 0x6000_0000_0000_0000
}
