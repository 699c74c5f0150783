// Counts and single bytes as people see them.

import ByteText
import Testing

@Suite("Counts and blanks")
struct SizeTextTests {
  @Test("one is counted in the singular, and a plural that has no mere s is given")
  func counts() {
    #expect(
      [0, 1, 2, -1].map { counted($0, "object") } == ["0 objects", "1 object", "2 objects", "-1 objects"])
    #expect([0, 1, 2].map { counted($0, "class", "classes") } == ["0 classes", "1 class", "2 classes"])
    #expect([0, 1, 312].map(SizeText.bytes) == ["0 bytes", "1 byte", "312 bytes"])
  }

  @Test("sizes are read with any unit, in either case, whole or not")
  func sizes() {
    #expect(["1", "1000000", "12 b"].map(SizeText.byteCount) == [1, 1_000_000, 12])
    #expect(
      ["2K", "2kb", "2 KiB", "0.5G", "1.5 gib"].map(SizeText.byteCount) == [
        2048, 2048, 2048, 1 << 29, 3 << 29,
      ])
    #expect(SizeText.byteCount("9223372036854775807") == .max)
    for text in [
      "", "M", "0", "0.2", "-1", "1.2.3", ".", "1 x", "9223372036854775808", "8388608T", "9999999.9 TB",
    ] {
      #expect(SizeText.byteCount(text) == nil, "\(text)")
    }
  }

  @Test("a blank is what Unicode calls one among the ASCII characters")
  func blanks() {
    for byte in UInt8.min...0x7F {
      #expect(byte.isASCIIBlank == Unicode.Scalar(byte).properties.isWhitespace, "\(byte)")
    }
    #expect(!(0x80...UInt8.max).contains { $0.isASCIIBlank })
  }
}
