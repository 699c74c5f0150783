// `help`, and the hidden command that prints the man page's source. Layer: RealmCommands, Commands.

import Arguments
import ByteText

extension Command {
  private static let topic = Operand("COMMAND", .command, .any)

  /// `help [COMMAND…]`
  static let help = Command(
    CommandSpec(
      "help", group: CommandGroup.program, summary: "tell about a command, or list all of them",
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

  /// Prints the man page's source, for `make generate`.
  static let manual = Command(
    CommandSpec("__man", summary: "the source of the man page", isHidden: true)
  ) { _ in
    try StandardStreams.write(Registry.program.manPage)
    return .success
  }
}
