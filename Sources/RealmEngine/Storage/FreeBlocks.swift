// Free blocks of a file by their size. Layer: Storage.
// Invariant: a block is in the bin of its size. Small sizes have a bin each; larger ones share one with sizes up to an
// eighth above.

/// Blocks to choose from by size. Cost of a choice: a look at the bins, and at some blocks of one of them, however many
/// blocks there are.
struct FreeBlocks {
  private var bins: [[Extent]] = []

  /// Sizes below it, in steps of 8, have bins of their own.
  private static let exactLimit = 2048
  private static let exactCount = exactLimit / 8
  private static let binsPerDoubling = 8
  /// So many blocks of a bin are looked at, the youngest, before the next larger sizes are tried.
  private static let candidatesMax = 256

  private static func bin(of size: Int) -> Int {
    if size < exactLimit { return size / 8 }
    let exponent = Int.bitWidth - 1 - size.leadingZeroBitCount
    let base = exactLimit.trailingZeroBitCount
    return exactCount + (exponent - base) * binsPerDoubling + (size >> (exponent - 3)) % binsPerDoubling
  }

  mutating func insert(_ extent: Extent) {
    let bin = Self.bin(of: extent.size)
    while bins.count <= bin { bins.append([]) }
    bins[bin].append(extent)
  }

  private mutating func take(_ bin: Int, _ index: Int) -> Extent {
    // The order inside a bin does not matter.
    bins[bin].swapAt(index, bins[bin].count - 1)
    return bins[bin].removeLast()
  }

  /// A block of exactly `size` bytes.
  mutating func takeExact(_ size: Int) -> Extent? {
    let bin = Self.bin(of: size)
    guard bin < bins.count,
      let index = bins[bin].suffix(Self.candidatesMax).lastIndex(where: { $0.size == size })
    else { return nil }
    return take(bin, index)
  }

  /// A block of at least `size` bytes, and of few more if there is one.
  mutating func takeLeast(_ size: Int) -> Extent? {
    var bin = Self.bin(of: size)
    while bin < bins.count {
      if bin < Self.exactCount, let block = bins[bin].popLast() { return block }
      let best = bins[bin].indices.suffix(Self.candidatesMax).filter { bins[bin][$0].size >= size }
        .min { bins[bin][$0].size < bins[bin][$1].size }
      if let best { return take(bin, best) }
      bin += 1
    }
    return nil
  }

  /// One of the largest blocks that has `size` bytes.
  mutating func takeLargest(_ size: Int) -> Extent? {
    guard let bin = bins.lastIndex(where: { !$0.isEmpty }),
      let index = bins[bin].indices.suffix(Self.candidatesMax)
        .max(by: { bins[bin][$0].size < bins[bin][$1].size }),
      bins[bin][index].size >= size
    else { return nil }
    return take(bin, index)
  }

  /// The block in front of `end`.
  mutating func take(endingAt end: Int) -> Extent? {
    for bin in bins.indices {
      if let index = bins[bin].firstIndex(where: { $0.end == end }) { return take(bin, index) }
    }
    return nil
  }

  /// All blocks, in no order.
  var all: [Extent] { bins.flatMap { $0 } }
}
