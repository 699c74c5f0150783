// Numbers as others with as many digits. Layer: Masks.
// Invariant: whole numbers have one mask whatever their type, and so have fractions of a few digits as doubles and as decimals:
// values that are equal in a mixed property, or not, stay so.

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
  static func decimal(digitCount: Int, exponent: Int) -> UInt64 {
    UInt64(truncatingIfNeeded: exponent) << 16 | UInt64(digitCount) << 8 | 0x60
  }
  static let objectID: UInt64 = 0x70
  static let uuid: UInt64 = 0x80
}

/// Masks numbers.
struct NumberMask {
  private let permutation: KeyedPermutation
  private var short: ShortPermutations
  /// The masks of small whole numbers that have come, which are most: from 0 on, then from -1 down. No mask of one is `unknown`.
  private var small = [Int64](repeating: unknown, count: 2 * smallCount)

  private static let smallCount = 1000
  private static let unknown = Int64.max

  init(_ permutation: KeyedPermutation) {
    self.permutation = permutation
    short = ShortPermutations(permutation)
  }

  mutating func mask(_ number: Int64) -> Int64 {
    guard number.magnitude < Self.smallCount else { return computed(number) }
    let index = number >= 0 ? Int(number) : Self.smallCount - 1 - Int(number)
    if small[index] == Self.unknown { small[index] = computed(number) }
    return small[index]
  }

  private mutating func computed(_ number: Int64) -> Int64 {
    let isNegative = number < 0
    let count = decimalDigitCount(number.magnitude)
    let most = isNegative ? Int64.min.magnitude : Int64.max.magnitude
    let masked = mask(
      number.magnitude, digitCount: count,
      tweak: MaskTweak.integer(digitCount: count, isNegative: isNegative), least: isNegative ? 1 : 0,
      most: most)
    return isNegative ? Int64(truncatingIfNeeded: 0 &- masked) : Int64(truncatingIfNeeded: masked)
  }

  /// So many digits have the greatest whole numbers up to which a double has all of them.
  private static let exactDoubleDigits = 16
  private static let exactDoubleMax: UInt64 = 1 << 53

  /// Another number of as many digits, from `least` to `most`, which the number is too.
  private mutating func mask(
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
    // Of the longest numbers some are too large, and of those around the end of what doubles hold some would be none: those lead on
    // to the next, until one is not.
    repeat {
      let pair = short.permute(
        (masked / low - first, masked % low), below: (high - first, low), tweak: tweak)
      masked = (pair.0 + first) * low + pair.1
    } while masked > most
      || digitCount == Self.exactDoubleDigits
        && (masked > Self.exactDoubleMax) != (magnitude > Self.exactDoubleMax)
    return masked
  }

  /// Digits behind the point that are looked for before a number counts as one without a short decimal form.
  private static let scaleMax = 9
  private static let exactDigitsMax = 15

  /// The digits of a fraction with a short decimal form, and how many of them stand behind the point.
  @inline(__always)
  private func decimal(_ magnitude: Double) -> (digits: UInt64, scale: Int)? {
    guard magnitude < Double(powersOfTen64[Self.exactDigitsMax]) else { return nil }
    // A number with few digits is close to a whole one with all of them before the point: most others end here.
    let longest = min(Self.scaleMax, Self.exactDigitsMax - decimalDigitCount(UInt64(magnitude)))
    guard longest > 0, wholeNumber(magnitude * Double(powersOfTen64[longest])) != nil else { return nil }
    for scale in 1...longest {
      let power = Double(powersOfTen64[scale])
      guard let digits = wholeNumber(magnitude * power), Double(digits) / power == magnitude else { continue }
      return (digits, scale)
    }
    return nil
  }

  /// The whole number that another may be but for how it was rounded.
  @inline(__always)
  private func wholeNumber(_ number: Double) -> UInt64? {
    let digits = UInt64(number + 0.5)
    return abs(Double(digits) - number) <= number * 0x1p-50 ? digits : nil
  }

  mutating func mask(_ number: Double) -> Double {
    guard number.isFinite else { return number }
    let magnitude = number.magnitude
    if magnitude <= Double(Self.exactDoubleMax), number == number.rounded(.towardZero) {
      return Double(mask(Int64(number)))
    }
    if let (digits, scale) = decimal(magnitude) {
      let masked = Double(mask(digits, scale: scale)) / Double(powersOfTen64[scale])
      return number < 0 ? -masked : masked
    }
    // One of those with the same exponent that have as many digits before the point, and are none of the above.
    let decade = Self.decade(
      above: Double(sign: .plus, exponentBitPattern: number.exponentBitPattern, significandBitPattern: 0))
    var masked = magnitude
    let half: UInt64 = 1 << 26
    repeat {
      let mantissa = permutation.permute(
        (masked.significandBitPattern / half, masked.significandBitPattern % half), below: (half, half),
        tweak: MaskTweak.mantissa(exponent: UInt64(number.exponentBitPattern)))
      masked = Double(
        sign: .plus, exponentBitPattern: number.exponentBitPattern,
        significandBitPattern: mantissa.0 * half + mantissa.1)
    } while (masked < decade) != (magnitude < decade)
      || masked <= Double(Self.exactDoubleMax)
        && (masked == masked.rounded(.towardZero) || decimal(masked) != nil)
    return number < 0 ? -masked : masked
  }

  /// The first number above with a digit more before its point; infinity where these are not counted.
  private static func decade(above number: Double) -> Double {
    guard number >= 1, number < Double(powersOfTen64[18]) else { return .infinity }
    return Double(powersOfTen64[decimalDigitCount(UInt64(number))])
  }

  private static let floatDigitsMax = 6
  /// Whole numbers below this are floats, and so are their masks.
  private static let wholeFloatsMax: Float = 1e7

  /// As `decimal`, for floats.
  private func decimal(_ magnitude: Float) -> (digits: UInt64, scale: Int)? {
    for scale in 1...Self.scaleMax {
      let power = Double(powersOfTen64[scale])
      let scaled = Double(magnitude) * power
      guard scaled < Double(powersOfTen64[Self.floatDigitsMax]) else { break }
      let digits = UInt64(scaled + 0.5)
      if Float(Double(digits) / power) == magnitude { return (digits, scale) }
    }
    return nil
  }

  mutating func mask(_ number: Float) -> Float {
    guard number.isFinite else { return number }
    let magnitude = number.magnitude
    if magnitude < Self.wholeFloatsMax, number == number.rounded(.towardZero) {
      return Float(mask(Int64(number)))
    }
    if let (digits, scale) = decimal(magnitude) {
      let masked = Float(Double(mask(digits, scale: scale)) / Double(powersOfTen64[scale]))
      return number < 0 ? -masked : masked
    }
    let decade = Float(
      Self.decade(
        above: Double(
          Float(sign: .plus, exponentBitPattern: number.exponentBitPattern, significandBitPattern: 0))))
    var masked = magnitude
    let (high, low): (UInt64, UInt64) = (1 << 11, 1 << 12)
    repeat {
      let mantissa = permutation.permute(
        (UInt64(masked.significandBitPattern) / low, UInt64(masked.significandBitPattern) % low),
        below: (high, low), tweak: MaskTweak.mantissa(exponent: UInt64(number.exponentBitPattern)))
      masked = Float(
        sign: .plus, exponentBitPattern: number.exponentBitPattern,
        significandBitPattern: UInt32(mantissa.0 * low + mantissa.1))
    } while (masked < decade) != (magnitude < decade)
      || masked < Self.wholeFloatsMax
        && (masked == masked.rounded(.towardZero) || decimal(masked) != nil)
    return number < 0 ? -masked : masked
  }

  /// Digits of a decimal fraction. The last of those behind the point stays one that counts: it is not 0.
  private mutating func mask(_ digits: UInt64, scale: Int) -> UInt64 {
    let count = decimalDigitCount(digits)
    return mask(digits, count, tweak: MaskTweak.fraction(digitCount: count, scale: scale))
  }

  /// Other digits, as many, of which neither the first nor the last is 0.
  @inline(__always)
  private mutating func mask<Digits: UnsignedInteger & FixedWidthInteger>(
    _ digits: Digits, _ count: Int, tweak: UInt64
  ) -> Digits {
    guard count > 1 else {
      return Digits(permutation.permute(UInt64(digits) - 1, below: 9, tweak: tweak) + 1)
    }
    // Nine digits may be the first, and nine the last.
    let low = powersOfTen64[count / 2]
    let first = powersOfTen64[count - count / 2 - 1]
    let (high, rest) = digits.quotientAndRemainder(dividingBy: Digits(low))
    let (middle, last) = UInt64(rest).quotientAndRemainder(dividingBy: 10)
    let pair = short.permute(
      (UInt64(high) - first, middle * 9 + last - 1), below: (9 * first, low / 10 * 9), tweak: tweak)
    return Digits(pair.0 + first) * Digits(low) + Digits(pair.1 / 9 * 10 + pair.1 % 9 + 1)
  }

  mutating func mask(_ number: Decimal128) -> Decimal128 {
    if let whole = number.exactInt64 {
      return number.with(digits: UInt128(mask(whole).magnitude), exponent: 0)
    }
    guard let (digits, exponent) = number.significant else { return number }
    var count = decimalDigitCount(UInt64(clamping: digits))
    while count >= Self.longDigitsMin, digits >= Self.power(count) { count += 1 }
    let isShort = exponent < 0 && -exponent <= Self.scaleMax && count <= Self.exactDigitsMax
    var masked = digits
    repeat {
      masked =
        isShort
        ? UInt128(mask(UInt64(masked), scale: -exponent))
        : mask(masked, count, tweak: MaskTweak.decimal(digitCount: count, exponent: exponent))
      // Whole numbers that an integer has room for are masked as such.
    } while exponent == 0 && masked <= UInt128(Int64.max)
    return number.with(digits: masked, exponent: exponent)
  }

  /// So many digits may be more than 64 bits hold.
  private static let longDigitsMin = 20

  private static func power(_ exponent: Int) -> UInt128 {
    UInt128(powersOfTen64[exponent / 2]) * UInt128(powersOfTen64[exponent - exponent / 2])
  }
}
