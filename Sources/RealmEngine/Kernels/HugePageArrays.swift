// Arrays of millions of numbers, in pages that suit them, and filled without a detour. Layer: Kernels.
// Filling fresh memory takes the system one interruption a page: with pages of 2 MiB a few, with the usual ones
// thousands, which take longer than what is done with the numbers.

#if canImport(Glibc)
  import Glibc
#endif

extension Array {
  /// Makes room for `count` elements in all.
  mutating func reserveLarge(_ count: Int) {
    guard capacity < count else { return }
    reserveCapacity(count)
    #if canImport(Glibc)
      let pageSize = 1 << 21
      guard capacity * MemoryLayout<Element>.stride >= 2 * pageSize else { return }
      unsafe withUnsafeMutableBufferPointer { elements in
        guard let start = elements.baseAddress else { return }
        let size = count * MemoryLayout<Element>.stride
        let before = -Int(bitPattern: start) & (pageSize - 1)
        // Only a wish: where it is not granted, nothing else changes.
        unsafe madvise(
          UnsafeMutableRawPointer(start) + before, (size - before) & -pageSize, MADV_HUGEPAGE)
      }
    #endif
  }

  /// Adds as many elements as `body` makes, which are `count` at most. Where that is 0, an empty array is left alone: the
  /// standard library would note its count in memory that all empty arrays of the process share.
  @inline(__always)
  mutating func append<Failure: Error>(
    upTo count: Int, _ body: (inout OutputSpan<Element>) throws(Failure) -> Void
  ) throws(Failure) {
    if count > 0 { return try append(addingCapacity: count, initializingWith: body) }
    var none = OutputSpan<Element>()
    try body(&none)
  }
}
