// What may be written to a terminal. Layer: ByteText. All that leaves for one passes `append(forTerminal:)`, so that no
// writer has to think of it: neither data nor names can move the cursor, change colours or turn the order of characters.

/// What a terminal is told besides text. In a buffer it is a byte that UTF-8 never has, so that no text can pass for it.
package enum TerminalMark: UInt8, CaseIterable, Sendable {
  case bold = 0xF8
  case dim
  /// Of errors.
  case alarm
  case plain
  /// Back to the line's beginning, and the rest of it erased.
  case lineStart
  /// What is new, what is gone, what is different.
  case added, removed, changed

  fileprivate var sequence: StaticString {
    switch self {
    case .bold: "\u{1B}[1m"
    case .dim: "\u{1B}[2m"
    case .alarm: "\u{1B}[1;31m"
    case .plain: "\u{1B}[0m"
    case .lineStart: "\r\u{1B}[K"
    case .added: "\u{1B}[32m"
    case .removed: "\u{1B}[31m"
    case .changed: "\u{1B}[33m"
    }
  }
}

extension ByteBuffer {
  package mutating func append(_ mark: TerminalMark) { append(mark.rawValue) }

  /// Appends text with the sequences that its marks stand for; everything else as it is.
  package mutating func append(marked bytes: Span<UInt8>) {
    var start = 0
    for index in bytes.indices {
      guard let mark = TerminalMark(rawValue: bytes[index]) else { continue }
      append(bytes.extracting(start..<index))
      append(literal: mark.sequence)
      start = index + 1
    }
    append(bytes.extracting(droppingFirst: start))
  }

  /// Appends text as a terminal gets it: newlines and tabs stay, marks become their sequences, what else steers text is shown
  /// as an escape, and what is not UTF-8 as U+FFFD.
  package mutating func append(forTerminal bytes: Span<UInt8>) {
    var start = 0
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      if byte >= 0x20 && byte < 0x7F || byte == 0x0A || byte == 0x09 {
        index &+= 1
        continue
      }
      let (length, isValid) = utf8Sequence(in: bytes, at: index)
      let scalar = isValid ? bytes.scalar(at: index, length: length) : nil
      if let scalar, !scalar.steersText {
        index &+= length
        continue
      }
      append(bytes.extracting(start..<index))
      if let scalar {
        append(escapeOf: scalar)
      } else if let mark = TerminalMark(rawValue: byte) {
        append(literal: mark.sequence)
      } else {
        append(literal: "\u{FFFD}")
      }
      index &+= length
      start = index
    }
    append(bytes.extracting(start..<bytes.count))
  }
}

extension Span<UInt8> {
  /// The scalar of a valid sequence.
  fileprivate func scalar(at index: Int, length: Int) -> Unicode.Scalar? {
    let lead = UInt32(self[index])
    var value = length == 1 ? lead : lead & (0x7F >> UInt32(length))
    for offset in 1..<Swift.max(1, length) { value = value << 6 | UInt32(self[index + offset] & 0x3F) }
    return Unicode.Scalar(value)
  }
}
