// Sets of texts that every row of a scan is compared with. Layer: Kernels.

/// Texts or other bytes, found by their hash.
package final class TextSet: Sendable {
  private let texts: [RawBytes]
  /// Keep the bytes of `texts` alive.
  private let owners: [ByteString]
  /// Open addressing: the number of a text plus one, 0 for none. Their count is a power of two and more than that of
  /// the texts.
  private let slots: [Int32]
  private let hash = SeededHash()
  /// The lengths that members have, all from 63 on as one.
  private let lengths: UInt64
  /// The members, where each is worth a kernel of its own; else empty.
  let needles: [SearchTerm]
  /// What the members have in common as elements of 8 and of 16 bytes; nil where none of them can be one.
  private let patternOf8: ElementPattern?
  private let patternOf16: ElementPattern?

  private static let needlesMax = 4
  private static let lengthsMax = 63

  package init(_ members: Set<ByteString>) {
    owners = members.map { $0.owned() }
    texts = owners.map(\.bytes)
    var slotCount = 2
    while slotCount < 2 * members.count + 1 { slotCount *= 2 }
    var slots = [Int32](repeating: 0, count: slotCount)
    var lengths: UInt64 = 0
    for (number, text) in texts.enumerated() {
      lengths |= 1 << UInt64(min(text.count, Self.lengthsMax))
      var slot = Int(truncatingIfNeeded: hash.mix(hash.start, text)) & (slotCount - 1)
      while slots[slot] != 0 { slot = (slot + 1) & (slotCount - 1) }
      slots[slot] = Int32(number + 1)
    }
    self.slots = slots
    self.lengths = lengths
    patternOf8 = ElementPattern(allOf: texts, width: 8)
    patternOf16 = ElementPattern(allOf: texts, width: 16)
    needles = texts.count <= Self.needlesMax ? texts.map { SearchTerm($0.array()) } : []
  }

  /// What elements of `width` bytes are like that hold a member, where one can; the width is 8 or 16.
  func pattern(width: Int) -> ElementPattern? { width == 8 ? patternOf8 : patternOf16 }

  package func contains(_ text: RawBytes) -> Bool {
    guard lengths >> UInt64(min(text.count, Self.lengthsMax)) & 1 == 1 else { return false }
    var slot = Int(truncatingIfNeeded: hash.mix(hash.start, text)) & (slots.count - 1)
    while slots[slot] != 0 {
      if texts[Int(slots[slot]) - 1].equals(text) { return true }
      slot = (slot + 1) & (slots.count - 1)
    }
    return false
  }
}
