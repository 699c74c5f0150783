// Every form in which a key may be given, and what is said about the rest.

import RealmCommands
import TestSupport
import Testing

@Suite("Forms of a key")
struct KeyTextTests {
  /// 0, 5, 10, … with bytes above 127.
  private static let key = (0..<64).map { UInt8(truncatingIfNeeded: $0 * 5) }

  private static func hexadecimal(separator: String = "", prefix: String = "") -> String {
    key.map { byte in
      let digits = String(byte, radix: 16)
      return prefix + (digits.count < 2 ? "0" : "") + digits
    }.joined(separator: separator)
  }

  private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")

  private static func base64() -> String {
    var text = ""
    for start in stride(from: 0, to: 64, by: 3) {
      let group = (0..<3).map { start + $0 < 64 ? UInt32(key[start + $0]) : 0 }
      let bits = group[0] << 16 | group[1] << 8 | group[2]
      let count = min(3, 64 - start) + 1
      text += String((0..<count).map { digits[Int(bits >> (18 - 6 * UInt32($0)) & 63)] })
    }
    return text
  }

  private func parse(_ text: String) throws -> (bytes: [UInt8], form: KeyForm) {
    try KeyText.parse(Array(text.utf8))
  }

  private func refusal(_ text: String) -> String? { refusal(Array(text.utf8)) }

  private func refusal(_ bytes: [UInt8]) -> String? {
    do throws(KeyTextError) {
      _ = try KeyText.parse(bytes)
      return nil
    } catch {
      return error.reason
    }
  }

  @Test("exactly 64 bytes are a key as they are, whatever they are")
  func raw() throws {
    let parsed = try KeyText.parse(Self.key)
    #expect(parsed.bytes == Self.key && parsed.form == .raw)
    #expect(try parse(String(repeating: "a", count: 63) + "\n").form == .raw)
  }

  @Test(
    "hexadecimal: either case, blanks, colons, 0x, and a newline at the end",
    arguments: [
      hexadecimal(), hexadecimal().uppercased(), hexadecimal() + "\n", hexadecimal() + "\r\n",
      hexadecimal(separator: ":"), hexadecimal(separator: " "), "0x" + hexadecimal(),
      hexadecimal(separator: " ", prefix: "0x"), hexadecimal(separator: "\n"), "\u{FEFF}" + hexadecimal(),
      "\"\(hexadecimal())\"\n", "'\(hexadecimal())'", " <\(hexadecimal(separator: " "))>",
    ])
  func hexadecimalForms(text: String) throws {
    let parsed = try parse(text)
    #expect(parsed.bytes == Self.key && parsed.form == .hexadecimal)
  }

  @Test("what Windows writes into a file is UTF-16, the low byte first; others write the high byte first")
  func wideText() throws {
    for text in [Self.hexadecimal() + "\r\n", Self.base64()] {
      let bytes = Array(text.utf8)
      #expect(try KeyText.parse([0xFF, 0xFE] + bytes.flatMap { [$0, 0] }).bytes == Self.key)
      #expect(try KeyText.parse([0xFE, 0xFF] + bytes.flatMap { [0, $0] }).bytes == Self.key)
    }
  }

  @Test(
    "base64: either alphabet, with and without padding",
    arguments: [base64(), base64() + "==", base64() + "==\n"])
  func base64Forms(text: String) throws {
    let parsed = try parse(text)
    #expect(parsed.bytes == Self.key && parsed.form == .base64)
    let otherAlphabet = String(text.map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 })
    #expect(try parse(otherAlphabet).bytes == Self.key)
  }

  @Test("a pasted list: brackets or none, unsigned, signed or hexadecimal bytes")
  func lists() throws {
    let unsigned = Self.key.map { "\($0)" }.joined(separator: ", ")
    let signed = Self.key.map { "\(Int8(bitPattern: $0))" }.joined(separator: ",")
    for text in [
      unsigned, "[\(unsigned)]", " [ \(unsigned) , ] \n", "[\(signed)]",
      "[\(Self.hexadecimal(separator: ", ", prefix: "0x"))]",
    ] {
      let parsed = try parse(text)
      #expect(parsed.bytes == Self.key && parsed.form == .list, "\(text)")
    }
  }

  @Test("what is no key is refused by what it looks like, and never shown")
  func refusals() {
    #expect(refusal("") == "is empty")
    #expect(refusal(" \n") == "is empty")
    #expect(refusal(Self.hexadecimal() + "00") == "has 130 hexadecimal digits; a key has 128")
    #expect(refusal("[1, 2]") == "has 2 bytes (as a list); a key has 64")
    #expect(refusal("[1, 2") == "is a list without its closing bracket")
    #expect(refusal("[1, 256]") == "is a list whose element 2 is not a byte")
    #expect(refusal("[1, secret]") == "is a list whose element 2 is not a byte")
    #expect(refusal(String(Self.base64().dropLast(2))) == "has 63 bytes (as base64); a key has 64")
    #expect(
      refusal("my secret!") == "is neither 64 bytes nor 128 hexadecimal digits, base64 or a list of numbers")
    for count in [63, 65] {
      let bytes = [UInt8](repeating: 0xC3, count: count - 2) + Array(",1".utf8)
      #expect(refusal(bytes) == "has \(count) bytes; a key has 64")
    }
    #expect(
      refusal(String(repeating: "0", count: 5000)) == "is longer than 4096 bytes, so it cannot be a key")
  }

  @Test("random bytes and random text never trap")
  func random() {
    let seed = testSeed()
    var generator = SplitMix64(state: seed)
    let alphabet = Array("0123456789abcdefxX:+/=-_[], \n\u{FF}".utf8)
    for _ in 0..<5000 {
      let count = Int.random(in: 0...200, using: &generator)
      let text = (0..<count).map { _ in alphabet.randomElement(using: &generator) ?? 0 }
      if let parsed = try? KeyText.parse(text) { #expect(parsed.bytes.count == 64, "seed \(seed)") }
    }
  }
}
