// A word of the command line as the system passed it. Layer: Arguments, which knows nothing of files.
// Invariant: bytes are kept as they came; only what must be text is ever decoded.

import ByteText

/// Bytes between two blanks of the shell. Paths need not be UTF-8, so this is not a String.
package struct Word: Sendable, Hashable {
  package let bytes: [UInt8]

  package init(_ bytes: [UInt8]) { self.bytes = bytes }
  package init(_ text: String) { bytes = Array(text.utf8) }

  /// The word as text; nil when its bytes are not UTF-8.
  package var text: String? { firstInvalidUTF8Index(in: bytes.span) == nil ? displayText : nil }

  /// For messages: U+FFFD stands where the bytes are not UTF-8.
  package var displayText: String { String(decoding: bytes, as: UTF8.self) }

  /// A lone dash, which stands for standard input.
  package var isDash: Bool { bytes == [UInt8(ascii: "-")] }

  /// The word as an integer: an optional sign and ASCII digits; nil when it is none or does not fit.
  package var integer: Int64? { text.flatMap { Int64($0) } }

  /// The word as a number of things; what is more than an integer holds is the largest one.
  package var count: Int64? {
    let isLarge = bytes.count > 18 && bytes.allSatisfy(\.isDigit)
    return integer ?? (isLarge ? .max : nil)
  }

  /// The word as a number of seconds, `1` or `0.25`, in milliseconds; nil when it is none. What is more than an integer holds
  /// is the largest one.
  package var milliseconds: Int? {
    let parts = bytes.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
    let isNumber = parts.allSatisfy { !$0.isEmpty && $0.allSatisfy(\.isDigit) }
    guard isNumber, let whole = parts.first else { return nil }
    let seconds = Int(String(decoding: whole, as: UTF8.self)) ?? Int.max
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1000)
    if overflow { return Int.max }
    var fraction = 0
    for place in 0..<3 {
      let digit = parts.count > 1 ? parts[1].dropFirst(place).first : nil
      fraction = fraction * 10 + Int((digit ?? UInt8(ascii: "0")) - UInt8(ascii: "0"))
    }
    let (sum, isTooLarge) = product.addingReportingOverflow(fraction)
    return isTooLarge ? Int.max : sum
  }

  /// The word as a size, as people write them; nil when it is none.
  package var byteCount: Int? { text.flatMap(SizeText.byteCount) }
}
