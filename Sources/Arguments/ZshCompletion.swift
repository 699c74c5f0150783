// The completion script for zsh. Layer: Arguments.

extension ProgramSpec {
  /// What `realm-cli completion zsh` prints.
  package var zshCompletion: String {
    let globals = globalOptions.flatMap(\.options).map { "    \(zshOption($0))\n" }.joined()
    let withSubcommands = listedCommands.filter { !$0.subcommands.isEmpty }
    let parents = withSubcommands.map(\.name).joined(separator: " ")
    let subcommands = withSubcommands.map { command in
      "    \(command.name))\n      local -a commands=(\n"
        + zshDescriptions(command.subcommands, margin: "        ")
        + "      )\n      _describe -t commands subcommand commands\n      ;;\n"
    }.joined()
    return #"""
      #compdef \#(name)
      # zsh completion for \#(name), made from its option table by '\#(name) completion zsh'.

      # Sets names: what the program lists as $1; behind it, the number of operands that it needs.
      # $line holds the words that _arguments took for operands, those of the command first.
      _realm_cli_ask() {
        local -a keys operands
        local option
        for option in --key-file --key-env; do
          if [[ -n ${opt_args[$option]} ]]; then keys+=($option ${(Q)opt_args[$option]}); fi
        done
        operands=(${(Q)line[realm_cli_command_words + 1, realm_cli_command_words + $2]})
        names=(${(f)"$($realm_cli_program \#(NameListing.command) $keys -- $1 $operands 2>/dev/null </dev/null)"})
      }

      _realm_cli_classes() {
        local -a names
        _realm_cli_ask \#(NameListing.classes) 1
        compadd "$@" -a names
      }

      _realm_cli_properties() {
        local -a names
        _realm_cli_ask \#(NameListing.properties) 2
        compset -P '*,'
        compadd "$@" -S '' -a names
      }

      _realm_cli_commands() {
        local -a commands=(
      \#(zshDescriptions(listedCommands, margin: "    "))  )
        _describe -t commands command commands
      }

      # The commands beside these topics, and behind one that has them its subcommands.
      _realm_cli_named_commands() {
        case $words[CURRENT-1] in
          help)
            local -a topics=($@)
            _realm_cli_commands
            _describe -t topics topic topics ;;
      \#(subcommands)  esac
      }

      _realm_cli_first() {
        _alternative 'commands:command:_realm_cli_commands' 'files:file:_files'
      }

      _realm_cli() {
        local realm_cli_program=${(Q)words[1]/#\~/$HOME} command=
        local -i index=2 realm_cli_command_words=0
        local -a line with_value=(\#(spellingsWithValue.joined(separator: " "))) parents=(\#(parents))
        local -A opt_args
        local -a global_options=(
      \#(globals)  )
        while (( index < CURRENT )); do
          if [[ $words[index] == -- ]]; then break; fi
          if [[ $words[index] == -?* ]]; then
            if (( ${with_value[(Ie)$words[index]]} )); then (( index++ )); fi
          else
            command+=${command:+ }$words[index]
            (( realm_cli_command_words++ ))
            if (( ! ${parents[(Ie)$command]} )); then break; fi
          fi
          (( index++ ))
        done

        case $command in
          '')
            _arguments -s -S $global_options '1: :_realm_cli_first' '*: : '
            ;;
      \#(zshCases)    *)
            realm_cli_command_words=0
            _arguments -s -S \#(zshGlobalOptions(""))\#(zshFallback)
            ;;
        esac
      }

      _realm_cli "$@"

      """#
  }

  private var zshCases: String {
    var text = ""
    for command in listedCommands where !command.subcommands.isEmpty {
      text += "    \(command.name))\n      local -a subcommands=(\n"
      text += zshDescriptions(command.subcommands, margin: "        ")
      text += "      )\n      _arguments -s -S $global_options '1: : ' \\\n"
      text += "        '2: : _describe -t commands subcommand subcommands' '*: : '\n      ;;\n"
    }
    for (path, command) in completedCommands {
      let wordCount = path.split(separator: " ").count
      text += "    '\(path)')\n      _arguments -s -S \(zshGlobalOptions(path))"
      text += (1...wordCount).map { " '\($0): : '" }.joined()
      text += zshArguments(command, firstPosition: wordCount + 1) + "\n      ;;\n"
    }
    return text
  }

  /// Those that do something for a command.
  private func zshGlobalOptions(_ path: String) -> String {
    let idle = idleOptions.first { $0.paths.contains(path) }?.options.flatMap(\.spellings) ?? []
    return idle.isEmpty
      ? "$global_options" : "${global_options:#\\*(\(idle.joined(separator: "|")))(|=)\\[*}"
  }

  private var zshFallback: String {
    fallback.map { zshArguments($0, firstPosition: 1) } ?? " '*: : '"
  }

  private func zshArguments(_ command: CommandSpec, firstPosition: Int) -> String {
    // `_arguments` itself takes what stands behind `--` for one more of the operand that is repeated.
    let operands = command.operands.filter { $0.occurrence != .behindDashes }.enumerated().map {
      zshOperand($1, position: firstPosition + $0)
    }
    return (ownOptions(command).map(zshOption) + operands).map { " \\\n        \($0)" }.joined()
  }

  private func zshOperand(_ operand: Operand, position: Int) -> String {
    let place =
      switch operand.occurrence {
      case .once: "\(position)"
      case .atMostOnce: "\(position):"
      case .any, .atLeastOnce, .behindDashes: "*"
      }
    return "'\(place):\(operand.name):\(zshSource(operand.kind))'"
  }

  private func zshOption(_ option: Option) -> String {
    let spellings = option.spellings.map { option.value != nil && $0.hasPrefix("--") ? "\($0)=" : $0 }
    let value = option.value.map { ":\(option.valueName):\(zshSource($0))" } ?? ""
    let body = "'[\(zshEscaped(option.help))]\(value)'"
    guard spellings.count > 1 else { return "'*'\(spellings[0])\(body)" }
    return "'*'{\(spellings.joined(separator: ","))}\(body)"
  }

  private func zshSource(_ kind: ValueKind) -> String {
    source(
      kind,
      CompletionSources(
        files: "_files", directories: "_directories", classes: "_realm_cli_classes",
        properties: "_realm_cli_properties", shellCommands: "_command_names -e",
        commands: { " _realm_cli_named_commands \($0)" }, words: { "(\($0))" }, nothing: " "))
  }

  private func zshDescriptions(_ commands: [CommandSpec], margin: String) -> String {
    commands.map { "\(margin)'\($0.name):\(zshEscaped($0.summary))'\n" }.joined()
  }

  /// Inside single quotes, inside brackets, where a colon separates.
  private func zshEscaped(_ text: String) -> String {
    var escaped = ""
    for character in text {
      switch character {
      case "'": escaped += "'\\''"
      case "[", "]", ":", "\\": escaped += "\\\(character)"
      default: escaped.append(character)
      }
    }
    return escaped
  }
}
