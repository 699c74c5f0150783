// Groups of short texts by their bytes as they lie in leaves: most rows have a text that was met before, whose group is
// found without taking it apart. Layer: Kernels.
// Invariant: of equal bytes and sizes the texts are equal; equal texts of other bytes have entries of their own.
// Safe: rows are checked against the elements, and each has room for its group.

/// Short texts as they lie in a leaf: elements of one size, at least 4 bytes, the last byte of which says how many are
/// padding.
struct PaddedTexts {
  let elements: RawBytes
  let elementSize: Int

  init(_ elements: RawBytes, elementSize: Int) {
    precondition(elementSize >= 4 && elementSize & (elementSize - 1) == 0)
    (self.elements, self.elementSize) = (elements, elementSize)
  }

  var count: Int { elements.count / elementSize }
}

/// The groups of texts that one table has met.
@safe final class KnownTexts {
  /// The bytes of an element, and its size above the number of its group; all 0 where there is none.
  @unsafe private struct Entry {
    var first: UInt64
    var second: UInt64
    var sizeAndGroup: UInt64
  }

  private let entries: UnsafeMutablePointer<Entry>
  private var count = 0
  /// More texts than are worth it were met.
  private(set) var isFull = false

  private static let slotBits = 14
  private static let countMax = 1 << 12
  /// Slots that are looked at for an element.
  private static let probesMax = 64
  /// Longer elements hold texts that are no part of a table's words.
  private static let elementSizeMax = 16

  init() {
    unsafe entries = .allocate(capacity: 1 << Self.slotBits)
    forget()
  }

  deinit { unsafe entries.deallocate() }

  func forget() {
    unsafe entries.initialize(
      repeating: Entry(first: 0, second: 0, sizeAndGroup: 0), count: 1 << Self.slotBits)
    (count, isFull) = (0, false)
  }

  /// Notes the groups of the texts at `rows`.
  func learn(_ texts: PaddedTexts, _ rows: borrowing Span<Int32>, _ groups: UnsafePointer<UInt32>) {
    guard texts.elementSize <= Self.elementSizeMax else { return }
    for index in rows.indices {
      if isFull { return }
      let row = Int(rows[index])
      precondition(row >= 0 && row < texts.count)
      let (first, second) = unsafe Self.words(
        texts.elements.start + row &* texts.elementSize, texts.elementSize)
      let group = unsafe groups[index]
      guard let slot = slot(first, second, texts.elementSize) else {
        isFull = true
        return
      }
      if unsafe entries[slot].sizeAndGroup != 0 { continue }
      unsafe entries[slot] = Entry(
        first: first, second: second, sizeAndGroup: UInt64(texts.elementSize) << 32 | UInt64(group))
      count += 1
      isFull = count == Self.countMax
    }
  }

  /// Gives `groups` those of the texts at `rows`. False: one of them is not known.
  func find(
    _ texts: PaddedTexts, _ rows: borrowing Span<Int32>, _ groups: UnsafeMutablePointer<UInt32>
  ) -> Bool {
    switch texts.elementSize {
    case 4: unsafe find(texts, 4, rows, groups)
    case 8: unsafe find(texts, 8, rows, groups)
    case 16: unsafe find(texts, 16, rows, groups)
    default: false
    }
  }

  @inline(__always)
  private func find(
    _ texts: PaddedTexts, _ elementSize: Int, _ rows: borrowing Span<Int32>,
    _ groups: UnsafeMutablePointer<UInt32>
  ) -> Bool {
    let (source, elementCount) = unsafe (texts.elements.start, texts.count)
    let entries = unsafe entries
    for index in rows.indices {
      let row = Int(rows[index])
      precondition(row >= 0 && row < elementCount)
      let (first, second) = unsafe Self.words(source + row &* elementSize, elementSize)
      // Mostly the first slot has the text.
      var entry = unsafe entries[Self.firstSlot(first, second)]
      if unsafe (entry.first ^ first) | (entry.second ^ second)
        | (entry.sizeAndGroup >> 32 ^ UInt64(elementSize)) != 0
      {
        guard let slot = slot(first, second, elementSize) else { return false }
        unsafe entry = entries[slot]
        if unsafe entry.sizeAndGroup == 0 { return false }
      }
      unsafe groups[index] = UInt32(truncatingIfNeeded: entry.sizeAndGroup)
    }
    return true
  }

  @inline(__always)
  private static func words(_ element: UnsafeRawPointer, _ elementSize: Int) -> (UInt64, UInt64) {
    switch elementSize {
    case 4: unsafe (UInt64(element.loadUnaligned(as: UInt32.self)), 0)
    case 8: unsafe (element.loadUnaligned(as: UInt64.self), 0)
    default:
      unsafe (
        element.loadUnaligned(as: UInt64.self), element.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
      )
    }
  }

  @inline(__always)
  private static func firstSlot(_ first: UInt64, _ second: UInt64) -> Int {
    let mixed = (first ^ (second &<< 23 | second &>> 41)) &* 0x9E37_79B9_7F4A_7C15
    return Int(truncatingIfNeeded: mixed >> UInt64(64 - slotBits))
  }

  /// The slot of an element, or the empty one where it belongs. Nil: too many others are there.
  private func slot(_ first: UInt64, _ second: UInt64, _ elementSize: Int) -> Int? {
    var slot = Self.firstSlot(first, second)
    for _ in 0..<Self.probesMax {
      let entry = unsafe entries[slot]
      if unsafe entry.sizeAndGroup == 0 { return slot }
      if unsafe entry.first == first, unsafe entry.second == second,
        unsafe entry.sizeAndGroup >> 32 == UInt64(elementSize)
      {
        return slot
      }
      slot = (slot + 1) & (1 << Self.slotBits - 1)
    }
    return nil
  }
}
