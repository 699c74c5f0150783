// Texts and data as others of the same length and look. Layer: Masks.
// Letters become letters, digits digits, blanks and punctuation stay: an e-mail address keeps its shape.

import ByteText
import RealmEngine

let digitBound: UInt32 = 10
let letterBound: UInt32 = 26

/// Masks texts and data one after the other; what it needs for one is used for the next.
struct TextMask: ~Copyable {
  /// A character that changes: where it stands, and what it can become.
  private struct Place {
    let offset: Int32
    let size: UInt8
    /// Nil: a letter or digit of ASCII from `first` on.
    let kind: Int?
    let first: UInt8
    let bound: UInt32
  }

  private let permutation: KeyedPermutation
  private var ascii: ASCIIMask
  private var kinds: CharacterKinds
  private var places: [Place] = []
  private var digits: [UInt32] = []
  private var numbers: [UInt64] = []
  private var bounds: [UInt64] = []
  /// The digits behind the last of each number.
  private var ends: [Int] = []

  /// A text beyond ASCII, in the making.
  private var characters: [UInt8] = []

  /// A text that has been masked, and its mask.
  private struct Known {
    var text: SIMD2<UInt64> = .zero
    var mask: SIMD2<UInt64> = .zero
    var count = 0
  }

  /// Short texts that came before, by their words: cities, names and states come again and again.
  private var known: [Known] = []

  /// What came of texts and data since the last `removeAll`, one behind the other.
  private(set) var result = ByteBuffer()
  /// Where the mask of each ends; negative for a null.
  private(set) var resultEnds: [Int64] = []

  init(_ permutation: KeyedPermutation, _ kinds: CharacterKinds) {
    self.permutation = permutation
    ascii = ASCIIMask(permutation.hash)
    self.kinds = kinds
  }

  private static let bytesANumber = 7
  /// As many as two words hold.
  private static let knownBytesMax = 16
  private static let knownBits: UInt64 = 12

  mutating func removeAll() {
    result.removeAll()
    resultEnds.removeAll(keepingCapacity: true)
  }

  mutating func appendNull() { resultEnds.append(-1) }

  mutating func append(maskOfText text: RawBytes) {
    if text.count <= Self.knownBytesMax { appendKnown(text) } else { appendNew(text) }
    resultEnds.append(Int64(result.count))
  }

  private mutating func appendKnown(_ text: RawBytes) {
    if known.isEmpty { known = [Known](repeating: Known(), count: 1 << Self.knownBits) }
    let words = text.twoWords
    let mixed = (words[0] ^ words[1] &* 0xD6E8_FEB8_6659_FD93) &* 0x9E37_79B9_7F4A_7C15
    let place = Int(mixed >> (64 - Self.knownBits))
    if known[place].count == text.count, known[place].text == words {
      return result.append(known[place].mask, count: text.count)
    }
    let start = result.count
    appendNew(text)
    known[place] = Known(
      text: words, mask: RawBytes.twoWords(result.span.extracting(start..<result.count)), count: text.count)
  }

  private mutating func appendNew(_ text: RawBytes) {
    if ascii.append(maskOf: text, to: &result) { return }
    maskAny(text.span)
    result.append(characters)
  }

  private mutating func maskAny(_ text: Span<UInt8>) {
    places.removeAll(keepingCapacity: true)
    digits.removeAll(keepingCapacity: true)
    characters.removeAll(keepingCapacity: true)
    // What stays, and the kinds of what changes, choose the permutation.
    var shape = UInt64(text.count)
    var index = 0
    while index < text.count {
      let byte = text[index]
      characters.append(byte)
      switch byte {
      case 0x30...0x39: take(byte, 0x30, digitBound, index)
      case 0x41...0x5A: take(byte, 0x41, letterBound, index)
      case 0x61...0x7A: take(byte, 0x61, letterBound, index)
      case 0x80...:
        let size = takeCharacter(text, at: index)
        for rest in index + 1..<index + size { characters.append(text[rest]) }
        if places.last?.offset != Int32(truncatingIfNeeded: index) {
          shape = MaskTweak.mixed(shape, UInt64(byte))
        }
        index += size
        continue
      default: shape = MaskTweak.mixed(shape, UInt64(byte))
      }
      if let place = places.last, place.offset == Int32(truncatingIfNeeded: index) {
        shape = MaskTweak.mixed(shape, UInt64(place.first))
      }
      index += 1
    }
    guard !digits.isEmpty else { return }
    pack()
    permutation.permute(&numbers, below: bounds, count: numbers.count, tweak: MaskTweak.text(shape))
    unpack()
  }

  @inline(__always)
  private mutating func take(_ byte: UInt8, _ first: UInt8, _ bound: UInt32, _ offset: Int) {
    places.append(
      Place(offset: Int32(truncatingIfNeeded: offset), size: 1, kind: nil, first: first, bound: bound))
    digits.append(UInt32(byte - first))
  }

  /// Takes a character beyond ASCII where it changes; gives its size.
  private mutating func takeCharacter(_ text: Span<UInt8>, at index: Int) -> Int {
    let lead = text[index]
    let size = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2
    guard lead >= 0xC2, lead < 0xF5, index + size <= text.count else { return 1 }
    var code = UInt32(lead) & (0x7F >> UInt32(size))
    for rest in index + 1..<index + size {
      guard text[rest] & 0xC0 == 0x80 else { return 1 }
      code = code << 6 | UInt32(text[rest] & 0x3F)
    }
    guard let character = Unicode.Scalar(code), UTF8.width(character) == size,
      let number = kinds.number(of: character), let digit = kinds[number].index(of: code),
      kinds[number].count > 1
    else { return 1 }
    places.append(
      Place(
        offset: Int32(truncatingIfNeeded: index), size: UInt8(size), kind: number, first: 0,
        bound: kinds[number].count))
    digits.append(digit)
    return size
  }

  private mutating func beginNumbers() {
    numbers.removeAll(keepingCapacity: true)
    bounds.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
  }

  /// Puts digits together to numbers, at least two where there are two digits.
  private mutating func pack() {
    beginNumbers()
    let middle = digits.count / 2
    var (number, bound): (UInt64, UInt64) = (0, 1)
    for index in digits.indices {
      let digitBound = UInt64(places[index].bound)
      // No kind has as many characters as 24 bits count; most digits are spared the division so.
      let isFull =
        bound > KeyedPermutation.boundMax >> 24 && bound > KeyedPermutation.boundMax / digitBound
      if bound > 1, isFull || index == middle {
        numbers.append(number)
        bounds.append(bound)
        ends.append(index)
        (number, bound) = (0, 1)
      }
      number = number * digitBound + UInt64(digits[index])
      bound *= digitBound
    }
    numbers.append(number)
    bounds.append(bound)
    ends.append(digits.count)
  }

  private mutating func unpack() {
    var start = 0
    for (position, end) in ends.enumerated() {
      var number = numbers[position]
      for index in (start..<end).reversed() {
        let place = places[index]
        let digit: UInt64
        switch place.bound {
        case letterBound: (number, digit) = number.quotientAndRemainder(dividingBy: 26)
        case digitBound: (number, digit) = number.quotientAndRemainder(dividingBy: 10)
        default: (number, digit) = number.quotientAndRemainder(dividingBy: UInt64(place.bound))
        }
        put(UInt32(truncatingIfNeeded: digit), at: place)
      }
      start = end
    }
  }

  private mutating func put(_ digit: UInt32, at place: Place) {
    guard let kind = place.kind else {
      characters[Int(place.offset)] = place.first + UInt8(truncatingIfNeeded: digit)
      return
    }
    guard let bytes = Unicode.Scalar(kinds[kind][digit]).flatMap(UTF8.encode) else { return }
    for (index, byte) in bytes.enumerated() {
      characters[Int(place.offset) + index] = byte
    }
  }

  /// Appends the mask of data: as many bytes.
  mutating func append(maskOfData data: RawBytes) {
    defer { resultEnds.append(Int64(result.count)) }
    beginNumbers()
    var index = 0
    // Two halves of what is short.
    let step = min(Self.bytesANumber, max(1, data.count / 2))
    while index < data.count {
      let size = min(step, data.count - index)
      numbers.append(data.word(at: index).byteSwapped >> UInt64(64 - 8 * size))
      bounds.append(1 << UInt64(8 * size))
      index += size
    }
    permutation.permute(
      &numbers, below: bounds, count: numbers.count, tweak: MaskTweak.data(UInt64(data.count)))
    let numbers = numbers
    var masked = result.extend(by: data.count)
    for (position, number) in numbers.enumerated() {
      let start = position * step
      let end = min(start + step, data.count)
      for place in start..<end {
        masked[place] = UInt8(truncatingIfNeeded: number >> UInt64(8 * (end - 1 - place)))
      }
    }
  }
}
