// Manual pages in the man macros that groff and mandoc share. Layer: Arguments.

/// Lines of man macros.
package struct ManSource {
  package init() {}

  package private(set) var source = ""

  /// The day of the release that the pages describe: the day of the build would make every build differ.
  private static let date = "2026-11-20"

  /// A heading begins a paragraph by itself.
  private var isBehindHeading = false

  package mutating func raw(_ line: String) {
    isBehindHeading = line.hasPrefix(".SH") || line.hasPrefix(".SS")
    source += line + "\n"
  }

  private mutating func beginParagraph() {
    if !isBehindHeading { raw(".PP") }
  }

  /// Text in lines of the usual width, so that a change to it reads well as a difference.
  package mutating func text(_ text: String) {
    for line in TextLayout.lines(Self.escaped(text), width: TextLayout.columnCount) {
      raw(line.hasPrefix(".") ? "\\&" + line : line)
    }
  }

  /// The title line and the section that search programs read.
  package mutating func head(
    _ name: String, _ number: Int, _ origin: String, _ volume: String, _ summary: String
  ) {
    raw(".TH \(name.uppercased()) \(number) \"\(Self.date)\" \"\(origin)\" \"\(volume)\"")
    section("NAME")
    text("\(name) \u{2014} \(summary)")
  }

  package mutating func chapter(_ chapter: ManualChapter) {
    section(chapter.title)
    if let first = chapter.paragraphs.first { text(first) }
    paragraphs(chapter.paragraphs.dropFirst())
    list(chapter.rows.map { ($0.name, $0.meaning) })
    examples(chapter.examples)
  }

  package mutating func section(_ title: String) { raw(".SH \(title)") }

  package mutating func subsection(_ title: String) { raw(".SS \(Self.escaped(title))") }

  package mutating func paragraphs(_ paragraphs: some Sequence<String>) {
    for paragraph in paragraphs {
      beginParagraph()
      text(paragraph)
    }
  }

  package mutating func list(_ rows: [(term: String, text: String)]) {
    for row in rows {
      raw(".TP")
      raw("\\fB\(Self.escaped(row.term))\\fR")
      text(row.text)
    }
  }

  /// Short terms, each on one line with its text.
  package mutating func table(_ rows: [(term: String, text: String)]) {
    let width = (rows.map(\.term.count).max() ?? 0) + 2
    // No empty lines between them.
    raw(".PD 0")
    for row in rows {
      raw(".IP \"\\fB\(Self.escaped(row.term))\\fR\" \(width)")
      text(row.text)
    }
    raw(".PD")
  }

  package mutating func examples(_ examples: [Example]) {
    for example in examples {
      beginParagraph()
      text(ProgramSpec.sentence(example.effect, end: ":"))
      raw(".PP")
      raw(".RS 4")
      raw(".nf")
      // As a whole: what was broken would be two commands to whoever copies it.
      raw(Self.escaped(example.line))
      raw(".fi")
      raw(".RE")
    }
  }

  /// Lines as they are, set in.
  package mutating func verbatim(_ text: String) {
    beginParagraph()
    raw(".RS 4")
    raw(".nf")
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      raw(Self.escaped(String(line)))
    }
    raw(".fi")
    raw(".RE")
  }

  /// Keeps text from being read as a request: backslashes, hyphens that are typed, dots and quotes in front.
  package static func escaped(_ text: String) -> String {
    var result = ""
    // A character may begin with a quote: scalars are looked at one by one.
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": result += "\\e"
      case "-": result += "\\-"
      case "\u{2014}": result += "\\-"
      case "\u{2013}": result += "\\(en"
      case "\u{2026}": result += "..."
      case "'": result += "\\(aq"
      case "~": result += "\\(ti"
      case "^": result += "\\(ha"
      case "`": result += "\\(ga"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result.hasPrefix(".") ? "\\&" + result : result
  }
}
