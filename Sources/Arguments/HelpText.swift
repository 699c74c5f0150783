// `--help`, for the program and for each command. Layer: Arguments.

/// Something that `help` explains beside commands.
package struct HelpTopic: Sendable {
  package let name: String
  private let makeText: @Sendable () -> String

  package init(_ name: String, text: @autoclosure @escaping @Sendable () -> String) {
    self.name = name
    makeText = text
  }

  package var text: String { makeText() }
}

extension ProgramSpec {
  /// What `realm-cli --help` prints: an overview that fits a screen of 80 columns and 48 rows.
  package var helpText: String {
    var text = TextLayout.paragraph("\(name) – \(summary)")
    for paragraph in introduction { text += TextLayout.paragraph(paragraph) }
    text += "\n"
    for (index, line) in usageLines.enumerated() {
      text += (index == 0 ? "Usage: " : "       ") + line + "\n"
    }
    for group in commandGroups {
      text += "\(group.title):\n" + TextLayout.pairs(group.commands.map { ($0.name, $0.brief) })
    }
    text += "\nMain options:\n" + TextLayout.list(mainOptions.map { ($0.synopsis, $0.brief) })
    text += "\n" + TextLayout.paragraph("'\(name) help COMMAND' explains a command and its options.")
    let topics = topics.map(\.name).joined(separator: ", ")
    return text + TextLayout.paragraph("'\(name) help TOPIC' explains a topic: \(topics).")
  }

  /// What `realm-cli help options` prints.
  package var optionsText: String {
    var text = ""
    for group in globalOptions { text += "\(group.title):\n" + Self.optionList(group.options) + "\n" }
    if let fallback { text += "Statements and prompt:\n" + Self.optionList(ownOptions(fallback)) + "\n" }
    return text + "Environment:\n" + TextLayout.list(environment.map { ($0.name, $0.meaning) })
  }

  /// What `realm-cli COMMAND --help` prints: examples first, then what there is to know.
  package func helpText(_ path: [CommandSpec]) -> String {
    guard let command = path.last else { return helpText }
    let fullName = path.map(\.name).joined(separator: " ")
    var text = TextLayout.paragraph("\(name) \(fullName) – \(command.summary)")
    text += "\nUsage: \(usage(path, command))\n"
    let first = command.examples.prefix(2)
    if !first.isEmpty { text += "\nExamples:\n" + Self.exampleList(first) }
    for paragraph in command.details { text += "\n" + TextLayout.paragraph(paragraph) }
    if !command.subcommands.isEmpty {
      text += "\nSubcommands:\n" + TextLayout.list(command.subcommands.map { ($0.name, $0.summary) })
    }
    if !command.options.isEmpty { text += "\nOptions:\n" + Self.optionList(command.options) }
    let others = command.examples.dropFirst(2)
    if !others.isEmpty { text += "\nMore examples:\n" + Self.exampleList(others) }
    return text + "\n" + TextLayout.paragraph("'\(name) help options' lists the options of every command.")
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

  private static func exampleList(_ examples: ArraySlice<Example>) -> String {
    examples.map { "  \($0.line)\n" + TextLayout.paragraph($0.effect, indent: 6) }.joined()
  }
}

/// The one-line usage of a command.
extension ProgramSpec {
  /// `realm-cli query [OPTIONS] FILE CLASS [PREDICATE]`
  package func usage(_ path: [CommandSpec], _ command: CommandSpec) -> String {
    let words = command.subcommands.isEmpty ? command.operands.map(\.synopsis) : ["SUBCOMMAND", "…"]
    return ([name] + path.map(\.name) + ["[OPTIONS]"] + words).joined(separator: " ")
  }
}
