// Memory that holds a file's bytes: mapped, reserved for decrypted pages, or read from a stream.
// Layer: Bytes. Invariant: `size` bytes from `base` are addressable until deinit; which of them already hold
// their content is the business of the layer above.

import CPlatform

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Owns an address range and gives it back at the end.
@safe package final class MemoryImage: @unchecked Sendable {
  private let base: UnsafeMutableRawPointer
  private let mappedSize: Int
  package let size: Int
  /// Whose range it is; nil for its own.
  private let owner: MemoryImage?

  @unsafe private init(
    base: UnsafeMutableRawPointer, mappedSize: Int, size: Int, owner: MemoryImage? = nil
  ) {
    unsafe self.base = base
    self.mappedSize = mappedSize
    self.size = size
    self.owner = owner
  }

  deinit { if owner == nil { unsafe munmap(base, mappedSize) } }

  /// The first `size` bytes of the same memory.
  package func prefix(_ size: Int) -> MemoryImage {
    precondition(size >= 0 && size <= self.size)
    return unsafe MemoryImage(base: base, mappedSize: mappedSize, size: size, owner: self)
  }

  /// Maps `size` bytes of an open file for reading, from its beginning. Nil: the system refused (see errno).
  package static func mapping(descriptor: Int32, size: Int) -> MemoryImage? {
    map(size: size, protection: PROT_READ, flags: MAP_SHARED, descriptor: descriptor)
  }

  /// Reserves `size` zero bytes that cost memory only where they are written.
  package static func reserving(size: Int) -> MemoryImage? {
    map(
      size: size, protection: PROT_READ | PROT_WRITE,
      flags: MAP_PRIVATE | MAP_ANONYMOUS | reserveFlag, descriptor: -1)
  }

  /// The same for what grows by use: as many of `most` bytes as the system gives address space for, and at least a
  /// megabyte.
  package static func reserving(upTo most: Int) -> MemoryImage? {
    var size = most
    while size >= growingSizeMin {
      if let image = reserving(size: size) { return image }
      size /= 4
    }
    return nil
  }

  private static let growingSizeMin = 1 << 20

  private static func map(size: Int, protection: Int32, flags: Int32, descriptor: Int32) -> MemoryImage? {
    let mappedSize = max(size, 1)
    guard let base = unsafe mmap(nil, mappedSize, protection, flags, descriptor, 0),
      unsafe base != MAP_FAILED
    else { return nil }
    return unsafe MemoryImage(base: base, mappedSize: mappedSize, size: size)
  }

  /// Gives back what `offset ..< offset + count` of a reserved image costs; the bytes are zero again. Whole pages.
  package func discard(_ offset: Int, _ count: Int) {
    precondition(offset >= 0 && count >= 0 && offset <= size - count)
    // Without effect the bytes stay, which costs memory only.
    _ = unsafe madvise(base + offset, count, MADV_DONTNEED)
  }

  /// Sets bits of a word of a reserved image, whatever other threads do with it; gives the word as it was.
  func setBits(_ mask: UInt64, ofWord index: Int) -> UInt64 {
    precondition(index >= 0 && index < size / 8)
    return unsafe platform_set_bits(base.assumingMemoryBound(to: UInt64.self), index, mask)
  }

  package var bytes: RawBytes { unsafe RawBytes(start: base, count: size) }

  /// Writable bytes of a reserved image; never call it on a mapping of a file.
  package func mutableBytes(_ offset: Int, _ count: Int) -> MutableRawBytes {
    precondition(offset >= 0 && count >= 0 && offset <= size - count)
    return unsafe MutableRawBytes(start: base + offset, count: count)
  }
}

#if canImport(Glibc)
  private let reserveFlag = MAP_NORESERVE
#else
  private let reserveFlag: Int32 = 0
#endif
