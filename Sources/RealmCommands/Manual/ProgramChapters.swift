// What the man page of the program tells beside commands and options. Layer: RealmCommands, Manual.

import Arguments

extension ManualChapter {
  static let files = ManualChapter(
    "FILES",
    rows: [
      Explanation("$XDG_CONFIG_HOME/realm-cli/init", "commands to run before the first prompt (~/.config)"),
      Explanation(
        "$XDG_STATE_HOME/realm-cli/history",
        "the history of the prompt (~/.local/state), without lines that begin with a space or contain a key"
      ),
    ])

  static let seeAlso = ManualChapter(
    "SEE ALSO",
    rows: Registry.manualPages.map { Explanation("\($0.name)(\($0.section))", $0.summary) } + [
      Explanation("\(MigrationManual.name)(5)", MigrationManual.summary)
    ])
}
