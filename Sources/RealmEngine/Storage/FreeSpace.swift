// Where a commit may put its nodes: space that no snapshot in use refers to, and new space at the end. Layer: Storage.
// Invariants: a node never crosses a boundary of 64 MiB; what is taken was free. Few nodes go each where they fit best, so
// that what small commits give up is what the next ones need; many nodes follow each other in large blocks.

/// The free space that one commit allocates from.
package struct FreeSpace {
  /// No node lies across a multiple of this.
  package static let sectionSize = 1 << 26
  private static let pageSize = 4096
  private static let growthMax = 1 << 20
  /// Bytes of new nodes from which on they are put one behind the other.
  private static let runSizeMin = 1 << 18

  /// Without the block in use.
  private var blocks = FreeBlocks()
  /// What is left of the block that nodes are being put into, one behind the other.
  private var current: Extent?
  private var isRun = false
  /// End of all bytes that are accounted for.
  package private(set) var logicalSize: Int
  private let initialSize: Int

  /// `extents` are in order and apart.
  package init(_ extents: [Extent], logicalSize: Int) {
    self.logicalSize = logicalSize
    initialSize = logicalSize
    for extent in Self.merged(extents) { insert(extent) }
  }

  /// Joins what touches; the input is sorted by position.
  package static func merged(_ extents: [Extent]) -> [Extent] {
    var merged: [Extent] = []
    merged.reserveCapacity(extents.count)
    for extent in extents where extent.size > 0 {
      if let last = merged.last, last.end == extent.offset {
        merged[merged.count - 1] = Extent(offset: last.offset, size: last.size + extent.size)
      } else {
        merged.append(extent)
      }
    }
    return merged
  }

  /// Says how many bytes the nodes that follow take together. Many are put one behind the other, into the least block that
  /// holds all of them, or the largest.
  package mutating func prefer(_ size: Int) {
    putBack()
    isRun = size >= Self.runSizeMin
    if isRun { current = blocks.takeLeast(min(size, Self.sectionSize)) ?? blocks.takeLargest(8) }
  }

  /// Takes `size` bytes, a multiple of 8; grows the file when nothing fits.
  package mutating func take(_ size: Int) -> Int {
    precondition(size > 0 && size & 7 == 0 && size <= Self.sectionSize)
    while true {
      if let extent = current, extent.size >= size {
        let rest = Extent(offset: extent.offset + size, size: extent.size - size)
        current = rest.size > 0 ? rest : nil
        if !isRun { putBack() }
        return extent.offset
      }
      putBack()
      current = isRun ? blocks.takeLargest(size) : bestFit(size)
      if current == nil { grow(by: size) }
    }
  }

  /// A block of just this size, or one of which a useful rest remains; any that fits when there is no such block.
  private mutating func bestFit(_ size: Int) -> Extent? {
    blocks.takeExact(size) ?? blocks.takeLeast(2 * size) ?? blocks.takeLeast(size)
  }

  private mutating func putBack() {
    if let extent = current { blocks.insert(extent) }
    current = nil
  }

  /// Adds a block, in parts that each lie in one section.
  private mutating func insert(_ extent: Extent) {
    var start = extent.offset
    while start < extent.end {
      let end = min(extent.end, (start | (Self.sectionSize - 1)) + 1)
      blocks.insert(Extent(offset: start, size: end - start))
      start = end
    }
  }

  private mutating func grow(by size: Int) {
    let step = max(Self.pageSize, min(Self.growthMax, logicalSize / 4))
    // New space continues the block at the end, if there is one.
    let tail = blocks.take(endingAt: logicalSize) ?? Extent(offset: logicalSize, size: 0)
    // A node that would cross a section begins at the next one.
    let boundary = (tail.offset | (Self.sectionSize - 1)) + 1
    let start = tail.offset + size > boundary ? boundary : tail.offset
    let end = (max(start + size, tail.end + step) + Self.pageSize - 1) & ~(Self.pageSize - 1)
    insert(Extent(offset: tail.offset, size: end - tail.offset))
    logicalSize = end
  }

  /// What the logical size can grow to when `size` more bytes are taken at once.
  package func sizeMax(afterTaking size: Int) -> Int {
    logicalSize + 2 * size + Self.growthMax + Self.pageSize
  }

  /// Gives back new space at the end that was not needed; whole pages only.
  package mutating func trim() {
    putBack()
    guard logicalSize > initialSize, let last = remaining.last, last.end == logicalSize else { return }
    let end = max(initialSize, (last.offset + Self.pageSize - 1) & ~(Self.pageSize - 1))
    while logicalSize > end, let part = blocks.take(endingAt: logicalSize) {
      logicalSize = max(end, part.offset)
      if part.offset < end { insert(Extent(offset: part.offset, size: end - part.offset)) }
    }
  }

  /// All that is left, in order.
  package var remaining: [Extent] {
    var all = blocks.all
    if let current { all.append(current) }
    return Self.merged(all.sorted { $0.offset < $1.offset })
  }
}
