// realm-statements(7): what statements are made of. Layer: RealmCommands, Manual.

import Arguments

extension ManualPage {
  /// Made by `realm-cli __man realm-statements.7`.
  static let statements = ManualPage(
    "realm-statements", section: 7, summary: "statements that read and change a realm",
    chapters: [
      ManualChapter(
        "DESCRIPTION",
        [
          """
          Statements follow the name of a realm on the command line of realm-cli, come from standard input or a \
          script, or are typed at its prompt. Below, words in small letters are keywords, in any case; words in \
          capitals are placeholders; [ ] encloses what is optional, and | separates alternatives. 'realm-cli help \
          predicates' describes CONDITION and VALUE.
          """,
          """
          A statement ends at a newline when quotes and brackets are closed, or at a semicolon; a backslash at the end of \
          a line continues it. A comment starts with '#' or '--' at the beginning of a line, or with '--' and a space. \
          Names that are words of statements or contain spaces are put in backquotes; in these a backquote is doubled, \
          and a backslash begins an escape, such as \\n, \\u202e or \\\\.
          """,
          """
          Outside of begin and commit every statement is a transaction of its own. A script (standard input, several \
          arguments, .read) is one transaction unless it says otherwise: its first error undoes all of it.
          """,
          """
          Objects can be named by object key: insert Person @7 { … }, upsert Person @7 { … }, delete Person @7, @9; \
          links in documents by object key or primary key: {"$link": {"class": "Person", "primary_key": 7}}. What names each \
          object that goes needs no confirmation, nor does 'drop class Person empty', which refuses where there are objects. \
          'alter schema version 3' sets the number that apps compare with theirs.
          """,
          """
          delete from CLASS where … and update CLASS set … where …, as SQL writes them, are refused where SQL would find \
          other objects: here null is a value that differs from others, and LIKE has * and ?. In these, and in insert into, \
          "name" in double quotes is a class or property where a text cannot be meant.
          """,
        ]),
      ManualChapter("EXAMPLES", rows: DotHelp.statements.map { Explanation($0.0, $0.1) }),
      ManualChapter("READING", rows: StatementGrammar.reading),
      ManualChapter("CHANGING OBJECTS", rows: StatementGrammar.objects),
      ManualChapter("TRANSACTIONS", rows: StatementGrammar.transactions),
      ManualChapter("CLASSES", rows: StatementGrammar.classes),
      classPolicies,
      ManualChapter("TYPES", rows: StatementGrammar.types),
      ManualChapter(
        "SEE ALSO", ["realm-cli(1), realm-cli-prompt(1), realm-predicate(7), realm-migrations(5)"]),
    ])

  private static let classPolicies = ManualChapter(
    "POLICIES",
    [
      """
      Statements about classes are the operations of migration files ('realm-cli help migrations') in other words: they \
      refuse the same, and their policies have the names of the fields. Policies come in this order.
      """
    ],
    rows: [
      Explanation(
        "create class Dog { name: string }",
        "embedded or asymmetric may precede the brace or the word class; attributes of a property: primary key, indexed, fulltext"
      ),
      Explanation(
        "alter class Dog add age: int default 0",
        "a required property needs a value for existing objects"),
      Explanation("alter class Dog drop age, breed", "remove properties and their values"),
      Explanation(
        "alter class Dog rename name to called optional indexed",
        "rename a property; 'rename to Hound' renames the class; optional, indexed and fulltext may follow"),
      Explanation("rename Dog to Hound", "rename a class; rename Dog.name to called renames a property"),
      Explanation(
        "alter class Dog alter age required nulls delete",
        "nulls fail (the default), nulls delete (the objects), nulls value 0 or default 0; or alter age optional"
      ),
      Explanation(
        "alter class Dog alter age to string value string(old)",
        "another type; nulls keep, fail or value …, then unparsable fail, null or value …"),
      Explanation("alter class Dog add index age", "or add index name fulltext, or drop index age"),
      Explanation(
        "alter class Dog primary key name",
        """
        duplicates fail (the default), or duplicates keep last order by born DESC relink max 9, first or last, with what \
        is needed of it; primary key null removes it
        """),
      Explanation(
        "alter class Dog embedded",
        """
        primary key drop orphans delete max 9 shared duplicate, what is needed of it; alter class Dog object reverses it, with \
        primary key id: uuid default uuid()
        """),
      Explanation("drop class Dog linked nullify", "linked fail is the default"),
    ])
}
