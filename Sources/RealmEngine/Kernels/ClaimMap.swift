// Which bytes of a range belong to somebody, one bit for each 8 of them; several threads claim at once. Layer: Kernels.
// Invariant: memory is a sixty-fourth of what is claimed.

import CPlatform

/// Marks runs of 8 bytes that are claimed, each once.
package final class ClaimMap: Sendable {
  private let words: MemoryImage
  /// Bytes that the map stands for.
  package let size: Int

  private static let unitSize = 8
  private static let unitsPerWord = 64

  /// A map of `size` bytes, all of them free to be claimed. Nil: the system gave no address space.
  package init?(size: Int) {
    guard let words = MemoryImage.reserving(size: (size / (Self.unitSize * Self.unitsPerWord) + 1) * 8) else {
      return nil
    }
    self.words = words
    self.size = size
  }

  /// Whether the 8 bytes at an offset inside the map are claimed.
  package func isClaimed(_ offset: Int) -> Bool {
    precondition(offset >= 0 && offset < size)
    let unit = offset / Self.unitSize
    let word = words.sharedNumber(at: unit / Self.unitsPerWord * 8)
    return word & 1 << UInt64(unit % Self.unitsPerWord) != 0
  }

  /// Claims `count` bytes from `offset`, both multiples of 8 and inside the map. False where some of them are
  /// claimed already; what else is claimed then is of no use any more.
  package func claim(_ offset: Int, _ count: Int) -> Bool {
    precondition(offset >= 0 && count >= 0 && offset <= size - count && (offset | count) & 7 == 0)
    var unit = offset / Self.unitSize
    let end = (offset + count) / Self.unitSize
    var isFree = true
    while unit < end {
      let first = unit % Self.unitsPerWord
      let number = min(Self.unitsPerWord - first, end - unit)
      let mask = (UInt64.max >> UInt64(Self.unitsPerWord - number)) << UInt64(first)
      if words.setBits(mask, ofWord: unit / Self.unitsPerWord) & mask != 0 { isFree = false }
      unit += number
    }
    return isFree
  }
}
