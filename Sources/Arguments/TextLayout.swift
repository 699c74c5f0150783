// Paragraphs and two-column lists for help. Layer: Arguments.

/// Sets text for a terminal of the usual width, whatever the real one is, so that help is always the same.
package enum TextLayout {
  static let columnCount = 80

  /// Breaks `text` at blanks; a word longer than a line stays whole. `measure`: how much of `width` a text takes.
  package static func lines(_ text: String, width: Int, measure: (String) -> Int = \.count) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      if !line.isEmpty, measure(line) + 1 + measure(String(word)) > width {
        lines.append(line)
        line = ""
      }
      line += (line.isEmpty ? "" : " ") + word
    }
    if !line.isEmpty { lines.append(line) }
    return lines
  }

  static func paragraph(_ text: String, indent: Int = 0) -> String {
    let margin = String(repeating: " ", count: indent)
    return lines(text, width: columnCount - indent).map { margin + $0 + "\n" }.joined()
  }

  /// A term and its explanation a row; a term wider than its column gets a line to itself.
  package static func list(_ rows: [(term: String, text: String)], indent: Int = 2, termWidthMax: Int = 26)
    -> String
  {
    let termWidth = min(termWidthMax, rows.map(\.term.count).max() ?? 0)
    let margin = String(repeating: " ", count: indent)
    let textColumn = indent + termWidth + 2
    var result = ""
    for row in rows {
      var head = margin + row.term
      for line in lines(row.text, width: columnCount - textColumn) {
        if head.count > textColumn - 2 {
          result += paragraph(row.term, indent: indent)
          head = ""
        }
        result += head + String(repeating: " ", count: textColumn - head.count) + line + "\n"
        head = ""
      }
      if !head.isEmpty { result += head + "\n" }
    }
    return result
  }

  /// A list in two columns, for short terms and texts; what is longer is cut.
  static func pairs(_ rows: [(term: String, text: String)]) -> String {
    let width = columnCount / 2 - 1
    let cells = rows.map { row in
      let cell = "  " + row.term + String(repeating: " ", count: max(1, 11 - row.term.count)) + row.text
      return cell.count > width ? cell.prefix(width - 1) + "…" : cell[...]
    }
    return stride(from: 0, to: cells.count, by: 2).map { index in
      guard index + 1 < cells.count else { return cells[index] + "\n" }
      return cells[index] + String(repeating: " ", count: width - cells[index].count) + cells[index + 1]
        + "\n"
    }.joined()
  }

  /// A chapter of a manual.
  package static func chapter(_ chapter: ManualChapter) -> String {
    var parts = [chapter.title + "\n"] + chapter.paragraphs.map { paragraph($0) }
    if !chapter.rows.isEmpty {
      parts.append(list(chapter.rows.map { ($0.name, $0.meaning) }, termWidthMax: 29))
    }
    if !chapter.examples.isEmpty {
      parts.append(list(chapter.examples.map { ($0.line, $0.effect) }, termWidthMax: 29))
    }
    return parts.joined()
  }
}
