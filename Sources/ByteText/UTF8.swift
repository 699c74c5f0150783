// Well-formed UTF-8 (Unicode, table 3-7): finding what is not, and replacing it.
// Layer: ByteText. Runs of ASCII are passed 16 bytes at a time.

/// The index of the first byte that begins no well-formed UTF-8 sequence, or nil when all is well.
package func firstInvalidUTF8Index(in bytes: Span<UInt8>) -> Int? {
  var index = asciiRunEnd(in: bytes, from: 0)
  while index < bytes.count {
    let lead = bytes[index]
    if lead < 0x80 {
      index &+= 1
    } else if lead &- 0xC2 < 0x1E, index &+ 1 < bytes.count, bytes[index &+ 1] & 0xC0 == 0x80 {
      index &+= 2
    } else if lead &- 0xE1 < 0x0C, index &+ 2 < bytes.count,
      bytes[index &+ 1] & 0xC0 == 0x80, bytes[index &+ 2] & 0xC0 == 0x80
    {
      // 0xE1 … 0xEC, where no second byte is forbidden.
      index &+= 3
    } else {
      let sequence = utf8Sequence(in: bytes, at: index)
      if !sequence.isValid { return index }
      index &+= sequence.length
    }
  }
  return nil
}

/// The sequence that begins at `index`: its length when well-formed, else the length of the longest part
/// that one U+FFFD stands for.
package func utf8Sequence(in bytes: Span<UInt8>, at index: Int) -> (length: Int, isValid: Bool) {
  let lead = bytes[index]
  let continuationCount: Int
  var allowedSecond: ClosedRange<UInt8> = 0x80...0xBF
  switch lead {
  case 0x00...0x7F: return (1, true)
  case 0xC2...0xDF: continuationCount = 1
  case 0xE0...0xEF:
    continuationCount = 2
    // No overlong forms, no surrogates.
    if lead == 0xE0 { allowedSecond = 0xA0...0xBF }
    if lead == 0xED { allowedSecond = 0x80...0x9F }
  case 0xF0...0xF4:
    continuationCount = 3
    // No overlong forms, nothing above U+10FFFF.
    if lead == 0xF0 { allowedSecond = 0x90...0xBF }
    if lead == 0xF4 { allowedSecond = 0x80...0x8F }
  default: return (1, false)
  }
  for offset in 1...continuationCount {
    let allowed = offset == 1 ? allowedSecond : 0x80...0xBF
    guard index + offset < bytes.count, allowed.contains(bytes[index + offset]) else {
      return (offset, false)
    }
  }
  return (continuationCount + 1, true)
}

extension ByteBuffer {
  /// Appends `bytes` with U+FFFD for every part that is not well-formed UTF-8.
  package mutating func append(repairingUTF8 bytes: Span<UInt8>) {
    var rest = bytes
    while let invalid = firstInvalidUTF8Index(in: rest) {
      append(rest.extracting(first: invalid))
      append(literal: "\u{FFFD}")
      rest = rest.extracting(droppingFirst: invalid + utf8Sequence(in: rest, at: invalid).length)
    }
    append(rest)
  }
}

/// The end of the run of ASCII bytes that begins at `start`.
private func asciiRunEnd(in bytes: Span<UInt8>, from start: Int) -> Int {
  var index = start
  while index &+ 16 <= bytes.count {
    var union: UInt8 = 0
    for offset in 0..<16 { union |= bytes[index &+ offset] }
    if union >= 0x80 { break }
    index &+= 16
  }
  while index < bytes.count, bytes[index] < 0x80 { index &+= 1 }
  return index
}

extension String {
  /// What stands behind `prefix`; nil where it begins with something else. Byte by byte: what stands behind may begin with
  /// what would join the prefix's last letter to one character.
  package func behind(_ prefix: String) -> String? {
    utf8.starts(with: prefix.utf8) ? String(utf8.dropFirst(prefix.utf8.count)) : nil
  }
}

extension Substring {
  /// Whether `part` is somewhere in the text, byte by byte. The standard library's own search brings all of its regular
  /// expressions into the program.
  package func holds(_ part: String) -> Bool { firstPlace(of: part) != nil }

  /// Where `part` first begins.
  package func firstPlace(of part: String) -> Index? {
    guard let first = part.utf8.first else { return startIndex }
    var rest = utf8
    while let place = rest.firstIndex(of: first) {
      rest = rest[place...]
      if rest.starts(with: part.utf8) { return place }
      rest.removeFirst()
    }
    return nil
  }
}

extension String {
  package func holds(_ part: String) -> Bool { self[...].holds(part) }
  package func firstPlace(of part: String) -> Index? { self[...].firstPlace(of: part) }
}
