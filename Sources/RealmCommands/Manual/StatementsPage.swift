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
          Statements stand behind the name of a realm on the command line of realm-cli, come from standard input or a \
          script, or are typed at its prompt. In what follows, words in small letters are written as they are, in \
          capitals or not; words in capitals stand for something; what stands in [ ] may be left out, and | parts \
          choices. CONDITION and VALUE are those of realm-predicate(7).
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
