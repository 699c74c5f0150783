// Finding and comparing bytes at the speed of the C library. Layer: ByteText, a bridge to it.

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

extension Span<UInt8> {
  /// The first place of `byte` from `start` on, which must be in bounds or the end.
  package func firstIndex(of byte: UInt8, from start: Int) -> Int? {
    precondition(start >= 0 && start <= count)
    return unsafe withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress,
        let found = unsafe memchr(base + start, Int32(byte), bytes.count - start)
      else { return nil }
      return unsafe UnsafeRawPointer(found) - base
    }
  }

  /// Whether `literal` stands at `start`, which must be in bounds or the end.
  package func hasBytes(_ literal: Span<UInt8>, at start: Int) -> Bool {
    precondition(start >= 0 && start <= count)
    guard literal.count <= count - start else { return false }
    return unsafe withUnsafeBytes { bytes in
      unsafe literal.withUnsafeBytes { literal in
        guard let base = bytes.baseAddress, let wanted = literal.baseAddress else { return true }
        return unsafe memcmp(base + start, wanted, literal.count) == 0
      }
    }
  }
}
