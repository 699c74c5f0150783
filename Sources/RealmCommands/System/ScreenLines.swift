// Lines of text that are longer than the screen is wide, broken at blanks. Layer: RealmCommands, System.

import Arguments
import ByteText
import Rendering

/// Sets text for people, never results, which go as they are.
enum ScreenLines {
  /// Breaks lines of more than `columns` columns. What is left of a line goes on below its text: under the second column where
  /// two or more blanks part two of them, else as far from the left as the line begins. A word longer than a line stays whole.
  static func fitted(_ text: String, columns: Int) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      TerminalWidth.width(String(line)) <= columns ? String(line) : broken(line, columns)
    }.joined(separator: "\n")
  }

  private static func broken(_ line: Substring, _ columns: Int) -> String {
    let head = line[..<textStart(line, columnMax: columns * 2 / 3)]
    let margin = TerminalWidth.width(String(head))
    let lines = TextLayout.lines(
      String(line[head.endIndex...]), width: columns - margin, measure: TerminalWidth.width)
    return head + lines.joined(separator: "\n" + String(repeating: " ", count: margin))
  }

  /// Where the text begins that continued lines stand under.
  private static func textStart(_ line: Substring, columnMax: Int) -> Substring.Index {
    let start = line.firstIndex { $0 != " " } ?? line.endIndex
    guard let gap = line[start...].firstPlace(of: "  "),
      let second = line[gap...].firstIndex(where: { $0 != " " }),
      TerminalWidth.width(String(line[..<second])) <= columnMax
    else { return start }
    return second
  }
}

extension StandardStreams {
  /// Something for people, on standard error: a terminal breaks it at blanks.
  static func tell(_ text: String) {
    guard let columns = Terminal.columnCount(of: error) else { return writeError(text) }
    writeError(ScreenLines.fitted(text, columns: columns))
  }
}
