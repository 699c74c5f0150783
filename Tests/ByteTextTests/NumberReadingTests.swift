import ByteText
import TestSupport
import Testing

private func int64(_ text: String) -> Int64? { Int64(decimalText: Array(text.utf8).span) }
private func double(_ text: String) -> Double? { Double(decimalText: Array(text.utf8).span) }
private func float(_ text: String) -> Float? { Float(decimalText: Array(text.utf8).span) }

@Test("integers are read up to the last one that fits, and nothing else is")
func integerReading() {
  #expect(int64("0") == 0 && int64("-0") == 0 && int64("+7") == 7 && int64("007") == 7)
  #expect(int64("9223372036854775807") == .max && int64("-9223372036854775808") == .min)
  for text in [
    "", "-", "+", "9223372036854775808", "-9223372036854775809", "1.0", "1e3", " 1", "1 ", "0x10", "１",
    "99999999999999999999999999",
  ] { #expect(int64(text) == nil, "\(text)") }
}

@Test("doubles are read as the standard library reads them, from decimal text only")
func doubleReading() {
  let seed = testSeed()
  var state = seed
  func random() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state >> 11
  }
  for _ in 0..<5_000 {
    let whole = String(random() >> (random() % 50))
    var text = (random() % 2 == 0 ? "-" : "") + whole
    if random() % 2 == 0 { text += "." + String(random() >> (random() % 53)) }
    if random() % 3 == 0 { text += "e" + String(Int(random() % 640) - 320) }
    let expected = Double(text).flatMap { $0.isFinite ? $0 : nil }
    #expect(double(text)?.bitPattern == expected?.bitPattern, "\(text), seed \(seed)")
    let expectedFloat = Float(text).flatMap { $0.isFinite ? $0 : nil }
    #expect(float(text)?.bitPattern == expectedFloat?.bitPattern, "\(text), seed \(seed)")
  }
  #expect(double("-0")?.sign == .minus && double(".5") == 0.5 && double("5.") == 5 && double("1E2") == 100)
  #expect(double("1e-99999999999999999999999") == 0)
  for text in [
    "", ".", "e5", "1e", "1e+", "nan", "inf", "0x1p3", "1.2.3", " 1", "1 ", "1e400",
    "1e999999999999999999999",
  ] {
    #expect(double(text) == nil && float(text) == nil, "\(text)")
  }
}
