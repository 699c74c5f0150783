// What is a blank and what is part of a name in plain text. Layer: ByteText.

extension UInt8 {
  /// A space, tab, line feed, vertical tab, form feed or carriage return.
  @inlinable
  package var isASCIIBlank: Bool { self == 0x20 || (0x09...0x0D).contains(self) }

  /// A letter, a digit, an underscore, or a part of any character outside ASCII.
  package var isNameByte: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
      true
    default: false
    }
  }
}
