// Which bytes of the data belong to something, one bit for each 8 of them; several threads claim at once. Layer: RealmInspection.
// Invariants: memory is a thirty-second of what nodes and free blocks cover, whatever the file says; of two claims of the same
// bytes one fails, whichever thread it comes from.

import RealmFiles

/// Marks every 8 bytes that a node or a free block occupies.
final class CoverageMap: Sendable {
  enum Claim { case new, sameStart, overlap }

  private static let unitSize = 8
  private static let bitsPerWord = 64
  /// Bytes of data that one word of a map stands for.
  private static let bytesPerWord = unitSize * bitsPerWord

  private let covered: MemoryImage
  private let starts: MemoryImage
  private let wordCount: Int
  let size: Int

  /// A map of `size` bytes, all uncovered. Nil: the system gave no address space.
  init?(size: Int) {
    wordCount = size / Self.bytesPerWord + 1
    guard let covered = MemoryImage.reserving(size: wordCount * 8),
      let starts = MemoryImage.reserving(size: wordCount * 8)
    else { return nil }
    self.covered = covered
    self.starts = starts
    self.size = size
  }

  /// Claims `length` bytes from `offset`, both multiples of 8 and inside the map; length 0 claims nothing.
  func claim(_ offset: Int, _ length: Int) -> Claim {
    guard length > 0 else { return .new }
    let first = offset / Self.unitSize
    if bit(first, in: starts) { return .sameStart }
    let last = first + length / Self.unitSize - 1
    guard isFree(first, last) else { return .overlap }
    setStart(first)
    return fill(first, last) ? .new : .overlap
  }

  /// Calls `body` with each uncovered run between `start` and the map's end, in order.
  func forEachGap(from start: Int, _ body: (_ offset: Int, _ length: Int) -> Void) {
    let end = size / Self.unitSize
    var unit = start / Self.unitSize
    while unit < end {
      unit = next(from: unit, end, covered: false)
      guard unit < end else { return }
      let gapEnd = next(from: unit, end, covered: true)
      body(unit * Self.unitSize, (gapEnd - unit) * Self.unitSize)
      unit = gapEnd
    }
  }

  /// As other threads have left it now.
  private func word(_ index: Int, in map: MemoryImage) -> UInt64 { map.sharedNumber(at: index * 8) }

  private func bit(_ unit: Int, in map: MemoryImage) -> Bool {
    word(unit / Self.bitsPerWord, in: map) >> UInt64(unit % Self.bitsPerWord) & 1 == 1
  }

  private func setStart(_ unit: Int) {
    _ = starts.setBits(1 << UInt64(unit % Self.bitsPerWord), ofWord: unit / Self.bitsPerWord)
  }

  /// The bits of word `index` that stand for the units `first ... last`.
  private func mask(_ index: Int, _ first: Int, _ last: Int) -> UInt64 {
    let low = max(first - index * Self.bitsPerWord, 0)
    let high = min(last - index * Self.bitsPerWord, Self.bitsPerWord - 1)
    return UInt64.max << UInt64(low) & UInt64.max >> UInt64(Self.bitsPerWord - 1 - high)
  }

  private func isFree(_ first: Int, _ last: Int) -> Bool {
    for index in first / Self.bitsPerWord...last / Self.bitsPerWord
    where word(index, in: covered) & mask(index, first, last) != 0 {
      return false
    }
    return true
  }

  /// False: another thread has claimed some of it meanwhile.
  private func fill(_ first: Int, _ last: Int) -> Bool {
    var isNew = true
    for index in first / Self.bitsPerWord...last / Self.bitsPerWord {
      let mask = mask(index, first, last)
      if covered.setBits(mask, ofWord: index) & mask != 0 { isNew = false }
    }
    return isNew
  }

  /// The first unit from `unit` on whose state is `covered`, or `end`.
  private func next(from unit: Int, _ end: Int, covered isCovered: Bool) -> Int {
    var index = unit / Self.bitsPerWord
    var mask = UInt64.max << UInt64(unit % Self.bitsPerWord)
    while index < wordCount {
      let value = word(index, in: covered)
      let wanted = (isCovered ? value : ~value) & mask
      if wanted != 0 { return min(end, index * Self.bitsPerWord + wanted.trailingZeroBitCount) }
      index += 1
      mask = .max
    }
    return end
  }
}
