// Whether bytes are text. Layer: Source. Every parser checks its input here first, so that all code behind it
// may take a lead byte at its word.

/// The offset of the first byte in `bounds` that is a NUL or not part of well-formed UTF-8, or nil.
///
/// One pass; a truncated or overlong sequence is reported at its lead byte.
package func firstInvalidTextOffset(in bytes: [UInt8], bounds: Range<Int>) -> Int? {
  var offset = bounds.lowerBound
  while offset < bounds.upperBound {
    let byte = bytes[offset]
    if byte < 0x80 {
      if byte == 0 { return offset }
      offset += 1
      continue
    }
    let length = scalarLength(leadByte: byte)
    guard length > 0, offset + length <= bounds.upperBound,
      secondBytes(after: byte).contains(bytes[offset + 1])
    else { return offset }
    for index in offset + 2..<max(offset + 2, offset + length) where bytes[index] & 0xC0 != 0x80 {
      return offset
    }
    offset += length
  }
  return nil
}

/// Bytes of the scalar that begins with `leadByte`; 0 when no well-formed scalar does.
package func scalarLength(leadByte: UInt8) -> Int {
  switch leadByte {
  case 0x00...0x7F: 1
  case 0xC2...0xDF: 2
  case 0xE0...0xEF: 3
  case 0xF0...0xF4: 4
  default: 0
  }
}

/// The second bytes that are neither overlong, a surrogate nor above U+10FFFF.
private func secondBytes(after leadByte: UInt8) -> ClosedRange<UInt8> {
  switch leadByte {
  case 0xE0: 0xA0...0xBF
  case 0xED: 0x80...0x9F
  case 0xF0: 0x90...0xBF
  case 0xF4: 0x80...0x8F
  default: 0x80...0xBF
  }
}
