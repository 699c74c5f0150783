// Many numbers in one call: the cells of a column. Layer: ByteText.
// A call for each number across targets would cost as much as its digits.

extension ByteBuffer {
  /// Appends integers in decimal digits, `absentText` in place of `absentValue`, and notes where each begins.
  package mutating func append(
    decimals values: [Int64], absentValue: Int64?, absentText: [UInt8], starts: inout [Int]
  ) {
    let sizeMax = max(20, absentText.count)
    let first = count
    var position = 0
    var target = extend(by: sizeMax * values.count)
    for index in values.indices {
      starts.append(first &+ position)
      let value = values[index]
      if value == absentValue {
        for byte in absentText.indices { target[position &+ byte] = absentText[byte] }
        position &+= absentText.count
      } else {
        position = target.write(decimal: value, at: position)
      }
    }
    truncate(to: first + position)
  }

  /// Appends finite numbers as `append(shortest:)` does, `absentText` for those whose bits are `absentBits`, and
  /// notes where each begins.
  package mutating func append(
    shortest values: [Double], absentBits: UInt64?, absentText: [UInt8], starts: inout [Int]
  ) {
    reserve(24 * values.count)
    for index in values.indices {
      starts.append(count)
      let value = values[index]
      if value.bitPattern == absentBits {
        append(absentText)
      } else {
        append(shortest: value)
      }
    }
  }
}

extension MutableSpan<UInt8> {
  /// Writes `value` in decimal digits from `position` on and returns the position behind them.
  @inline(__always)
  mutating func write(decimal value: Int64, at position: Int) -> Int {
    var start = position
    if value < 0 {
      self[start] = UInt8(ascii: "-")
      start &+= 1
    }
    let end = start &+ decimalDigitCount(value.magnitude)
    write(digitsOf: value.magnitude, from: start, to: end)
    return end
  }

  /// Writes the lowest `end - start` decimal digits of `value`, with leading zeros.
  @inline(__always)
  mutating func write(digitsOf value: UInt64, from start: Int, to end: Int) {
    var rest = value
    var end = end
    while end &- start >= 2 {
      let pair = UInt32(truncatingIfNeeded: rest % 100)
      rest /= 100
      // 103/1024 is close enough to 1/10 for every pair below 100.
      let tens = (pair &* 103) >> 10
      self[end &- 1] = UInt8(truncatingIfNeeded: 48 &+ pair &- tens &* 10)
      self[end &- 2] = UInt8(truncatingIfNeeded: 48 &+ tens)
      end &-= 2
    }
    if end > start { self[start] = UInt8(truncatingIfNeeded: 48 &+ rest % 10) }
  }
}
