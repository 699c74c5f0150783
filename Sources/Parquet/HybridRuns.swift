// Small numbers as runs of equal ones and as packed bits: levels, and places in a dictionary. Layer: Parquet.

import ByteText

extension ByteBuffer {
  private static let groupLength = 8

  /// Appends all of `values`, each of which has at most `bitWidth` bits.
  mutating func append<Number: FixedWidthInteger & UnsignedInteger>(hybrid values: [Number], bitWidth: Int) {
    var start = 0
    var index = 0
    while index < values.count {
      let value = values[index]
      var end = index + 1
      while end < values.count, values[end] == value { end += 1 }
      // What is packed is in groups of eight, so that a run gives the group before it what that lacks.
      let open = (index - start) % Self.groupLength
      let lacking = open == 0 ? 0 : Self.groupLength - open
      if end - index - lacking >= Self.groupLength {
        append(packed: values[start..<index + lacking], bitWidth: bitWidth)
        append(run: UInt64(value), count: end - index - lacking, bitWidth: bitWidth)
        start = end
      }
      index = end
    }
    append(packed: values[start...], bitWidth: bitWidth)
  }

  /// Appends one number, `count` times.
  mutating func append(run value: UInt64, count: Int, bitWidth: Int) {
    append(varint: UInt64(count) << 1)
    append(littleEndian: value, size: (bitWidth + 7) / 8)
  }

  private mutating func append<Number: FixedWidthInteger & UnsignedInteger>(
    packed values: ArraySlice<Number>, bitWidth: Int
  ) {
    guard !values.isEmpty else { return }
    let groupCount = (values.count + Self.groupLength - 1) / Self.groupLength
    append(varint: UInt64(groupCount) << 1 | 1)
    append(bits: values, bitWidth: bitWidth, groupCount: groupCount)
  }

  /// Appends groups of eight numbers, the lowest bits first; what the last group lacks is zero.
  mutating func append<Number: FixedWidthInteger & UnsignedInteger>(
    bits values: ArraySlice<Number>, bitWidth: Int, groupCount: Int
  ) {
    var target = extend(by: groupCount * bitWidth)
    var place = 0
    var word: UInt64 = 0
    var bitCount = 0
    for value in values {
      word |= UInt64(value) << UInt64(bitCount)
      bitCount += bitWidth
      while bitCount >= 8 {
        target[place] = UInt8(truncatingIfNeeded: word)
        place += 1
        word >>= 8
        bitCount -= 8
      }
    }
    while place < groupCount * bitWidth {
      target[place] = UInt8(truncatingIfNeeded: word)
      word = 0
      place += 1
    }
  }
}

/// Levels of a page, which are mostly all the same.
struct LevelBuffer {
  private var levels: [UInt8] = []
  /// Of all so far, while they are equal.
  private var constant: UInt8 = 0
  private(set) var count = 0

  mutating func append(_ level: UInt8) {
    defer { count += 1 }
    if levels.isEmpty {
      if count == 0 { constant = level }
      if level == constant { return }
      levels = Array(repeating: constant, count: count)
    }
    levels.append(level)
  }

  mutating func removeAll() {
    levels.removeAll(keepingCapacity: true)
    count = 0
  }

  /// With their length before them.
  func write(to bytes: inout ByteBuffer, max: Int) {
    guard max > 0 else { return }
    let bitWidth = Int.bitWidth - max.leadingZeroBitCount
    var encoded = ByteBuffer()
    if levels.isEmpty {
      encoded.append(run: UInt64(constant), count: count, bitWidth: bitWidth)
    } else {
      encoded.append(hybrid: levels, bitWidth: bitWidth)
    }
    bytes.append(littleEndian: UInt64(encoded.count), size: 4)
    bytes.append(encoded.span)
  }
}
