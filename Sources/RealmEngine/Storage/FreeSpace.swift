// Where a commit may put its nodes: space that no snapshot in use refers to, and new space at the end. Layer: Storage.
// Invariants: a node never crosses a boundary of 64 MiB; what is taken was free; blocks keep apart, in order, and are
// merged where they touch.

/// The free space that one commit allocates from.
package struct FreeSpace {
  /// No node lies across a multiple of this.
  package static let sectionSize = 1 << 26
  private static let pageSize = 4096
  private static let growthMax = 1 << 20

  /// Blocks by position, without the one in use.
  private var blocks: [Extent]
  /// What is left of the block that nodes are being put into.
  private var current: Extent?
  /// End of all bytes that are accounted for.
  package private(set) var logicalSize: Int
  private let initialSize: Int

  /// `extents` are in order and apart.
  package init(_ extents: [Extent], logicalSize: Int) {
    blocks = Self.merged(extents)
    self.logicalSize = logicalSize
    initialSize = logicalSize
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

  /// Where `size` bytes fit into an extent without crossing a section; nil where they don't.
  private static func place(_ size: Int, in extent: Extent) -> Int? {
    let section = extent.offset & ~(sectionSize - 1)
    let boundary = section + sectionSize
    if extent.offset + size <= boundary { return size <= extent.size ? extent.offset : nil }
    return boundary + size <= extent.end && size <= sectionSize ? boundary : nil
  }

  /// Chooses the block that the next nodes go into: the least that holds `size` bytes, so that what belongs together
  /// stays together and large blocks stay whole.
  package mutating func prefer(_ size: Int) {
    putBack()
    var best: Int?
    for (index, block) in blocks.enumerated() where Self.place(min(size, 1 << 20), in: block) != nil {
      guard let chosen = best else {
        best = index
        continue
      }
      let fits = block.size >= size
      let chosenFits = blocks[chosen].size >= size
      if fits != chosenFits
        ? fits : fits ? block.size < blocks[chosen].size : block.size > blocks[chosen].size
      {
        best = index
      }
    }
    if let best { current = blocks.remove(at: best) }
  }

  /// Takes `size` bytes, a multiple of 8; grows the file when nothing fits.
  package mutating func take(_ size: Int) -> Int {
    precondition(size > 0 && size & 7 == 0 && size <= Self.sectionSize)
    while true {
      if let extent = current, let offset = Self.place(size, in: extent) {
        if offset > extent.offset {
          insert(Extent(offset: extent.offset, size: offset - extent.offset))
        }
        let rest = Extent(offset: offset + size, size: extent.end - offset - size)
        current = rest.size > 0 ? rest : nil
        return offset
      }
      putBack()
      if let index = largest(for: size) {
        current = blocks.remove(at: index)
      } else {
        grow(by: size)
      }
    }
  }

  private func largest(for size: Int) -> Int? {
    var best: Int?
    for (index, block) in blocks.enumerated()
    where Self.place(size, in: block) != nil && block.size > (best.map { blocks[$0].size } ?? 0) {
      best = index
    }
    return best
  }

  private mutating func putBack() {
    if let extent = current { insert(extent) }
    current = nil
  }

  private mutating func insert(_ extent: Extent) {
    var low = 0
    var high = blocks.count
    while low < high {
      let middle = (low + high) / 2
      if blocks[middle].offset < extent.offset { low = middle + 1 } else { high = middle }
    }
    var joined = extent
    if low < blocks.count, joined.end == blocks[low].offset {
      joined = Extent(offset: joined.offset, size: joined.size + blocks[low].size)
      blocks.remove(at: low)
    }
    if low > 0, blocks[low - 1].end == joined.offset {
      blocks[low - 1] = Extent(offset: blocks[low - 1].offset, size: blocks[low - 1].size + joined.size)
    } else {
      blocks.insert(joined, at: low)
    }
  }

  private mutating func grow(by size: Int) {
    let step = max(Self.pageSize, min(Self.growthMax, logicalSize / 4))
    // A node that would cross a section begins at the next one.
    let boundary = (logicalSize | (Self.sectionSize - 1)) + 1
    let start = logicalSize + size > boundary ? boundary : logicalSize
    let end = (start + max(size, step) + Self.pageSize - 1) & ~(Self.pageSize - 1)
    insert(Extent(offset: logicalSize, size: end - logicalSize))
    logicalSize = end
  }

  /// Gives back new space at the end that was not needed; whole pages only.
  package mutating func trim() {
    putBack()
    guard let last = blocks.last, last.end == logicalSize, logicalSize > initialSize else { return }
    let end = max(initialSize, (last.offset + Self.pageSize - 1) & ~(Self.pageSize - 1))
    guard end < logicalSize else { return }
    blocks.removeLast()
    if end > last.offset { blocks.append(Extent(offset: last.offset, size: end - last.offset)) }
    logicalSize = end
  }

  /// All that is left, in order.
  package var remaining: [Extent] {
    var copy = self
    copy.putBack()
    return copy.blocks
  }
}
