// The commands that exist. Layer: RealmCommands, Program.
// To add one: write Commands/<Name>Command.swift with a `Command` and list it here; the parser, help, the man page
// and the completions follow (`make generate` writes the checked-in files).

package import Arguments

/// The table of everything the program can do.
package enum Registry {
  /// In the order of help, one a line. The program begins with one of them, and makes no other.
  private static let table: [(name: String, command: @Sendable () -> Command)] = [
    ("info", { .info }),
    ("schema", { .schema }),
    ("query", { .query }),
    ("aggregate", { .aggregate }),
    ("sql", { .sql }),
    ("each", { .each }),
    ("watch", { .watch }),
    ("serve", { .serve }),
    ("assert", { .assert }),
    ("get", { .get }),
    ("export", { .export }),
    ("verify", { .verify }),
    ("dump", { .dump }),
    ("import", { .import }),
    ("insert", { .insert }),
    ("upsert", { .upsert }),
    ("update", { .update }),
    ("delete", { .delete }),
    ("hash", { .hash }),
    ("create", { .create }),
    ("load", { .load }),
    ("copy", { .copy }),
    ("compact", { .compact }),
    ("encrypt", { .encrypt }),
    ("decrypt", { .decrypt }),
    ("rekey", { .rekey }),
    ("keygen", { .keygen }),
    ("upgrade", { .upgrade }),
    ("migrate", { .migrate }),
    ("diff", { .diff }),
    ("rm", { .remove }),
    ("doctor", { .doctor }),
    ("check", { .check }),
    ("recover", { .recover }),
    ("completion", { .completion }),
    ("help", { .help }),
    ("__man", { .manual }),
    ("__commands", { .table }),
    (NameListing.command, { .names }),
  ]

  static var commands: [Command] { table.map { $0.command() } }

  static func command(named name: String) -> Command? { table.first { $0.name == name }?.command() }

  /// What runs when the first word is a file.
  static var fallback: Command? { .statements }

  /// Beside the one of the program.
  package static var manualPages: [ManualPage] { [.statements, .predicates, .json, .safety] }

  package static var program: ProgramSpec { program(of: commands) }

  /// The program without commands that no word names. It takes the same command lines, but knows nothing of what is wrong with
  /// others.
  package static func program(naming words: [Word]) -> ProgramSpec {
    let texts = words.map(\.displayText)
    return program(of: table.filter { texts.contains($0.name) }.map { $0.command() })
  }

  private static func program(of commands: [Command]) -> ProgramSpec {
    ProgramSpec(
      name: "realm-cli", version: programVersion,
      summary: "inspect, query and edit .realm files",
      introduction: [
        """
        For the database files of the Realm SDKs. This is not MongoDB App Services' realm-cli, which deploys apps, \
        nor Keycloak's realm tools or Debian's realmd.
        """
      ],
      fallback: fallback?.spec, commands: commands.map(\.spec), globalOptions: Option.globalGroups,
      acts: { path, option, value in
        guard let command = Command.named(path), let option = Option.globalOption(named: option) else {
          return true
        }
        return command.acts(option, value, writesOutput: true)
      },
      mainOptions: Option.main, otherOptions: OtherOption.all, topics: HelpTopic.all,
      exitStatuses: ExitStatus.explanations.map { Explanation($0.codes, $0.meaning) },
      environment: [
        Explanation("REALM_CLI_KEY_FILE", "a file with the key, if no key option is given"),
        Explanation("REALM_CLI_KEY", "the key itself, if none of these is given"),
        Explanation("NO_COLOR", "when not empty: no colors, unless --color=always is given"),
        Explanation(
          "REALM_CLI_PAGER, PAGER", "the pager for results longer than the screen; the first one set is used"
        ),
      ],
      chapters: [
        .prompt, .sql, .serving, .differences, .recovery, .files, .seeAlso,
      ])
  }
}
