// The shorter encodings of decimals in leaves (BID32, BID64) and the patterns that mean null.
// Layer: Values. Any pattern decodes; only finite values in the ranges of the reference engine encode.

extension Decimal128 {
  /// Decodes 32 bits. The null pattern decodes as the NaN it is: ask `isNull(bid32:)` first.
  package init(bid32 bits: UInt32) {
    let sign = UInt64(bits >> 31) << 63
    if bits & 0x7800_0000 == 0x7800_0000 {
      self.init(
        special: UInt64(bits) << 32, payload: UInt128(bits & 0x000F_FFFF), payloadDigitCountMax: 6, scale: 27)
      return
    }
    let isLargeForm = bits & 0x6000_0000 == 0x6000_0000
    let coefficient = isLargeForm ? 0x0080_0000 | bits & 0x001F_FFFF : bits & 0x007F_FFFF
    let field = (isLargeForm ? bits >> 21 : bits >> 23) & 0xFF
    self.init(
      Finite(
        isNegative: sign != 0, coefficient: coefficient < 10_000_000 ? UInt128(coefficient) : 0,
        exponent: Int(field) - 101))
  }

  /// Decodes 64 bits. The null pattern decodes as the NaN it is: ask `isNull(bid64:)` first.
  package init(bid64 bits: UInt64) {
    if bits & Self.infinityBits == Self.infinityBits {
      self.init(
        special: bits, payload: UInt128(bits & 0x0003_FFFF_FFFF_FFFF), payloadDigitCountMax: 15, scale: 18)
      return
    }
    let isLargeForm = bits & 0x6000_0000_0000_0000 == 0x6000_0000_0000_0000
    let coefficient =
      isLargeForm ? 0x0020_0000_0000_0000 | bits & 0x0007_FFFF_FFFF_FFFF : bits & 0x001F_FFFF_FFFF_FFFF
    let field = (isLargeForm ? bits >> 51 : bits >> 53) & 0x3FF
    self.init(
      Finite(
        isNegative: bits >> 63 != 0,
        coefficient: coefficient < 10_000_000_000_000_000 ? UInt128(coefficient) : 0,
        exponent: Int(field) - 398))
  }

  /// The 32-bit encoding, or nil where the reference engine would choose a wider one.
  package var bid32: UInt32? {
    guard let parts = finite, parts.coefficient < 1 << 23, abs(parts.exponent) < 91 else { return nil }
    let field = UInt32(parts.exponent + 101)
    return (parts.isNegative ? 1 << 31 : 0) | field << 23 | UInt32(parts.coefficient)
  }

  /// The 64-bit encoding, or nil where the reference engine would choose the widest one.
  package var bid64: UInt64? {
    guard let parts = finite, parts.coefficient < 1 << 53, abs(parts.exponent) < 370 else { return nil }
    let field = UInt64(parts.exponent + 398)
    return (parts.isNegative ? Self.signBit : 0) | field << 53 | UInt64(parts.coefficient)
  }

  /// What a nullable column stores for null in 128 bits; a NaN to everything else.
  package static let nullPattern = Decimal128(low: 0xAA, high: nanBits)
  package static let nullPattern32: UInt32 = 0x7C00_00AA
  package static let nullPattern64: UInt64 = 0x7C00_0000_0000_00AA

  package static func isNull(bid32 bits: UInt32) -> Bool { bits == nullPattern32 }
  package static func isNull(bid64 bits: UInt64) -> Bool { bits == nullPattern64 }
  package static func isNull(low: UInt64, high: UInt64) -> Bool {
    low == nullPattern.low && high == nullPattern.high
  }

  /// An infinity or a NaN of a shorter encoding, whose payload is scaled as IEEE 754 says.
  private init(special highBits: UInt64, payload: UInt128, payloadDigitCountMax: Int, scale: Int) {
    guard highBits & Self.nanBits == Self.nanBits else {
      self = .infinity(isNegative: highBits & Self.signBit != 0)
      return
    }
    let canonical = payload < powerOfTen(payloadDigitCountMax) ? payload * powerOfTen(scale) : 0
    let kept = highBits & (Self.signBit | Self.nanBits | Self.signalingBit)
    self.init(
      low: UInt64(truncatingIfNeeded: canonical), high: kept | UInt64(truncatingIfNeeded: canonical >> 64))
  }
}
