// Finding a run of bytes and `?`, which stand for one character each, in time that grows with the text's length times a
// 64th of the run's: for runs too long to be held against every place. Layer: Kernels.
// All places at once: a bit for each beginning of the run says whether it ends here. In text that is no UTF-8, where a
// character may begin within another, the match that ends first counts, and not the one that begins first.

/// A run of bytes and wildcards, prepared to be found.
package struct WildcardSearch: Sendable {
  /// Shorter runs are found faster by holding them against every place.
  package static let countMin = 64
  /// A wildcard moves on by at most so many bytes.
  private static let characterSizeMax = 4
  private static let bitsPerWord = 64
  /// The user is asked that often whether he still waits.
  private static let positionsPerLook = 4096

  package let count: Int
  private let wordCount: Int
  /// For each byte, the signs that it is; no words for a byte that is none.
  private let signsOfByte: [[UInt64]]
  private let wildcards: [UInt64]

  /// The bytes that may stand in each place; nil where any character may.
  package init(_ signs: [(UInt8, UInt8)?]) {
    count = signs.count
    // One more for what all signs have led to.
    wordCount = signs.count / Self.bitsPerWord + 1
    let none = [UInt64](repeating: 0, count: wordCount)
    var wildcards = none
    var signsOfByte = [[UInt64]](repeating: [], count: 256)
    for (index, sign) in signs.enumerated() {
      let (word, bit) = (index / Self.bitsPerWord, UInt64(1) << UInt64(index % Self.bitsPerWord))
      guard let sign else {
        wildcards[word] |= bit
        continue
      }
      for byte in [Int(sign.0), Int(sign.1)] {
        if signsOfByte[byte].isEmpty { signsOfByte[byte] = none }
        signsOfByte[byte][word] |= bit
      }
    }
    self.wildcards = wildcards
    self.signsOfByte = signsOfByte
  }

  /// Where the run ends that is found first from `start` on among `size` bytes; with `atEnd` only one that ends where the
  /// bytes do. `byte` gives those that are compared, `characterSize` how many bytes the character at a position has.
  @inline(__always)
  package func firstEnd(
    in size: Int, from start: Int, atEnd: Bool = false, _ byte: (Int) -> UInt8, _ characterSize: (Int) -> Int
  ) -> Int? {
    guard size - start >= count else { return nil }
    // Bit n of a position's words: n signs lead there. A ring, because a wildcard leads further than the next position.
    let ringSize = Self.characterSizeMax + 1
    var ring = [UInt64](repeating: 0, count: ringSize * wordCount)
    // The last word of each position in which a bit is set.
    var lastWords = [Int](repeating: 0, count: ringSize)
    let (endWord, endBit) = (count / Self.bitsPerWord, UInt64(1) << UInt64(count % Self.bitsPerWord))
    for position in start...size {
      if position % Self.positionsPerLook == 0, Interruption.isPending { return nil }
      let slot = position % ringSize
      let here = slot * wordCount
      if ring[here + endWord] & endBit != 0, !atEnd || position == size { return position }
      guard position < size else { break }
      ring[here] |= 1
      let literals = signsOfByte[Int(byte(position))]
      let size = characterSize(position)
      let (nextSlot, slotBehind) = ((position + 1) % ringSize, (position + size) % ringSize)
      let (next, behind) = (nextSlot * wordCount, slotBehind * wordCount)
      var (carriedNext, carriedBehind): (UInt64, UInt64) = (0, 0)
      var (lastNext, lastBehind) = (0, 0)
      // A bit moves into the word behind the last one at most.
      let end = min(lastWords[slot] + 2, wordCount)
      lastWords[slot] = 0
      for word in 0..<end {
        let states = ring[here + word]
        ring[here + word] = 0
        let literal = literals.isEmpty ? 0 : states & literals[word]
        let wildcard = states & wildcards[word]
        let (movedNext, movedBehind) = (literal << 1 | carriedNext, wildcard << 1 | carriedBehind)
        ring[next + word] |= movedNext
        ring[behind + word] |= movedBehind
        if movedNext != 0 { lastNext = word }
        if movedBehind != 0 { lastBehind = word }
        carriedNext = literal >> 63
        carriedBehind = wildcard >> 63
      }
      lastWords[nextSlot] = max(lastWords[nextSlot], lastNext)
      lastWords[slotBehind] = max(lastWords[slotBehind], lastBehind)
    }
    return nil
  }
}
