// A word of the command line as the system passed it. Layer: Arguments, which knows nothing of files.
// Invariant: bytes are kept as they came; only what must be text is ever decoded.

/// Bytes between two blanks of the shell. Paths need not be UTF-8, so this is not a String.
package struct Word: Sendable, Hashable {
  package let bytes: [UInt8]

  package init(_ bytes: [UInt8]) { self.bytes = bytes }
  package init(_ text: String) { bytes = Array(text.utf8) }

  /// The word as text; nil when its bytes are not UTF-8.
  package var text: String? { String(validating: bytes, as: UTF8.self) }

  /// For messages: U+FFFD stands where the bytes are not UTF-8.
  package var displayText: String { String(decoding: bytes, as: UTF8.self) }

  /// A lone dash, which stands for standard input.
  package var isDash: Bool { bytes == [UInt8(ascii: "-")] }

  /// The word as an integer: an optional sign and ASCII digits; nil when it is none or does not fit.
  package var integer: Int64? { text.flatMap { Int64($0) } }
}
