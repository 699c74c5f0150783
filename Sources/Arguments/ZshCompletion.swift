// The completion script for zsh. Layer: Arguments.

extension ProgramSpec {
  /// What `realm-cli completion zsh` prints.
  package var zshCompletion: String {
    let globals = globalOptions.flatMap(\.options).map { "    \(zshOption($0))\n" }.joined()
    return #"""
      #compdef \#(name)
      # zsh completion for \#(name), made from its option table by '\#(name) completion zsh'.

      # $1: what to list; the operands are the words that _arguments has found so far.
      _realm_cli_names() {
        local -a names keys
        local option
        for option in --key-file --key-env; do
          if [[ -n ${opt_args[$option]} ]]; then keys+=($option ${(Q)opt_args[$option]}); fi
        done
        local -a operands=(${(Q)line[1]})
        if [[ $1 == \#(NameListing.properties) ]]; then operands+=(${(Q)line[2]}); fi
        names=(${(f)"$($realm_cli_program \#(NameListing.command) $keys -- $1 $operands 2>/dev/null </dev/null)"})
        if [[ $1 == \#(NameListing.properties) ]]; then
          _values -s , property ${names//(#m)[:\\\[]/\\$MATCH}
        else
          compadd -a names
        fi
      }

      _realm_cli_commands() {
        local -a commands=(
      \#(zshDescriptions(listedCommands, margin: "    "))  )
        _describe -t commands command commands
      }

      _realm_cli_first() {
        _alternative 'commands:command:_realm_cli_commands' 'files:file:_files'
      }

      _realm_cli() {
        local curcontext=$curcontext realm_cli_program=${(Q)words[1]/#\~/$HOME}
        local -a line state
        local -A opt_args
        local -a global_options=(
      \#(globals)  )
        _arguments -C -s -S $global_options '1: :_realm_cli_first' '*:: :->rest' && return
        [[ $state == rest ]] || return 1
        case $words[1] in
      \#(zshCases)    *)
            return 1
            ;;
        esac
      }

      _realm_cli "$@"

      """#
  }

  private var zshCases: String {
    var text = ""
    for command in listedCommands {
      text += "    \(command.name))\n"
      if command.subcommands.isEmpty {
        text += zshArguments(command, margin: "      ")
      } else {
        text += zshSubcommands(command)
      }
      text += "      ;;\n"
    }
    if let fallback, let rest = fallback.operands.dropFirst().first {
      text += "    *.realm)\n      _arguments -s -S $global_options"
      text += ownOptions(fallback).map { " \\\n        \(zshOption($0))" }.joined()
      text += " \\\n        \(zshOperand(rest, position: 1))\n      ;;\n"
    }
    return text
  }

  private func zshSubcommands(_ command: CommandSpec) -> String {
    let margin = "          "
    let cases = command.subcommands.map { child in
      "        \(child.name))\n" + zshArguments(child, margin: margin) + "\(margin);;\n"
    }.joined()
    return """
            local -a subcommands=(
      \(zshDescriptions(command.subcommands, margin: "        "))      )
            _arguments -C -s -S $global_options \\
              '1: : _describe -t commands subcommand subcommands' '*:: :->operands' && return
            case $words[1] in
      \(cases)      esac

      """
  }

  private func zshArguments(_ command: CommandSpec, margin: String) -> String {
    let operands = command.operands.enumerated().map { zshOperand($1, position: $0 + 1) }
    let words = ownOptions(command).map(zshOption) + operands
    return "\(margin)_arguments -s -S $global_options" + words.map { " \\\n\(margin)  \($0)" }.joined() + "\n"
  }

  private func zshOperand(_ operand: Operand, position: Int) -> String {
    let place =
      switch operand.occurrence {
      case .once: "\(position)"
      case .atMostOnce: "\(position):"
      case .any, .atLeastOnce: "*"
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
    switch source(kind) {
    case .files: "_files"
    case .directories: "_directories"
    case .classes: "_realm_cli_names \(NameListing.classes)"
    case .properties: "_realm_cli_names \(NameListing.properties)"
    case .shellCommands: "_command_names -e"
    case .words(let words): "(\(words.joined(separator: " ")))"
    case .nothing: " "
    }
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
