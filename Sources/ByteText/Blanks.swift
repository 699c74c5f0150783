// What single bytes are in plain text. Layer: ByteText.

extension UInt8 {
  /// A space, tab, line feed, vertical tab, form feed or carriage return.
  @inlinable
  package var isASCIIBlank: Bool { self == 0x20 || (0x09...0x0D).contains(self) }

  @inlinable
  package var isDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }

  @inlinable
  package var isASCIILetter: Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= self | 0x20 }

  /// A letter, a digit, an underscore, or a part of any character outside ASCII.
  package var isNameByte: Bool { isASCIILetter || isDigit || self == UInt8(ascii: "_") || self >= 0x80 }
}

extension String {
  /// The text without blanks, tabs and line ends around it.
  package var trimmingBlanks: String {
    func isBlank(_ character: Character) -> Bool {
      character == " " || character == "\t" || character.isNewline
    }
    return String(drop(while: isBlank).reversed().drop(while: isBlank).reversed())
  }
}
