// UTF-16 on its way to UTF-8, in pieces of any size. Layer: TextFormats, Input.

import ByteText

/// Turns UTF-16 into UTF-8.
struct UTF16Decoder {
  private let isBigEndian: Bool
  /// A byte without its other half, and half of a surrogate pair.
  private var oddByte: UInt8?
  private var high: UInt16?
  /// Bytes of the text that were decoded, without the mark.
  private(set) var byteCount = 0

  /// Nil when `head` does not begin with the mark of UTF-16.
  init?(head: Span<UInt8>) {
    guard head.count >= 2 else { return nil }
    switch (head[0], head[1]) {
    case (0xFF, 0xFE): isBigEndian = false
    case (0xFE, 0xFF): isBigEndian = true
    default: return nil
    }
  }

  static let markSize = 2

  /// Appends the text of more bytes. False where they are no UTF-16: `byteCount` is the place.
  mutating func decode(_ bytes: Span<UInt8>, into text: inout [UInt8]) -> Bool {
    for index in bytes.indices {
      guard let first = oddByte else {
        oddByte = bytes[index]
        continue
      }
      oddByte = nil
      let (most, least) = isBigEndian ? (first, bytes[index]) : (bytes[index], first)
      guard append(UInt16(most) << 8 | UInt16(least), to: &text) else { return false }
      byteCount += 2
    }
    return true
  }

  /// Whether the text may end here.
  var isWhole: Bool { oddByte == nil && high == nil }

  private mutating func append(_ unit: UInt16, to text: inout [UInt8]) -> Bool {
    var value = UInt32(unit)
    if let high {
      guard unit & 0xFC00 == 0xDC00 else { return false }
      value = 0x10000 + (UInt32(high) - 0xD800) << 10 + (UInt32(unit) - 0xDC00)
      self.high = nil
    } else if unit & 0xFC00 == 0xD800 {
      high = unit
      return true
    }
    guard let scalar = Unicode.Scalar(value), let encoded = UTF8.encode(scalar) else { return false }
    text.append(contentsOf: encoded)
    return true
  }
}
