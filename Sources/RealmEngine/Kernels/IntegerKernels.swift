// Range tests over packed integers, one loop a width, made to be vectorised: no branch, no check and no call in a
// loop. Layer: Kernels. Safe: the caller's run of elements is checked against the payload before the loop.

/// A range test over a run of elements inside a payload.
enum IntegerKernels {
  /// Marks the rows whose element is in `low ... high`, or with `isNegated` those whose element is not.
  static func mark<T: FixedWidthInteger & SignedInteger>(
    _ payload: RawBytes, start: Int, count: Int, low: T, high: T, isNegated: Bool, into mask: SelectionMask
  ) where T.Magnitude: VectorNumber & FixedWidthInteger {
    let elements = payload.slice(start * MemoryLayout<T>.size, count * MemoryLayout<T>.size)
    let base = SIMD16(repeating: T.Magnitude(truncatingIfNeeded: low))
    let flip = SixteenAnswers(repeating: isNegated ? 1 : 0)
    if low == high {
      @inline(__always) func isEqual(_ numbers: SIMD16<T.Magnitude>) -> SixteenAnswers {
        T.Magnitude.areEqual(numbers, base) ^ flip
      }
      return mask.mark(elements, isEqual)
    }
    // Numbers with a sign are in the order of numbers without one when that bit is flipped.
    let sign = SIMD16(repeating: T.Magnitude(truncatingIfNeeded: T.min))
    if low == .min {
      let last = SIMD16(repeating: T.Magnitude(truncatingIfNeeded: high)) ^ sign
      @inline(__always) func isAtMost(_ numbers: SIMD16<T.Magnitude>) -> SixteenAnswers {
        T.Magnitude.areAtMost(numbers ^ sign, last) ^ flip
      }
      return mask.mark(elements, isAtMost)
    }
    if high == .max {
      let first = base ^ sign
      @inline(__always) func isAtLeast(_ numbers: SIMD16<T.Magnitude>) -> SixteenAnswers {
        T.Magnitude.areAtMost(first, numbers ^ sign) ^ flip
      }
      return mask.mark(elements, isAtLeast)
    }
    // One subtraction and one unsigned comparison test both bounds.
    let span = SIMD16(
      repeating: T.Magnitude(truncatingIfNeeded: high) &- T.Magnitude(truncatingIfNeeded: low))
    @inline(__always) func isWithin(_ numbers: SIMD16<T.Magnitude>) -> SixteenAnswers {
      T.Magnitude.areAtMost(numbers &- base, span) ^ flip
    }
    mask.mark(elements, isWithin)
  }

  /// Marks the rows whose element is one of a few `members`.
  static func mark<T: VectorNumber>(
    _ payload: RawBytes, start: Int, count: Int, anyOf members: [T], into mask: SelectionMask
  ) {
    mask.mark(
      payload.slice(start * MemoryLayout<T>.size, count * MemoryLayout<T>.size), anyOf: members)
  }

  /// Marks the rows whose element less `bias` is a member.
  static func mark<T: FixedWidthInteger & SignedInteger & BitwiseCopyable>(
    _ payload: RawBytes, start: Int, count: Int, _ type: T.Type, less bias: Int64, in members: IntegerBits,
    into mask: SelectionMask
  ) {
    let elements = payload.slice(start * MemoryLayout<T>.size, count * MemoryLayout<T>.size)
    mask.resize(count)
    let source = unsafe elements.start
    let rows = unsafe mask.rows
    let origin = members.start &+ bias
    unsafe members.withWords { words in
      let outside = UInt64(words.count - 1)
      for row in 0..<count {
        let element = unsafe source.loadUnaligned(fromByteOffset: row &* MemoryLayout<T>.size, as: T.self)
        let position = UInt64(bitPattern: Int64(T(littleEndian: element)) &- origin)
        let word = unsafe words[Int(truncatingIfNeeded: min(position / 64, outside))]
        unsafe rows[row] = UInt8(truncatingIfNeeded: word &>> (position % 64)) & 1
      }
    }
  }

  /// Spreads elements of 1, 2 or 4 bits to bytes; `count` of them from element `start`.
  static func spread(_ payload: RawBytes, width: Int, start: Int, count: Int, into mask: SelectionMask) {
    mask.resize(count)
    guard count > 0 else { return }
    let perByte = 8 / width
    precondition((start + count + perByte - 1) / perByte <= payload.count)
    let source = unsafe payload.start
    let rows = unsafe mask.rows
    let lowBits = UInt8((1 << width) - 1)
    var row = 0
    // Single elements up to a byte's boundary, whole bytes, single elements again.
    while row < count, (start + row) % perByte != 0 {
      unsafe rows[row] = element(payload, width: width, start + row)
      row += 1
    }
    let firstByte = (start + row) / perByte
    let byteCount = (count - row) / perByte
    for byte in 0..<byteCount {
      let packed = unsafe source.load(fromByteOffset: firstByte &+ byte, as: UInt8.self)
      let target = unsafe rows + (row &+ byte &* perByte)
      switch width {
      case 1:
        // Eight copies of the byte, one bit kept in each, each non-zero byte turned into 1.
        let copies = (UInt64(packed) &* 0x0101_0101_0101_0101) & 0x8040_2010_0804_0201
        let ones = ((copies &+ 0x7F7F_7F7F_7F7F_7F7F) >> 7) & 0x0101_0101_0101_0101
        unsafe UnsafeMutableRawPointer(target).storeBytes(of: ones.littleEndian, as: UInt64.self)
      case 2:
        unsafe target[0] = packed & lowBits
        unsafe target[1] = packed >> 2 & lowBits
        unsafe target[2] = packed >> 4 & lowBits
        unsafe target[3] = packed >> 6
      default:
        unsafe target[0] = packed & lowBits
        unsafe target[1] = packed >> 4
      }
    }
    row += byteCount * perByte
    while row < count {
      unsafe rows[row] = element(payload, width: width, start + row)
      row += 1
    }
  }

  /// Marks the bytes that `table` says are in; one a row.
  static func lookUp(_ payload: RawBytes, start: Int, count: Int, _ table: [UInt8], into mask: SelectionMask)
  {
    mask.resize(count)
    let elements = payload.slice(start, count)
    let source = unsafe elements.start.assumingMemoryBound(to: UInt8.self)
    let rows = unsafe mask.rows
    unsafe lookUp(source, count: count, table, into: rows)
  }

  /// Looks up the bytes that `spread` made, in place.
  static func lookUpSpread(_ mask: SelectionMask, _ table: [UInt8]) {
    let rows = unsafe mask.rows
    unsafe lookUp(rows, count: mask.count, table, into: rows)
  }

  private static func lookUp(
    _ source: UnsafePointer<UInt8>, count: Int, _ table: [UInt8], into rows: UnsafeMutablePointer<UInt8>
  ) {
    precondition(table.count == 256)
    unsafe table.withUnsafeBufferPointer { table in
      for row in 0..<count { unsafe rows[row] = table[Int(source[row])] }
    }
  }

  private static func element(_ payload: RawBytes, width: Int, _ index: Int) -> UInt8 {
    let bit = index * width
    return payload[bit >> 3] >> UInt8(bit & 7) & UInt8((1 << width) - 1)
  }

  /// The range test over bytes that `spread` made, in place.
  static func markSpread(_ mask: SelectionMask, low: UInt8, high: UInt8, isNegated: Bool) {
    let flip: UInt8 = isNegated ? 1 : 0
    let rows = unsafe mask.rows
    let span = high &- low
    for row in 0..<mask.count {
      let element = unsafe rows[row]
      unsafe rows[row] = ((element &- low) <= span ? 1 : 0) ^ flip
    }
  }
}
