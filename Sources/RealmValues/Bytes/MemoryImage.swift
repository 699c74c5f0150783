// Memory that holds a file's bytes: mapped, reserved for decrypted pages, or read from a stream.
// Layer: Bytes. Invariant: `size` bytes from `base` are addressable until deinit; which of them already hold
// their content is the business of the layer above.

import CPlatform
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Owns an address range and gives it back at the end.
@safe package final class MemoryImage: @unchecked Sendable {
  private let base: UnsafeMutableRawPointer
  /// Bytes that are mapped: all that are meant to be, or so many as were asked for until now.
  private let mappedSize: Atomic<Int>
  package let size: Int
  /// Whose range it is; nil for its own.
  private let owner: MemoryImage?

  @unsafe private init(
    base: UnsafeMutableRawPointer, mappedSize: Int, size: Int, owner: MemoryImage? = nil
  ) {
    unsafe self.base = base
    self.mappedSize = Atomic(mappedSize)
    self.size = size
    self.owner = owner
  }

  deinit {
    guard owner == nil else { return }
    let size = mappedSize.load(ordering: .relaxed)
    if size >= Self.largeSize { unsafe Self.letGo(base, size) }
    unsafe munmap(base, size)
  }

  private static let largeSize = 1 << 26

  /// Lets all pages go, on the threads that a scan has left: to take away what they have mapped is a fifth of a scan's time.
  @inline(never)
  private static func letGo(_ base: UnsafeMutableRawPointer, _ size: Int) {
    let workers = ParallelWork.keptCount + 1
    guard workers > 1 else { return }
    let share = (size / workers + growthMin - 1) & -growthMin
    let start = UInt(bitPattern: base)
    ParallelWork.run(workers: workers) { worker in
      let (first, end) = (min(size, worker * share), min(size, (worker + 1) * share))
      guard first < end else { return }
      _ = unsafe madvise(UnsafeMutableRawPointer(bitPattern: start + UInt(first)), end - first, MADV_DONTNEED)
    }
  }

  /// The first `size` bytes of the same memory.
  package func prefix(_ size: Int) -> MemoryImage {
    precondition(size >= 0 && size <= self.size)
    return unsafe MemoryImage(base: base, mappedSize: size, size: size, owner: self)
  }

  /// Maps `size` bytes of an open file for reading, from its beginning. Nil: the system refused (see errno).
  package static func mapping(descriptor: Int32, size: Int) -> MemoryImage? {
    let image = map(size: size, protection: PROT_READ, flags: MAP_SHARED, descriptor: descriptor)
    #if canImport(Glibc)
      // Read from the disk and mapped 2 MiB at a time, a file of gigabytes that is met for the first time is read in three
      // fourths of the time, and an object is found in a fourth of it; what reads the file next takes half as long as
      // with the small pages that would lie in memory. Only a wish: where it is not granted, nothing else changes.
      if let image, size >= hugePage { _ = unsafe madvise(image.base, size, MADV_HUGEPAGE) }
    #endif
    return image
  }

  private static let hugePage = 1 << 21

  /// Maps them so that they may be changed in memory, for nobody else and not in the file.
  package static func changeable(descriptor: Int32, size: Int) -> MemoryImage? {
    map(
      size: size, protection: PROT_READ | PROT_WRITE, flags: MAP_PRIVATE | reserveFlag, descriptor: descriptor
    )
  }

  /// The same bytes as other processes have them mapped: what one of them writes, all see.
  package static func shared(descriptor: Int32, size: Int) -> MemoryImage? {
    map(size: size, protection: PROT_READ | PROT_WRITE, flags: MAP_SHARED, descriptor: descriptor)
  }

  /// The word at `offset`, a multiple of 8, as other threads and processes have left it now.
  package func sharedNumber(at offset: Int) -> UInt64 {
    precondition(offset >= 0 && offset % 8 == 0 && offset <= size - 8)
    return unsafe platform_load_number(base + offset)
  }

  /// Reserves `size` zero bytes that cost memory only where they are written.
  package static func reserving(size: Int) -> MemoryImage? {
    map(
      size: size, protection: PROT_READ | PROT_WRITE,
      flags: MAP_PRIVATE | MAP_ANONYMOUS | reserveFlag, descriptor: -1)
  }

  /// A copy of `bytes`.
  package static func holding(_ bytes: [UInt8]) -> MemoryImage? {
    let image = reserving(size: bytes.count)
    if let image { bytes.withRawBytes { image.mutableBytes(0, bytes.count).copy($0, at: 0) } }
    return image
  }

  /// As many bytes, of which only those may be used that `grow` was asked for: where the process may not have so large
  /// an address space, it is taken piece by piece.
  package static func growing(sizeMax: Int) -> MemoryImage? {
    if let whole = reserving(size: sizeMax) { return whole }
    // Far from where the system places what has no place of its own, so that there is room behind.
    let room = growingCount.wrappingAdd(1, ordering: .relaxed).oldValue % growingCountMax
    let place = unsafe UnsafeMutableRawPointer(bitPattern: firstGrowing + room << growingShift)
    guard let start = unsafe mapPiece(at: place, growthMin) else { return nil }
    return unsafe MemoryImage(base: start, mappedSize: growthMin, size: sizeMax)
  }

  private static let growingCount = Atomic(0)
  private static let growingCountMax = 64
  private static let firstGrowing = 1 << 44
  private static let growingShift = 38
  /// 16 MiB.
  private static let growthMin = 1 << 24
  private static let growth = Mutex<Void>(())

  /// What to do where memory is short.
  package static let limitHint = "limits of the shell may be too low: see `ulimit -v` and `ulimit -d`"

  /// Makes the first `count` bytes usable. False: the process may not have so much memory.
  @inline(__always)
  package func grow(to count: Int) -> Bool {
    count <= mappedSize.load(ordering: .acquiring) || growSlowly(to: count)
  }

  @inline(never)
  private func growSlowly(to count: Int) -> Bool {
    guard count <= size else { return false }
    return Self.growth.withLock { _ in
      let mapped = mappedSize.load(ordering: .relaxed)
      guard count > mapped else { return true }
      let piece = (count - mapped + Self.growthMin - 1) & -Self.growthMin
      let wanted = unsafe base + mapped
      guard let start = unsafe Self.mapPiece(at: wanted, piece) else { return false }
      guard unsafe start == wanted else {
        unsafe munmap(start, piece)
        return false
      }
      mappedSize.store(mapped + piece, ordering: .releasing)
      return true
    }
  }

  private static func mapPiece(
    at place: UnsafeMutableRawPointer?, _ size: Int, _ flags: Int32 = 0
  ) -> UnsafeMutableRawPointer? {
    let flags = flags | MAP_PRIVATE | MAP_ANONYMOUS | reserveFlag
    let start = unsafe mmap(place, size, PROT_READ | PROT_WRITE, flags, -1, 0)
    return unsafe start == MAP_FAILED ? nil : start
  }

  /// Keeps bytes that nobody has used yet in a file instead, which has room for them, at the same offset; in memory still where
  /// that cannot be. False: they are nowhere now. Whole pages.
  package func keep(_ range: Range<Int>, in descriptor: Int32) -> Bool {
    precondition(range.lowerBound >= 0 && range.upperBound <= size)
    let place = unsafe base + range.lowerBound
    if unsafe platform_map_for_writing(place, range.count, descriptor, Int64(range.lowerBound)) == 0 {
      return true
    }
    return unsafe Self.mapPiece(at: place, range.count, MAP_FIXED) == place
  }

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
    let mapped = min(count, max(0, mappedSize.load(ordering: .relaxed) - offset))
    _ = unsafe madvise(base + offset, mapped, MADV_DONTNEED)
  }

  /// Sets bits of a word of a reserved image, whatever other threads do with it; gives the word as it was.
  package func setBits(_ mask: UInt64, ofWord index: Int) -> UInt64 {
    precondition(index >= 0 && index < size / 8)
    return unsafe platform_set_bits(base.assumingMemoryBound(to: UInt64.self), index, mask)
  }

  /// Sets a byte of a reserved image at once; of several threads that set it, one has set it in the end.
  package func setByte(_ index: Int, to value: UInt8) {
    precondition(index >= 0 && index < size)
    unsafe platform_store_byte(base.assumingMemoryBound(to: UInt8.self), index, value)
  }

  package var bytes: RawBytes { unsafe RawBytes(start: base, count: size) }

  /// Writable bytes of a reserved, a changeable or a shared image; never call it on another mapping of a file.
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
