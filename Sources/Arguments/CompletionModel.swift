// What the three completion scripts share: the commands as a flat list, and how a value is completed.
// Layer: Arguments. Class and property names come from the file on the line, through the program's own hidden
// command, so that the shells need to know nothing about files.

/// The hidden command that the scripts call: `realm-cli __names classes FILE`, `… properties FILE CLASS`.
package enum NameListing {
  package static let command = "__names"
  package static let classes = "classes"
  package static let properties = "properties"
}

/// How a shell spells what completes a value.
struct CompletionSources {
  let files, directories, classes, properties, shellCommands: String
  /// The commands of this program beside these topics, and behind one that has them its subcommands.
  let commands: (_ topics: String) -> String
  let words: (_ separated: String) -> String
  let nothing: String
}

extension ProgramSpec {
  /// Every listed command and subcommand that can be run, by the words that name it.
  var completedCommands: [(name: String, command: CommandSpec)] {
    listedCommands.flatMap { command in
      command.subcommands.isEmpty
        ? [(command.name, command)]
        : command.subcommands.map { ("\(command.name) \($0.name)", $0) }
    }
  }

  /// Every spelling of every option that takes a value; whether one does never depends on the command.
  var spellingsWithValue: [String] {
    let commands = completedCommands.map(\.command) + [fallback].compactMap { $0 }
    var spellings: [String] = []
    for option in globalOptions.flatMap(\.options) + commands.flatMap(\.options) where option.value != nil {
      for spelling in option.spellings where !spellings.contains(spelling) { spellings.append(spelling) }
    }
    return spellings
  }

  func source(_ kind: ValueKind, _ sources: CompletionSources) -> String {
    switch kind {
    case .file, .outputFile, .textOrDash: sources.files
    case .directory: sources.directories
    case .className, .statement: sources.classes
    case .properties, .condition: sources.properties
    case .shellCommand: sources.shellCommands
    case .command(let topics): sources.commands(topics().joined(separator: " "))
    case .words(let words): sources.words(words().joined(separator: " "))
    case .text, .list, .count, .seconds, .integer, .size: sources.nothing
    }
  }

  /// The global options that do nothing for a command: each with the commands that share them, all of which may be run.
  var idleOptions: [(options: [Option], paths: [String])] {
    var idle: [(options: [Option], paths: [String])] = []
    for (path, command) in completedCommands + (fallback.map { [("", $0)] } ?? []) {
      let names = path.split(separator: " ").map(String.init)
      let options = globalOptions.flatMap(\.options).filter { option in
        command.options.allSatisfy { $0.name != option.name }
          && !acts(names, option.meaning?.name ?? option.name, option.meaning?.value)
      }
      if options.isEmpty { continue }
      if let place = idle.firstIndex(where: { $0.options.map(\.name) == options.map(\.name) }) {
        idle[place].paths.append(path)
      } else {
        idle.append((options, [path]))
      }
    }
    return idle
  }

  /// The options of `command` that are not global ones.
  func ownOptions(_ command: CommandSpec) -> [Option] {
    command.options.filter { own in globalOption { $0.name == own.name } == nil }
  }
}

extension Option {
  /// `-m`, `--mode`, and `-csv` beside `--csv`.
  var spellings: [String] {
    var spellings = letter.map { ["-\($0)"] } ?? []
    if isSingleDashWord { spellings.append("-\(name)") }
    return spellings + ["--\(name)"]
  }
}
