// Numbers that are noted one after the other, of millions of objects. Layer: Kernels.
// Most of them, keys of objects, are near their neighbours: of each block of numbers the least is kept, and of the others how much
// they are above it, in as few bits as the largest of these needs. Invariant: as in `IntegerBuffer`, one thread at a time changes
// a run; those that only read do so together.

/// A growing run of numbers that takes little memory.
@safe package final class CompressedIntegers: RandomAccessCollection, @unchecked Sendable {
  private struct Block {
    let least: Int64
    let bitCount: Int
    /// Of the block's first word.
    let start: Int
  }

  private struct State {
    var blocks: [Block] = []
    var words: [UInt64] = []
    /// Of the last block, which is not full.
    var open: [Int64] = []
  }

  private static let blockShift = 8
  private static let blockCount = 1 << blockShift

  private let state: UnsafeMutablePointer<State>

  package init() {
    unsafe state = .holding(State())
  }

  package convenience init(_ numbers: some Sequence<Int64>) {
    self.init()
    append(contentsOf: numbers)
  }

  deinit {
    unsafe state.release()
  }

  package var startIndex: Int { 0 }
  package var endIndex: Int {
    unsafe state.pointee.blocks.count << Self.blockShift + state.pointee.open.count
  }

  package func append(_ number: Int64) {
    unsafe state.pointee.open.append(number)
    if unsafe state.pointee.open.count == Self.blockCount { unsafe Self.closeBlock(&state.pointee) }
  }

  package func append(contentsOf numbers: some Sequence<Int64>) { for number in numbers { append(number) } }

  private static func closeBlock(_ state: inout State) {
    var (least, most) = (state.open[0], state.open[0])
    for number in state.open { (least, most) = (Swift.min(least, number), Swift.max(most, number)) }
    let bitCount = UInt64.bitWidth - UInt64(bitPattern: most &- least).leadingZeroBitCount
    let start = state.words.count
    state.blocks.append(Block(least: least, bitCount: bitCount, start: start))
    state.words.append(contentsOf: repeatElement(0, count: blockCount / UInt64.bitWidth * bitCount))
    for (index, number) in state.open.enumerated() where bitCount > 0 {
      let (word, shift) = (start + (index * bitCount) >> 6, (index * bitCount) & 63)
      let above = UInt64(bitPattern: number &- least)
      state.words[word] |= above << UInt64(shift)
      if shift + bitCount > UInt64.bitWidth { state.words[word + 1] |= above >> UInt64(64 - shift) }
    }
    state.open.removeAll(keepingCapacity: true)
  }

  package subscript(position: Int) -> Int64 {
    precondition(position >= 0)
    return unsafe Self.number(position, in: state.pointee)
  }

  private static func number(_ position: Int, in state: borrowing State) -> Int64 {
    let index = position & (blockCount - 1)
    guard position >> blockShift < state.blocks.count else { return state.open[index] }
    let block = state.blocks[position >> blockShift]
    guard block.bitCount > 0 else { return block.least }
    let (word, shift) = (block.start + (index * block.bitCount) >> 6, (index * block.bitCount) & 63)
    var above = state.words[word] >> UInt64(shift)
    if shift + block.bitCount > UInt64.bitWidth { above |= state.words[word + 1] << UInt64(64 - shift) }
    return block.least &+ Int64(bitPattern: above & (.max >> UInt64(64 - block.bitCount)))
  }
}
