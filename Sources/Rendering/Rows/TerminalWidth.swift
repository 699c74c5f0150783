// How many columns of a terminal text takes. Layer: Rendering, Rows.

/// Widths in terminal columns.
package enum TerminalWidth {
  /// Ranges of characters that take two columns: East Asian scripts, full-width forms, pictographs.
  private static let wideRanges: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
    0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1F6FF, 0x1F900...0x1FAFF,
    0x20000...0x3FFFD,
  ]

  package static func width(_ character: Character) -> Int {
    guard let scalar = character.unicodeScalars.first else { return 0 }
    if scalar.isASCII { return 1 }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: break
    }
    let isEmoji = character.unicodeScalars.contains { $0.value == 0xFE0F }
    return isEmoji || wideRanges.contains { $0.contains(scalar.value) } ? 2 : 1
  }

  package static func width(_ text: String) -> Int { text.reduce(0) { $0 + width($1) } }

  /// A text with blanks behind it, so that it takes `width` columns.
  package static func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - self.width(text)))
  }

  /// A text in lines that take at most `width` columns each, broken at blanks where there are some. A character that is wider
  /// than that has a line of its own.
  package static func lines(_ text: String, of width: Int) -> [String] {
    var lines: [String] = []
    var rest = text[...]
    while true {
      var used = 0
      var end = rest.startIndex
      var blank: String.Index?
      while end < rest.endIndex {
        used += self.width(rest[end])
        if used > width { break }
        if rest[end] == " " { blank = end }
        end = rest.index(after: end)
      }
      if end == rest.endIndex { return lines + [String(rest)] }
      if rest[end] == " " { blank = end }
      if end == rest.startIndex { end = rest.index(after: end) }
      if let blank, blank > rest.startIndex {
        lines.append(String(rest[..<blank]))
        rest = rest[rest.index(after: blank)...]
      } else {
        lines.append(String(rest[..<end]))
        rest = rest[end...]
      }
      if rest.isEmpty { return lines }
    }
  }

  /// The beginning of a text that takes at most `width` columns, with an ellipsis where something is missing.
  package static func cut(_ text: String, to width: Int) -> String {
    guard self.width(text) > width else { return text }
    var kept = ""
    var used = 1
    for character in text {
      used += self.width(character)
      if used > width { break }
      kept.append(character)
    }
    return kept + "…"
  }
}
