// Searches for one needle in many texts at once. Layer: Bytes.
// Safe: every loop's range is checked against the payload before it begins.

/// Marks texts of a leaf that contain, begin with or equal a needle.
enum TextKernels {
  /// Marks elements of `width` bytes, padded with zeros and closed by their padding length, that equal `needle`,
  /// which is case-sensitive. The element that means it is built once; whole words are compared.
  static func markEqual(
    _ payload: RawBytes, width: Int, start: Int, count: Int, needle: Needle, into mask: RowMask
  ) {
    guard needle.count < width else { return mask.fill(false, count: count) }
    var element = needle.upper + [UInt8](repeating: 0, count: width - needle.count)
    element[width - 1] = UInt8(width - 1 - needle.count)
    markElements(
      payload, width: width, start: start, count: count, pattern: element,
      relevant: [UInt8](repeating: 0xFF, count: width), into: mask)
  }

  /// The same for elements that begin with `needle`, which is case-sensitive, not empty and without zero bytes, so
  /// that padding can never be taken for it.
  static func markPrefix(
    _ payload: RawBytes, width: Int, start: Int, count: Int, needle: Needle, into mask: RowMask
  ) {
    guard needle.count < width else { return mask.fill(false, count: count) }
    let padding = [UInt8](repeating: 0, count: width - needle.count)
    markElements(
      payload, width: width, start: start, count: count, pattern: needle.upper + padding,
      relevant: [UInt8](repeating: 0xFF, count: needle.count) + padding, into: mask)
  }

  /// Marks elements whose `relevant` bits are those of `pattern`.
  private static func markElements(
    _ payload: RawBytes, width: Int, start: Int, count: Int, pattern: [UInt8], relevant: [UInt8],
    into mask: RowMask
  ) {
    mask.resize(count)
    guard count > 0 else { return }
    let elements = payload.slice(start * width, count * width)
    let source = unsafe elements.start
    let rows = unsafe mask.rows
    switch width {
    case 16:
      let (first, firstBits) = (word(pattern, at: 0), word(relevant, at: 0))
      let (second, secondBits) = (word(pattern, at: 8), word(relevant, at: 8))
      for row in 0..<count {
        let low = unsafe source.loadUnaligned(fromByteOffset: row &* 16, as: UInt64.self).littleEndian
        let high = unsafe source.loadUnaligned(fromByteOffset: row &* 16 &+ 8, as: UInt64.self).littleEndian
        let difference = (low ^ first) & firstBits | (high ^ second) & secondBits
        unsafe rows[row] = difference == 0 ? 1 : 0
      }
    case 8:
      let (first, firstBits) = (word(pattern, at: 0), word(relevant, at: 0))
      for row in 0..<count {
        let low = unsafe source.loadUnaligned(fromByteOffset: row &* 8, as: UInt64.self).littleEndian
        unsafe rows[row] = (low ^ first) & firstBits == 0 ? 1 : 0
      }
    default:
      for row in 0..<count {
        var difference: UInt8 = 0
        for byte in 0..<width {
          difference |= (elements[row &* width &+ byte] ^ pattern[byte]) & relevant[byte]
        }
        unsafe rows[row] = difference == 0 ? 1 : 0
      }
    }
  }

  /// Eight bytes as the processor loads them.
  private static func word(_ bytes: [UInt8], at offset: Int) -> UInt64 {
    (0..<8).reduce(0) { $0 | UInt64(bytes[offset + $1]) << UInt64(8 * $1) }
  }

  /// Calls `body` with every position in `text` where `needle`, which is not empty, stands, in order. `scratch`
  /// is overwritten. The first two bytes are looked for in all positions at once.
  static func forEachOccurrence(
    of needle: Needle, in text: RawBytes, scratch: RowMask, _ body: (Int) -> Void
  ) {
    let positions = text.count - needle.count + 1
    guard positions > 0 else { return }
    scratch.resize(positions)
    let rows = unsafe scratch.rows
    let source = unsafe text.start.assumingMemoryBound(to: UInt8.self)
    let (upper, lower) = (needle.upper[0], needle.lower[0])
    if needle.count == 1 {
      for index in 0..<positions {
        let byte = unsafe source[index]
        unsafe rows[index] = (byte == upper ? 1 : 0) | (byte == lower ? 1 : 0)
      }
    } else {
      let (nextUpper, nextLower) = (needle.upper[1], needle.lower[1])
      for index in 0..<positions {
        let byte = unsafe source[index]
        let next = unsafe source[index &+ 1]
        let first: UInt8 = (byte == upper ? 1 : 0) | (byte == lower ? 1 : 0)
        let second: UInt8 = (next == nextUpper ? 1 : 0) | (next == nextLower ? 1 : 0)
        unsafe rows[index] = first & second
      }
    }
    scratch.forEachRow { position in
      if needle.count <= 2 || needle.stands(in: text, at: position) { body(position) }
    }
  }
}
