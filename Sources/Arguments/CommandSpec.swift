// What a command and the whole program take, as data: the parser, help, the man page and the completions are
// all made from it. Layer: Arguments.

import ByteText

/// A word of a command that is not an option.
package struct Operand: Sendable {
  package enum Occurrence: Sendable {
    case once
    case atMostOnce
    case any
    case atLeastOnce
    /// At most once, behind `--`; only of a command's last operand.
    case behindDashes
  }

  /// In capitals: `FILE`.
  package let name: String
  package let kind: ValueKind
  package let occurrence: Occurrence

  package init(_ name: String, _ kind: ValueKind, _ occurrence: Occurrence = .once) {
    self.name = name
    self.kind = kind
    self.occurrence = occurrence
  }

  package var isRequired: Bool { occurrence == .once || occurrence == .atLeastOnce }
  package var isRepeated: Bool { occurrence == .any || occurrence == .atLeastOnce }

  /// `[CLASS…]`
  package var synopsis: String {
    switch occurrence {
    case .once: name
    case .atMostOnce: "[\(name)]"
    case .any: "[\(name)…]"
    case .atLeastOnce: "\(name)…"
    case .behindDashes: "-- \(name)"
    }
  }
}

/// A line to type, and what it does.
package struct Example: Sendable {
  package let line: String
  package let effect: String

  package init(_ line: String, _ effect: String) {
    self.line = line
    self.effect = effect
  }
}

/// One command.
package struct CommandSpec: Sendable {
  /// One word; a subcommand's own word too: `apply` of `migrate apply`.
  package let name: String
  /// The heading in the list of commands.
  package let group: String
  /// One line without a full stop.
  package let summary: String
  /// The summary in the few words that the overview has room for.
  package let brief: String
  package let operands: [Operand]
  /// Its own options. A global option may be repeated here, so that the command's help shows it.
  package let options: [Option]
  /// Paragraphs.
  package var details: [String] { makeDetails() }
  package var examples: [Example] { makeExamples() }
  /// Only help and manual show them, so no other start of the program makes them.
  private let makeDetails: @Sendable () -> [String]
  private let makeExamples: @Sendable () -> [Example]
  package let subcommands: [CommandSpec]
  /// Neither listed nor completed: a helper for completions.
  package let isHidden: Bool

  package init(
    _ name: String, group: String = "", summary: String, brief: String? = nil, operands: [Operand] = [],
    options: [Option] = [], details: @autoclosure @escaping @Sendable () -> [String] = [],
    examples: @autoclosure @escaping @Sendable () -> [Example] = [],
    subcommands: [CommandSpec] = [], isHidden: Bool = false
  ) {
    self.name = name
    self.group = group
    self.summary = summary
    self.brief = brief ?? summary
    self.operands = operands
    self.options = options
    makeDetails = details
    makeExamples = examples
    self.subcommands = subcommands
    self.isHidden = isHidden
  }
}

/// A name and what it means: an exit status, an environment variable.
package struct Explanation: Sendable {
  package let name: String
  package let meaning: String

  package init(_ name: String, _ meaning: String) {
    self.name = name
    self.meaning = meaning
  }
}

/// The program.
package struct ProgramSpec: Sendable {
  package let name: String
  package let version: String
  package let summary: String
  /// Paragraphs that open help and the man page.
  package var introduction: [String] { makeIntroduction() }
  /// What runs when the first word is no command; nil while there is no such thing.
  package let fallback: CommandSpec?
  package let commands: [CommandSpec]
  /// Of every command, though they may do nothing for one.
  package let globalOptions: [OptionGroup]
  /// Whether one of them, with a value or whatever the value is, does something for the command that these words name.
  let acts: @Sendable (_ path: [String], _ option: String, _ value: String?) -> Bool
  /// Those of them that the overview lists.
  package var mainOptions: [Option] { makeMainOptions() }
  /// What people write who know other programs.
  package var otherOptions: [OtherOption] { makeOtherOptions() }
  /// What `help` explains beside commands.
  package var topics: [HelpTopic] { makeTopics() }
  package var exitStatuses: [Explanation] { makeExitStatuses() }
  package var environment: [Explanation] { makeEnvironment() }
  /// What the man page tells beside options and commands.
  package var chapters: [ManualChapter] { makeChapters() }
  /// Only help and manual show them, so no other start of the program makes them.
  private let makeIntroduction: @Sendable () -> [String]
  private let makeMainOptions: @Sendable () -> [Option]
  private let makeOtherOptions: @Sendable () -> [OtherOption]
  private let makeTopics: @Sendable () -> [HelpTopic]
  private let makeExitStatuses: @Sendable () -> [Explanation]
  private let makeEnvironment: @Sendable () -> [Explanation]
  private let makeChapters: @Sendable () -> [ManualChapter]

  package init(
    name: String, version: String, summary: String,
    introduction: @autoclosure @escaping @Sendable () -> [String], fallback: CommandSpec?,
    commands: [CommandSpec], globalOptions: [OptionGroup],
    acts: @escaping @Sendable (_ path: [String], _ option: String, _ value: String?) -> Bool = { _, _, _ in
      true
    },
    mainOptions: @autoclosure @escaping @Sendable () -> [Option] = [],
    otherOptions: @autoclosure @escaping @Sendable () -> [OtherOption] = [],
    topics: @autoclosure @escaping @Sendable () -> [HelpTopic] = [],
    exitStatuses: @autoclosure @escaping @Sendable () -> [Explanation],
    environment: @autoclosure @escaping @Sendable () -> [Explanation],
    chapters: @autoclosure @escaping @Sendable () -> [ManualChapter] = []
  ) {
    self.name = name
    self.version = version
    self.summary = summary
    makeIntroduction = introduction
    self.fallback = fallback
    self.commands = commands
    self.globalOptions = globalOptions
    self.acts = acts
    makeMainOptions = mainOptions
    makeOtherOptions = otherOptions
    makeTopics = topics
    makeExitStatuses = exitStatuses
    makeEnvironment = environment
    makeChapters = chapters
  }
}

extension ProgramSpec {
  /// The commands that users are told about.
  package var listedCommands: [CommandSpec] { commands.filter { !$0.isHidden } }

  /// The command of that name.
  package func command(named name: String) -> CommandSpec? { commands.first { $0.name == name } }

  /// The command that `word` may have been meant to be.
  package func nearestCommand(to word: String) -> String? {
    EditDistance.nearest(to: word, among: listedCommands.map(\.name))
  }

  /// Searches the global options.
  func globalOption(where matches: (Option) -> Bool) -> Option? {
    for group in globalOptions {
      if let option = group.options.first(where: matches) { return option }
    }
    return nil
  }
}

extension CommandSpec {
  func subcommand(named name: String) -> CommandSpec? { subcommands.first { $0.name == name } }

  /// Searches the command's own options.
  func option(where matches: (Option) -> Bool) -> Option? { options.first(where: matches) }
}
