// Fields of CSV (RFC 4180) and TSV text. Layer: TextFormats, CSV.
// A byte order mark at the beginning of a field is quoted, for at the beginning of a text it would vanish.
// In CSV nothing at all is null and `""` is the empty text; in TSV `\N` is null, and tab, line feed, carriage
// return and backslash in text are `\t \n \r \\`. Text that is not UTF-8 gets U+FFFD, and the caller is told.

import ByteText

extension ByteBuffer {
  /// Appends one text field of CSV, in quotes where it must have them. For null append nothing.
  ///
  /// Returns false when the bytes are not valid UTF-8; the field then has U+FFFD in their place.
  package mutating func append(
    csvField bytes: Span<UInt8>, separator: UInt8 = UInt8(ascii: ",")
  ) -> Bool {
    let kinds = delimitedKinds(in: bytes, separator: separator)
    if bytes.isEmpty || kinds.mustBeQuoted || byteOrderMarkSize(of: bytes) > 0 {
      if kinds.isASCII || firstInvalidUTF8Index(in: bytes) == nil {
        appendQuoted(bytes)
        return true
      }
    } else if kinds.isASCII || firstInvalidUTF8Index(in: bytes) == nil {
      append(bytes)
      return true
    }
    var repaired = ByteBuffer(capacity: bytes.count + 16)
    repaired.append(repairingUTF8: bytes)
    _ = append(csvField: repaired.span, separator: separator)
    return false
  }

  /// Appends one text field of TSV. For null append `\N`.
  ///
  /// Returns false when the bytes are not valid UTF-8; the field then has U+FFFD in their place.
  package mutating func append(tsvField bytes: Span<UInt8>) -> Bool {
    if firstInvalidUTF8Index(in: bytes) != nil {
      var repaired = ByteBuffer(capacity: bytes.count + 16)
      repaired.append(repairingUTF8: bytes)
      _ = append(tsvField: repaired.span)
      return false
    }
    var index = tsvRunEnd(in: bytes, from: 0)
    append(bytes.extracting(first: index))
    while index < bytes.count {
      append(UInt8(ascii: "\\"), tsvEscape(bytes[index]))
      let runEnd = tsvRunEnd(in: bytes, from: index + 1)
      append(bytes.extracting(index + 1..<runEnd))
      index = runEnd
    }
    return true
  }

  private mutating func appendQuoted(_ bytes: Span<UInt8>) {
    append(UInt8(ascii: "\""))
    var start = 0
    for index in bytes.indices where bytes[index] == UInt8(ascii: "\"") {
      // The run takes the quote along; the next run begins with it again.
      append(bytes.extracting(start..<index + 1))
      start = index
    }
    append(bytes.extracting(droppingFirst: start))
    append(UInt8(ascii: "\""))
  }
}

private func tsvEscape(_ byte: UInt8) -> UInt8 {
  switch byte {
  case UInt8(ascii: "\t"): UInt8(ascii: "t")
  case UInt8(ascii: "\n"): UInt8(ascii: "n")
  case UInt8(ascii: "\r"): UInt8(ascii: "r")
  default: byte
  }
}

/// Whether a field must stand in quotes in CSV, and whether it is all ASCII.
private func delimitedKinds(
  in bytes: Span<UInt8>, separator: UInt8
) -> (mustBeQuoted: Bool, isASCII: Bool) {
  var specials: UInt8 = 0
  var union: UInt8 = 0
  for index in bytes.indices {
    let byte = bytes[index]
    specials |=
      (byte == separator ? 1 : 0) | (byte == 0x22 ? 1 : 0) | (byte == 0x0A ? 1 : 0) | (byte == 0x0D ? 1 : 0)
    union |= byte
  }
  return (specials != 0, union < 0x80)
}

/// The end of a run without tab, line feed, carriage return and backslash.
private func tsvRunEnd(in bytes: Span<UInt8>, from start: Int) -> Int {
  var index = start
  while index &+ 16 <= bytes.count {
    var stops: UInt8 = 0
    for offset in 0..<16 { stops |= tsvSpecial(bytes[index &+ offset]) }
    if stops != 0 { break }
    index &+= 16
  }
  while index < bytes.count, tsvSpecial(bytes[index]) == 0 { index &+= 1 }
  return index
}

/// 1 for a byte that TSV escapes, else 0; without branches, so that 16 are looked at in one go.
private func tsvSpecial(_ byte: UInt8) -> UInt8 {
  (byte == 0x09 ? 1 : 0) | (byte == 0x0A ? 1 : 0) | (byte == 0x0D ? 1 : 0) | (byte == 0x5C ? 1 : 0)
}
