// The man pages of the program and of its commands, in the man macros that groff and mandoc share. Layer: Arguments.

extension ProgramSpec {
  /// The source of `realm-cli.1`.
  package var manPage: String {
    var page = ManSource()
    begin(&page, name, summary)
    page.section("SYNOPSIS")
    for (index, line) in usageLines.enumerated() {
      if index > 0 { page.raw(".br") }
      page.text(line)
    }
    page.section("DESCRIPTION")
    page.text(introduction.first ?? summary)
    page.paragraphs(introduction.dropFirst())
    if let fallback {
      page.paragraphs(["Without COMMAND: \(fallback.summary); see \(pageName(of: fallback))(1)."])
    }
    page.section("COMMANDS")
    page.text("Each has a page of its own, such as \(listedCommands.first.map(pageName) ?? name)(1).")
    page.table(listedCommands.map { ($0.name, Self.sentence($0.summary)) })
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
      page.examples(Array(fallback.examples.prefix(3)))
    }
    for chapter in chapters where chapter.command == nil { page.chapter(chapter) }
    return page.source
  }

  /// The commands that have a page; the one without a name is first.
  package var describedCommands: [CommandSpec] { [fallback].compactMap { $0 } + listedCommands }

  /// `realm-cli-query`: what the page of a command is called.
  package func pageName(of command: CommandSpec) -> String {
    "\(name)-\(command.name.isEmpty ? "prompt" : command.name)"
  }

  /// The source of the page of a command and of its subcommands.
  package func manPage(of command: CommandSpec) -> String {
    var page = ManSource()
    begin(&page, pageName(of: command), command.summary)
    page.section("SYNOPSIS")
    let paths = command.subcommands.isEmpty ? [[command]] : command.subcommands.map { [command, $0] }
    for (index, path) in paths.enumerated() {
      if index > 0 { page.raw(".br") }
      page.text(usage(path, path[path.count - 1]))
    }
    page.section("DESCRIPTION")
    page.text(Self.sentence(command.summary))
    page.paragraphs(command.details)
    if !command.subcommands.isEmpty { page.section("SUBCOMMANDS") }
    for child in command.subcommands { addCommand([command, child], to: &page) }
    if !command.options.isEmpty {
      page.section("OPTIONS")
      page.list(explanations(command.options))
    }
    for chapter in chapters where chapter.command == command.name { page.chapter(chapter) }
    if !command.examples.isEmpty {
      page.section("EXAMPLES")
      page.examples(command.examples)
    }
    page.section("SEE ALSO")
    page.text("\(name)(1) has the options of all commands, the exit statuses and the environment.")
    return page.source
  }

  private func begin(_ page: inout ManSource, _ title: String, _ summary: String) {
    page.raw(".\\\" Made from the program's option table; do not edit.")
    page.head(title, 1, "\(name) \(version)", "User Commands", summary)
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
  /// The command whose page it is part of; nil: the program's.
  package let command: String?
  package let paragraphs: [String]
  package let rows: [Explanation]
  package let examples: [Example]

  package init(
    _ title: String, command: String? = nil, _ paragraphs: [String] = [], rows: [Explanation] = [],
    examples: [Example] = []
  ) {
    self.title = title
    self.command = command
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
