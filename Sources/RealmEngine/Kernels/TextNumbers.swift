// A table of texts with a number each. Layer: Kernels.
// Invariants: it owns copies of its texts; slots are a power of two and more than the texts.

/// Numbers found by texts.
struct TextNumbers {
  private let texts = TextBuffer()
  private let numbers = IntegerBuffer()
  /// Half of each text's hash, so that few others are compared.
  private var marks: [UInt32] = []
  /// Open addressing: the place of a text plus one, 0 for none.
  private var slots = [UInt32](repeating: 0, count: 64)
  private let hash = SeededHash()

  /// Gives a text a number, if it has none yet.
  mutating func add(_ text: RawBytes, _ number: Int64) {
    let (slot, mark, place) = find(text)
    guard place == nil else { return }
    texts.append(text)
    numbers.append(number)
    marks.append(mark)
    slots[slot] = UInt32(marks.count)
    if marks.count > slots.count / 2 { grow() }
  }

  subscript(text: RawBytes) -> Int64? { find(text).place.map { numbers[$0] } }

  /// The slot in which a text is or could be.
  private func find(_ text: RawBytes) -> (slot: Int, mark: UInt32, place: Int?) {
    let word = hash.mix(hash.start, text)
    let mark = UInt32(truncatingIfNeeded: word >> 32)
    var slot = Int(truncatingIfNeeded: word) & (slots.count - 1)
    while slots[slot] != 0 {
      let place = Int(slots[slot]) - 1
      if marks[place] == mark, texts[place].equals(text) { return (slot, mark, place) }
      slot = (slot + 1) & (slots.count - 1)
    }
    return (slot, mark, nil)
  }

  private mutating func grow() {
    slots = [UInt32](repeating: 0, count: 2 * slots.count)
    for place in marks.indices {
      var slot = Int(truncatingIfNeeded: hash.mix(hash.start, texts[place])) & (slots.count - 1)
      while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
      slots[slot] = UInt32(place + 1)
    }
  }
}
