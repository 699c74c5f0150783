// Masks of texts of ASCII, sixteen characters at a time: most texts are that. Layer: Masks.
// Letters and digits at even places and those at odd ones are the halves of a Feistel network, in which each character moves among
// its kind by what the other half's hash says; what else a text has stays. No step depends on what single characters are, because
// processors guess wrongly about these.
// Invariant: which texts are masked here, and how, is a matter of their shape alone, so that two of one shape stay two.

import ByteText
import RealmEngine

/// Eight characters of a block, each by its number among its kind.
private struct CharacterLanes {
  /// 0 for what stays.
  private(set) var digits: SIMD8<UInt16>
  /// How many characters its kind has; 0 for what stays.
  private let bounds: SIMD8<UInt16>

  static let none = CharacterLanes(digits: .zero, bounds: .zero)

  init(digits: SIMD8<UInt16>, bounds: SIMD8<UInt16>) {
    self.digits = digits
    self.bounds = bounds
  }

  /// At least so many tenths of bits tell apart what these can become: 47 for a letter, 33 for a digit.
  @inline(__always)
  var tenthsOfBits: UInt64 {
    // Both bounds, 26 and 10, have the bit of 2, and the first alone that of 16.
    let isOne: UInt16 = 1
    return UInt64(((bounds &>> 4 & isOne) &* 14 &+ (bounds &>> 1 & isOne) &* 33).wrappedSum())
  }

  /// Of random numbers eleven bits are for each character: the most whose products fit in its sixteen.
  private static let randomBits: UInt16 = 11

  /// Moves each character by its part of a random number, less than its kind has characters.
  @inline(__always)
  mutating func move(by random: SIMD8<UInt16>) {
    let parts = random & (1 << Self.randomBits &- 1)
    let sums = digits &+ (parts &* bounds) &>> Self.randomBits
    digits = sums &- bounds.replacing(with: 0, where: sums .< bounds)
  }
}

/// Sixteen characters.
private struct CharacterBlock {
  /// Letters as `a` or `A`, digits as `0`, all others as they are.
  private let shape: SIMD2<UInt64>
  /// Those at even places, and those at odd ones.
  private var even: CharacterLanes
  private var odd: CharacterLanes

  static let size = 16
  static let none = CharacterBlock(.zero)

  /// In each byte the same.
  @inline(__always)
  private static func all(_ byte: UInt64) -> SIMD2<UInt64> {
    SIMD2(repeating: byte &* 0x0101_0101_0101_0101)
  }

  /// All bits of each byte that is at least `first` and less than `end`; all are less than 0x80.
  @inline(__always)
  private static func bytes(of words: SIMD2<UInt64>, from first: UInt64, before end: UInt64) -> SIMD2<UInt64>
  {
    let highs = (words &+ all(0x80 &- first)) & ~(words &+ all(0x80 &- end)) & all(0x80)
    return highs &<< 1 &- highs &>> 7
  }

  /// Reads bytes less than 0x80, the first in the lowest bits.
  @inline(__always)
  init(_ words: SIMD2<UInt64>) {
    let lower = words | Self.all(0x20)
    let letters = Self.bytes(of: lower, from: 0x61, before: 0x7B)
    let numerals = Self.bytes(of: words, from: 0x30, before: 0x3A)
    let digits =
      (lower & letters &- Self.all(0x61) & letters) | (words & numerals &- Self.all(0x30) & numerals)
    let bounds = Self.all(UInt64(letterBound)) & letters | Self.all(UInt64(digitBound)) & numerals
    shape = words &- digits
    let byte: UInt16 = 0xFF
    even = CharacterLanes(digits: digits.lanes & byte, bounds: bounds.lanes & byte)
    odd = CharacterLanes(digits: digits.lanes &>> 8, bounds: bounds.lanes &>> 8)
  }

  @inline(__always)
  func mixed(into shape: UInt64) -> UInt64 {
    MaskTweak.mixed(MaskTweak.mixed(shape, self.shape[0]), self.shape[1])
  }

  /// As `CharacterLanes`, of each half.
  @inline(__always)
  var tenthsOfBits: (even: UInt64, odd: UInt64) { (even.tenthsOfBits, odd.tenthsOfBits) }

  /// All characters of a half, as numbers.
  @inline(__always)
  func number(ofOdd isOdd: Bool) -> UInt64 {
    let words = (isOdd ? odd : even).digits.words
    return words[0] | words[1] << 8
  }

  @inline(__always)
  mutating func move(odd isOdd: Bool, by random: (UInt64, UInt64)) {
    let random = SIMD2(random.0, random.1).lanes
    if isOdd { odd.move(by: random) } else { even.move(by: random) }
  }

  /// The characters as they are now.
  @inline(__always)
  var words: SIMD2<UInt64> { shape &+ (even.digits | odd.digits &<< 8).words }
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
      let block = CharacterBlock(SIMD2(first, last))
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
