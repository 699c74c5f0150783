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

  /// Appends a number of at most 15 digits, either whole or with up to six of them behind the point; returns false
  /// for others.
  ///
  /// Different decimals of 15 digits are different doubles, so the one without trailing zeros that gives
  /// `value` again is the shortest.
  private mutating func appendShortDecimal(_ value: Double) -> Bool {
    if value.magnitude < 1e15, value.rounded(.towardZero) == value {
      if value.sign == .minus { append(UInt8(ascii: "-")) }
      append(decimal: UInt64(value.magnitude))
      append(UInt8(ascii: "."), UInt8(ascii: "0"))
      return true
    }
    let scaled = (value * 1_000_000).rounded(.toNearestOrEven)
    guard scaled.magnitude < 1e15, value.magnitude >= 1e-3 else { return false }
    // Dividing two numbers that are exact rounds once, as reading the decimal does.
    guard scaled / 1_000_000 == value else { return false }
    let millionths = Int64(scaled)
    appendDecimal(millionths)
    return true
  }

  /// Appends `millionths` / 1,000,000 without trailing zeros, but with one digit behind the point.
  private mutating func appendDecimal(_ millionths: Int64) {
    let sizeMax = 24
    let start = count
    var target = extend(by: sizeMax)
    let (whole, fraction) = millionths.magnitude.quotientAndRemainder(dividingBy: 1_000_000)
    var end = 0
    if millionths < 0 {
      target[0] = UInt8(ascii: "-")
      end = 1
    }
    end = target.write(decimal: Int64(bitPattern: whole), at: end)
    target[end] = UInt8(ascii: ".")
    target.write(digitsOf: fraction, from: end &+ 1, to: end &+ 7)
    end &+= 7
    while target[end &- 1] == UInt8(ascii: "0"), target[end &- 2] != UInt8(ascii: ".") { end &-= 1 }
    truncate(to: start + end)
  }

  /// Appends the shortest text that reads back as `value` in single precision; words as for `Double`.
  package mutating func append(shortest value: Float) {
    if let decimal = value.shortDecimal, appendShortDecimal(decimal) { return }
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

extension Float {
  /// The number that its shortest text names: 1.51 where this is the nearest of its kind, 1.5099999904632568. It is the same
  /// one again as a float.
  package var decimal: Double {
    isFinite ? shortDecimal ?? Double(description) ?? Double(self) : Double(self)
  }

  /// `decimal` of usual numbers, which have no more than a few digits.
  fileprivate var shortDecimal: Double? {
    // Above, and below, the shortest text has an exponent.
    guard magnitude >= 1e-3, magnitude < 0x1p24 else { return self == 0 ? Double(self) : nil }
    // Such products have less than 53 bits.
    var power = 1.0
    for _ in 0...Self.digitsMax {
      let decimal = (Double(self) * power).rounded(.toNearestOrEven) / power
      if Float(decimal) == self { return decimal }
      power *= 10
    }
    return nil
  }

  /// So many digits behind the point are tried.
  private static let digitsMax = 11
}
