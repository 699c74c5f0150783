// What `help` explains beside commands: the manual pages for a terminal, options and errors.
// Layer: RealmCommands, Manual.

import Arguments
import FirstAid

extension HelpTopic {
  static let all = [
    HelpTopic("options", text: Registry.program.optionsText),
    HelpTopic("statements", text: text(of: .statements)),
    HelpTopic("prompt", text: prompt),
    HelpTopic("predicates", text: predicates),
    HelpTopic("functions", text: functions),
    HelpTopic("migrations", text: MigrationManual.overview),
    HelpTopic(errorsName, text: errors),
    HelpTopic("json", text: text(of: .json)),
    HelpTopic("safety", text: text(of: .safety)),
  ]

  /// Words behind it are searched for.
  static let errorsName = "errors"

  /// Those of the predicates' page that are a topic of their own.
  private static let longChapters = ["FUNCTIONS", "RESULTS"]

  private static func text(of page: ManualPage, where isShown: (String) -> Bool = { _ in true }) -> String {
    let chapters = page.chapters.filter { isShown($0.title) && $0.title != "SEE ALSO" }
    return chapters.map(TextLayout.chapter).joined(separator: "\n")
  }

  private static var predicates: String {
    text(of: .predicates) { !longChapters.contains($0) } + "\nMore: realm-cli help functions\n"
  }

  private static var functions: String {
    text(of: .predicates) { longChapters.contains($0) } + "\nMore: realm-cli help predicates\n"
  }

  private static var prompt: String {
    let details = Registry.program.fallback?.details ?? []
    return TextLayout.chapter(ManualChapter("STATEMENTS AND SCRIPTS", details)) + "\n"
      + TextLayout.chapter(.prompt) + "\nMore: realm-cli help statements\n"
  }

  private static var errors: String {
    TextLayout.chapter(
      ManualChapter(
        "ERRORS",
        [
          """
          An error is one line on standard error: what is wrong, where, and a hint what to do. In a query, a statement \
          or a migration file the place is shown below it. With --json, an error is one JSON object.
          """,
          """
          A script stops at its first error, and its transaction is rolled back. A command that fails has changed \
          nothing.
          """,
        ]))
      + "\n" + TextLayout.chapter(ManualChapter("EXIT STATUS", rows: Registry.program.exitStatuses))
      + "\n"
      + TextLayout.chapter(
        ManualChapter(
          "MESSAGES OF THE SDKS",
          [
            """
            What apps, logs and crash reports show, what it means, what 'doctor' may say, and what to type. \
            'realm-cli help errors hmac' searches.
            """
          ]))
      + "\n" + text(of: SDKMessage.all)
  }

  /// Messages that the SDKs show, one below the other.
  static func text(of messages: [SDKMessage]) -> String {
    messages.map { message in
      let verdicts = message.verdicts.map { String($0.rawValue.map { $0 == "-" ? " " : $0 }) }
      let doctor = verdicts.isEmpty ? "" : " Doctor says: \(verdicts.joined(separator: ", or "))."
      return TextLayout.list(
        [
          (term: message.texts.map { "'\($0)'" }.joined(separator: ", "), text: "\(message.meaning)\(doctor)")
        ],
        indent: 0, termWidthMax: 2) + "    \(message.command)\n"
    }.joined(separator: "\n")
  }
}
