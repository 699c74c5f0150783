// Floating-point numbers as the shortest decimal text that reads back to the same bits.
// Layer: ByteText. The digits are the standard library's; only the words for what is not finite are ours.

extension ByteBuffer {
  /// Appends the shortest text that reads back as `value`: always with "." or "e" when finite
  /// ("1.0", "1e+16"), else `NaN`, `Infinity` or `-Infinity`.
  package mutating func append(shortest value: Double) {
    if value.isFinite {
      append(text: value.description)
    } else {
      appendWord(isNaN: value.isNaN, isNegative: value < 0)
    }
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
