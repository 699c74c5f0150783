// Text as a JSON string. Layer: TextFormats.

import ByteText

extension ByteBuffer {
  /// Appends `bytes` as a JSON string with its quotes, escaping what must be escaped and nothing else.
  ///
  /// Returns false when the bytes are not valid UTF-8; the string then has U+FFFD in their place.
  package mutating func append(jsonString bytes: Span<UInt8>) -> Bool {
    let run = jsonPlainRun(in: bytes, from: 0)
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

  private mutating func appendEscaped(_ bytes: Span<UInt8>) {
    append(UInt8(ascii: "\""))
    var index = 0
    while true {
      let end = jsonPlainRun(in: bytes, from: index).end
      if end > index { append(bytes.extracting(index..<end)) }
      if end == bytes.count { break }
      appendEscape(bytes[end])
      index = end + 1
    }
    append(UInt8(ascii: "\""))
  }

  private mutating func appendEscape(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): append(UInt8(ascii: "\\"), byte)
    case UInt8(ascii: "\n"): append(UInt8(ascii: "\\"), UInt8(ascii: "n"))
    case UInt8(ascii: "\t"): append(UInt8(ascii: "\\"), UInt8(ascii: "t"))
    case UInt8(ascii: "\r"): append(UInt8(ascii: "\\"), UInt8(ascii: "r"))
    case 0x08: append(UInt8(ascii: "\\"), UInt8(ascii: "b"))
    case 0x0C: append(UInt8(ascii: "\\"), UInt8(ascii: "f"))
    default:
      append(literal: "\\u00")
      append(hexadecimal: byte)
    }
  }
}

/// The end of the run from `start` that stands for itself in a JSON string, and whether no byte of it is outside ASCII.
func jsonPlainRun(in bytes: Span<UInt8>, from start: Int) -> (end: Int, isASCII: Bool) {
  var index = start
  var union: UInt8 = 0
  while index &+ 16 <= bytes.count {
    var stops: UInt8 = 0
    var blockUnion: UInt8 = 0
    for offset in 0..<16 {
      let byte = bytes[index &+ offset]
      stops |= (byte < 0x20 ? 1 : 0) | (byte == 0x22 ? 1 : 0) | (byte == 0x5C ? 1 : 0)
      blockUnion |= byte
    }
    if stops != 0 { break }
    union |= blockUnion
    index &+= 16
  }
  while index < bytes.count, case let byte = bytes[index], byte >= 0x20, byte != 0x22, byte != 0x5C {
    union |= byte
    index &+= 1
  }
  return (index, union < 0x80)
}
