// What realm-cli-prompt(1) and `help prompt` tell about the prompt. Layer: RealmCommands, Manual.
// Dot commands come from their one table.

import Arguments

extension ManualChapter {
  /// The prompt and its commands.
  static let prompt = ManualChapter(
    "PROMPT", command: "",
    [
      """
      On a terminal 'realm-cli FILE' opens a prompt. It shows the file, '[write]' or '[ro]', and '*' while changes \
      wait for commit. Tab completes. Ctrl-C stops a running query or clears the line; Ctrl-D leaves. Keys can be \
      bound in editrc(5).
      """,
      "These commands work at the prompt and in scripts:",
    ],
    rows: DotCommand.all.map { command in
      let also = command.synonyms.isEmpty ? "" : "; also " + command.synonyms.joined(separator: ", ")
      return Explanation(command.synopsis, command.summary + also)
    })
}
