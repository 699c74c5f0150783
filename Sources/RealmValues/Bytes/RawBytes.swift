// A run of immutable bytes whose length is known. Layer: Bytes, the only place that touches addresses.
// Invariant: `start ..< start + count` stays readable while the owner of the memory (a snapshot's file image,
// a slab, a byte string's owner) lives; views are never kept beyond it.

import CPlatform

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A bounds-known view of bytes that somebody else owns. Copying it copies the address, never the bytes.
@safe package struct RawBytes: @unchecked Sendable {
  package let start: UnsafeRawPointer
  package let count: Int

  @unsafe package init(start: UnsafeRawPointer, count: Int) {
    unsafe self.start = start
    self.count = count
  }

  /// The byte at `index`, which must be in bounds.
  package subscript(index: Int) -> UInt8 {
    precondition(index >= 0 && index < count)
    return unsafe start.load(fromByteOffset: index, as: UInt8.self)
  }

  /// The little-endian integer at `offset`; all its bytes must be in bounds.
  package func load<T: FixedWidthInteger & BitwiseCopyable>(_ type: T.Type, at offset: Int) -> T {
    precondition(offset >= 0 && offset <= count - MemoryLayout<T>.size)
    return unsafe T(littleEndian: start.loadUnaligned(fromByteOffset: offset, as: T.self))
  }

  /// Up to eight bytes from `offset` on, where there must be one, as a little-endian number; zeros stand for bytes
  /// behind the end.
  @inline(__always)
  package func word(at offset: Int) -> UInt64 {
    let rest = count - offset
    if rest >= 8 { return load(UInt64.self, at: offset) }
    if rest >= 4 {
      // The halves may share bytes, which are the same in both.
      let end = UInt64(load(UInt32.self, at: count - 4)) << UInt64(8 * (rest - 4))
      return UInt64(load(UInt32.self, at: offset)) | end
    }
    var word: UInt64 = 0
    for index in 0..<rest { word |= UInt64(self[offset + index]) << UInt64(8 * index) }
    return word
  }

  /// The first sixteen bytes as two such numbers.
  package var twoWords: SIMD2<UInt64> { SIMD2(count > 0 ? word(at: 0) : 0, count > 8 ? word(at: 8) : 0) }

  package static func twoWords(_ bytes: Span<UInt8>) -> SIMD2<UInt64> {
    unsafe bytes.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return .zero }
      return unsafe RawBytes(start: start, count: bytes.count).twoWords
    }
  }

  /// `count` bytes from `offset`, which must be in bounds.
  package func slice(_ offset: Int, _ length: Int) -> RawBytes {
    precondition(offset >= 0 && length >= 0 && offset <= count - length)
    return unsafe RawBytes(start: start + offset, count: length)
  }

  /// Negative, zero or positive as the bytes sort before, with or after `other`: unsigned bytes, shorter first.
  package func compare(_ other: RawBytes) -> Int {
    let order = unsafe memcmp(start, other.start, min(count, other.count))
    return order != 0 ? Int(order) : count - other.count
  }

  /// How many bytes are the same from the beginning on, at most `max` and those of either.
  package func commonPrefixLength(_ other: RawBytes, max: Int) -> Int {
    let end = Swift.min(max, count, other.count)
    var length = 0
    while length < end {
      let difference = word(at: length) ^ other.word(at: length)
      if difference != 0 { return Swift.min(end, length + difference.trailingZeroBitCount / 8) }
      length += 8
    }
    return end
  }

  package func equals(_ other: RawBytes) -> Bool {
    unsafe count == other.count && memcmp(start, other.start, count) == 0
  }

  /// Lends the bytes to a writer or a C call.
  package func withBuffer<R, E: Error>(_ body: (UnsafeRawBufferPointer) throws(E) -> R) throws(E) -> R {
    try unsafe body(UnsafeRawBufferPointer(start: start, count: count))
  }

  /// The bytes for code that reads one by one; valid as long as the view is.
  package var span: Span<UInt8> {
    @_lifetime(borrow self) get {
      let bytes = unsafe UnsafeBufferPointer(
        start: start.assumingMemoryBound(to: UInt8.self), count: count)
      return unsafe _overrideLifetime(Span(_unsafeElements: bytes), borrowing: self)
    }
  }

  package func array() -> [UInt8] {
    unsafe [UInt8](UnsafeRawBufferPointer(start: start, count: count))
  }

  /// Asks for the first bytes of the view ahead of their use.
  @inline(__always)
  package func prefetch() {
    let lineSize = 64
    // Few requests can wait at the first cache, and more of them hold the processor up.
    let nearMax = 32 * lineSize
    var offset = 0
    if count <= nearMax {
      while offset < count {
        unsafe platform_prefetch(start + offset)
        offset &+= lineSize
      }
    } else {
      while offset < count {
        unsafe platform_prefetch_to_second_cache(start + offset)
        offset &+= lineSize
      }
    }
  }

  package var isAllZero: Bool {
    var rest = self
    while rest.count >= 8 {
      if rest.load(UInt64.self, at: 0) != 0 { return false }
      rest = rest.slice(8, rest.count - 8)
    }
    for index in 0..<rest.count where rest[index] != 0 { return false }
    return true
  }

  package static var empty: RawBytes { unsafe RawBytes(start: emptyAddress, count: 0) }
}

/// An address for views of nothing: never read, so any mapped byte will do.
private nonisolated(unsafe) let emptyAddress: UnsafeRawPointer =
  UnsafeRawPointer(UnsafeMutableRawPointer.allocate(byteCount: 16, alignment: 16))

extension SIMD2<UInt64> {
  /// As eight numbers, those of the lowest bits first.
  @inline(__always)
  package var lanes: SIMD8<UInt16> { unsafe unsafeBitCast(self, to: SIMD8<UInt16>.self) }
}

extension SIMD8<UInt16> {
  /// As two numbers, the lowest bits first.
  @inline(__always)
  package var words: SIMD2<UInt64> { unsafe unsafeBitCast(self, to: SIMD2<UInt64>.self) }
}
