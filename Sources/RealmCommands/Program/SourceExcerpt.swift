// The line of a predicate, statement or document that an error is about. Layer: RealmCommands, Program.

/// A place in a text, with the line that holds it.
package struct SourceExcerpt: Sendable, Equatable {
  /// From 1.
  package let line: Int
  /// From 1, in characters.
  package let column: Int
  package let lineText: String
  /// Characters under which carets stand; at least one.
  package let characterCount: Int

  /// `range` is in bytes of the text's UTF-8; it is clamped to the text, and to its first line.
  package init(_ text: String, _ range: Range<Int>) {
    let bytes = Array(text.utf8)
    let start = min(max(0, range.lowerBound), bytes.count)
    let newline = UInt8(ascii: "\n")
    let lineStart = bytes[..<start].lastIndex(of: newline).map { $0 + 1 } ?? 0
    let lineEnd = bytes[start...].firstIndex(of: newline) ?? bytes.count
    let end = min(max(start, range.upperBound), lineEnd)
    line = bytes[..<start].count { $0 == newline } + 1
    column = Self.text(bytes[lineStart..<start]).count + 1
    lineText = Self.text(bytes[lineStart..<lineEnd])
    characterCount = max(1, Self.text(bytes[start..<end]).count)
  }

  private static func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }

  /// The line, and under it the carets. Tabs stay tabs, so that both lines are indented alike.
  var rendering: String {
    let margin = lineText.prefix(column - 1).map { $0 == "\t" ? "\t" : " " }.joined()
    return "  \(lineText)\n  \(margin)\(String(repeating: "^", count: characterCount))\n"
  }
}
