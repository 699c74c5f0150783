// The man page, in the man macros that groff and mandoc share. Layer: Arguments.

extension ProgramSpec {
  /// The source of `realm-cli.1`.
  package var manPage: String {
    var page = ManSource()
    page.raw(".\\\" Made from the program's option table; do not edit.")
    page.raw(".TH \(name.uppercased()) 1 \"\" \"\(name) \(version)\" \"User Commands\"")
    page.section("NAME")
    page.text("\(name) \u{2014} \(summary)")
    page.section("SYNOPSIS")
    for (index, line) in usageLines.enumerated() {
      if index > 0 { page.raw(".br") }
      page.text(line)
    }
    page.section("DESCRIPTION")
    page.text(introduction.first ?? summary)
    page.paragraphs(introduction.dropFirst())
    page.section("COMMANDS")
    for command in listedCommands {
      addCommand([command], to: &page)
      for child in command.subcommands { addCommand([command, child], to: &page) }
    }
    page.section("OPTIONS")
    for group in globalOptions {
      page.subsection(group.title)
      page.list(explanations(group.options))
    }
    page.section("EXIT STATUS")
    page.list(exitStatuses.map { ($0.name, $0.meaning) })
    page.section("ENVIRONMENT")
    page.list(environment.map { ($0.name, $0.meaning) })
    if let fallback, !fallback.examples.isEmpty {
      page.section("EXAMPLES")
      page.examples(fallback.examples)
    }
    return page.source
  }

  private func addCommand(_ path: [CommandSpec], to page: inout ManSource) {
    guard let command = path.last else { return }
    page.subsection(path.map(\.name).joined(separator: " "))
    page.text(usage(path, command))
    page.paragraphs([Self.sentence(command.summary)] + command.details)
    page.list(explanations(command.options))
    page.examples(command.examples)
  }
}

extension ProgramSpec {
  /// A summary as a sentence of its own.
  fileprivate static func sentence(_ summary: String, end: String = ".") -> String {
    summary.prefix(1).uppercased() + summary.dropFirst() + end
  }
}

/// Lines of man macros.
private struct ManSource {
  private(set) var source = ""

  mutating func raw(_ line: String) { source += line + "\n" }

  /// Text in lines of the usual width, so that a change to it reads well as a difference.
  mutating func text(_ text: String) {
    for line in TextLayout.lines(text, width: TextLayout.columnCount) { raw(Self.escaped(line)) }
  }

  mutating func section(_ title: String) { raw(".SH \(title)") }

  mutating func subsection(_ title: String) { raw(".SS \(Self.escaped(title))") }

  mutating func paragraphs(_ paragraphs: some Sequence<String>) {
    for paragraph in paragraphs {
      raw(".PP")
      text(paragraph)
    }
  }

  mutating func list(_ rows: [(term: String, text: String)]) {
    for row in rows {
      raw(".TP")
      raw("\\fB\(Self.escaped(row.term))\\fR")
      text(row.text)
    }
  }

  mutating func examples(_ examples: [Example]) {
    for example in examples {
      raw(".PP")
      text(ProgramSpec.sentence(example.effect, end: ":"))
      raw(".PP")
      raw(".RS 4")
      raw(".nf")
      text(example.line)
      raw(".fi")
      raw(".RE")
    }
  }

  /// Keeps text from being read as a request: backslashes, hyphens that are typed, dots and quotes in front.
  private static func escaped(_ text: String) -> String {
    var result = ""
    for character in text {
      switch character {
      case "\\": result += "\\e"
      case "-": result += "\\-"
      case "\u{2014}": result += "\\-"
      case "\u{2013}": result += "\\(en"
      case "\u{2026}": result += "..."
      case "'": result += "\\(aq"
      case "~": result += "\\(ti"
      case "^": result += "\\(ha"
      case "`": result += "\\(ga"
      default: result.append(character)
      }
    }
    return result.hasPrefix(".") ? "\\&" + result : result
  }
}
