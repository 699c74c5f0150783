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

  @Test("a cell ends where it ends byte by byte")
  func cells() {
    let seed = testSeed()
    var random = SplitMix64(state: seed)
    let others: [UInt8] = [0, 1, 9, 0x0A, 0x0B, 0x0D, 0x0E, 0x2C, 0x5C, 0x7F, 0x80, 0xC3, 0xFF]
    for _ in 0..<3_000 {
      let bytes = (0..<random.next() % 40).map { _ in
        random.next() % 12 == 0 ? others.randomElement(using: &random) ?? 0 : UInt8(0x20 + random.next() % 12)
      }
      let start = Int(random.next() % UInt64(bytes.count + 1))
      let separator: UInt8 = [0x2C, 0x09, 0xFE].randomElement(using: &random) ?? 0
      let escape: UInt8 = random.next() % 2 == 0 ? 0x5C : 0x0A
      let ends: [UInt8] = [separator, escape, 0x0A, 0x0D]
      let end = bytes[start...].firstIndex { ends.contains($0) } ?? bytes.count
      let found = bytes.span.cellEnd(from: start, separator: separator, escape: escape)
      #expect(found.end == end, "\(bytes) from \(start), seed \(seed)")
      #expect(found.isASCII == bytes[start..<end].allSatisfy { $0 < 0x80 }, "\(bytes), seed \(seed)")
    }
  }
}
