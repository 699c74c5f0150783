// What the man page of the program tells beside commands and options. Layer: RealmCommands, Manual.
// Dot commands come from their one table.

import Arguments

extension ManualChapter {
  /// The statement language.
  static let statements = ManualChapter(
    "STATEMENTS",
    [
      """
      A statement ends at a newline when quotes and brackets are closed, or at a semicolon; a backslash at the end of \
      a line continues it. A comment starts with '#' or '--' at the beginning of a line, or with '--' and a space. \
      Names that are words of statements or contain spaces are put in backquotes; in these a backquote is doubled, \
      and a backslash begins an escape, such as \\n, \\u202e or \\\\. The grammar is in realm-statements(7), that of \
      conditions in realm-predicate(7).
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
    ], rows: DotHelp.statements.map { Explanation($0.0, $0.1) })

  /// How statements change the schema.
  static let classes = ManualChapter(
    "CLASSES",
    [
      """
      Statements about classes are the operations of realm-migrations(5) in other words: they refuse the same, and \
      their policies have the names of the fields. Policies come in this order.
      """
    ],
    rows: [
      Explanation(
        "create class Dog { name: string }",
        "embedded or asymmetric may precede the brace; attributes of a property: primary key, indexed, fulltext"
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
        duplicates fail (the default), or duplicates keep first or last, order by born DESC, relink, max 9; \
        primary key null removes it
        """),
      Explanation(
        "alter class Dog embedded",
        """
        primary key drop, orphans delete max 9, shared duplicate; alter class Dog object reverses it, with \
        primary key id: uuid default uuid()
        """),
      Explanation("drop class Dog linked nullify", "linked fail is the default"),
    ])

  /// The prompt and its commands.
  static let prompt = ManualChapter(
    "PROMPT",
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

  static let files = ManualChapter(
    "FILES",
    rows: [
      Explanation("$XDG_CONFIG_HOME/realm-cli/init", "commands to run before the first prompt (~/.config)"),
      Explanation(
        "$XDG_STATE_HOME/realm-cli/history",
        "the history of the prompt (~/.local/state), without lines that begin with a space or contain a key"
      ),
    ])

  /// What other programs can rely on.
  static let programs = ManualChapter(
    "JSON",
    [
      """
      With --json a command prints one JSON document, and nothing else goes to standard output: an array with an element \
      for each file where it takes several, also for one; an object where it is about one realm; an array of objects for \
      rows. --jsonl prints the elements of the array, one on a line, or the object on one line. 'realm-cli help --json-schema \
      COMMAND' prints the JSON Schema.
      """,
      """
      An element about a file has 'file', 'status' (ok, failed, or skipped where nothing had to be done) and 'exit', the exit \
      status of that file alone. Changes are counted for each class: 'created', 'updated', 'deleted'. A dry run says 'dry_run' \
      and the numbers that the real run would give. An object has 'key', its object key, and 'primary_key' where its class \
      has one; in text 'Person 7' is a primary key and 'Dog @17' an object key.
      """,
      """
      An error is one object on standard error, {"error":{"kind":…,"message":…,"file":…,"line":…,"column":…,"hint":…,"exit":…}}, \
      and a warning {"warning":{"message":…}}.
      """,
      """
      A file that fails does not stop the others, unless --fail-fast is given. The exit status of several is the first of 2, \
      4, 3, 5, 6, 10, 8, 7, 9, 1 that occurred.
      """,
    ])

  /// What is left of a file when something goes wrong.
  static let safety = ManualChapter(
    "SAFETY",
    [
      """
      Reading a realm that nobody has open takes no lock and leaves no trace. Output with exit status 0 is of one version \
      of the data: if a writer overtakes the reading, it starts again with a newer version, and after many attempts \
      the exit status is 6.
      """,
      """
      After SIGKILL or a power cut in the middle of a change, the file holds the data from before or after it. For an \
      encrypted file this requires that the disk writes 4096 bytes whole or not at all, as nearly all disks do: a \
      half-written encrypted page cannot be decrypted, and it may contain other objects. The same is true for every \
      program that changes a realm in place. Commands that write a new file (compact, encrypt, rekey, upgrade, \
      migrate) do not depend on it.
      """,
      """
      A command that changes a file holds the lock that apps hold while they have it open, and checks again after \
      taking it: several processes with the same job do it once. No question is asked while the lock is held. Only an \
      open transaction keeps others out while it waits, at the prompt or with --dialog; --idle-timeout ends one at \
      the prompt.
      """,
      """
      On Linux, if apps have the realm open, this program joins their session: the version that it reads is kept as long as \
      it reads, and the apps are notified of what statements, insert, update, delete and import commit. Apps that want to \
      write meanwhile wait until the transaction ends. Changes that the apps could not follow are refused with exit status \
      6, and nothing is written: changes of an encrypted realm, removing or renaming classes and properties, and commands \
      that write a new file. If this program is killed, the apps go on.
      """,
      """
      A realm, its lock file, a backup or a new file may be replaced by somebody else: links are not followed; hard \
      links, pipes, devices and other kinds of files are neither emptied nor removed; owner and mode are changed only \
      on files that this program created. A realm may be named through a link of your own. In a directory that others \
      may write to, they can replace the directory itself while the program runs.
      """,
      """
      The contents of a file run no programs and do not control the terminal: names are written so that they read \
      back as names, and a terminal shows control characters and characters that change the direction of text as \
      escapes; pipes and files get the bytes unchanged. Scripts need --allow-shell to run programs or to write files. \
      --safe forbids both everywhere, and also opening any file but the realm and its key. A --key-command is a \
      program, and --upgrade and --detach write a backup.
      """,
    ])

  static let seeAlso = ManualChapter(
    "SEE ALSO", ["realm-statements(7), realm-predicate(7), realm-migrations(5), editrc(5)"])
}
