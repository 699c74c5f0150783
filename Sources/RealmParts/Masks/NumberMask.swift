// Numbers as others with as many digits. Layer: Masks.

import ByteText
import RealmEngine

/// Which permutation of many one is, so that values of one form say nothing of those of another. The lowest bits count rounds.
enum MaskTweak {
  /// A shape with eight characters more.
  @inline(__always)
  static func mixed(_ shape: UInt64, _ word: UInt64) -> UInt64 {
    (shape ^ word) &* 0x9E37_79B9_7F4A_7C15 &+ shape >> 29
  }

  static func text(_ shape: UInt64) -> UInt64 { shape << 8 | 0x10 }
  static func data(_ size: UInt64) -> UInt64 { size << 8 | 0x20 }
  static func integer(digitCount: Int, isNegative: Bool) -> UInt64 {
    UInt64(digitCount) << 9 | (isNegative ? 1 << 8 : 0) | 0x30
  }
  static func fraction(digitCount: Int, scale: Int) -> UInt64 {
    UInt64(digitCount) << 16 | UInt64(scale) << 8 | 0x40
  }
  static func mantissa(exponent: UInt64) -> UInt64 { exponent << 8 | 0x50 }
  static func decimal(digitCount: Int) -> UInt64 { UInt64(digitCount) << 8 | 0x60 }
  static let objectID: UInt64 = 0x70
  static let uuid: UInt64 = 0x80
}

/// Masks numbers.
struct NumberMask: Sendable {
  private let permutation: KeyedPermutation
  /// The masks of small whole numbers, which are most: from 0 on, then from -1 down.
  private var small: [Int64]

  private static let smallCount = 1000

  init(_ permutation: KeyedPermutation) {
    self.permutation = permutation
    small = []
    let numbers = self
    small =
      (0..<Int64(Self.smallCount)).map(numbers.computed)
      + (1...Int64(Self.smallCount)).map { numbers.computed(-$0) }
  }

  func mask(_ number: Int64) -> Int64 {
    if number.magnitude < Self.smallCount {
      return small[number >= 0 ? Int(number) : Self.smallCount - 1 - Int(number)]
    }
    return computed(number)
  }

  private func computed(_ number: Int64) -> Int64 {
    let isNegative = number < 0
    let count = decimalDigitCount(number.magnitude)
    let most = isNegative ? Int64.min.magnitude : Int64.max.magnitude
    let masked = mask(
      number.magnitude, digitCount: count,
      tweak: MaskTweak.integer(digitCount: count, isNegative: isNegative), least: isNegative ? 1 : 0,
      most: most)
    return isNegative ? Int64(truncatingIfNeeded: 0 &- masked) : Int64(truncatingIfNeeded: masked)
  }

  /// Another number of as many digits, from `least` to `most`, which the number is too.
  private func mask(
    _ magnitude: UInt64, digitCount: Int, tweak: UInt64, least: UInt64 = 1, most: UInt64 = .max
  ) -> UInt64 {
    // The first digit is none of the others' range: it is not 0.
    let lowCount = digitCount / 2
    let (low, high) = (powersOfTen64[lowCount], powersOfTen64[digitCount - lowCount])
    let first = digitCount == 1 ? least : high / 10
    guard lowCount > 0 else {
      return permutation.permute(magnitude - first, below: high - first, tweak: tweak) + first
    }
    var masked = magnitude
    // Of the longest numbers some are too large: those lead on to the next, until one is not.
    repeat {
      let pair = permutation.permute(
        (masked / low - first, masked % low), below: (high - first, low), tweak: tweak)
      masked = (pair.0 + first) * low + pair.1
    } while masked > most
    return masked
  }

  /// Digits behind the point that are looked for before a number counts as one without a short decimal form.
  private static let scaleMax = 9
  private static let exactDigitsMax = 15

  func mask(_ number: Double) -> Double {
    guard number.isFinite, number != 0 else { return number }
    let magnitude = number.magnitude
    for scale in 0...Self.scaleMax {
      let power = Double(powersOfTen64[scale])
      let scaled = magnitude * power
      guard scaled < Double(powersOfTen64[Self.exactDigitsMax]) else { break }
      let digits = UInt64(scaled + 0.5)
      // Few numbers that are not close take the division.
      guard abs(Double(digits) - scaled) <= scaled * 0x1p-50, Double(digits) / power == magnitude else {
        continue
      }
      let masked = Double(maskDecimal(digits, scale: scale)) / power
      return number < 0 ? -masked : masked
    }
    let half: UInt64 = 1 << 26
    let mantissa = permutation.permute(
      (number.significandBitPattern / half, number.significandBitPattern % half), below: (half, half),
      tweak: MaskTweak.mantissa(exponent: UInt64(number.exponentBitPattern)))
    return Double(
      sign: number.sign, exponentBitPattern: number.exponentBitPattern,
      significandBitPattern: mantissa.0 * half + mantissa.1)
  }

  private static let floatDigitsMax = 6

  func mask(_ number: Float) -> Float {
    guard number.isFinite, number != 0 else { return number }
    let magnitude = Double(number.magnitude)
    for scale in 0...Self.scaleMax {
      let power = Double(powersOfTen64[scale])
      let scaled = magnitude * power
      guard scaled < Double(powersOfTen64[Self.floatDigitsMax]) else { break }
      let digits = UInt64(scaled + 0.5)
      guard Float(Double(digits) / power) == number.magnitude else { continue }
      let masked = Float(Double(maskDecimal(digits, scale: scale)) / power)
      return number < 0 ? -masked : masked
    }
    let (high, low): (UInt64, UInt64) = (1 << 11, 1 << 12)
    let mantissa = permutation.permute(
      (UInt64(number.significandBitPattern) / low, UInt64(number.significandBitPattern) % low),
      below: (high, low), tweak: MaskTweak.mantissa(exponent: UInt64(number.exponentBitPattern)))
    return Float(
      sign: number.sign, exponentBitPattern: number.exponentBitPattern,
      significandBitPattern: UInt32(mantissa.0 * low + mantissa.1))
  }

  /// Digits of a decimal fraction. The last of those behind the point stays one that counts: it is not 0.
  private func maskDecimal(_ digits: UInt64, scale: Int) -> UInt64 {
    let count = decimalDigitCount(digits)
    let tweak = MaskTweak.fraction(digitCount: count, scale: scale)
    if scale == 0 { return mask(digits, digitCount: count, tweak: tweak) }
    guard count > 1 else { return permutation.permute(digits - 1, below: 9, tweak: tweak) + 1 }
    // Nine digits may be the first, and nine the last.
    let low = powersOfTen64[(count - 2) / 2]
    let first = powersOfTen64[count - 2]
    let (high, rest) = (digits / 10 - first).quotientAndRemainder(dividingBy: low)
    let pair = permutation.permute(
      (high, rest * 9 + digits % 10 - 1), below: (9 * first / low, 9 * low), tweak: tweak)
    return (pair.0 * low + pair.1 / 9 + first) * 10 + pair.1 % 9 + 1
  }

  func mask(_ number: Decimal128) -> Decimal128 {
    let coefficient = number.coefficient
    guard coefficient > 0 else { return number }
    var count = decimalDigitCount(UInt64(clamping: coefficient))
    while count >= Self.longDigitsMin, coefficient >= Self.power(count) { count += 1 }
    let tweak = MaskTweak.decimal(digitCount: count)
    guard count > 1 else {
      return number.with(
        coefficient: UInt128(permutation.permute(UInt64(coefficient) - 1, below: 9, tweak: tweak) + 1))
    }
    let (low, high) = (powersOfTen64[count / 2], powersOfTen64[count - count / 2])
    let first = high / 10
    let pair = permutation.permute(
      (UInt64(coefficient / UInt128(low)) - first, UInt64(coefficient % UInt128(low))),
      below: (high - first, low), tweak: tweak)
    return number.with(coefficient: UInt128(pair.0 + first) * UInt128(low) + UInt128(pair.1))
  }

  /// So many digits may be more than 64 bits hold.
  private static let longDigitsMin = 20

  private static func power(_ exponent: Int) -> UInt128 {
    UInt128(powersOfTen64[exponent / 2]) * UInt128(powersOfTen64[exponent - exponent / 2])
  }
}
