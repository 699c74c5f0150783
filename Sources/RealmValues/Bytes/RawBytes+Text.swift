// What is to be known of bytes that may be text. Layer: Bytes.

import ByteText

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

extension RawBytes {
  /// Where `other`, which is not empty, stands first from `start` on.
  package func firstIndex(of other: RawBytes, from start: Int) -> Int? {
    precondition(start >= 0 && other.count > 0)
    let first = Int32(other[0])
    var next = start
    while next <= count - other.count {
      guard let found = unsafe memchr(self.start + next, first, count - other.count + 1 - next) else {
        return nil
      }
      next = unsafe UnsafeRawPointer(found) - self.start
      if slice(next, other.count).equals(other) { return next }
      next += 1
    }
    return nil
  }

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

extension MutableRawBytes {
  /// Fills all of it with the ASCII text `source` of the same length, its letters in capitals or small.
  package func fill(withASCII source: RawBytes, inCapitals: Bool) {
    precondition(count == source.count)
    let first = UInt8(ascii: inCapitals ? "a" : "A")
    let text = source.span
    unsafe withBuffer { target in
      for index in 0..<text.count {
        let byte = text[index]
        unsafe target[index] = byte &- first < 26 ? byte ^ 0x20 : byte
      }
    }
  }
}
