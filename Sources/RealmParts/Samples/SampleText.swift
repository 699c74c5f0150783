// Texts for sample objects: words that can be read, now and then an empty, a long or an accented one. Layer: Samples.

import ByteText
import RealmEngine

/// Writes texts for one property.
struct SampleText {
  private enum Form { case words, mail, phone, address, uuid, zip, currency }

  private let form: Form
  /// What was written last.
  private(set) var bytes: [UInt8] = []

  private static let forms: [(part: String, form: Form)] = [
    ("mail", .mail), ("phone", .phone), ("url", .address), ("website", .address), ("uuid", .uuid),
    ("zip", .zip), ("currency", .currency),
  ]
  private static let currencies = ["CHF", "EUR", "GBP", "INR", "JPY", "USD"].map { Array($0.utf8) }
  private static let consonants = Array("bdfgklmnprstvz".utf8)
  private static let vowels = Array("aeiou".utf8)
  private static let accented = Array("é".utf8)
  private static let digits = Array("0123456789".utf8)
  private static let rare = 32
  private static let manyWords = 30

  /// `name`: of the property, which says what its texts look like.
  init(_ name: String) {
    let lower = Array(name.lowercased().utf8)
    form =
      Self.forms.first { part, _ in
        let wanted = Array(part.utf8)
        return lower.indices.contains { lower[$0...].starts(with: wanted) }
      }?.form ?? .words
  }

  mutating func write(_ numbers: inout SeededNumbers) {
    bytes.removeAll(keepingCapacity: true)
    switch form {
    case .words: writeWords(&numbers)
    case .mail:
      writeWord(&numbers)
      bytes += Array("@".utf8)
      writeWord(&numbers)
      bytes += Array(".example".utf8)
    case .phone:
      bytes += Array("+49 30 ".utf8)
      writeDigits(7, &numbers)
    case .address:
      bytes += Array("https://example.com/".utf8)
      writeWord(&numbers)
    case .uuid: write(uuid: numbers.next(), numbers.next())
    case .zip: writeDigits(5, &numbers)
    case .currency: bytes += Self.currencies[numbers.below(Self.currencies.count)]
    }
  }

  private mutating func writeDigits(_ count: Int, _ numbers: inout SeededNumbers) {
    for _ in 0..<count { bytes.append(Self.digits[numbers.below(10)]) }
  }

  private mutating func write(uuid high: UInt64, _ low: UInt64) {
    var text = ByteBuffer()
    UUIDValue(randomHigh: high, low: low).write(to: &text)
    bytes += text.bytes
  }

  /// A text that no other object has.
  mutating func writeKey(_ number: Int, of className: String) {
    bytes.removeAll(keepingCapacity: true)
    if form == .uuid { return write(uuid: 0, UInt64(number) + 1) }
    bytes += Array("\(className.lowercased())-\(number + 1)\(form == .mail ? "@mail.example" : "")".utf8)
  }

  private mutating func writeWords(_ numbers: inout SeededNumbers) {
    var count = 1 + numbers.below(3)
    switch numbers.below(Self.rare) {
    case 0: count = 0
    case 1: count = Self.manyWords
    case 2: bytes += Self.accented
    default: break
    }
    for index in 0..<count {
      if index > 0 { bytes.append(UInt8(ascii: " ")) }
      let start = bytes.count
      writeWord(&numbers)
      bytes[start] -= 0x20
    }
  }

  private mutating func writeWord(_ numbers: inout SeededNumbers) {
    // One number gives all letters of a word.
    var rest = numbers.next()
    for _ in 0..<2 + Int(rest & 1) {
      rest >>= 8
      bytes.append(Self.consonants[Int(rest & 0xFF) % Self.consonants.count])
      rest >>= 8
      bytes.append(Self.vowels[Int(rest & 0xFF) % Self.vowels.count])
    }
  }
}

extension UUIDValue {
  /// With the bits that say that it is random.
  init(randomHigh high: UInt64, low: UInt64) {
    self.init(high: high & ~0xF000 | 4 << 12, low: low & ~(3 << 62) | 2 << 62)
  }
}
