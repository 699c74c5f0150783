// Numbers from decimal text, strictly: no blanks, no hexadecimal, no words, nothing left over.
// Layer: ByteText.

extension Int64 {
  /// Reads an optional sign and digits; nil for any other text and out of range.
  package init?(decimalText text: Span<UInt8>) {
    guard !text.isEmpty else { return nil }
    let isNegative = text[0] == UInt8(ascii: "-")
    let start = isNegative || text[0] == UInt8(ascii: "+") ? 1 : 0
    guard start < text.count else { return nil }
    var value: Int64 = 0
    for index in start..<text.count {
      let digit = text[index] &- UInt8(ascii: "0")
      guard digit <= 9 else { return nil }
      // Gathered below zero, where there is room for one more.
      let (product, isTooSmall) = value.multipliedReportingOverflow(by: 10)
      let (difference, isTooSmallStill) = product.subtractingReportingOverflow(Int64(digit))
      if isTooSmall || isTooSmallStill { return nil }
      value = difference
    }
    if !isNegative && value == .min { return nil }
    self = isNegative ? value : -value
  }
}

extension Double {
  /// Reads the nearest double of digits with optional sign, point and exponent; nil for any other text and
  /// for what is too large.
  package init?(decimalText text: Span<UInt8>) {
    guard let parts = DecimalTextParts(text) else { return nil }
    if let significand = parts.significand, significand <= 1 << 53, abs(parts.exponent) <= 22 {
      // Both are exact, so the one operation rounds correctly.
      let power = exactPowersOfTen[abs(parts.exponent)]
      let magnitude = parts.exponent < 0 ? Double(significand) / power : Double(significand) * power
      self = parts.isNegative ? -magnitude : magnitude
      return
    }
    guard let value = Double(text.string), value.isFinite else { return nil }
    self = value
  }
}

extension Float {
  /// Reads the nearest float; otherwise as for `Double`.
  package init?(decimalText text: Span<UInt8>) {
    guard DecimalTextParts(text) != nil, let value = Float(text.string), value.isFinite else { return nil }
    self = value
  }
}

extension Span<UInt8> {
  /// A copy as text, with U+FFFD where the bytes are not UTF-8.
  package var string: String {
    var copy = ByteBuffer(capacity: Swift.max(1, count))
    copy.append(self)
    return copy.text
  }
}

/// What stands after the "e" of a number: an optional sign and digits; nil for any other text.
///
/// Clamped to ±2^40, far outside the range of every number type.
package func decimalExponent(_ text: Span<UInt8>) -> Int? {
  let hasSign = !text.isEmpty && (text[0] == UInt8(ascii: "-") || text[0] == UInt8(ascii: "+"))
  let start = hasSign ? 1 : 0
  guard start < text.count else { return nil }
  var exponent = 0
  for index in start..<text.count {
    let digit = text[index] &- UInt8(ascii: "0")
    guard digit <= 9 else { return nil }
    exponent = min(exponent * 10 + Int(digit), 1 << 40)
  }
  return text[0] == UInt8(ascii: "-") ? -exponent : exponent
}

/// What decimal text says, as far as 64 bits hold it.
private struct DecimalTextParts {
  var isNegative = false
  /// All digits as one integer; nil when that is too large.
  var significand: UInt64? = 0
  /// The power of ten that the significand is to be multiplied by.
  var exponent = 0

  /// Nil when the text is no decimal number.
  init?(_ text: Span<UInt8>) {
    var index = 0
    if !text.isEmpty, text[0] == UInt8(ascii: "-") || text[0] == UInt8(ascii: "+") {
      isNegative = text[0] == UInt8(ascii: "-")
      index = 1
    }
    let wholeStart = index
    index = readDigits(text, from: index)
    var digitCount = index - wholeStart
    if index < text.count, text[index] == UInt8(ascii: ".") {
      let fractionStart = index + 1
      index = readDigits(text, from: fractionStart)
      digitCount += index - fractionStart
      exponent = fractionStart - index
    }
    guard digitCount > 0 else { return nil }
    if index < text.count, text[index] | 0x20 == UInt8(ascii: "e") {
      guard let written = decimalExponent(text.extracting(droppingFirst: index + 1)) else { return nil }
      exponent += written
      index = text.count
    }
    guard index == text.count else { return nil }
  }

  private mutating func readDigits(_ text: Span<UInt8>, from start: Int) -> Int {
    var index = start
    while index < text.count, case let digit = text[index] &- UInt8(ascii: "0"), digit <= 9 {
      if let value = significand {
        let (product, isTooLarge) = value.multipliedReportingOverflow(by: 10)
        let (sum, isTooLargeStill) = product.addingReportingOverflow(UInt64(digit))
        significand = isTooLarge || isTooLargeStill ? nil : sum
      }
      index += 1
    }
    return index
  }
}

private let exactPowersOfTen: InlineArray<23, Double> = [
  1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
  1e19, 1e20, 1e21, 1e22,
]
