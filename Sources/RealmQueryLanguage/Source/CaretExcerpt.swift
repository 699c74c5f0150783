// The source line of an error with a caret under the place. Layer: Source.
// Columns count Unicode scalars, a tab as one. What is shown holds no control characters, whatever the source
// holds, and a long line is cut to a window around the place.

import ByteText

/// One line of a source text and the marks under a range of it.
package struct CaretExcerpt: Hashable, Sendable {
  /// 1 for the first line of the source.
  package let lineNumber: Int
  /// 1 for the first Unicode scalar of the line.
  package let column: Int
  /// The line, or the part of it around the range.
  package let text: String
  /// Blanks, then `^` and a `~` for each further scalar of the range on this line.
  package let marker: String

  /// Both lines, each after `indentation`.
  package func lines(indentation: String = "  ") -> [String] { [indentation + text, indentation + marker] }
}

extension CaretExcerpt {
  private static let windowScalarsMax = 120
  /// What stays visible on either side when a line is cut.
  private static let contextScalars = 40

  /// The line of `source` in which `range` begins. Linear in the distance from the beginning of `source`;
  /// any range is fine, also one past the end, and `source` need not be UTF-8.
  package init(of range: SourceRange, in source: [UInt8]) {
    let start = min(range.offset, source.count)
    let line = Self.lineBounds(around: start, in: source)
    lineNumber = source[..<line.lowerBound].count(where: { $0 == UInt8(ascii: "\n") }) + 1

    var scalars: [Unicode.Scalar] = []
    var caret = 0
    var caretEnd = 0
    var offset = line.lowerBound
    while offset < line.upperBound {
      if offset <= start { caret = scalars.count }
      let (scalar, length) = Self.visibleScalar(at: offset, in: source, end: line.upperBound)
      scalars.append(scalar)
      offset += length
      if offset <= min(range.end, line.upperBound) { caretEnd = scalars.count }
    }
    if start >= line.upperBound { caret = scalars.count }
    column = caret + 1

    let markLength = max(1, caretEnd - caret)
    let window = Self.window(around: caret, of: scalars.count)
    let isCutBefore = window.lowerBound > 0
    let isCutAfter = window.upperBound < scalars.count
    var shown = String.UnicodeScalarView()
    if isCutBefore { shown.append("…") }
    shown.append(contentsOf: scalars[window])
    if isCutAfter { shown.append("…") }
    text = String(shown)
    let visibleMarks = max(1, min(markLength, window.upperBound - caret))
    marker =
      String(repeating: " ", count: caret - window.lowerBound + (isCutBefore ? 1 : 0)) + "^"
      + String(repeating: "~", count: visibleMarks - 1)
  }

  private static func lineBounds(around offset: Int, in source: [UInt8]) -> Range<Int> {
    let newline = UInt8(ascii: "\n")
    let start = source[..<offset].lastIndex(of: newline).map { $0 + 1 } ?? 0
    var end = source[offset...].firstIndex(of: newline) ?? source.count
    if end > max(start, offset), source[end - 1] == UInt8(ascii: "\r") { end -= 1 }
    return start..<end
  }

  private static func window(around caret: Int, of count: Int) -> Range<Int> {
    guard count > windowScalarsMax else { return 0..<count }
    let start = max(0, min(caret - contextScalars, count - windowScalarsMax))
    return start..<min(count, start + windowScalarsMax)
  }

  private static func visibleScalar(
    at offset: Int, in source: [UInt8], end: Int
  ) -> (scalar: Unicode.Scalar, length: Int) {
    let length = min(utf8Sequence(in: source.span, at: offset).length, end - offset)
    let decoded = String(decoding: source[offset..<offset + length], as: UTF8.self).unicodeScalars.first
    return (visibleForm(of: decoded ?? "\u{FFFD}"), length)
  }

  private static func visibleForm(of scalar: Unicode.Scalar) -> Unicode.Scalar {
    switch scalar {
    case "\t": return " "
    // Marks that turn the reading direction would move the text away from its caret.
    case "\u{61C}", "\u{200E}"..."\u{200F}", "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}":
      return "\u{FFFD}"
    default: break
    }
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: return "\u{FFFD}"
    default: return scalar
    }
  }
}

extension Array where Element == UInt8 {
  /// The bytes of `range` as text.
  package func text(in range: SourceRange) -> String {
    String(decoding: self[range.bounds.clamped(to: indices)], as: UTF8.self)
  }
}
