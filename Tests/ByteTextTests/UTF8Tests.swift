import ByteText
import TestSupport
import Testing

private func repaired(_ bytes: [UInt8]) -> String {
  var buffer = ByteBuffer()
  buffer.append(repairingUTF8: bytes.span)
  return buffer.text
}

@Test("well-formed UTF-8 is recognised at every length and offset")
func wellFormed() {
  for text in [
    "", "a", "æ", "漢", "😀", "aæ漢😀", String(repeating: "x", count: 40) + "é", "\u{10FFFF}\u{FFFF}\u{0}",
  ] {
    for padding in 0..<20 {
      let bytes = [UInt8](repeating: 65, count: padding) + Array(text.utf8)
      #expect(firstInvalidUTF8Index(in: bytes.span) == nil)
      #expect(repaired(bytes) == String(decoding: bytes, as: UTF8.self))
    }
  }
}

@Test("ill-formed UTF-8 is found where it begins")
func illFormed() {
  let cases: [[UInt8]] = [
    [0x80], [0xC0, 0x80], [0xC1, 0xBF], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xF0, 0x80, 0x80, 0x80],
    [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFF], [0xC3], [0xE2, 0x82], [0xF0, 0x9F, 0x98],
    [0xE2, 0x28, 0xA1],
  ]
  for bad in cases {
    for padding in 0..<20 {
      let bytes = [UInt8](repeating: 65, count: padding) + bad + [66]
      #expect(firstInvalidUTF8Index(in: bytes.span) == padding)
    }
  }
}

@Test("random bytes are repaired exactly as the standard library does it")
func repairing() {
  let seed = testSeed()
  var random = SplitMix64(state: seed)
  for _ in 0..<3_000 {
    var bytes: [UInt8] = []
    for _ in 0..<random.below(25) {
      let choices: [UInt8] = [
        0x41, 0x80, 0xBF, 0xC3, 0xE2, 0xED, 0xA0, 0xF0, 0x9F, 0xF4, 0x8F, UInt8(random.below(256)),
      ]
      bytes.append(choices[random.below(choices.count)])
    }
    let expected = String(decoding: bytes, as: UTF8.self)
    #expect(Array(repaired(bytes).utf8) == Array(expected.utf8), "\(bytes), seed \(seed)")
    #expect(
      (firstInvalidUTF8Index(in: bytes.span) == nil) == (String(validating: bytes, as: UTF8.self) != nil))
  }
}
