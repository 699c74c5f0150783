// Numbers as programs write them, with as few looks at their digits as can be. Layer: RealmSession, Importing.

import ByteText

/// A number that ints, doubles and decimals keep: few digits, with a point among them at most.
struct ShortNumber {
  /// Where it ends in its text.
  let end: Int
  /// Whether it has no point.
  let isWhole: Bool

  /// All decimal numbers of so many digits are doubles of their own.
  static let digitsMax = 15

  /// Reads the number that begins at `start`; nil where none does, or one with a plus sign, leading zeros, nothing on a side of
  /// its point, or too many digits.
  @inline(__always)
  init?(in text: Span<UInt8>, from start: Int) {
    let first = start < text.count && text[start] == UInt8(ascii: "-") ? start &+ 1 : start
    var index = text.digitsEnd(from: first)
    var digitCount = index &- first
    guard digitCount > 0, digitCount == 1 || text[first] != UInt8(ascii: "0") else { return nil }
    isWhole = index == text.count || text[index] != UInt8(ascii: ".")
    if !isWhole {
      let second = index &+ 1
      index = text.digitsEnd(from: second)
      guard index > second else { return nil }
      digitCount &+= index &- second
    }
    guard digitCount <= Self.digitsMax else { return nil }
    end = index
  }
}

/// Any number without plus sign and leading zeros.
struct NumberText {
  /// Without fraction and exponent.
  let isWhole: Bool
  /// Significant ones: from the first to the last one that is not 0.
  let digitCount: Int

  init?(_ text: Span<UInt8>) {
    let start = text.count > 0 && text[0] == UInt8(ascii: "-") ? 1 : 0
    var wholeCount = 0
    var anyCount = 0
    var significantCount = 0
    var zeroCount = 0
    var hasPoint = false
    var index = start
    while index < text.count {
      let digit = text[index] &- UInt8(ascii: "0")
      if digit <= 9 {
        anyCount += 1
        if !hasPoint { wholeCount += 1 }
        if digit > 0 {
          significantCount += zeroCount + 1
          zeroCount = 0
        } else if significantCount > 0 {
          zeroCount += 1
        }
      } else if text[index] == UInt8(ascii: "."), !hasPoint {
        hasPoint = true
      } else {
        break
      }
      index += 1
    }
    // One side of the point may be empty.
    guard anyCount > 0, wholeCount <= 1 || text[start] != UInt8(ascii: "0") else { return nil }
    if index < text.count {
      guard text[index] | 0x20 == UInt8(ascii: "e"),
        decimalExponent(text.extracting(index + 1..<text.count)) != nil
      else { return nil }
    }
    isWhole = !hasPoint && index == text.count
    digitCount = significantCount
  }

  /// Whether `number`, which `text` spells, is written with the same digits.
  static func isKept(_ text: Span<UInt8>, by number: Double) -> Bool {
    guard number.isFinite else { return false }
    var written = ByteBuffer(capacity: 32)
    written.append(shortest: number)
    var left = Digits(text)
    var right = Digits(written.span)
    while true {
      let digits = (left.next(), right.next())
      if digits == (nil, nil) { return true }
      guard digits.0 ?? 0 == digits.1 ?? 0 else { return false }
    }
  }

  /// The digits of a number from the first one on that is not 0, without its exponent.
  private struct Digits: ~Escapable {
    private let text: Span<UInt8>
    private var index = 0

    @_lifetime(copy text)
    init(_ text: Span<UInt8>) {
      self.text = text
      while index < text.count, !(1...9).contains(text[index] &- UInt8(ascii: "0")),
        text[index] | 0x20 != UInt8(ascii: "e")
      {
        index += 1
      }
    }

    mutating func next() -> UInt8? {
      if index < text.count, text[index] == UInt8(ascii: ".") { index += 1 }
      guard index < text.count, case let digit = text[index] &- UInt8(ascii: "0"), digit <= 9 else {
        return nil
      }
      index += 1
      return digit
    }
  }
}
