// `help`, and the hidden commands from which the man page and the README's list of commands are made.
// Layer: RealmCommands, Commands.

import Arguments
import ByteText
import FirstAid
import TextFormats

extension Command {
  private static let topic = Operand("COMMAND", .command(topics: { HelpTopic.all.map(\.name) }), .any)
  private static let jsonSchema = Option(
    "json-schema", "print the JSON Schema of what COMMAND prints with --json")

  /// `help [COMMAND…]`
  static let help = Command(
    .document(modes: []),
    CommandSpec(
      "help", group: CommandGroup.program, summary: "show help for a command or a topic",
      brief: "commands and topics",
      operands: [topic], options: [jsonSchema],
      details: [
        "Topics: " + HelpTopic.all.map(\.name).joined(separator: ", ")
          + ". With words after a topic only the lines that have them are shown; after 'errors', what a message with them means."
      ],
      examples: [
        Example("realm-cli help import", "how to import, with all options"),
        Example("realm-cli help predicates", "how to write conditions"),
        Example("realm-cli help errors hmac", "what a message of an app means"),
      ])
  ) { invocation in
    let program = Registry.program
    let words = invocation.arguments.words(topic)
    if words.count == 1, let topic = HelpTopic.all.first(where: { $0.name == words[0].text }) {
      try StandardStreams.write(topic.text)
      return .success
    }
    if words.count > 1, words[0].text == HelpTopic.errorsName {
      try StandardStreams.write(try messages(words.dropFirst().map(\.displayText)))
      return .success
    }
    if words.count > 1, let topic = HelpTopic.all.first(where: { $0.name == words[0].text }) {
      try StandardStreams.write(try topic.lines(with: words.dropFirst().map(\.displayText)))
      return .success
    }
    var path: [CommandSpec] = []
    for word in words {
      let known = path.last?.subcommands ?? program.commands
      let name = word.displayText
      guard let command = known.first(where: { $0.name == name }) else {
        if let before = path.last, before.subcommands.isEmpty {
          throw Diagnostic.usage(
            "'\(before.name)' has no command of its own", hint: "one at a time: realm-cli help \(name)")
        }
        let names = known.filter { !$0.isHidden }.map(\.name)
        let nearest = EditDistance.nearest(to: name, among: names + HelpTopic.all.map(\.name))
        throw Diagnostic.usage(
          "there is no command or topic '\(name)'",
          hint: name == "topics"
            ? "topics: \(HelpTopic.all.map(\.name).joined(separator: ", "))"
            : nearest.map { "did you mean '\($0)'?" } ?? "'realm-cli help' lists them")
      }
      path.append(command)
    }
    guard invocation.arguments.has(jsonSchema) else {
      try StandardStreams.write(program.helpText(path))
      return .success
    }
    let names = path.map(\.name)
    guard let shape = Command.named(names)?.result.shape else {
      let name = names.joined(separator: " ")
      if let first = path.last?.subcommands.first {
        throw Diagnostic.usage(
          "'\(name)' has commands of its own", hint: "help --json-schema \(name) \(first.name)")
      }
      throw Diagnostic.usage("'\(name)' prints a document of its own, which has no JSON Schema")
    }
    var text = ByteBuffer()
    text.append(json: shape.document, indentation: 2)
    try StandardStreams.write(text.text + "\n")
    return .success
  }

  /// The messages of SDKs that hold all of these words.
  private static func messages(_ words: [String]) throws -> String {
    let text = words.joined(separator: " ")
    let found = SDKMessage.all.filter { $0.holds(words) || $0.isSaid(in: text) }
    guard !found.isEmpty else {
      throw Diagnostic(
        .unavailable, code: "not-found", "no message of the SDKs has '\(words.joined(separator: " "))'",
        hint: "'realm-cli help errors' lists them; 'realm-cli doctor FILE' looks at the file")
    }
    return HelpTopic.text(of: found)
  }

  private static let page = Operand("PAGE", .text, .atMostOnce)

  /// Prints a man page's source, or the names of all pages, for `make generate`.
  static let manual = Command(
    .document(modes: []),
    CommandSpec("__man", summary: "the source of a man page", operands: [page], isHidden: true)
  ) { invocation in
    let program = Registry.program
    guard let name = invocation.arguments.text(page) else {
      try StandardStreams.write(Registry.manualPageNames.map { $0 + "\n" }.joined())
      return .success
    }
    guard let source = Registry.manualPage(named: name) else {
      throw Diagnostic.usage("there is no page '\(name)'")
    }
    try StandardStreams.write(source)
    return .success
  }

  /// Prints the README's list of commands, for `make generate`.
  static let table = Command(
    .document(modes: []),
    CommandSpec("__commands", summary: "the commands as a table", isHidden: true)
  ) { _ in
    try StandardStreams.write(Registry.program.commandTable)
    return .success
  }
}

extension HelpTopic {
  /// Those that hold all of these words, whatever their case.
  fileprivate func lines(with words: [String]) throws -> String {
    let words = words.map { $0.lowercased() }
    let found = text.split(separator: "\n").filter { line in
      words.allSatisfy { line.lowercased().holds($0) }
    }
    guard !found.isEmpty else {
      throw Diagnostic.usage(
        "no line of the topic '\(name)' has '\(words.joined(separator: " "))'", hint: "realm-cli help \(name)"
      )
    }
    return found.joined(separator: "\n") + "\n"
  }
}

extension Registry {
  /// File names: `realm-cli.1`, a page for each command, and the others.
  package static var manualPageNames: [String] {
    ["\(program.name).1"] + program.describedCommands.map { "\(program.pageName(of: $0)).1" }
      + ["\(MigrationManual.name).5"] + manualPages.map { "\($0.name).\($0.section)" }
  }

  /// The source of the page with that file name; nil where there is none.
  static func manualPage(named file: String) -> String? {
    let program = program
    if file == "\(program.name).1" { return program.manPage }
    if file == "\(MigrationManual.name).5" { return MigrationManual.page }
    if let command = program.describedCommands.first(where: { "\(program.pageName(of: $0)).1" == file }) {
      return program.manPage(of: command)
    }
    return manualPages.first { "\($0.name).\($0.section)" == file }?.source(
      origin: "\(program.name) \(program.version)")
  }
}
