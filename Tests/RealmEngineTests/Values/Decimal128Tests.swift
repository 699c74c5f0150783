import ByteText
import RealmEngine
import TestSupport
import Testing

private func decimal(_ text: String) -> Decimal128? {
  Decimal128(text: Array(text.utf8).span)
}

private func text(_ value: Decimal128) -> String {
  var bytes = ByteBuffer()
  value.write(to: &bytes)
  return bytes.text
}

@Suite("Decimal128")
struct Decimal128Tests {
  @Test("text keeps trailing zeros and exponents as IEEE 754 writes them")
  func textForms() throws {
    for form in [
      "0", "-0", "12.50", "1E+3", "0.000001", "1E-7", "1.0E-7", "0.000000", "0E-7", "0E+2", "NaN", "Infinity",
      "-Infinity", "9.999999999999999999999999999999999E+6144", "1E-6176",
      "123456789012345678901234567890.1234",
    ] {
      #expect(text(try #require(decimal(form))) == form)
    }
    #expect(text(try #require(decimal("+.5e1"))) == "5")
    #expect(text(try #require(decimal("inf"))) == "Infinity")
    #expect(text(try #require(decimal("1E+6111"))) == "1E+6111")
    #expect(text(try #require(decimal("1E+6112"))) == "1.0E+6112")
    #expect(text(try #require(decimal("1E+6145"))) == "Infinity")
    #expect(text(try #require(decimal("1E-9999999999999999999999"))) == "0E-6176")
  }

  @Test("what is no decimal is not read")
  func malformedText() {
    for form in [
      "", "-", ".", "e5", "1e", "1e+", "1.2.3", " 1", "1 ", "0x1", "nanx", "--1", "1,5", "infinit",
    ] {
      #expect(decimal(form) == nil, "\(form)")
    }
  }

  @Test("the short encodings hold exactly the ranges the reference engine gives them")
  func shortEncodings() throws {
    #expect(decimal("1.25")?.bid32 == 0x3180_007D)
    #expect(decimal("0")?.bid32 == 0x3280_0000)
    #expect(decimal("8388607")?.bid32 != nil)
    #expect(decimal("8388608")?.bid32 == nil)
    #expect(decimal("1E+90")?.bid32 != nil)
    #expect(decimal("1E+91")?.bid32 == nil)
    #expect(decimal("1E-91")?.bid32 == nil)
    #expect(decimal("9007199254740991E-369")?.bid64 != nil)
    #expect(decimal("9007199254740992")?.bid64 == nil)
    #expect(decimal("1E+370")?.bid64 == nil)
    #expect(decimal("Infinity")?.bid32 == nil)
    #expect(decimal("NaN")?.bid64 == nil)
    for form in ["-12.50", "0.000", "-0", "8.388607E+96", "1E-90"] {
      let value = try #require(decimal(form))
      #expect(text(Decimal128(bid32: try #require(value.bid32))) == form)
      #expect(text(Decimal128(bid64: try #require(value.bid64))) == form)
    }
  }

  @Test("null patterns are found by their bits alone and decode as NaN")
  func nullPatterns() {
    #expect(Decimal128.isNull(bid32: 0x7C00_00AA) && !Decimal128.isNull(bid32: 0x7C00_0000))
    #expect(
      Decimal128.isNull(bid64: 0x7C00_0000_0000_00AA) && !Decimal128.isNull(bid64: 0xFC00_0000_0000_00AA))
    #expect(Decimal128.isNull(low: 0xAA, high: 0x7C00_0000_0000_0000))
    #expect(!Decimal128.isNull(low: 0xAA, high: 0))
    #expect(Decimal128(bid32: Decimal128.nullPattern32).isNaN)
    #expect(Decimal128(bid64: Decimal128.nullPattern64).isNaN)
    #expect(Decimal128.nullPattern.isNaN)
  }

  @Test("NaNs come first, ordered by payload, and numbers after them")
  func order() throws {
    let sorted = try ["NaN", "-Infinity", "-2", "-0.5", "0", "1E-6176", "1", "1.5", "2E+1", "Infinity"]
      .map { try #require(decimal($0)) }
    for (index, value) in sorted.enumerated() {
      for (other, smaller) in sorted.enumerated() {
        #expect((smaller < value) == (other < index))
      }
    }
    #expect(Decimal128.nan < Decimal128.nullPattern && Decimal128.nullPattern < sorted[1])
    #expect(decimal("1") == decimal("1.00") && decimal("0") == decimal("-0E+5"))
    #expect(Set([decimal("100"), decimal("1E+2"), decimal("1.0E+2")]).count == 1)
    #expect(Set([decimal("0"), decimal("-0"), decimal("0E+9")]).count == 1)
  }

  @Test("infinities compare and hash alike whatever their unused bits hold")
  func infinityBits() {
    let padded = Decimal128(low: 7, high: Decimal128.infinity.high | 5)
    #expect(padded == .infinity && padded.hashValue == Decimal128.infinity.hashValue)
  }

  @Test("invalid operations give NaN, division by zero an infinity")
  func specialOperations() throws {
    let (one, zero) = (Decimal128(1), Decimal128.zero)
    #expect((zero / zero).isNaN && (Decimal128.infinity - .infinity).isNaN && (zero * .infinity).isNaN)
    #expect((Decimal128.infinity / .infinity).isNaN)
    #expect(text(one / zero) == "Infinity" && text(-one / zero) == "-Infinity")
    #expect(text(one / .infinity) == "0E-6176")
    #expect((Decimal128.nullPattern + one).nanPayload == 0xAA)
  }

  @Test("a fraction makes an integer inexact, and truncation cuts it off towards zero")
  func integers() {
    #expect(decimal("1.50")?.exactInt64 == nil && decimal("1.50")?.truncatedInt64 == 1)
    #expect(decimal("-1.99")?.truncatedInt64 == -1 && decimal("2.00")?.exactInt64 == 2)
    #expect(Decimal128(Int64.min).exactInt64 == .min && Decimal128(Int64.max).exactInt64 == .max)
    #expect(decimal("1E+19")?.truncatedInt64 == nil && decimal("NaN")?.truncatedInt64 == nil)
    #expect(decimal("0E+6111")?.exactInt64 == 0)
  }

  @Test("no bit pattern traps, and every number survives its text form")
  func anyBitPattern() throws {
    let seed = testSeed()
    var generator = SplitMix64(state: seed)
    var previous = Decimal128.zero
    for _ in 0..<20_000 {
      // Half of the exponents near zero, so that operands meet.
      let high = generator.next() & (generator.next() & 1 == 0 ? .max : 0x8001_FFFF_FFFF_FFFF)
      let value = Decimal128(low: generator.next(), high: high ^ (0x3040 << 48))
      let written = text(value)
      let reread = try #require(decimal(written), "\(written), seed \(seed)")
      #expect(text(reread) == written && (value.isNaN || reread == value), "seed \(seed)")
      _ = (
        value.exactInt64, value.truncatedInt64, value.doubleValue, value.bid32, value.bid64, value.hashValue
      )
      for result in [value + previous, value - previous, value * previous, value / previous] {
        #expect(result.isNaN || decimal(text(result)) == result, "seed \(seed)")
      }
      #expect((value < previous) == (previous > value), "seed \(seed)")
      previous = value
    }
  }
}
