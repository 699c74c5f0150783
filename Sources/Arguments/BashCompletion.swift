// The completion script for bash; it needs nothing but bash itself. Layer: Arguments.

extension ProgramSpec {
  /// What `realm-cli completion bash` prints.
  package var bashCompletion: String {
    """
    # bash completion for \(name), made from its option table by '\(name) completion bash'.

    \(bashFunction("options", "the options of command $1 that not every command has", bashOptionCases))
    \(bashFunction("idle", "the options of all commands that do nothing for command $1", bashIdleCases))
    \(bashFunction("value", "how the value of option $2 of command $1 is completed", bashValueCases))
    \(bashFunction("operand", "how operand number $2 of command $1 is completed", bashOperandCases))
    \(bashMachinery)
    """
  }

  private func bashFunction(_ suffix: String, _ comment: String, _ cases: [(String, String)]) -> String {
    let lines = cases.map { "    \($0.0)) reply='\($0.1)' ;;\n" }.joined()
    return """
      # Sets reply: \(comment).
      _realm_cli_\(suffix)() {
        reply=
        case "$1${2+:$2}" in
      \(lines)  esac
      }

      """
  }

  private var scopes: [(name: String, command: CommandSpec)] {
    completedCommands + (fallback.map { [("", $0)] } ?? [])
  }

  private var bashOptionCases: [(String, String)] {
    scopes.compactMap { name, command in
      let words = ownOptions(command).flatMap(\.spellings).joined(separator: " ")
      return words.isEmpty ? nil : ("'\(name)'", words)
    }
  }

  private var bashIdleCases: [(String, String)] {
    idleOptions.map { options, paths in
      (
        paths.map { "'\($0)'" }.joined(separator: " | "),
        options.flatMap(\.spellings).joined(separator: " ")
      )
    }
  }

  private var bashValueCases: [(String, String)] {
    let own = scopes.flatMap { name, command in
      ownOptions(command).compactMap { bashValueCase($0, prefix: "'\(name):'") }
    }
    return own + globalOptions.flatMap(\.options).compactMap { bashValueCase($0, prefix: "*:") }
  }

  private func bashValueCase(_ option: Option, prefix: String) -> (String, String)? {
    guard let kind = option.value else { return nil }
    return (option.spellings.map { prefix + $0 }.joined(separator: " | "), bashSource(kind))
  }

  private var bashOperandCases: [(String, String)] {
    scopes.flatMap { name, command in
      command.operands.enumerated().map { index, operand in
        ("'\(name):'" + (operand.isRepeated ? "*" : "\(index)"), bashSource(operand.kind))
      }
    }
  }

  private func bashSource(_ kind: ValueKind) -> String {
    source(
      kind,
      CompletionSources(
        files: "files", directories: "directories", classes: "classes", properties: "properties",
        shellCommands: "programs", commands: { "commands \($0)" }, words: { "words \($0)" },
        nothing: "nothing"))
  }

  private var bashMachinery: String {
    let commands = listedCommands.map(\.name).joined(separator: " ")
    let parents = listedCommands.filter { !$0.subcommands.isEmpty }
    let subcommands = parents.map {
      "    \($0.name)) reply='words \($0.subcommands.map(\.name).joined(separator: " "))' ;;\n"
    }.joined()
    let globals = globalOptions.flatMap(\.options).flatMap(\.spellings).joined(separator: " ")
    return #"""
      _realm_cli_commands='\#(commands)'
      _realm_cli_globals='\#(globals)'
      _realm_cli_with_value=' \#(spellingsWithValue.joined(separator: " ")) '

      # Sets reply: the subcommands of $1.
      _realm_cli_subcommands() {
        reply=
        case "$1" in
      \#(subcommands)    *) ;;
        esac
      }

      # Offers each line of standard input that begins with $1, behind the prefix $2: written as it must be behind $3, a
      # quote that is open, or nothing.
      _realm_cli_offer_lines() {
        local line quoted
        while IFS= read -r line; do
          if [[ $line != "$1"* ]]; then continue; fi
          case $3 in
            "'") quoted=${line//\'/\'\\\'\'} ;;
            '"')
              # Within these quotes it would stand for a line of the history.
              if [[ $line == *!* ]]; then continue; fi
              quoted=${line//\\/\\\\}
              quoted=${quoted//\"/\\\"}
              quoted=${quoted//\$/\\\$}
              quoted=${quoted//\`/\\\`}
              ;;
            *) printf -v quoted %q "$line" ;;
          esac
          COMPREPLY+=("$2$quoted")
        done
      }

      # What the words before the cursor say: command, operands, and the option whose value is being typed.
      _realm_cli_read_line() {
        local index=1 ended= word
        while ((index < COMP_CWORD)); do
          word=${COMP_WORDS[index]}
          if [[ -n $ended || $word != -?* ]]; then
            if [[ -z $command && -z $ended && ${#operands[@]} -eq 0 && " $_realm_cli_commands " == *" $word "* ]]; then
              command=$word
              _realm_cli_subcommands "$command"
              needs_subcommand=$reply
            elif [[ -n $needs_subcommand ]]; then
              command="$command $word"
              needs_subcommand=
            else
              word=${word//[\\\"\']/}
              operands+=("${word/#\~/$HOME}")
            fi
          elif [[ $word == -- ]]; then
            ended=1
          elif [[ $_realm_cli_with_value == *" $word "* ]]; then
            option=$word
            # '=' is a word of its own to bash.
            if [[ ${COMP_WORDS[index + 1]} == '=' ]]; then ((index++)); fi
            ((index++))
            if ((index < COMP_CWORD)); then
              if [[ $option == --key-file || $option == --key-env ]]; then
                keys+=("$option" "${COMP_WORDS[index]/#\~/$HOME}")
              fi
              option=
            fi
          fi
          ((index++))
        done
        options_ended=$ended
      }

      _realm_cli() {
        local current=${COMP_WORDS[COMP_CWORD]} program=${COMP_WORDS[0]/#\~/$HOME}
        local command= needs_subcommand= option= options_ended= reply= IFS=$' \t\n'
        local -a operands=() keys=()
        COMPREPLY=()
        _realm_cli_read_line
        if [[ $current == '=' ]]; then current=; fi

        if [[ -n $option ]]; then
          _realm_cli_value "$command" "$option"
        elif [[ -z $options_ended && $current == -* ]]; then
          _realm_cli_options "$command"
          local word words=$reply
          _realm_cli_idle "$command"
          for word in $_realm_cli_globals; do
            if [[ " $reply " != *" $word "* ]]; then words+=" $word"; fi
          done
          COMPREPLY=($(compgen -W "$words" -- "$current"))
          return
        elif [[ -n $needs_subcommand ]]; then
          reply=$needs_subcommand
        elif [[ -z $command && ${#operands[@]} -eq 0 ]]; then
          COMPREPLY=($(compgen -W "$_realm_cli_commands" -- "$current"))
          reply=files
        else
          _realm_cli_operand "$command" "${#operands[@]}"
        fi

        if [[ $reply == commands* && ${#operands[@]} -eq 0 ]]; then
          reply="words $_realm_cli_commands${reply#commands}"
        elif [[ $reply == commands* ]]; then
          _realm_cli_subcommands "${COMP_WORDS[COMP_CWORD - 1]}"
        fi
        local typed=${current//[\\\"\']/} before= quote=
        if [[ $current == [\"\']* ]]; then quote=${current:0:1}; fi
        case $reply in
          files)
            compopt -o filenames
            IFS=$'\n'
            COMPREPLY+=($(compgen -f -- "$current"))
            ;;
          directories)
            compopt -o filenames
            IFS=$'\n'
            COMPREPLY+=($(compgen -d -- "$current"))
            ;;
          programs) COMPREPLY=($(compgen -c -- "$current")) ;;
          words*) COMPREPLY=($(compgen -W "${reply#words}" -- "$current")) ;;
          classes)
            _realm_cli_offer_lines "$typed" '' "$quote" < <(
              "$program" \#(NameListing.command) "${keys[@]}" -- \#(NameListing.classes) "${operands[0]}" \
                2>/dev/null </dev/null
            )
            ;;
          properties)
            if [[ $typed == *,* ]]; then before=${typed%,*},; fi
            compopt -o nospace
            _realm_cli_offer_lines "${typed##*,}" "$before" "$quote" < <(
              "$program" \#(NameListing.command) "${keys[@]}" -- \#(NameListing.properties) "${operands[@]:0:2}" \
                2>/dev/null </dev/null
            )
            ;;
        esac
      }

      complete -F _realm_cli \#(name)

      """#
  }
}
