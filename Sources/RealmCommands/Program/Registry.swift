// The commands that exist. Layer: RealmCommands, Program.
// To add one: write Commands/<Name>Command.swift with a `Command` and list it here; the parser, help, the man page
// and the completions follow (`make generate` writes the checked-in files).

package import Arguments

/// The table of everything the program can do.
package enum Registry {
  /// In the order of help, one a line.
  static let commands: [Command] = [
    .info,
    .schema,
    .query,
    .aggregate,
    .sql,
    .each,
    .watch,
    .serve,
    .assert,
    .get,
    .export,
    .verify,
    .dump,
    .import,
    .insert,
    .upsert,
    .update,
    .delete,
    .hash,
    .create,
    .load,
    .copy,
    .compact,
    .encrypt,
    .decrypt,
    .rekey,
    .keygen,
    .upgrade,
    .migrate,
    .diff,
    .remove,
    .doctor,
    .check,
    .recover,
    .completion,
    .help,
    .manual,
    .table,
    .names,
  ]

  /// What runs when the first word is a file.
  static var fallback: Command? { .statements }

  /// Beside the one of the program.
  package static var manualPages: [ManualPage] { [.statements, .predicates, .json, .safety] }

  package static var program: ProgramSpec {
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
