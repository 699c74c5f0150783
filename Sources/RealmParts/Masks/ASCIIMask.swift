// Masks of texts of ASCII, sixteen characters at a time: most texts are that. Layer: Masks.
// Letters and digits at even places and those at odd ones are the halves of a Feistel network, in which each character moves among
// its kind by what the other half's hash says; what else a text has stays. No step depends on what single characters are, because
// processors guess wrongly about these.
// Invariant: which texts are masked here, and how, is a matter of their shape alone, so that two of one shape stay two.

import ByteText
import RealmEngine

/// Four characters, each in sixteen bits of its own.
private struct CharacterLanes {
  /// Where letters and digits stand among their kind; 0 for others.
  private(set) var digits: UInt64
  /// All bits of letters.
  private let letters: UInt64
  /// All bits of digits.
  private let numerals: UInt64

  static let none = CharacterLanes(digits: 0, letters: 0, numerals: 0)
  /// The lowest bit of each.
  static let ones: UInt64 = 0x0001_0001_0001_0001
  /// The lower half of each.
  static let bytes = ones &* 0xFF

  private init(digits: UInt64, letters: UInt64, numerals: UInt64) {
    self.digits = digits
    self.letters = letters
    self.numerals = numerals
  }

  /// Takes the lower halves of words that have all bits of a byte, or none.
  @inline(__always)
  init(digits: UInt64, letters: UInt64, numerals: UInt64, loweredBy shift: UInt64) {
    self.digits = digits >> shift & Self.bytes
    self.letters = (letters >> shift & Self.ones) &* 0xFFFF
    self.numerals = (numerals >> shift & Self.ones) &* 0xFFFF
  }

  /// At least so many tenths of bits tell apart what these can become.
  @inline(__always)
  var tenthsOfBits: UInt64 {
    let tenths = letters & Self.ones &* 47 | numerals & Self.ones &* 33
    return (tenths &* Self.ones) >> 48
  }

  /// Of random numbers eleven bits are for each character: the most whose products fit in its sixteen.
  private static let randomBits: UInt64 = 11
  private static let randoms = ones &* (1 << randomBits &- 1)
  /// The most that any moves by fits in these.
  private static let distances = ones &* 0x1F

  /// Moves each character by its part of a random number, less than its kind has characters.
  @inline(__always)
  mutating func move(by random: UInt64) {
    let parts = random & Self.randoms
    let products = (parts & letters) &* UInt64(letterBound) &+ (parts & numerals) &* UInt64(digitBound)
    let sums = digits &+ (products >> Self.randomBits & Self.distances)
    let bounds = letters & Self.ones &* UInt64(letterBound) | numerals & Self.ones &* UInt64(digitBound)
    let highs = Self.ones << 15
    let isOver = (sums &+ (highs &- bounds)) & highs
    digits = sums &- (isOver >> 15 &* 0xFFFF & bounds)
  }
}

/// Sixteen characters.
private struct CharacterBlock {
  /// Letters as `a` or `A`, digits as `0`, all others as they are.
  private let shape: SIMD2<UInt64>
  /// Those at even places of the first and of the last eight; and those at odd ones.
  private var halves: (even: (CharacterLanes, CharacterLanes), odd: (CharacterLanes, CharacterLanes))

  static let size = 16
  static let none = CharacterBlock(
    shape: .zero, halves: ((CharacterLanes.none, .none), (CharacterLanes.none, .none)))

  private static let ones: UInt64 = 0x0101_0101_0101_0101
  private static let highs = ones << 7

  /// The high bit of each byte that is `limit` or more; all are less than 0x80.
  @inline(__always)
  private static func bytes(of word: UInt64, from limit: UInt64) -> UInt64 {
    (word &+ (0x80 &- limit) &* ones) & highs
  }

  @inline(__always)
  private static func read(_ word: UInt64) -> (shape: UInt64, even: CharacterLanes, odd: CharacterLanes) {
    let cases = 0x20 &* ones
    let lower = word | cases
    let letters = bytes(of: lower, from: 0x61) & ~bytes(of: lower, from: 0x7B)
    let numerals = bytes(of: word, from: 0x30) & ~bytes(of: word, from: 0x3A)
    let (isLetter, isNumeral) = ((letters >> 7) &* 0xFF, (numerals >> 7) &* 0xFF)
    let (first, zero) = (0x61 &* ones & isLetter, 0x30 &* ones & isNumeral)
    let digits = (lower & isLetter &- first) | (word & isNumeral &- zero)
    return (
      word &- digits, CharacterLanes(digits: digits, letters: isLetter, numerals: isNumeral, loweredBy: 0),
      CharacterLanes(digits: digits, letters: isLetter, numerals: isNumeral, loweredBy: 8)
    )
  }

  private init(
    shape: SIMD2<UInt64>,
    halves: (even: (CharacterLanes, CharacterLanes), odd: (CharacterLanes, CharacterLanes))
  ) {
    self.shape = shape
    self.halves = halves
  }

  /// Reads bytes less than 0x80, the first in the lowest bits.
  @inline(__always)
  init(_ first: UInt64, _ last: UInt64) {
    let (first, last) = (Self.read(first), Self.read(last))
    shape = SIMD2(first.shape, last.shape)
    halves = ((first.even, last.even), (first.odd, last.odd))
  }

  @inline(__always)
  func mixed(into shape: UInt64) -> UInt64 {
    MaskTweak.mixed(MaskTweak.mixed(shape, self.shape[0]), self.shape[1])
  }

  /// As `CharacterLanes`, of each half.
  @inline(__always)
  var tenthsOfBits: (even: UInt64, odd: UInt64) {
    (
      halves.even.0.tenthsOfBits &+ halves.even.1.tenthsOfBits,
      halves.odd.0.tenthsOfBits &+ halves.odd.1.tenthsOfBits
    )
  }

  /// All characters of a half, as numbers.
  @inline(__always)
  func number(ofOdd isOdd: Bool) -> UInt64 {
    let half = isOdd ? halves.odd : halves.even
    return half.0.digits | half.1.digits << 8
  }

  @inline(__always)
  mutating func move(odd isOdd: Bool, by random: (UInt64, UInt64)) {
    if isOdd {
      halves.odd.0.move(by: random.0)
      halves.odd.1.move(by: random.1)
    } else {
      halves.even.0.move(by: random.0)
      halves.even.1.move(by: random.1)
    }
  }

  /// The characters as they are now.
  @inline(__always)
  var words: SIMD2<UInt64> {
    SIMD2(
      shape[0] &+ (halves.even.0.digits | halves.odd.0.digits << 8),
      shape[1] &+ (halves.even.1.digits | halves.odd.1.digits << 8))
  }
}

/// Masks texts one after the other; what it needs for one is used for the next.
struct ASCIIMask: ~Copyable {
  private let hash: KeyedHash
  private var blocks = [CharacterBlock](repeating: .none, count: 4)

  init(_ hash: KeyedHash) { self.hash = hash }

  /// Appends the mask of a text; false, with nothing done, for one that has other characters, or most of those that change at
  /// even places, or at odd ones.
  mutating func append(maskOf text: RawBytes, to result: inout ByteBuffer) -> Bool {
    let count = (text.count + CharacterBlock.size - 1) / CharacterBlock.size
    while blocks.count < count { blocks.append(.none) }
    let hash = hash
    var blocks = blocks.mutableSpan
    guard let (bits, tweak) = Self.read(text, into: &blocks, count: count) else { return false }
    let begun = hash.begin(tweak)
    for round in 0..<UInt64(KeyedPermutation.rounds(least: 1 << min(bits, 63))) {
      let isOdd = round & 1 != 0
      var state = begun
      // The highest bits of such a number are 0.
      state.add(blocks[0].number(ofOdd: !isOdd) | round << 61)
      for index in 1..<count { state.add(blocks[index].number(ofOdd: !isOdd)) }
      for index in 0..<count { blocks[index].move(odd: isOdd, by: state.pair(index)) }
    }
    for index in 0..<count {
      result.append(
        blocks[index].words, count: min(CharacterBlock.size, text.count - index * CharacterBlock.size))
    }
    return true
  }

  /// How many bits the smaller half has, and which permutation is the text's.
  @inline(__always)
  private static func read(
    _ text: RawBytes, into blocks: inout MutableSpan<CharacterBlock>, count: Int
  ) -> (bits: UInt64, tweak: UInt64)? {
    var (union, shape): (UInt64, UInt64) = (0, UInt64(text.count))
    var sizes: (even: UInt64, odd: UInt64) = (0, 0)
    for index in 0..<count {
      let start = index &* CharacterBlock.size
      let (first, last) = (text.word(at: start), start + 8 < text.count ? text.word(at: start + 8) : 0)
      union |= first | last
      let block = CharacterBlock(first, last)
      blocks[index] = block
      shape = block.mixed(into: shape)
      let tenths = block.tenthsOfBits
      sizes = (sizes.even &+ tenths.even, sizes.odd &+ tenths.odd)
    }
    let least = min(sizes.even, sizes.odd)
    guard union & 0x8080_8080_8080_8080 == 0, least > 0, 3 * least >= max(sizes.even, sizes.odd) else {
      return nil
    }
    return (least / 10, MaskTweak.text(shape))
  }
}
