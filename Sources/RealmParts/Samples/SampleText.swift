// Texts for sample objects: words that can be read, now and then an empty, a long or an accented one. Layer: Samples.

/// Writes texts for one property.
struct SampleText {
  private enum Form { case words, mail, phone, address }

  private let form: Form
  /// What was written last.
  private(set) var bytes: [UInt8] = []

  private static let forms: [(part: String, form: Form)] = [
    ("mail", .mail), ("phone", .phone), ("url", .address), ("website", .address),
  ]
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
      for _ in 0..<7 { bytes.append(Self.digits[numbers.below(10)]) }
    case .address:
      bytes += Array("https://example.com/".utf8)
      writeWord(&numbers)
    }
  }

  /// A text that no other object has.
  mutating func writeKey(_ number: Int, of className: String) {
    bytes.removeAll(keepingCapacity: true)
    bytes += Array("\(className.lowercased())-\(number + 1)".utf8)
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
