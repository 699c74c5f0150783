import ByteText
import TestSupport
import Testing

private func text(_ write: (inout ByteBuffer) -> Void) -> String {
  var bytes = ByteBuffer()
  write(&bytes)
  return bytes.text
}

@Test("integers are written as Swift describes them")
func integers() {
  var values: [Int64] = [0, -1, 9, 10, 99, 100, 101, .max, .min, .min + 1]
  var power: Int64 = 1
  for _ in 0..<18 {
    power *= 10
    values += [power - 1, power, power + 1, -power]
  }
  let seed = testSeed()
  var state = seed
  for _ in 0..<5_000 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    values.append(Int64(bitPattern: state) >> Int64(state & 63))
  }
  for value in values {
    #expect(text { $0.append(decimal: value) } == String(value), "seed \(seed)")
  }
  #expect(text { $0.append(decimal: UInt64.max) } == "18446744073709551615")
  #expect(text { $0.append(decimal: UInt64(10_000_000_000_000_000_000)) } == "10000000000000000000")
}

@Test("padded integers have as many digits as asked for")
func paddedIntegers() {
  #expect(text { $0.append(decimal: 7, digitCount: 4) } == "0007")
  #expect(text { $0.append(decimal: 12_345, digitCount: 3) } == "345")
  #expect(text { $0.append(decimal: 5, digitCount: 0) } == "")
  #expect(text { $0.append(decimal: 5, digitCount: 25) } == "0000000000000000000000005")
}

@Test("floating-point text reads back to the same bits and says what is not finite in words")
func floatingPoint() {
  let words: [(Double, String)] = [
    (1, "1.0"), (-0.0, "-0.0"), (0.1, "0.1"), (1e16, "1e+16"), (.leastNonzeroMagnitude, "5e-324"),
    (.nan, "NaN"),
    (.infinity, "Infinity"), (-.infinity, "-Infinity"), (1.7976931348623157e308, "1.7976931348623157e+308"),
  ]
  for (value, expected) in words { #expect(text { $0.append(shortest: value) } == expected) }
  #expect(text { $0.append(shortest: Float(0.1)) } == "0.1")
  #expect(text { $0.append(shortest: -Float.infinity) } == "-Infinity")
  #expect(text { $0.append(shortest: Float.nan) } == "NaN")
  let seed = testSeed()
  var state = seed
  for _ in 0..<5_000 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    let value = Double(bitPattern: state)
    guard value.isFinite else { continue }
    let written = text { $0.append(shortest: value) }
    #expect(written == value.description, "seed \(seed)")
    #expect(written.contains(".") || written.contains("e"))
  }
}

@Test("short decimals are written as Swift describes them, at every size and number of digits")
func shortDecimals() {
  let seed = testSeed()
  var state = seed
  for round in 0..<20_000 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    let digits = Double(Int64(bitPattern: state) >> Int64(10 + round % 54))
    var value = digits
    for _ in 0..<(round % 9) { value /= 10 }
    for candidate in [value, value.nextUp, value.nextDown, digits / 64] {
      #expect(text { $0.append(shortest: candidate) } == candidate.description, "seed \(seed)")
    }
  }
  for value in [
    0.001, 0.0009999, 0.1, 1.5, 999_999_999.999999, 1e9, 1e15, 1e16, 123456.7890625, 0, -0.0, 0.3 + 0.6,
  ] {
    #expect(text { $0.append(shortest: value) } == value.description)
    #expect(text { $0.append(shortest: -value) } == (-value).description)
  }
}

@Test("hexadecimal digits go both ways")
func hexadecimal() {
  for byte in UInt8.min ... .max {
    let digits = text { $0.append(hexadecimal: byte) }
    #expect(UInt8(digits, radix: 16) == byte && digits.utf8.count == 2)
    let expected =
      Character(Unicode.Scalar(byte)).isASCII ? Character(Unicode.Scalar(byte)).hexDigitValue : nil
    #expect(hexadecimalValue(byte).map { Int($0) } == expected)
  }
  #expect(text { $0.append(hexadecimal: UInt64(0x0123_4567_89AB_CDEF)) } == "0123456789abcdef")
}

@Test("floats are written as Swift describes them, and stand for the numbers that they are written as")
func floatDecimals() {
  let seed = testSeed()
  var random = SplitMix64(state: seed)
  for round in 0..<40_000 {
    let value =
      round.isMultiple(of: 2)
      ? Float(bitPattern: UInt32.random(in: 0...UInt32.max, using: &random))
      : Float(Int32.random(in: -20_000_000...20_000_000, using: &random))
        / [1, 10, 100, 1000, 1e5, 1e7].randomElement(using: &random)!
    guard value.isFinite else { continue }
    #expect(text { $0.append(shortest: value) } == value.description, "seed \(seed)")
    #expect(value.decimal.bitPattern == Double(value.description)?.bitPattern, "\(value), seed \(seed)")
    #expect(Float(value.decimal).bitPattern == value.bitPattern, "\(value), seed \(seed)")
  }
}
