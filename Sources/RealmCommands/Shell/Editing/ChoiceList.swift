// Showing the ways in which a line can go on. Layer: RealmCommands, Shell, Editing.

import ByteText
import Rendering

/// Words in columns, as shells show them.
enum ChoiceList {
  private static let shownMax = 200

  /// Lines of words that are read downwards, no wider than `columnCount`.
  static func text(_ words: [String], columnCount: Int) -> String {
    let shown = words.prefix(shownMax).map(\.visible)
    let cellWidth = (shown.map(TerminalWidth.width).max() ?? 0) + 2
    let columns = max(1, columnCount / cellWidth)
    let rows = (shown.count + columns - 1) / columns
    var text = ""
    for row in 0..<rows {
      var line = ""
      for index in stride(from: row, to: shown.count, by: rows) {
        let isLast = index + rows >= shown.count
        line += TerminalWidth.padded(shown[index], to: isLast ? 0 : cellWidth)
      }
      text += line + "\n"
    }
    if words.count > shownMax { text += "… and \(words.count - shownMax) more\n" }
    return text
  }
}
