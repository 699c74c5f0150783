// What a command is to the program: its part of the option table, and what it does.
// Layer: RealmCommands, Program.

import Arguments
import RealmEngine

/// A command: one line of the table in `Registry`.
struct Command: Sendable {
  /// Of a command of subcommands nothing.
  let result: CommandResult
  let spec: CommandSpec
  private let body: Body

  private enum Body: Sendable {
    case runs(@Sendable (Invocation) throws -> ExitStatus, waits: Bool)
    case chooses([Command])
  }

  /// A command that runs. It may throw `Diagnostic`, `EngineError` or `UsageError`. `waits`: mostly for its user or for
  /// others, so that nobody wonders how long it takes.
  init(
    _ result: CommandResult, _ spec: CommandSpec, waits: Bool = false,
    run: @escaping @Sendable (Invocation) throws -> ExitStatus
  ) {
    self.result = result
    self.spec = spec
    body = .runs(run, waits: waits)
  }

  /// A command of subcommands: `migrate apply`.
  init(_ name: String, group: String, summary: String, brief: String, subcommands: [Command]) {
    spec = CommandSpec(
      name, group: group, summary: summary, brief: brief, subcommands: subcommands.map(\.spec))
    result = .document(modes: [])
    body = .chooses(subcommands)
  }

  /// The command that words name, outermost first; nil where there is none.
  static func named(_ names: [String]) -> Command? {
    guard let first = names.first else { return Registry.fallback }
    let command = Registry.command(named: first)
    guard names.count > 1, case .chooses(let commands)? = command?.body else { return command }
    return commands.first { $0.spec.name == names[1] }
  }

  /// `names` are the words of the subcommand, outermost first.
  func run(_ invocation: Invocation, names: ArraySlice<String>) throws -> ExitStatus {
    switch body {
    case .runs(let run, let waits):
      try refuseIdleOptions(invocation.arguments)
      for output in invocation.arguments.outputs { try invocation.refuseInput(FilePath(output.bytes)) }
      if let zone = invocation.arguments.text(.timeZone) { try Option.selectTimeZone(zone) }
      if waits { return try run(invocation) }
      let file = invocation.arguments.word(.file).map { " " + FilePath($0.bytes).displayName } ?? ""
      return try invocation.showingActivity(spec.name + file) { try run(invocation) }
    case .chooses(let commands):
      guard let name = names.first, let command = commands.first(where: { $0.spec.name == name }) else {
        preconditionFailure("the parser lets only subcommands of the table through")
      }
      return try command.run(invocation, names: names.dropFirst())
    }
  }
}

/// The headings under which help lists commands.
enum CommandGroup {
  static let reading = "Inspect files"
  static let writing = "Change objects"
  static let files = "Whole files"
  static let migrations = "Migrations"
  static let checking = "Check and repair"
  static let program = "About this program"
}
