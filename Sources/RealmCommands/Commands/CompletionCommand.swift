// `completion`: the script that teaches a shell this program's words. Layer: RealmCommands, Commands.

import Arguments

extension Command {
  private static let shell = Operand("SHELL", .oneOf(["bash", "zsh", "fish"]))

  /// `completion bash|zsh|fish`
  static let completion = Command(
    .document(modes: []),
    CommandSpec(
      "completion", group: CommandGroup.program, summary: "print a completion script for a shell",
      brief: "for bash, zsh and fish",
      operands: [shell],
      details: [
        """
        The script completes commands, options, files, and the classes and properties of the file on the command \
        line. Installed packages include it.
        """
      ],
      examples: [
        Example("source <(realm-cli completion bash)", "enable completion in the current bash"),
        Example("realm-cli completion zsh > ~/.zfunc/_realm-cli", "for zsh, where ~/.zfunc is in fpath"),
        Example(
          "realm-cli completion fish > ~/.config/fish/completions/realm-cli.fish",
          "for every fish from now on"),
      ])
  ) { invocation in
    let program = Registry.program
    switch invocation.arguments.text(shell) {
    case "bash": try StandardStreams.write(program.bashCompletion)
    case "zsh": try StandardStreams.write(program.zshCompletion)
    default: try StandardStreams.write(program.fishCompletion)
    }
    return .success
  }
}
