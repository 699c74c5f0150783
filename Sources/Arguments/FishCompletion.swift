// The completion script for fish. Layer: Arguments.

extension ProgramSpec {
  /// What `realm-cli completion fish` prints.
  package var fishCompletion: String {
    var lines = [fishMachinery]
    for command in listedCommands {
      lines.append(
        "complete -c \(name) -n __realm_cli_first -a \(command.name) -d \(fishQuoted(command.summary))")
      for child in command.subcommands {
        lines.append(
          "complete -c \(name) -n '__realm_cli_at \(command.name) 0' -f -a \(child.name)"
            + " -d \(fishQuoted(child.summary))")
      }
    }
    lines.append("complete -c \(name) -n __realm_cli_first -F")
    for option in globalOptions.flatMap(\.options) {
      let paths = idleOptions.filter { $0.options.contains { $0.name == option.name } }.flatMap(\.paths)
      let words = paths.map { "\"\($0)\"" }.joined(separator: " ")
      lines.append(fishOption(option, condition: paths.isEmpty ? nil : "'not __realm_cli_in \(words)'"))
    }
    for (path, command) in completedCommands { lines += fishLines(path, command) }
    if let fallback { lines += fishLines("", fallback) }
    return lines.joined(separator: "\n") + "\n"
  }

  private func fishLines(_ path: String, _ command: CommandSpec) -> [String] {
    let quotedPath = "\"\(path)\""
    return ownOptions(command).map { fishOption($0, condition: "'__realm_cli_in \(quotedPath)'") }
      + command.operands.enumerated().compactMap { index, operand in
        // The first word of all is completed above, together with the commands.
        guard !(path.isEmpty && index == 0) else { return nil }
        let test = operand.isRepeated ? "__realm_cli_from" : "__realm_cli_at"
        return "complete -c \(name) -n '\(test) \(quotedPath) \(index)' \(fishSource(operand.kind))"
      }
  }

  private func fishOption(_ option: Option, condition: String?) -> String {
    var line = "complete -c \(name)"
    if let condition { line += " -n \(condition)" }
    if let letter = option.letter { line += " -s \(letter)" }
    if option.isSingleDashWord { line += " -o \(option.name)" }
    line += " -l \(option.name)"
    if let kind = option.value { line += " -r \(fishSource(kind))" }
    return line + " -d \(fishQuoted(option.help))"
  }

  private func fishSource(_ kind: ValueKind) -> String {
    source(
      kind,
      CompletionSources(
        files: "-F", directories: "-f -a '(__fish_complete_directories)'",
        classes: "-f -a '(__realm_cli_names \(NameListing.classes))'",
        properties: "-f -a '(__fish_append , (__realm_cli_names \(NameListing.properties)))'",
        shellCommands: "-f -a '(__fish_complete_command)'",
        commands: { "-f -a '(__realm_cli_commands \($0))'" },
        words: { "-f -a '\($0)'" }, nothing: "-f"))
  }

  private func fishQuoted(_ text: String) -> String {
    var quoted = ""
    for character in text {
      quoted += character == "'" || character == "\\" ? "\\\(character)" : "\(character)"
    }
    return "'\(quoted)'"
  }

  private var fishMachinery: String {
    let withSubcommands = listedCommands.filter { !$0.subcommands.isEmpty }
    let parents = withSubcommands.map(\.name).joined(separator: " ")
    let subcommands = withSubcommands.map { command in
      "          case \(command.name)\n"
        + "              string split ' ' '\(command.subcommands.map(\.name).joined(separator: " "))'\n"
    }.joined()
    return #"""
      # fish completion for \#(name), made from its option table by '\#(name) completion fish'.

      # Sets the command, the operands and the key options that stand before the cursor.
      function __realm_cli_read_line
          set -g __realm_cli_command ''
          set -g __realm_cli_operands
          set -g __realm_cli_keys
          set -l with_value \#(spellingsWithValue.joined(separator: " "))
          set -l commands \#(listedCommands.map(\.name).joined(separator: " "))
          set -l parents \#(parents)
          set -l words (commandline -opc)
          set -e words[1]
          set -l ended 0
          while set -q words[1]
              set -l word $words[1]
              set -e words[1]
              if test $ended = 1; or not string match -q -- '-?*' $word
                  if test $ended = 0 -a -z "$__realm_cli_command"; and not set -q __realm_cli_operands[1]
                      and contains -- $word $commands
                      set __realm_cli_command $word
                  else if contains -- "$__realm_cli_command" $parents
                      set __realm_cli_command "$__realm_cli_command $word"
                  else
                      set -a __realm_cli_operands $word
                  end
              else if test "$word" = --
                  set ended 1
              else if contains -- $word $with_value
                  if contains -- $word --key-file --key-env; and set -q words[1]
                      set -a __realm_cli_keys $word $words[1]
                  end
                  set -e words[1]
              end
          end
      end

      function __realm_cli_first
          __realm_cli_read_line
          test -z "$__realm_cli_command"; and not set -q __realm_cli_operands[1]
      end

      function __realm_cli_in
          __realm_cli_read_line
          contains -- "$__realm_cli_command" $argv
      end

      function __realm_cli_at
          __realm_cli_in $argv[1]; and test (count $__realm_cli_operands) -eq $argv[2]
      end

      function __realm_cli_from
          __realm_cli_in $argv[1]; and test (count $__realm_cli_operands) -ge $argv[2]
      end

      function __realm_cli_names
          __realm_cli_read_line
          set -l program (commandline -opc)[1]
          set -l operands $__realm_cli_operands[1]
          if test $argv[1] = \#(NameListing.properties)
              set operands $__realm_cli_operands[1..2]
          end
          $program \#(NameListing.command) $__realm_cli_keys -- $argv[1] $operands 2>/dev/null </dev/null
      end

      # The commands beside these topics, and behind one that has them its subcommands.
      function __realm_cli_commands
          __realm_cli_read_line
          switch "$__realm_cli_operands[-1]"
              case ''
                  string split ' ' '\#(listedCommands.map(\.name).joined(separator: " "))'
                  string join \n $argv
      \#(subcommands)    end
      end

      complete -c \#(name) -f
      """#
  }
}
