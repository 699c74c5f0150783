// Bytes that are counted and found many at a time, against one at a time.

import ByteText
import TestSupport
import Testing

@Suite("Bytes found many at a time")
struct ByteSearchTests {
  @Test("bytes are counted as one by one")
  func counts() {
    let seed = testSeed()
    var random = SplitMix64(state: seed)
    for size in Array(0..<70) + [255 * 16 - 1, 255 * 16, 255 * 16 + 1, 3 * 255 * 16 + 7] {
      let isFull = random.next() % 3 == 0
      let bytes = (0..<size).map { _ in isFull ? 7 : UInt8(random.next() % 9) }
      #expect(bytes.span.count(of: 7) == bytes.count { $0 == 7 }, "\(size) bytes, seed \(seed)")
    }
  }

  @Test("digits end where they end one by one")
  func digits() {
    let seed = testSeed()
    var random = SplitMix64(state: seed)
    for _ in 0..<3_000 {
      let bytes = (0..<random.next() % 24).map { _ in
        let isOther = random.next() % 10 == 0
        let others: [UInt8] = [0x2F, 0x3A, 0x2E, 0, 0x10, 0xB0, 0xB5, 0xFF]
        return isOther ? others.randomElement(using: &random) ?? 0 : UInt8(0x30 + random.next() % 10)
      }
      let start = Int(random.next() % UInt64(bytes.count + 1))
      let end = bytes[start...].firstIndex { !(0x30...0x39).contains($0) } ?? bytes.count
      #expect(bytes.span.digitsEnd(from: start) == end, "\(bytes) from \(start), seed \(seed)")
    }
  }

  @Test("bytes of any number are compared to the last one")
  func comparison() {
    func isFound(_ literal: [UInt8], in bytes: [UInt8], at place: Int) -> Bool {
      bytes.span.hasBytes(literal.span, at: place)
    }
    for size in 0..<40 {
      let literal = (0..<size).map(UInt8.init)
      let bytes = [0xEE, 0xEE, 0xEE] + literal + [0xEE]
      #expect(isFound(literal, in: bytes, at: 3))
      #expect(size == 0 || !isFound(literal, in: bytes, at: 2))
      #expect(!isFound(literal + [0xEE, 0], in: bytes, at: 3), "beyond the end")
      for index in literal.indices {
        var other = bytes
        other[3 + index] ^= 0x80
        #expect(!isFound(literal, in: other, at: 3), "byte \(index) of \(size)")
      }
    }
  }

  @Test("a run of bytes ends where it ends byte by byte")
  func runs() {
    let seed = testSeed()
    var random = SplitMix64(state: seed)
    let others: [UInt8] = [0, 1, 9, 0x0A, 0x0D, 0x0E, 0x1F, 0x20, 0x2C, 0x5C, 0x7F, 0x80, 0xC3, 0xFF]
    for _ in 0..<3_000 {
      let bytes = (0..<random.next() % 40).map { _ in
        random.next() % 12 == 0 ? others.randomElement(using: &random) ?? 0 : UInt8(0x21 + random.next() % 11)
      }
      let start = Int(random.next() % UInt64(bytes.count + 1))
      let first: UInt8 = [0x2C, 0x09, 0xFE].randomElement(using: &random) ?? 0
      let second: UInt8 = random.next() % 2 == 0 ? 0x5C : 0x0A
      let limit: UInt8 = [0, 0x0E, 0x20, 0x80].randomElement(using: &random) ?? 0
      let end = bytes[start...].firstIndex { $0 == first || $0 == second || $0 < limit } ?? bytes.count
      let found = bytes.span.runEnd(from: start, before: first, second, orBelow: limit)
      #expect(found.end == end, "\(bytes) from \(start), seed \(seed)")
      #expect(found.isASCII == bytes[start..<end].allSatisfy { $0 < 0x80 }, "\(bytes), seed \(seed)")
    }
  }
}
