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

  @Test("a blank is what Unicode calls one among the ASCII characters")
  func blanks() {
    for byte in UInt8.min...0x7F {
      #expect(byte.isASCIIBlank == Unicode.Scalar(byte).properties.isWhitespace, "\(byte)")
    }
    #expect(!(0x80...UInt8.max).contains { $0.isASCIIBlank })
  }
}
