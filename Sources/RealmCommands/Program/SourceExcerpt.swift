// The line of a predicate, statement or document that an error is about. Layer: RealmCommands, Program.

import ByteText
import Rendering

/// A place in a text, with the line that holds it.
package struct SourceExcerpt: Sendable, Equatable {
  /// From 1.
  package let line: Int
  /// From 1, in characters.
  package let column: Int
  package let lineText: String
  /// Whether the text has more lines, so that the number tells something.
  package let hasOtherLines: Bool
  /// Characters under which carets stand; at least one, and no more than are shown.
  package let characterCount: Int
  /// Whether the line is at hand.
  private let isShown: Bool

  /// `range` is in bytes of the text's UTF-8; it is clamped to the text, and to its first line.
  package init(_ text: String, _ range: Range<Int>) {
    let bytes = Array(text.utf8)
    let place = min(max(0, range.lowerBound), bytes.count)
    let newline = UInt8(ascii: "\n")
    let lineStart = bytes[..<place].lastIndex(of: newline).map { $0 + 1 } ?? 0
    var lineEnd = bytes[place...].firstIndex(of: newline) ?? bytes.count
    if lineEnd > lineStart, bytes[lineEnd - 1] == UInt8(ascii: "\r") { lineEnd -= 1 }
    let start = min(place, lineEnd)
    let end = min(max(start, range.upperBound), lineEnd)
    hasOtherLines = lineStart > 0 || bytes[lineEnd...].dropFirst().contains { $0 != newline }
    line = bytes[..<start].count { $0 == newline } + 1
    column = Self.text(bytes[lineStart..<start]).count + 1
    lineText = Self.text(bytes[lineStart..<lineEnd])
    characterCount = max(1, Self.text(bytes[start..<end]).prefix(Self.shownCharactersMax).count)
    isShown = true
  }

  /// A place in a text of which at most one record is at hand, which may begin lines above.
  init(line: Int, column: Int, text: String?) {
    self.line = line
    self.column = column
    let isHere = !(text ?? "\n").utf8.contains { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
    lineText = isHere ? text ?? "" : ""
    // Who knows of records names the line in the message.
    hasOtherLines = false
    characterCount = 1
    isShown = isHere
  }

  private static func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }

  private static let shownCharactersMax = 120
  /// Even on a narrow screen.
  private static let shownCharactersMin = 16
  /// The indentation, and the dots where a line is cut.
  private static let marginCount = 4

  /// A character that takes its place and no other, so that carets stay below what they point at.
  private static func shown(_ character: Character) -> Character {
    let scalars = character.unicodeScalars
    let isHarmless =
      character == "\t" || scalars.count <= scalarsMax && !scalars.contains(where: \.steersText)
    return isHarmless ? character : "\u{FFFD}"
  }

  /// Of one character: letters with accents and pictures put together of several have fewer.
  private static let scalarsMax = 10

  /// The line, or the part of a long one around the place, and under it the carets. Tabs stay tabs, so that both
  /// lines are indented alike. Nothing, where the line is not at hand. `columns`: of the terminal, whose rows it must not leave.
  func rendering(columns: Int?) -> String {
    guard isShown,
      let place = lineText.index(lineText.startIndex, offsetBy: column - 1, limitedBy: lineText.endIndex)
    else { return "" }
    let room = columns.map { max(Self.shownCharactersMin, $0 - Self.marginCount) } ?? .max
    let shownMax = min(Self.shownCharactersMax, room)
    // No more of a line is looked at than may be shown, however long it is.
    let behindCount = lineText[place...].prefix(shownMax + 1).count
    var start = 0
    if column - 1 + behindCount > shownMax {
      start = max(0, min(column - 1 - shownMax / 3, column - 1 + behindCount - shownMax))
    }
    let before = lineText[..<place].suffix(column - 1 - start).map(Self.shown)
    let behind = lineText[place...].prefix(shownMax - before.count)
    let opening = start > 0 ? "…" : ""
    let closing = behind.endIndex < lineText.endIndex ? "…" : ""
    let margin =
      String(repeating: " ", count: opening.count)
      + before.map { $0 == "\t" ? "\t" : String(repeating: " ", count: TerminalWidth.width($0)) }.joined()
    let caretCount = max(1, TerminalWidth.width(String(behind.prefix(characterCount).map(Self.shown))))
    return "  \(opening)\(String(before))\(String(behind.map(Self.shown)))\(closing)\n"
      + "  \(margin)\(String(repeating: "^", count: caretCount))\n"
  }
}
