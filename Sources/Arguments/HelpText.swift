// `--help`, for the program and for each command. Layer: Arguments.

extension ProgramSpec {
  /// What `realm-cli --help` prints.
  package var helpText: String {
    var text = TextLayout.paragraph("\(name) – \(summary)")
    for paragraph in introduction { text += "\n" + TextLayout.paragraph(paragraph) }
    text += "\nUsage:\n" + usageLines.map { "  \($0)\n" }.joined()
    for group in commandGroups {
      text += "\n\(group.title):\n" + TextLayout.list(group.commands.map { ($0.name, $0.summary) })
    }
    for group in globalOptions { text += "\n\(group.title):\n" + Self.optionList(group.options) }
    text += "\nExit status:\n" + TextLayout.list(exitStatuses.map { ($0.name, $0.meaning) })
    text += "\nEnvironment:\n" + TextLayout.list(environment.map { ($0.name, $0.meaning) })
    if let fallback, !fallback.examples.isEmpty {
      text += "\nExamples:\n" + Self.exampleList(fallback.examples)
    }
    return text + "\n" + TextLayout.paragraph("'\(name) help COMMAND' tells more about a command.")
  }

  /// What `realm-cli COMMAND --help` prints.
  package func helpText(_ path: [CommandSpec]) -> String {
    guard let command = path.last else { return helpText }
    let fullName = path.map(\.name).joined(separator: " ")
    var text = TextLayout.paragraph("\(name) \(fullName) – \(command.summary)")
    text += "\nUsage:\n  \(usage(path, command))\n"
    for paragraph in command.details { text += "\n" + TextLayout.paragraph(paragraph) }
    if !command.subcommands.isEmpty {
      text += "\nSubcommands:\n" + TextLayout.list(command.subcommands.map { ($0.name, $0.summary) })
    }
    if !command.options.isEmpty { text += "\nOptions:\n" + Self.optionList(command.options) }
    if !command.examples.isEmpty { text += "\nExamples:\n" + Self.exampleList(command.examples) }
    return text + "\n" + TextLayout.paragraph("'\(name) --help' lists the options that every command takes.")
  }

  /// The listed commands as a table for the README.
  package var commandTable: String {
    let rows = completedCommands.map { path, command in
      let operands = command.operands.map(\.synopsis)
      return "| `\(([path] + operands).joined(separator: " "))` | \(command.summary) |\n"
    }
    return "| command | what it does |\n| --- | --- |\n" + rows.joined()
  }

  /// The ways to call the program, one a line.
  var usageLines: [String] {
    var lines: [String] = []
    if let fallback { lines.append(usage([], fallback)) }
    return lines + ["\(name) COMMAND [OPTIONS] FILE …"]
  }

  /// Listed commands under their headings, in the order of their first member.
  var commandGroups: [(title: String, commands: [CommandSpec])] {
    var groups: [(title: String, commands: [CommandSpec])] = []
    for command in listedCommands {
      if let index = groups.firstIndex(where: { $0.title == command.group }) {
        groups[index].commands.append(command)
      } else {
        groups.append((command.group, [command]))
      }
    }
    return groups
  }

  private static func optionList(_ options: [Option]) -> String {
    TextLayout.list(explanations(options))
  }

  private static func exampleList(_ examples: [Example]) -> String {
    examples.map { "  \($0.line)\n" + TextLayout.paragraph($0.effect, indent: 6) }.joined()
  }
}
