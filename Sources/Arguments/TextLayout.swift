// Paragraphs and two-column lists for help. Layer: Arguments.

/// Sets text for a terminal of the usual width, whatever the real one is, so that help is always the same.
package enum TextLayout {
  static let columnCount = 80

  /// Breaks `text` at blanks; a word longer than a line stays whole.
  static func lines(_ text: String, width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      if !line.isEmpty, line.count + 1 + word.count > width {
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
}
