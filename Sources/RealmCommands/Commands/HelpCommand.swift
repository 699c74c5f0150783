// `help`, and the hidden commands from which the man page and the README's list of commands are made.
// Layer: RealmCommands, Commands.

import Arguments
import ByteText

extension Command {
  private static let topic = Operand("COMMAND", .command, .any)

  /// `help [COMMAND…]`
  static let help = Command(
    CommandSpec(
      "help", group: CommandGroup.program, summary: "show help for a command, or list all commands",
      operands: [topic],
      examples: [Example("realm-cli help completion", "how to set up completion in a shell")])
  ) { invocation in
    let program = Registry.program
    var path: [CommandSpec] = []
    for word in invocation.arguments.words(topic) {
      let known = path.last?.subcommands ?? program.commands
      let name = word.displayText
      guard let command = known.first(where: { $0.name == name }) else {
        let nearest = EditDistance.nearest(to: name, among: known.filter { !$0.isHidden }.map(\.name))
        throw Diagnostic.usage(
          "there is no command '\(name)'", hint: nearest.map { "did you mean '\($0)'?" })
      }
      path.append(command)
    }
    try StandardStreams.write(program.helpText(path))
    return .success
  }

  private static let page = Operand("PAGE", .oneOf(Registry.manualPages.map(\.name)), .atMostOnce)

  /// Prints a man page's source, for `make generate`.
  static let manual = Command(
    CommandSpec("__man", summary: "the source of a man page", operands: [page], isHidden: true)
  ) { invocation in
    let name = invocation.arguments.text(page)
    let program = Registry.program
    let source = Registry.manualPages.first { $0.name == name }?.source(
      origin: "\(program.name) \(program.version)")
    try StandardStreams.write(source ?? program.manPage)
    return .success
  }

  /// Prints the source of the manual of migration files, for `make generate`.
  static let migrationManual = Command(
    CommandSpec("__man-migrations", summary: "the source of realm-migrations(5)", isHidden: true)
  ) { _ in
    try StandardStreams.write(MigrationManual.page)
    return .success
  }

  /// Prints the README's list of commands, for `make generate`.
  static let table = Command(
    CommandSpec("__commands", summary: "the commands as a table", isHidden: true)
  ) { _ in
    try StandardStreams.write(Registry.program.commandTable)
    return .success
  }
}
