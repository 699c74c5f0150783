// Where a part of a scalar's text stands in its document, however the scalar is written: plain, in quotes, folded over
// lines, or as a block. Layer: RealmSession, Schema.

import TextFormats

/// The text of a scalar beside the bytes that it was read from.
struct ScalarText {
  private let bytes: [UInt8]
  private let text: [UInt8]
  private let start: TextLocation
  private let quote: UInt8?
  private let isBlock: Bool
  /// How far the lines of a block are indented.
  private var indentation = 0

  private static let newline = UInt8(ascii: "\n")
  private static let space = UInt8(ascii: " ")

  /// `bytes`: the whole document, in which the scalar begins at `start`.
  init(_ text: [UInt8], at start: TextLocation, in bytes: [UInt8]) {
    self.bytes = bytes
    self.text = text
    self.start = start
    let first = start.offset < bytes.count ? bytes[start.offset] : 0
    isBlock = first == UInt8(ascii: "|") || first == UInt8(ascii: ">")
    quote = first == UInt8(ascii: "\"") || first == UInt8(ascii: "'") ? first : nil
    guard isBlock, let line = bytes[start.offset...].firstIndex(of: Self.newline) else { return }
    let content = skippingBlanks(from: line + 1, newlines: true)
    let lineStart = bytes[..<content].lastIndex(of: Self.newline).map { $0 + 1 } ?? 0
    indentation = content - lineStart
  }

  /// The place of the byte at `offset` of the text, and how many bytes from there on stand for `length` of the text; nil
  /// where the document cannot be followed.
  func place(_ offset: Int, _ length: Int) -> (TextLocation, length: Int)? {
    var cursor = Cursor(position: start.offset)
    if isBlock {
      guard let line = bytes[start.offset...].firstIndex(of: Self.newline) else { return nil }
      cursor.position = skippingBreaks(from: line)
    } else if quote != nil {
      cursor.position += 1
    }
    guard advance(&cursor, to: min(offset, text.count)) else { return nil }
    let first = cursor.position
    guard advance(&cursor, to: min(offset + length, text.count)) else { return nil }
    // What goes over several lines is marked up to the end of the first.
    let lineEnd = bytes[first...].firstIndex(of: Self.newline) ?? bytes.count
    return (location(of: first), max(1, min(cursor.position, lineEnd) - first))
  }

  private struct Cursor {
    /// In the document.
    var position: Int
    /// In the text.
    var index = 0
  }

  private func advance(_ cursor: inout Cursor, to wanted: Int) -> Bool {
    while cursor.index < wanted { guard step(&cursor) else { return false } }
    // The break before it belongs to what stands before it.
    if cursor.index < text.count, cursor.position < bytes.count, text[cursor.index] != Self.newline,
      text[cursor.index] != Self.space, bytes[cursor.position] == Self.newline
    {
      cursor.position = skippingBreaks(from: cursor.position)
    }
    return true
  }

  /// Passes one byte of the text, or a line break that stands for some.
  private func step(_ cursor: inout Cursor) -> Bool {
    guard cursor.position < bytes.count else { return false }
    let byte = bytes[cursor.position]
    let wanted = text[cursor.index]
    if byte == Self.newline || isBlankBeforeBreak(cursor.position) && !(isBlock && byte == wanted) {
      return passBreak(&cursor)
    }
    if byte == wanted, !isDoubledQuote(cursor.position) {
      cursor.position += 1
      cursor.index += 1
      return true
    }
    // `''` and `\"` stand for one byte; other escapes are not followed.
    let isEscape = quote == UInt8(ascii: "\"") && byte == UInt8(ascii: "\\")
    guard isDoubledQuote(cursor.position) || isEscape, cursor.position + 1 < bytes.count,
      bytes[cursor.position + 1] == wanted
    else { return false }
    cursor.position += 2
    cursor.index += 1
    return true
  }

  private func passBreak(_ cursor: inout Cursor) -> Bool {
    let next = skippingBreaks(from: cursor.position)
    let breakCount = bytes[cursor.position..<next].count { $0 == Self.newline }
    let before = cursor.index
    while cursor.index < text.count, cursor.index - before < breakCount, text[cursor.index] == Self.newline {
      cursor.index += 1
    }
    if cursor.index == before {
      guard text[cursor.index] == Self.space else { return false }
      cursor.index += 1
    }
    cursor.position = next
    return true
  }

  private func isDoubledQuote(_ position: Int) -> Bool {
    quote == UInt8(ascii: "'") && bytes[position] == UInt8(ascii: "'") && position + 1 < bytes.count
      && bytes[position + 1] == UInt8(ascii: "'")
  }

  private func isBlankBeforeBreak(_ position: Int) -> Bool {
    guard bytes[position] == Self.space else { return false }
    let end = skippingBlanks(from: position, newlines: false)
    return end < bytes.count && bytes[end] == Self.newline
  }

  /// The first byte behind line breaks that belongs to the text: in a block what is indented further is part of it.
  private func skippingBreaks(from position: Int) -> Int {
    guard isBlock else { return skippingBlanks(from: position, newlines: true) }
    var position = skippingBlanks(from: position, newlines: false)
    while position < bytes.count, bytes[position] == Self.newline {
      position += 1
      var indent = 0
      while indent < indentation, position < bytes.count, bytes[position] == Self.space {
        position += 1
        indent += 1
      }
    }
    return position
  }

  private func skippingBlanks(from position: Int, newlines: Bool) -> Int {
    var position = position
    while position < bytes.count,
      bytes[position] == Self.space || bytes[position] == UInt8(ascii: "\r")
        || newlines && bytes[position] == Self.newline
    { position += 1 }
    return position
  }

  private func location(of offset: Int) -> TextLocation {
    var (line, column) = (start.line, start.column)
    for byte in bytes[start.offset..<offset] {
      if byte == Self.newline {
        (line, column) = (line + 1, 1)
      } else if byte & 0xC0 != 0x80 {
        column += 1
      }
    }
    return TextLocation(line: line, column: column, offset: offset)
  }
}
