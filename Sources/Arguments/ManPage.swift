// The man page, in the man macros that groff and mandoc share. Layer: Arguments.

extension ProgramSpec {
  /// The source of `realm-cli.1`.
  package var manPage: String {
    var page = ManSource()
    page.raw(".\\\" Made from the program's option table; do not edit.")
    page.head(name, 1, "\(name) \(version)", "User Commands", summary)
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
    if let fallback {
      page.subsection("Statements and prompt")
      page.paragraphs(fallback.details)
      page.list(explanations(ownOptions(fallback)))
    }
    page.section("EXIT STATUS")
    page.list(exitStatuses.map { ($0.name, $0.meaning) })
    page.section("ENVIRONMENT")
    page.list(environment.map { ($0.name, $0.meaning) })
    for chapter in chapters { page.chapter(chapter) }
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

/// A part of a man page with a heading of its own.
package struct ManualChapter: Sendable {
  package let title: String
  package let paragraphs: [String]
  package let rows: [Explanation]
  package let examples: [Example]

  package init(
    _ title: String, _ paragraphs: [String] = [], rows: [Explanation] = [], examples: [Example] = []
  ) {
    self.title = title
    self.paragraphs = paragraphs
    self.rows = rows
    self.examples = examples
  }
}

/// A man page that is not about a command.
package struct ManualPage: Sendable {
  package let name: String
  package let section: Int
  package let summary: String
  /// Made when the page is read: every start of the program names the pages, and few print one.
  package var chapters: [ManualChapter] { makeChapters() }
  private let makeChapters: @Sendable () -> [ManualChapter]

  package init(
    _ name: String, section: Int, summary: String,
    chapters: @autoclosure @escaping @Sendable () -> [ManualChapter]
  ) {
    self.name = name
    self.section = section
    self.summary = summary
    makeChapters = chapters
  }

  /// Its source; `origin` is the program it comes with.
  package func source(origin: String) -> String {
    var page = ManSource()
    page.raw(".\\\" Made by the program; do not edit.")
    page.head(name, section, origin, section == 5 ? "File Formats" : "Miscellaneous", summary)
    for chapter in chapters { page.chapter(chapter) }
    return page.source
  }
}

extension ProgramSpec {
  /// A summary as a sentence of its own.
  package static func sentence(_ summary: String, end: String = ".") -> String {
    summary.prefix(1).uppercased() + summary.dropFirst() + end
  }
}
