// Masks of texts of ASCII, eight characters at a time: most texts are that. Layer: Masks.
// Letters and digits are the digits of numbers, which a permutation changes together; what else a text has stays. No step depends
// on what single characters are, because processors guess wrongly about these.

import ByteText
import RealmEngine

/// Eight characters.
private struct CharacterBlock {
  /// Letters as `a` or `A`, digits as `0`, all others as they are.
  let shape: UInt64
  /// Where letters and digits stand among their kind; 0 for others.
  let digits: UInt64
  /// How many characters each may become.
  let bounds: UInt64

  static let count = 8
  static let none = CharacterBlock(shape: 0, digits: 0, bounds: 0)

  private static let ones: UInt64 = 0x0101_0101_0101_0101
  private static let highs = ones << 7

  /// The high bit of each byte that is `limit` or more; all are less than 0x80.
  @inline(__always)
  private static func bytes(of word: UInt64, from limit: UInt64) -> UInt64 {
    (word &+ (0x80 &- limit) &* ones) & highs
  }

  /// Reads bytes less than 0x80, the first in the lowest bits; gives how many of them are letters or digits.
  @inline(__always)
  static func read(_ word: UInt64) -> (characters: CharacterBlock, changedCount: Int) {
    let cases = 0x20 &* ones
    let lower = word | cases
    let letters = bytes(of: lower, from: 0x61) & ~bytes(of: lower, from: 0x7B)
    let numerals = bytes(of: word, from: 0x30) & ~bytes(of: word, from: 0x3A)
    let (isLetter, isNumeral) = ((letters >> 7) &* 0xFF, (numerals >> 7) &* 0xFF)
    let isOther = ~(isLetter | isNumeral)
    let characters = CharacterBlock(
      shape: word & isOther | (word & cases | 0x41 &* ones) & isLetter | 0x30 &* ones & isNumeral,
      digits: (lower & isLetter &- 0x61 &* ones & isLetter) | (word & isNumeral &- 0x30 &* ones & isNumeral),
      bounds: ones & isOther | UInt64(letterBound) &* ones & isLetter | UInt64(digitBound) &* ones & isNumeral
    )
    return (characters, (letters | numerals).nonzeroBitCount)
  }

  /// The last digit of a number whose digits these are, at the place of byte `index`, which it is taken from.
  @inline(__always)
  func takeLast(of number: inout UInt64, at index: Int) -> UInt8 {
    let shift = UInt64(index % Self.count) &* 8
    let bound = bounds >> shift & 0xFF
    // Divisions by numbers that are known are multiplications by their reciprocals, here by one of two.
    let reciprocal: UInt64 = bound == UInt64(letterBound) ? 0x4EC4_EC4E_C4EC_4EC5 : 0xCCCC_CCCC_CCCC_CCCD
    let quotient = number.multipliedFullWidth(by: reciprocal).high >> 3
    let rest = bound == 1 ? number : quotient
    let digit = number &- rest &* bound
    number = rest
    return UInt8(truncatingIfNeeded: (shape >> shift & 0xFF) &+ digit)
  }
}

/// Masks texts one after the other; what it needs for one is used for the next.
struct ASCIIMask: ~Copyable {
  private let permutation: KeyedPermutation
  private var words = [CharacterBlock](repeating: .none, count: 8)
  private var numbers = [UInt64](repeating: 0, count: 4)
  private var bounds = [UInt64](repeating: 0, count: 4)
  /// The bytes behind the numbers' last ones.
  private var ends = [Int](repeating: 0, count: 4)

  /// So many letters are a number.
  private static let lettersANumber = 13

  init(_ permutation: KeyedPermutation) { self.permutation = permutation }

  /// Appends the mask of a text; false, with nothing done, for one that has other characters.
  mutating func append(maskOf text: RawBytes, to result: inout ByteBuffer) -> Bool {
    guard let (count, tweak) = read(text) else { return false }
    let numberCount = Self.numberCount(count)
    pack(count, into: numberCount, size: text.count)
    permutation.permute(&numbers, below: bounds, count: numberCount, tweak: tweak)
    var masked = result.extend(by: text.count)
    var start = 0
    for position in 0..<numberCount {
      var number = numbers[position]
      var index = ends[position]
      while index > start {
        index &-= 1
        masked[index] = words[index / CharacterBlock.count].takeLast(of: &number, at: index)
      }
      start = ends[position]
    }
    return true
  }

  /// At least two for two letters or digits. Two and four are permuted fastest.
  private static func numberCount(_ count: Int) -> Int {
    if count < 2 { return 1 }
    return count <= 2 * lettersANumber
      ? 2 : count <= 4 * lettersANumber ? 4 : (count + lettersANumber - 1) / lettersANumber
  }

  /// How many letters and digits there are, and which permutation is theirs.
  private mutating func read(_ text: RawBytes) -> (count: Int, tweak: UInt64)? {
    let wordCount = (text.count + CharacterBlock.count - 1) / CharacterBlock.count
    while words.count < wordCount { words.append(.none) }
    var (union, shape, count): (UInt64, UInt64, Int) = (0, UInt64(text.count), 0)
    for index in 0..<wordCount {
      let word = text.word(at: index &* CharacterBlock.count)
      union |= word
      let (characters, changedCount) = CharacterBlock.read(word)
      words[index] = characters
      shape = MaskTweak.mixed(shape, characters.shape)
      count &+= changedCount
    }
    return union & 0x8080_8080_8080_8080 == 0 ? (count, MaskTweak.text(shape)) : nil
  }

  /// Makes numbers of `count` letters and digits, of as many each as can be.
  private mutating func pack(_ count: Int, into numberCount: Int, size: Int) {
    while numbers.count < numberCount {
      numbers.append(0)
      bounds.append(0)
      ends.append(0)
    }
    var (number, bound): (UInt64, UInt64) = (0, 1)
    var (position, met, next) = (0, 0, numberCount > 1 ? count / numberCount : .max)
    // What fills the last word up counts as characters that stay.
    for index in 0..<(size + CharacterBlock.count - 1) / CharacterBlock.count {
      var (digits, limits) = (words[index].digits, words[index].bounds)
      for byte in 1...CharacterBlock.count {
        let limit = limits & 0xFF
        number = number &* limit &+ digits & 0xFF
        bound = bound &* limit
        digits >>= 8
        limits >>= 8
        met &+= limit > 1 ? 1 : 0
        guard met == next else { continue }
        (numbers[position], bounds[position]) = (number, bound)
        ends[position] = index &* CharacterBlock.count &+ byte
        position &+= 1
        next = position &+ 1 < numberCount ? count * (position &+ 1) / numberCount : .max
        (number, bound) = (0, 1)
      }
    }
    (numbers[position], bounds[position], ends[position]) = (number, bound, size)
  }
}
