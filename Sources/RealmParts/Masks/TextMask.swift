// Texts and data as others of the same length and look. Layer: Masks.
// Letters become letters, digits digits, blanks and punctuation stay: an e-mail address keeps its shape.

import ByteText
import RealmEngine

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
  private var kinds = CharacterKinds()
  private var places: [Place] = []
  private var digits: [UInt32] = []
  private var numbers: [UInt64] = []
  private var bounds: [UInt64] = []
  /// The digits behind the last of each number.
  private var ends: [Int] = []

  /// A text beyond ASCII, in the making.
  private var characters: [UInt8] = []

  /// What came of the last text.
  private(set) var result = ByteBuffer()

  init(_ permutation: KeyedPermutation) { self.permutation = permutation }

  private static let digitBound: UInt32 = 10
  private static let letterBound: UInt32 = 26
  private static let bytesANumber = 7

  /// Puts the mask of a text into `result`.
  mutating func mask(text: Span<UInt8>) {
    result.removeAll()
    if maskASCII(text) { return }
    maskAny(text)
    result.append(characters)
  }

  /// The value of a letter or digit, and how many of its kind there are; nil for what stays.
  @inline(__always)
  private static func digit(_ byte: UInt8) -> (value: UInt8, bound: UInt32)? {
    if case let letter = (byte | 0x20) &- 0x61, letter < UInt8(letterBound) { return (letter, letterBound) }
    if case let digit = byte &- 0x30, digit < UInt8(digitBound) { return (digit, digitBound) }
    return nil
  }

  /// The first character of a letter's or digit's kind.
  @inline(__always)
  private static func first(like byte: UInt8) -> UInt8 { byte < 0x40 ? 0x30 : byte & 0x20 | 0x41 }

  /// False, with nothing done, for a text beyond ASCII.
  private mutating func maskASCII(_ text: Span<UInt8>) -> Bool {
    var shape = UInt64(text.count)
    var word: UInt64 = 0
    var union: UInt8 = 0
    var digitCount = 0
    for index in text.indices {
      let byte = text[index]
      union |= byte
      let isChanged = Self.digit(byte) != nil
      digitCount &+= isChanged ? 1 : 0
      word = word << 8 | UInt64(isChanged ? Self.first(like: byte) : byte)
      if index & 7 == 7 { shape = Self.mixed(shape, word) }
    }
    guard union < 0x80 else { return false }
    shape = Self.mixed(shape, word)
    guard digitCount > 0 else {
      result.append(text)
      return true
    }
    var packing = Packing(digitCount: digitCount)
    beginNumbers()
    for index in text.indices {
      guard let (digit, bound) = Self.digit(text[index]) else { continue }
      if let number = packing.add(UInt64(digit), below: UInt64(bound)) { append(number) }
    }
    append(packing.last)
    permutation.permute(&numbers, below: bounds, tweak: MaskTweak.text(shape))
    let (numbers, ends) = (numbers, ends)
    var masked = result.extend(by: text.count)
    var index = text.count
    for position in ends.indices.reversed() {
      var number = numbers[position]
      let start = position == 0 ? 0 : ends[position - 1]
      while digitCount > start || position == 0 && index > 0 {
        index &-= 1
        let byte = text[index]
        guard let (_, bound) = Self.digit(byte) else {
          masked[index] = byte
          continue
        }
        digitCount &-= 1
        let digit: UInt64
        // Divisions by numbers that are known are several times as fast.
        (number, digit) =
          bound == Self.letterBound
          ? number.quotientAndRemainder(dividingBy: 26) : number.quotientAndRemainder(dividingBy: 10)
        masked[index] = Self.first(like: byte) &+ UInt8(truncatingIfNeeded: digit)
      }
    }
    return true
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
      case 0x30...0x39: take(byte, 0x30, Self.digitBound, index)
      case 0x41...0x5A: take(byte, 0x41, Self.letterBound, index)
      case 0x61...0x7A: take(byte, 0x61, Self.letterBound, index)
      case 0x80...:
        let size = takeCharacter(text, at: index)
        for rest in index + 1..<index + size { characters.append(text[rest]) }
        if places.last?.offset != Int32(truncatingIfNeeded: index) { shape = Self.mixed(shape, UInt64(byte)) }
        index += size
        continue
      default: shape = Self.mixed(shape, UInt64(byte))
      }
      if let place = places.last, place.offset == Int32(truncatingIfNeeded: index) {
        shape = Self.mixed(shape, UInt64(place.first))
      }
      index += 1
    }
    guard !digits.isEmpty else { return }
    pack()
    permutation.permute(&numbers, below: bounds, tweak: MaskTweak.text(shape))
    unpack()
  }

  @inline(__always)
  private static func mixed(_ shape: UInt64, _ word: UInt64) -> UInt64 {
    (shape ^ word) &* 0x9E37_79B9_7F4A_7C15 &+ shape >> 29
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

  /// Puts digits together to numbers, at least two where there are two digits.
  private struct Packing {
    typealias Number = (value: UInt64, bound: UInt64, end: Int)

    /// The number that has begun; its digits end with the last one that was added.
    private(set) var last: Number = (0, 1, 0)
    private let middle: Int

    init(digitCount: Int) { middle = digitCount / 2 }

    /// Adds a digit; gives the number before it where that ends.
    @inline(__always)
    mutating func add(_ digit: UInt64, below bound: UInt64) -> Number? {
      var ended: Number?
      // No kind has as many characters as 24 bits count; most digits are spared the division so.
      let isFull =
        last.bound > KeyedPermutation.boundMax >> 24 && last.bound > KeyedPermutation.boundMax / bound
      if last.bound > 1, isFull || last.end == middle {
        ended = last
        last = (0, 1, last.end)
      }
      last = (last.value &* bound &+ digit, last.bound &* bound, last.end &+ 1)
      return ended
    }
  }

  private mutating func beginNumbers() {
    numbers.removeAll(keepingCapacity: true)
    bounds.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
  }

  private mutating func append(_ number: Packing.Number) {
    numbers.append(number.value)
    bounds.append(number.bound)
    ends.append(number.end)
  }

  private mutating func pack() {
    var packing = Packing(digitCount: digits.count)
    beginNumbers()
    for index in digits.indices {
      if let number = packing.add(UInt64(digits[index]), below: UInt64(places[index].bound)) {
        append(number)
      }
    }
    append(packing.last)
  }

  private mutating func unpack() {
    var start = 0
    for (position, end) in ends.enumerated() {
      var number = numbers[position]
      for index in (start..<end).reversed() {
        let place = places[index]
        let digit: UInt64
        (number, digit) = number.quotientAndRemainder(dividingBy: UInt64(place.bound))
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

  /// Puts the mask of data into `result`: as many bytes.
  mutating func mask(data: Span<UInt8>) {
    beginNumbers()
    result.removeAll()
    var index = 0
    // Two halves of what is short.
    let step = min(Self.bytesANumber, max(1, data.count / 2))
    while index < data.count {
      let size = min(step, data.count - index)
      var number: UInt64 = 0
      for place in index..<index + size { number = number << 8 | UInt64(data[place]) }
      numbers.append(number)
      bounds.append(1 << UInt64(8 * size))
      index += size
    }
    permutation.permute(&numbers, below: bounds, tweak: MaskTweak.data(UInt64(data.count)))
    for (position, number) in numbers.enumerated() {
      let size = min(step, data.count - position * step)
      for byte in 0..<size {
        result.append(UInt8(truncatingIfNeeded: number >> UInt64(8 * (size - 1 - byte))))
      }
    }
  }
}
