// The one-line usage of a command. Layer: Arguments.

extension ProgramSpec {
  /// `realm-cli query [OPTIONS] FILE CLASS [PREDICATE]`
  package func usage(_ path: [CommandSpec], _ command: CommandSpec) -> String {
    let words = command.subcommands.isEmpty ? command.operands.map(\.synopsis) : ["SUBCOMMAND", "…"]
    return ([name] + path.map(\.name) + ["[OPTIONS]"] + words).joined(separator: " ")
  }
}
