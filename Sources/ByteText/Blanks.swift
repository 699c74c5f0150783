// What is a blank in plain text. Layer: ByteText.

extension UInt8 {
  /// A space, tab, line feed, vertical tab, form feed or carriage return.
  @inlinable
  package var isASCIIBlank: Bool { self == 0x20 || (0x09...0x0D).contains(self) }
}
