// Text as a JSON string. Layer: TextFormats, JSON.

import ByteText

extension ByteBuffer {
  /// Appends `bytes` as a JSON string with its quotes, escaping what must be escaped and what steers a terminal or an editor.
  ///
  /// Returns false when the bytes are not valid UTF-8; the string then has U+FFFD in their place.
  package mutating func append(jsonString bytes: Span<UInt8>) -> Bool {
    let run = jsonWrittenRun(in: bytes, from: 0)
    if run.end == bytes.count && run.isASCII {
      append(bytes, quotedBy: UInt8(ascii: "\""))
      return true
    }
    if firstInvalidUTF8Index(in: bytes) != nil {
      var repaired = ByteBuffer(capacity: bytes.count + 16)
      repaired.append(repairingUTF8: bytes)
      appendEscaped(repaired.span)
      return false
    }
    appendEscaped(bytes)
    return true
  }

  /// Appends a Swift string as a JSON string.
  package mutating func append(jsonString text: String) {
    // A Swift string is valid UTF-8. The copy outlives the growing; the span of a short string does not.
    let bytes = Array(text.utf8)
    appendEscaped(bytes.span)
  }

  /// Appends a Swift string as the key of a JSON object, with its colon.
  package mutating func append(jsonKey name: String) {
    append(jsonString: name)
    append(UInt8(ascii: ":"))
  }

  private mutating func appendEscaped(_ bytes: Span<UInt8>) {
    append(UInt8(ascii: "\""))
    var index = 0
    while true {
      let end = jsonWrittenRun(in: bytes, from: index).end
      if end > index { append(bytes.extracting(index..<end)) }
      if end == bytes.count { break }
      index = end + appendEscape(in: bytes, at: end)
    }
    append(UInt8(ascii: "\""))
  }

  /// Appends what stands for the character at `index`; returns its size.
  private mutating func appendEscape(in bytes: Span<UInt8>, at index: Int) -> Int {
    switch bytes[index] {
    case let byte where byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\"):
      append(UInt8(ascii: "\\"), byte)
    case 0x08: append(UInt8(ascii: "\\"), UInt8(ascii: "b"))
    case 0x0C: append(UInt8(ascii: "\\"), UInt8(ascii: "f"))
    case 0xC2:
      append(escapeOf: Unicode.Scalar(bytes[index + 1]))
      return 2
    case 0xD8:
      append(escapeOf: "\u{61C}")
      return 2
    case 0xE2:
      let low = UInt32(bytes[index + 1] & 0x3F) << 6 | UInt32(bytes[index + 2] & 0x3F)
      append(escapeOf: Unicode.Scalar(0x2000 | low) ?? "\u{FFFD}")
      return 3
    case let byte: append(escapeOf: Unicode.Scalar(byte))
    }
    return 1
  }
}

/// The end of the run from `start` that stands for itself in a JSON string, and whether no byte of it is outside ASCII.
func jsonPlainRun(in bytes: Span<UInt8>, from start: Int) -> (end: Int, isASCII: Bool) {
  bytes.runEnd(from: start, before: UInt8(ascii: "\""), UInt8(ascii: "\\"), orBelow: 0x20)
}

/// In strings that are written, which must be valid UTF-8, the run also ends at what else steers text, which readers take and writers
/// escape.
private func jsonWrittenRun(in bytes: Span<UInt8>, from start: Int) -> (end: Int, isASCII: Bool) {
  var index = start
  var union: UInt8 = 0
  while true {
    while index &+ 16 <= bytes.count {
      var stops: UInt8 = 0
      var blockUnion: UInt8 = 0
      for offset in 0..<16 {
        let byte = bytes[index &+ offset]
        stops |= (byte < 0x20 ? 1 : 0) | (byte == 0x22 ? 1 : 0) | (byte == 0x5C ? 1 : 0)
        // These begin what may be a stop.
        stops |= (byte == 0x7F ? 1 : 0) | (byte == 0xC2 ? 1 : 0)
        stops |= (byte == 0xD8 ? 1 : 0) | (byte == 0xE2 ? 1 : 0)
        blockUnion |= byte
      }
      if stops != 0 { break }
      union |= blockUnion
      index &+= 16
    }
    let blockEnd = min(index &+ 16, bytes.count)
    while index < blockEnd {
      let byte = bytes[index]
      if byte < 0x20 || byte == 0x22 || byte == 0x5C || isEscaped(byte, in: bytes, at: index) {
        return (index, union < 0x80)
      }
      union |= byte
      index &+= 1
    }
    if index >= bytes.count { return (index, union < 0x80) }
  }
}

/// Whether DEL, C1, a separator of lines or paragraphs or what turns the direction of text begins at `index` with `byte`.
@inline(__always)
private func isEscaped(_ byte: UInt8, in bytes: Span<UInt8>, at index: Int) -> Bool {
  switch byte {
  case 0x7F: true
  case 0xC2: index &+ 1 < bytes.count && bytes[index &+ 1] < 0xA0
  case 0xD8: index &+ 1 < bytes.count && bytes[index &+ 1] == 0x9C
  case 0xE2:
    index &+ 2 < bytes.count
      && (bytes[index &+ 1] == 0x80
        ? bytes[index &+ 2] & 0xFE == 0x8E || (0xA8...0xAE).contains(bytes[index &+ 2])
        : bytes[index &+ 1] == 0x81 && (0xA6...0xA9).contains(bytes[index &+ 2]))
  default: false
  }
}
