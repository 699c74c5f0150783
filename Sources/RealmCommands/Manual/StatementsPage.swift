// realm-statements(7): what statements are made of. Layer: RealmCommands, Manual.

import Arguments

extension ManualPage {
  /// Made by `realm-cli __man realm-statements`.
  static let statements = ManualPage(
    "realm-statements", section: 7, summary: "statements that read and change a realm",
    chapters: [
      ManualChapter(
        "DESCRIPTION",
        [
          """
          Statements follow the name of a realm on the command line of realm-cli, come from standard input or a \
          script, or are typed at its prompt. Below, words in small letters are keywords, in any case; words in \
          capitals are placeholders; [ ] encloses what is optional, and | separates alternatives. CONDITION and VALUE \
          are described in realm-predicate(7).
          """
        ]),
      ManualChapter("READING", rows: StatementGrammar.reading),
      ManualChapter("CHANGING OBJECTS", rows: StatementGrammar.objects),
      ManualChapter("TRANSACTIONS", rows: StatementGrammar.transactions),
      ManualChapter("CLASSES", rows: StatementGrammar.classes),
      ManualChapter("TYPES", rows: StatementGrammar.types),
      ManualChapter("SEE ALSO", ["realm-cli(1), realm-predicate(7), realm-migrations(5)"]),
    ])
}
