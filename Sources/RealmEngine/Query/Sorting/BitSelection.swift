// Those bits of words by which a range of rows can be told apart. Layer: Query.
// Numbers lie between a least and a greatest one, and have few bits above the least. Texts have few bits a byte that
// differ, often no more than four. Whichever are fewer are taken.

/// How the words of a range differ.
struct WordSpread {
  private let first: UInt64
  private(set) var least: UInt64
  private(set) var greatest: UInt64
  /// The bits that differ between some words.
  private(set) var differing: UInt64 = 0

  init(_ word: UInt64) {
    first = word
    least = word
    greatest = word
  }

  @inline(__always)
  mutating func add(_ word: UInt64) {
    least = min(least, word)
    greatest = max(greatest, word)
    differing |= word ^ first
  }
}

/// Bits that sort as the words do from which they are taken.
struct BitSelection {
  private struct Run {
    let shift: UInt64
    let length: UInt64
    let mask: UInt64
  }

  private let base: UInt64
  private var runs: [Run] = []
  private(set) var count = 0
  /// Whether words with the same bits are the same.
  let isWhole: Bool

  /// As many bits as there is room for, from the highest on.
  init(of spread: WordSpread, room: Int) {
    let range = spread.greatest - spread.least
    let rangeBits = UInt64.bitWidth - range.leadingZeroBitCount
    let isByRange = rangeBits <= spread.differing.nonzeroBitCount
    base = isByRange ? spread.least : 0
    var left = isByRange ? ~(UInt64.max << UInt64(rangeBits)) : spread.differing
    while left != 0, count < room {
      let end = UInt64.bitWidth - left.leadingZeroBitCount
      // As long as the bits below are wanted too, and there is room.
      let length = min((~(left << UInt64(UInt64.bitWidth - end))).leadingZeroBitCount, room - count)
      let mask = UInt64.max >> UInt64(UInt64.bitWidth - length)
      runs.append(Run(shift: UInt64(end - length), length: UInt64(length), mask: mask))
      left &= ~(mask << UInt64(end - length))
      count += length
    }
    isWhole = left == 0
  }

  /// `bits` with those of a word behind them.
  @inline(__always)
  func appended(to bits: UInt64, of word: UInt64) -> UInt64 {
    var bits = bits
    for run in runs { bits = bits << run.length | (word &- base) >> run.shift & run.mask }
    return bits
  }
}
