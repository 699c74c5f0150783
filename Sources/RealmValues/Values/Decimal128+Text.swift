// Decimals as text: the "to-scientific-string" of IEEE 754 and its reverse.
// Layer: Values. Trailing zeros and the exponent survive the round trip; the payload of a NaN does not.

package import ByteText

extension Decimal128 {
  /// Appends "12.50", "1E+3", "NaN", "Infinity" or "-Infinity".
  package func write(to text: inout ByteBuffer) {
    guard let parts = finite else {
      text.append(literal: isNaN ? "NaN" : isNegative ? "-Infinity" : "Infinity")
      return
    }
    if parts.isNegative { text.append(UInt8(ascii: "-")) }
    let digitCount = max(1, RealmValues.digitCount(parts.coefficient))
    let adjustedExponent = parts.exponent + digitCount - 1
    if parts.exponent <= 0 && adjustedExponent >= -6 {
      // Digits before the point; zero or fewer when zeros must stand in.
      let wholeDigitCount = digitCount + parts.exponent
      if wholeDigitCount > 0 {
        text.append(decimal: parts.coefficient, digitCount: digitCount, pointAfter: wholeDigitCount)
      } else {
        text.append(literal: "0.")
        text.append(repeating: UInt8(ascii: "0"), count: -wholeDigitCount)
        text.append(decimal: parts.coefficient, digitCount: digitCount, pointAfter: digitCount)
      }
      return
    }
    text.append(decimal: parts.coefficient, digitCount: digitCount, pointAfter: 1)
    text.append(literal: adjustedExponent < 0 ? "E-" : "E+")
    text.append(decimal: UInt64(adjustedExponent.magnitude))
  }

  /// Reads digits with an optional sign, point and exponent, or "NaN", "Inf", "Infinity" in any case.
  ///
  /// More than 34 digits are rounded half to even; nil for any other text.
  package init?(text: Span<UInt8>) {
    var reader = DecimalTextReader(text: text)
    guard let value = reader.readAll() else { return nil }
    self = value
  }

  /// The same; nil also for digits that stand for more than a decimal holds.
  package init?(holding text: Span<UInt8>) {
    guard let number = Decimal128(text: text) else { return nil }
    let hasDigits = text.indices.contains { text[$0].isDigit }
    if hasDigits, !number.isFinite { return nil }
    self = number
  }

  /// The same; nil also for digits that would be rounded.
  package init?(exactly text: Span<UInt8>) {
    var reader = DecimalTextReader(text: text)
    guard let value = reader.readAll(), reader.isExact(value) else { return nil }
    self = value
  }
}

extension ByteBuffer {
  /// Appends `value` in `digitCount` digits with a point after the first `pointAfter` of them.
  fileprivate mutating func append(decimal value: UInt128, digitCount: Int, pointAfter: Int) {
    if pointAfter < digitCount {
      let (whole, fraction) = value.quotientAndRemainder(dividingBy: powerOfTen(digitCount - pointAfter))
      append(decimal: whole, digitCount: pointAfter)
      append(UInt8(ascii: "."))
      append(decimal: fraction, digitCount: digitCount - pointAfter)
    } else {
      append(decimal: value, digitCount: digitCount)
    }
  }

  private mutating func append(decimal value: UInt128, digitCount: Int) {
    // 10^17 splits 34 digits into two halves that fit in 64 bits.
    let (upper, lower) = value.quotientAndRemainder(dividingBy: powerOfTen(17))
    append(decimal: UInt64(upper), digitCount: max(0, digitCount - 17))
    append(decimal: UInt64(lower), digitCount: min(17, digitCount))
  }
}

/// Walks over the text of one decimal.
private struct DecimalTextReader: ~Escapable {
  private let text: Span<UInt8>
  private var index = 0
  /// What the digits say; nil for a word.
  private var read: (coefficient: UInt128, exponent: Int, isTruncated: Bool)?

  @_lifetime(copy text)
  init(text: Span<UInt8>) {
    self.text = text
  }

  /// Whether `value`, which was made of the digits, stands for all of them.
  func isExact(_ value: Decimal128) -> Bool {
    guard let read else { return true }
    guard !read.isTruncated, let kept = value.finite else { return false }
    return Self.withoutZeros(read.coefficient, read.exponent)
      == Self.withoutZeros(kept.coefficient, kept.exponent)
  }

  /// The same number for all that end in other zeros.
  private static func withoutZeros(_ coefficient: UInt128, _ exponent: Int) -> (UInt128, Int) {
    guard coefficient > 0 else { return (0, 0) }
    var (coefficient, exponent) = (coefficient, exponent)
    while coefficient % 10 == 0 { (coefficient, exponent) = (coefficient / 10, exponent + 1) }
    return (coefficient, exponent)
  }

  mutating func readAll() -> Decimal128? {
    let isNegative = readSign()
    if let special = readWord(isNegative: isNegative) { return special }
    var coefficient: UInt128 = 0
    var exponent = 0
    var digitCount = 0
    var isTruncated = false
    var isAfterPoint = false
    scan: while index < text.count {
      switch text[index] {
      case UInt8(ascii: "."):
        if isAfterPoint { return nil }
        isAfterPoint = true
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        digitCount += 1
        let digit = UInt128(text[index] - UInt8(ascii: "0"))
        // 36 digits are kept exactly, which is more than the rounding needs.
        if coefficient < powerOfTen(35) {
          coefficient = coefficient * 10 + digit
          if isAfterPoint { exponent -= 1 }
        } else {
          isTruncated = isTruncated || digit != 0
          if !isAfterPoint { exponent += 1 }
        }
      default:
        break scan
      }
      index += 1
    }
    guard digitCount > 0, let written = readExponent() else { return nil }
    read = (coefficient, exponent + written, isTruncated)
    return Decimal128(
      rounding: coefficient, exponent: exponent + written, isNegative: isNegative, isTruncated: isTruncated)
  }

  private mutating func readSign() -> Bool {
    guard index < text.count else { return false }
    let isNegative = text[index] == UInt8(ascii: "-")
    if isNegative || text[index] == UInt8(ascii: "+") { index += 1 }
    return isNegative
  }

  private func readWord(isNegative: Bool) -> Decimal128? {
    if rest(equals: "nan") { return isNegative ? -Decimal128.nan : .nan }
    if rest(equals: "inf") || rest(equals: "infinity") { return .infinity(isNegative: isNegative) }
    return nil
  }

  /// The number after "E", 0 when there is none, nil when it is malformed.
  private func readExponent() -> Int? {
    guard index < text.count else { return 0 }
    guard text[index] | 0x20 == UInt8(ascii: "e") else { return nil }
    return decimalExponent(text.extracting(droppingFirst: index + 1))
  }

  private func rest(equals word: String) -> Bool {
    guard text.count - index == word.utf8.count else { return false }
    var offset = index
    for letter in word.utf8 {
      if text[offset] | 0x20 != letter { return false }
      offset += 1
    }
    return true
  }
}
