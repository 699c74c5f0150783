// Writable bytes of a slab, a page buffer or a reserved image. Layer: Bytes.

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A bounds-known view of bytes that may be written; the owner of the memory outlives it.
@safe package struct MutableRawBytes: @unchecked Sendable {
  let start: UnsafeMutableRawPointer
  package let count: Int

  @unsafe package init(start: UnsafeMutableRawPointer, count: Int) {
    unsafe self.start = start
    self.count = count
  }

  package var readable: RawBytes { unsafe RawBytes(start: start, count: count) }

  /// Stores a little-endian integer; all its bytes must be in bounds.
  package func store<T: FixedWidthInteger & BitwiseCopyable>(_ value: T, at offset: Int) {
    precondition(offset >= 0 && offset <= count - MemoryLayout<T>.size)
    unsafe start.storeBytes(of: value.littleEndian, toByteOffset: offset, as: T.self)
  }

  package func copy(_ source: RawBytes, at offset: Int) {
    precondition(offset >= 0 && offset <= count - source.count)
    _ = unsafe memmove(start + offset, source.start, source.count)
  }

  package func copy(_ source: Span<UInt8>, at offset: Int) {
    precondition(offset >= 0 && offset <= count - source.count)
    unsafe source.withUnsafeBufferPointer { source in
      guard let from = source.baseAddress else { return }
      _ = unsafe memmove(start + offset, from, source.count)
    }
  }

  package func zero(_ offset: Int, _ length: Int) {
    precondition(offset >= 0 && length >= 0 && offset <= count - length)
    _ = unsafe memset(start + offset, 0, length)
  }

  package func slice(_ offset: Int, _ length: Int) -> MutableRawBytes {
    precondition(offset >= 0 && length >= 0 && offset <= count - length)
    return unsafe MutableRawBytes(start: start + offset, count: length)
  }

  /// Lends the bytes to a reader or a C call.
  package func withBuffer<R, E: Error>(
    _ body: (UnsafeMutableRawBufferPointer) throws(E) -> R
  ) throws(E) -> R {
    try unsafe body(UnsafeMutableRawBufferPointer(start: start, count: count))
  }
}
