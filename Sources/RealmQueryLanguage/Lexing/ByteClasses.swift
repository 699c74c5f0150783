// What single bytes may be part of. Layer: Lexing.

import ByteText

extension UInt8 {
  /// A letter, `_`, `$` or any byte of a scalar above ASCII.
  var isIdentifierStart: Bool {
    isASCIILetter || self == UInt8(ascii: "_") || self == UInt8(ascii: "$") || self >= 0x80
  }

  /// As a start, or a digit or `-`.
  var isIdentifierPart: Bool { isIdentifierStart || isDigit || self == UInt8(ascii: "-") }

  var isSign: Bool { self == UInt8(ascii: "+") || self == UInt8(ascii: "-") }

  var isQuote: Bool { self == UInt8(ascii: "'") || self == UInt8(ascii: "\"") }

  var isBlank: Bool {
    switch self {
    case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"): true
    default: false
    }
  }
}
