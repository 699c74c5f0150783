// Floating-point numbers as the shortest decimal text that reads back to the same bits.
// Layer: ByteText. The digits are the standard library's; only the words for what is not finite are ours.

extension ByteBuffer {
  /// Appends the shortest text that reads back as `value`: always with "." or "e" when finite
  /// ("1.0", "1e+16"), else `NaN`, `Infinity` or `-Infinity`.
  package mutating func append(shortest value: Double) {
    if appendShortDecimal(value) { return }
    if value.isFinite {
      append(text: value.description)
    } else {
      appendWord(isNaN: value.isNaN, isNegative: value < 0)
    }
  }

  /// Appends a number of at most 15 digits, up to six of them behind the point; returns false for others.
  ///
  /// Different decimals of 15 digits are different doubles, so the one without trailing zeros that gives
  /// `value` again is the shortest.
  private mutating func appendShortDecimal(_ value: Double) -> Bool {
    let scaled = value * 1_000_000
    guard scaled.magnitude < 1e15, value.magnitude >= 1e-3 else { return false }
    let millionths = Int64(scaled)
    guard Double(millionths) == scaled, Double(millionths) / 1_000_000 == value else { return false }
    if millionths < 0 { append(UInt8(ascii: "-")) }
    let (whole, fraction) = millionths.magnitude.quotientAndRemainder(dividingBy: 1_000_000)
    append(decimal: whole)
    append(UInt8(ascii: "."))
    append(decimal: fraction, digitCount: 6)
    var end = count
    while self[end - 1] == UInt8(ascii: "0"), self[end - 2] != UInt8(ascii: ".") { end -= 1 }
    truncate(to: end)
    return true
  }

  /// Appends the shortest text that reads back as `value` in single precision; words as for `Double`.
  package mutating func append(shortest value: Float) {
    if value.isFinite {
      append(text: value.description)
    } else {
      appendWord(isNaN: value.isNaN, isNegative: value < 0)
    }
  }

  private mutating func appendWord(isNaN: Bool, isNegative: Bool) {
    if isNaN {
      append(literal: "NaN")
    } else {
      append(literal: isNegative ? "-Infinity" : "Infinity")
    }
  }
}
