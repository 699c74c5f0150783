// Whether bytes are text. Layer: Source. Every parser checks its input here first, so that all code behind it
// may take a lead byte at its word.

import ByteText

/// The offset of the first byte in `bounds` that is a NUL or not part of well-formed UTF-8, or nil.
///
/// A truncated or overlong sequence is reported at its lead byte.
func firstInvalidTextOffset(in bytes: [UInt8], bounds: Range<Int>) -> Int? {
  let invalid = firstInvalidUTF8Index(in: bytes.span.extracting(bounds)).map { bounds.lowerBound + $0 }
  return bytes[bounds.lowerBound..<(invalid ?? bounds.upperBound)].firstIndex(of: 0) ?? invalid
}
