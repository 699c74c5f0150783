// Values as plain numbers that compare as the values do. Layer: Query, Run, SortKeys.
// Invariant: the words of two values, compared one after the other, say what `Value.storedOrder` says of values of one
// type. Null comes first. Most values are said by their first word, the others being what they usually are; texts and
// data by two, unless they are cut: then equal words are of values that still need a look.

/// The words of one value.
struct OrderKey {
  let first: UInt64
  let second: UInt64
  let third: UInt64

  @inline(__always)
  init(_ first: UInt64, _ second: UInt64 = 0, _ third: UInt64 = 0) {
    self.first = first
    self.second = second
    self.third = third
  }

  static let null = OrderKey(0)
  private static let sign: UInt64 = 1 << 63

  @inline(__always)
  init(_ integer: Int64?) {
    guard let integer else {
      self = .null
      return
    }
    let word = UInt64(bitPattern: integer) ^ Self.sign
    // The least number is not null.
    self.init(word, word == 0 ? 1 : 0)
  }

  @inline(__always)
  init(_ flag: Bool?) { self.init(flag.map { $0 ? 2 : 1 } ?? 0) }

  @inline(__always)
  init(_ number: Double?) {
    guard let number else {
      self = .null
      return
    }
    guard !number.isNaN else {
      self.init(notANumber: number.bitPattern)
      return
    }
    self.init(OrderedNumber.word(number))
  }

  @inline(__always)
  init(_ number: Float?) {
    if let number, number.isNaN {
      self.init(notANumber: UInt64(number.bitPattern))
    } else {
      self.init(number.map(Double.init))
    }
  }

  /// Before all numbers, by its bits.
  private init(notANumber bits: UInt64) { self.init(1, bits) }

  init(_ decimal: Decimal128?) {
    guard let decimal else {
      self = .null
      return
    }
    if let bits = decimal.orderedBits {
      self.init(UInt64(truncatingIfNeeded: bits >> 64), UInt64(truncatingIfNeeded: bits))
    } else {
      // Before all numbers.
      self.init(1, decimal.high, decimal.low)
    }
  }

  /// Nanoseconds below zero come before none, so that none is not 0.
  @inline(__always)
  init(seconds: Int64?, nanoseconds: Int32) {
    let word = seconds.map { UInt64(bitPattern: $0) ^ Self.sign } ?? 0
    let second = UInt64(bitPattern: Int64(nanoseconds)) &+ Self.wholeSecond
    // The earliest second is not null.
    self.init(word, seconds == nil ? Self.wholeSecond : word == 0 ? second | 1 << 32 : second)
  }

  private static let wholeSecond: UInt64 = 1 << 31

  /// The second word that most values of a type have.
  static func usualSecond(of type: ValueType) -> UInt64 { type == .date ? wholeSecond : 0 }

  /// The key of a linked object; nil where there is none.
  @inline(__always)
  init(link key: ObjectKey?) { self.init(key.map { UInt64(bitPattern: $0.value) + 1 } ?? 0) }

  init(_ id: ObjectID?) { self.init(id?.high ?? 0, id.map { UInt64($0.low) + 1 } ?? 0) }

  /// All words of identifiers are taken: a third one tells zeros from null.
  init(_ id: UUIDValue?) {
    self.init(id?.high ?? 0, id?.low ?? 0, id.map { $0.high | $0.low == 0 ? 1 : 0 } ?? 0)
  }

  @inline(__always)
  init(_ text: RawBytes?) {
    guard let text else {
      self = .null
      return
    }
    let first = Self.word(text, 0)
    self.init(first, Self.isCut(first) ? Self.word(text, Self.textBytes) : 0)
  }

  /// The first word of a text of which the first eight bytes are known; what they have behind its end is anything.
  @inline(__always)
  static func first(ofTextWithHead head: UInt64, length: Int) -> UInt64 {
    // No byte is left by a shift of 64.
    let bytes = head & ~(UInt64.max >> UInt64(8 * min(length, textBytes)))
    return bytes | (length > textBytes ? cut : UInt64(length) + 1)
  }

  /// Bytes of a text that a word has.
  static let textBytes = 7
  /// The last byte of a word behind which a text goes on.
  static let cut: UInt64 = 9

  /// Seven bytes of a text, zeros behind its end, and how many they are: of texts that differ in zeros alone the
  /// shorter one comes first.
  @inline(__always)
  static func word(_ text: RawBytes, _ offset: Int) -> UInt64 {
    let rest = text.count - offset
    guard rest > 0 else { return 1 }
    return text.word(at: offset).byteSwapped & ~0xFF | (rest > textBytes ? cut : UInt64(rest) + 1)
  }

  /// Whether a text's last word does not have its end.
  @inline(__always)
  static func isCut(_ word: UInt64) -> Bool { word & 0xFF == cut }
}
