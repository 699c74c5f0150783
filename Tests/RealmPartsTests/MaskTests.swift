// Masks: what they keep, and that they tell values apart.

import RealmEngine
import RealmParts
import TestSupport
import Testing

@Suite("Masks")
struct MaskTests {
  static func masks(_ number: UInt8) throws -> Masks {
    let key = try #require(EncryptionKey([UInt8](repeating: number, count: EncryptionKey.size)))
    return try Masks(key)
  }

  private static func worker(_ number: UInt8) throws -> any ValueReplacing { try masks(number).makeWorker() }

  private static func text(_ text: String, _ masks: any ValueReplacing) throws -> String {
    guard case .string(let masked) = masks.replacement(of: .string(ByteString(text))) else {
      throw EngineError(.other, "a text becomes a text")
    }
    return masked.text
  }

  /// What a mask keeps of a character.
  private static func kind(_ character: Unicode.Scalar) -> String {
    switch character.properties.generalCategory {
    case .uppercaseLetter: "A"
    case .lowercaseLetter: "a"
    case .decimalNumber: "0"
    case .otherLetter, .modifierLetter: "l"
    case .otherSymbol: "s"
    default: String(character)
    }
  }

  @Test(
    "a text keeps its length and the kinds of its characters",
    arguments: [
      "Ada Lovelace", "ada.lovelace@example.com", "+49 (30) 901820-17", "Łajka, Ñandú; ΑΒΓ αβγ", "日本語のテキスト",
      "한국어 😀🎉",
      "", "x", "--- ...", "a-b-c-d-e-f-7", "a.b.c...1234567",
      String(repeating: "A rather long text with 12345 words. ", count: 400),
    ])
  func shape(text: String) throws {
    let masked = try Self.text(text, Self.worker(1))
    #expect(masked.utf8.count == text.utf8.count)
    #expect(masked.unicodeScalars.map(Self.kind) == text.unicodeScalars.map(Self.kind))
    #expect(try Self.text(text, Self.worker(1)) == masked)
    guard text.utf8.count > 8 else { return }
    #expect(masked != text)
    #expect(try Self.text(text, Self.worker(2)) != masked)
  }

  @Test("a single character becomes one that the key decides", arguments: ["x", "7", "- q -"])
  func singleCharacters(text: String) throws {
    let masked = Set(try (1...60).map { try Self.text(text, Self.worker($0)) })
    #expect(masked.count >= (text == "7" ? 6 : 12), "\(masked)")
  }

  @Test("single characters and digits do not all move by one distance")
  func orderOfSingleOnes() throws {
    func texts(_ characters: [String]) throws -> Set<[String]> {
      Set(try (UInt8(1)...60).map { key in try characters.map { try Self.text($0, Self.worker(key)) } })
    }
    let digits = (0...9).map { String($0) }
    let numbers = Set(
      try (UInt8(1)...60).map { key in
        let worker = try Self.worker(key)
        return (Int64(0)...9).map { "\(worker.replacement(of: .int($0)))" }
      })
    for masked in [try texts(digits), try texts("abcdefghijklmnopqrstuvwxyz".map(String.init)), numbers] {
      #expect(masked.count == 60)
      #expect(masked.allSatisfy { Set($0).count == $0.count })
    }
    #expect(try !texts(digits).contains(digits))
  }

  @Test("a text has the mask that it had, whatever came between")
  func again() throws {
    var numbers = SplitMix64(state: testSeed())
    let texts = (0..<2_000).map { _ in
      String(
        decoding: (0..<Int.random(in: 0...18, using: &numbers)).map { _ in
          UInt8.random(in: 0x20...0x7E, using: &numbers)
        }, as: UTF8.self)
    }
    let masks = try Self.masks(1)
    let worker = masks.makeWorker()
    let masked = try texts.map { try Self.text($0, worker) }
    #expect(masked == (try texts.map { try Self.text($0, masks.makeWorker()) }))
    #expect(masked == (try texts.map { try Self.text($0, worker) }))
  }

  @Test("bytes that are no text keep their places")
  func brokenText() throws {
    let bytes: [UInt8] = [0xFF, 0x41, 0xC3, 0x80, 0xE2, 0x82, 0x31]
    guard case .string(let masked) = try Self.worker(1).replacement(of: .string(ByteString(copying: bytes)))
    else { return }
    #expect(masked.count == bytes.count && masked.bytes[0] == 0xFF && masked.bytes[4] == 0xE2)
  }

  @Test("other texts have other masks")
  func uniqueTexts() throws {
    let masks = try Self.worker(3)
    var seen: Set<String> = []
    for first in "abcdefghijklmnopqrstuvwxyz" {
      for second in "abcdefghijklmnopqrstuvwxyz" {
        for last in ["", "7", "-", "Ä"] {
          #expect(seen.insert(try Self.text("\(first)\(second)\(last)", masks)).inserted)
        }
      }
    }
    #expect(seen.count == 26 * 26 * 4)
    // What changes stands at even places only, or at odd ones; or most of it.
    for first in "0123456789" {
      for second in "abcdefghij" {
        for shape in ["\(first)-\(second)", "-\(first)-\(second)", "\(first).\(second) 0"] {
          #expect(seen.insert(try Self.text(shape, masks)).inserted, "\(shape)")
        }
      }
    }
    var numbers = SplitMix64(state: testSeed())
    for size in [24, 25, 27, 40, 60, 200] {
      let text = (0..<size).map { _ in "abcXYZ019".randomElement(using: &numbers).map(String.init) ?? "" }
        .joined()
      for place in text.indices {
        var other = text
        other.replaceSubrange(
          place...place, with: text[place] == "b" ? "c" : text[place].isNumber ? "5" : "b")
        if other != text, other.map(\.isNumber) == text.map(\.isNumber) {
          #expect(try Self.text(other, masks) != Self.text(text, masks))
        }
      }
    }
  }

  @Test("each character of a mask is as often one as another of its kind", arguments: [12, 23])
  func evenness(size: Int) throws {
    let masks = try Self.worker(9)
    let count = 8_000
    var counts = [[UInt8: Int]](repeating: [:], count: size)
    for number in 0..<count {
      let text =
        "\(100_000 + number)" + String(repeating: "ab", count: size / 2 - 3) + (size % 2 == 1 ? "z" : "")
      for (place, byte) in try Self.text(text, masks).utf8.enumerated() {
        counts[place][byte, default: 0] += 1
      }
    }
    for (place, counts) in counts.enumerated() {
      let wanted = count / (place < 6 ? 10 : 26)
      // Six times the deviation that is to be expected.
      let most = Int(6 * Double(wanted).squareRoot())
      #expect(counts.count == (place < 6 ? 10 : 26))
      #expect(counts.values.allSatisfy { abs($0 - wanted) <= most }, "\(place): \(counts)")
    }
  }

  @Test("whole numbers are permuted among those with as many digits")
  func integers() throws {
    let masks = try Self.worker(4)
    func mask(_ number: Int64) -> Int64 {
      if case .int(let masked) = masks.replacement(of: .int(number)) { masked } else { 0 }
    }
    for range in [Int64(0)...9, 10...99, 100...999, 1000...9999, -9...(-1), -99...(-10)] {
      #expect(Set(range.map(mask)) == Set(range))
    }
    let digits = (1...9).map { Value.double(Double($0)) }
    #expect(Set((digits + [.double(0)]).map(masks.replacement)).subtracting(digits) == [.double(0)])
    var numbers = SplitMix64(state: testSeed())
    var seen: [Int64: Int64] = [:]
    let ends: [Int64] = [.min, .max, .min + 1, .max - 1, 1_000_000_000_000_000_000]
    for number in ends
      + (0..<2000).map({ _ in Int64(bitPattern: numbers.next()) >> Int64(numbers.below(63)) })
    {
      let masked = mask(number)
      #expect("\(masked)".count == "\(number)".count && (masked < 0) == (number < 0))
      #expect(seen.updateValue(number, forKey: masked) ?? number == number)
    }
  }

  @Test("fractions keep their digits before and behind the point")
  func fractions() throws {
    let masks = try Self.worker(5)
    for number in [
      9.99, 0.5, 123.25, 1250, 0.0123, -40.7, 1e15, 3.141592653589793, 8.142857142857142, 127.33333333333333,
      1_000_000, 1e-300,
      .infinity,
    ] {
      guard case .double(let masked) = masks.replacement(of: .double(number)),
        case .float(let short) = masks.replacement(of: .float(Float(number)))
      else { continue }
      #expect(masked.sign == number.sign && masked.isFinite == number.isFinite)
      if number.magnitude > 1e-5, number.magnitude < 1e15, "\(number)".count < 15 {
        #expect("\(masked)".map { $0.isNumber ? "0" : $0 } == "\(number)".map { $0.isNumber ? "0" : $0 })
      }
      if number.magnitude >= 1, number.magnitude < 1e7 {
        #expect("\(masked)".firstIndex(of: ".") == "\(number)".firstIndex(of: "."), "\(number) \(masked)")
        #expect(
          "\(short)".firstIndex(of: ".") == "\(Float(number))".firstIndex(of: "."), "\(number) \(short)")
      }
      #expect(short.sign == Float(number).sign)
    }
    for text in [
      "12.50", "0.001", "-7", "7.000", "1234567890123456789012345678901234", "9999999999999999999", "NaN",
      "0", "0.00",
      "1000E+6108", "1E-6170",
    ] {
      let read = Decimal128(text: text.utf8.span)
      let number = try #require(read)
      guard case .decimal(let masked) = masks.replacement(of: .decimal(number)) else { continue }
      if !number.isZero {
        #expect("\(masked.coefficient)".count == "\(number.coefficient)".count, "\(text) \(masked)")
      }
      #expect(masked.high >> 49 == number.high >> 49 || !number.isFinite, "\(text) \(masked)")
    }
  }

  @Test("numbers that are equal have equal masks, and others do not, whatever their types are")
  func equalNumbers() throws {
    let masks = try Self.worker(8)
    var numbers = SplitMix64(state: testSeed())
    var texts: Set<String> = ["0", "9007199254740992", "9007199254740991", "1e22", "-1", "0.5", "100000"]
    for _ in 0..<3000 {
      let digits = Int64.random(in: -99_999...99_999, using: &numbers)
      texts.insert("\(digits)")
      texts.insert("\(Double(digits) / [10, 100, 8, 1000, 3, 7][Int(numbers.below(6))])")
    }
    // By what the mask of a double is.
    var masked: [Double: String] = [:]
    for text in texts {
      let double = try #require(Double(text))
      let read = Decimal128(text: text.utf8.span)
      var values = [Value.double(double), .decimal(try #require(read))]
      if let number = Int64(exactly: double), double.magnitude <= 0x1p53 { values.append(.int(number)) }
      if let float = Float(exactly: double), float.magnitude < 1e7, float == float.rounded() {
        values.append(.float(float))
      }
      let masks = values.map { value in
        switch masks.replacement(of: value) {
        case .int(let number): Double(number)
        case .float(let number): Double(number)
        case .double(let number): number
        case .decimal(let number): number.doubleValue
        default: Double.nan
        }
      }
      if double.magnitude <= 0x1p53, text.count < 16 { #expect(Set(masks).count == 1, "\(text) \(masks)") }
      if let other = masked.updateValue(text, forKey: masks[0]) {
        #expect(double == Double(other), "\(text) and \(other) become \(masks[0])")
      }
    }
  }

  @Test("all dates move by the same time, and stay dates")
  func dates() throws {
    let masks = try Self.worker(6)
    var offsets: Set<Int64> = []
    for (seconds, nanoseconds) in [(0, 0), (5, 700), (-5, -700), (1_700_000_000, 1), (Int64.min, -1)]
      as [(Int64, Int32)]
    {
      guard
        case .date(let masked) = masks.replacement(
          of: .date(Timestamp(seconds: seconds, nanoseconds: nanoseconds)))
      else { continue }
      #expect(masked.isStorable)
      guard seconds > .min else { continue }
      let carry = (Int64(masked.nanoseconds) - Int64(nanoseconds)) / 1_000_000_000
      offsets.insert(masked.seconds + carry - seconds)
    }
    #expect(offsets.count == 1 && !offsets.contains(0))
  }

  @Test("a date in the years 1 to 9999 stays there", arguments: 0..<8 as Range<UInt8>)
  func calendar(seed: UInt8) throws {
    let masks = try Self.worker(seed)
    let ends: [Int64] = [-62_135_596_800, 253_402_300_799]
    for seconds in ends {
      guard
        case .date(let masked) = masks.replacement(of: .date(Timestamp(seconds: seconds, nanoseconds: 0)))
      else { continue }
      #expect(masked.seconds != seconds && (ends[0]...ends[1]).contains(masked.seconds))
    }
  }

  @Test("identifiers stay valid, data keeps its size, and other ones have other masks")
  func identifiers() throws {
    let masks = try Self.worker(7)
    let read = UUIDValue(text: "6ba7b810-9dad-41d1-80b4-00c04fd430c8".utf8.span)
    let id = try #require(read)
    guard case .uuid(let masked) = masks.replacement(of: .uuid(id)) else { return }
    #expect(masked.high & 0xF000 == 0x4000 && masked.low >> 62 == 2 && masked != id)
    var seen: Set<Value> = []
    for number in 0..<1000 as Range<UInt64> {
      #expect(seen.insert(masks.replacement(of: .objectID(ObjectID(high: number, low: 7)))).inserted)
      #expect(seen.insert(masks.replacement(of: .uuid(UUIDValue(high: 0, low: number)))).inserted)
      let bytes =
        [UInt8(number & 0xFF), UInt8(number >> 8)] + [UInt8](repeating: 1, count: Int(number % 7) * 9)
      let data = masks.replacement(of: .data(ByteString(copying: bytes)))
      if case .data(let masked) = data { #expect(masked.count == bytes.count) }
      #expect(seen.insert(data).inserted)
    }
  }
}
