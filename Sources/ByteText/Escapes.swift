// Characters that are not seen for what they are, and the escapes that are written instead. Layer: ByteText.
// Every output that makes text safe to read does it with these: names in statements and documents, JSON, terminals.

extension Unicode.Scalar {
  /// Whether a terminal obeys it instead of showing it, or it ends a line or turns the direction of what follows: C0, DEL,
  /// C1, the separators of lines and paragraphs, and the marks, embeddings, overrides and isolates of the bidirectional algorithm.
  package var steersText: Bool {
    switch value {
    case 0x20...0x7E, 0xA0...0x61B: false
    case 0x00...0x9F: true
    case 0x61C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }

  /// Whether a name that holds it looks like one that does not: all of the above and what takes no room.
  package var isUnseen: Bool {
    if isASCII { return steersText }
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: return true
    default: return false
    }
  }
}

extension Unicode.Scalar {
  /// What two halves above U+FFFF stand for; nil where they are no such halves.
  package init?(high: UInt16, low: UInt16) {
    guard high & 0xFC00 == 0xD800, low & 0xFC00 == 0xDC00 else { return nil }
    self.init(0x10000 + (UInt32(high) - 0xD800) << 10 + (UInt32(low) - 0xDC00))
  }
}

/// The 16 bits that `\u20ac` at `index` spells; nil when something else stands there.
package func escapedUnit(in bytes: Span<UInt8>, at index: Int) -> UInt16? {
  guard index + 6 <= bytes.count, bytes[index] == UInt8(ascii: "\\"), bytes[index + 1] == UInt8(ascii: "u")
  else { return nil }
  var unit: UInt16 = 0
  for offset in 2..<6 {
    guard let digit = hexadecimalValue(bytes[index + offset]) else { return nil }
    unit = unit << 4 | UInt16(digit)
  }
  return unit
}

extension ByteBuffer {
  /// Appends what JSON, and with it all that reads JSON's escapes, takes for `scalar`: `\n`, `\u202e`, two halves above
  /// U+FFFF.
  package mutating func append(escapeOf scalar: Unicode.Scalar) {
    switch scalar {
    case "\n": append(UInt8(ascii: "\\"), UInt8(ascii: "n"))
    case "\t": append(UInt8(ascii: "\\"), UInt8(ascii: "t"))
    case "\r": append(UInt8(ascii: "\\"), UInt8(ascii: "r"))
    default:
      for unit in String(scalar).utf16 {
        append(UInt8(ascii: "\\"), UInt8(ascii: "u"))
        append(hexadecimal: UInt8(truncatingIfNeeded: unit >> 8))
        append(hexadecimal: UInt8(truncatingIfNeeded: unit))
      }
    }
  }
}

extension String {
  /// The text with escapes for all that steers text, so that it stays on its line and in its order wherever it is shown.
  package var visible: String {
    guard unicodeScalars.contains(where: \.steersText) else { return self }
    var text = ByteBuffer()
    for scalar in unicodeScalars {
      if scalar.steersText { text.append(escapeOf: scalar) } else { text.append(text: String(scalar)) }
    }
    return text.text
  }
}
