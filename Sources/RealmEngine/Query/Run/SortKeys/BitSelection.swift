// Those bits of words by which a range of rows can be told apart. Layer: Query, Run, SortKeys.
// Numbers lie between a least and a greatest one, and have few bits above the least. Texts have few bits a byte that
// differ, often no more than four. Whichever are fewer are taken.

/// How the words of a range differ.
struct KeySpread {
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

  /// Adds the words of another range.
  mutating func add(_ other: KeySpread) {
    least = min(least, other.least)
    greatest = max(greatest, other.greatest)
    differing |= other.differing | other.first ^ first
  }
}

/// Bits that sort as the words do from which they are taken.
struct BitSelection {
  private struct BitRange {
    let shift: UInt64
    let length: UInt64
    let mask: UInt64
  }

  private let base: UInt64
  private var runs: [BitRange] = []
  private(set) var count = 0
  /// Whether words with the same bits are the same.
  let isWhole: Bool

  /// As many bits as there is room for, from the highest on.
  init(of spread: KeySpread, room: Int) {
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
      runs.append(BitRange(shift: UInt64(end - length), length: UInt64(length), mask: mask))
      left &= ~(mask << UInt64(end - length))
      count += length
    }
    isWhole = left == 0
  }

  /// The bits as one digit of words with `flip` applied; nil where they are not neighbours.
  func digit(flip: UInt64) -> KeyDigit? {
    guard runs.count == 1, let run = runs.first else { return nil }
    return KeyDigit(flip: flip, base: base, shift: run.shift, mask: run.mask)
  }

  /// Calls `body` with what gives some bits with those of a word behind them.
  @inline(__always)
  func withAppending(_ body: ((_ bits: UInt64, _ word: UInt64) -> UInt64) -> Void) {
    let (base, runs) = (base, runs.span)
    @inline(__always) func append(_ run: BitRange, _ bits: UInt64, _ word: UInt64) -> UInt64 {
      bits &<< run.length | (word &- base) &>> run.shift & run.mask
    }
    if runs.count == 1 {
      // Numbers.
      let run = runs[0]
      body { append(run, $0, $1) }
    } else {
      body { bits, word in
        var bits = bits
        for index in runs.indices { bits = append(runs[index], bits, word) }
        return bits
      }
    }
  }
}
