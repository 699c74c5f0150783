// What is to be known of bytes that may be text. Layer: Bytes.

import ByteText

extension RawBytes {
  /// Whether all bytes are below 0x80. Cost: one step for 8 bytes.
  package var isASCII: Bool {
    var index = 0
    while index + 8 <= count {
      if load(UInt64.self, at: index) & 0x8080_8080_8080_8080 != 0 { return false }
      index += 8
    }
    while index < count {
      if self[index] >= 0x80 { return false }
      index += 1
    }
    return true
  }

  /// Whether the bytes are well-formed UTF-8.
  package var isUTF8: Bool {
    unsafe withBuffer { firstInvalidUTF8Index(in: unsafe $0.assumingMemoryBound(to: UInt8.self).span) == nil }
  }
}
