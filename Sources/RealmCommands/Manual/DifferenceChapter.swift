// What the man page of the command tells about differences, with a worked example. Layer: RealmCommands, Manual.

import Arguments

extension ManualChapter {
  static let differences = ManualChapter(
    "DIFFERENCES", command: "diff",
    [
      """
      'diff A B' shows what turns A into B. A customer's realm from before an update, and the one from after it:
      """,
      """
      $ realm-cli diff --summary before.realm after.realm: 'Person  only in A: 1, only in B: 1, changed: 1, same: 997'. \
      One person was removed, one added and one changed. Without --summary each has a line: \
      ~ Person 12 name: 'Ada' → 'Bea', tags: +'x' -'y', address.city: 'Paris' → 'Oslo'.
      """,
      """
      What a line shows: text in quotes; links as the class and the primary key of the object, or '@' and its object key; of \
      lists and sets the elements that were added (+) and removed (-), or both whole lists where only the order differs; of dictionaries \
      the keys; of embedded objects the properties inside them.
      """,
      """
      $ realm-cli diff before.realm after.realm --format statements >patch.txt; realm-cli -w before.realm <patch.txt: \
      afterwards 'realm-cli hash' gives the same for both files. The statements are one transaction. Objects of classes with \
      a primary key are named by it, so the same statements fit another copy of the data; others are named by \
      '@key'. An object keeps its object key where no other object has it.
      """,
      """
      Where a time stamp hides what matters: --ignore 'Person.updatedAt, *.lastSeen'. Where both files were filled \
      independently, so that object keys mean nothing: --match content. Where only one file is encrypted, its key comes from \
      the environment: REALM_CLI_KEY_FILE.
      """,
    ],
    rows: [
      Explanation("--format text", "+ added, - removed, ~ changed; in color on a terminal"),
      Explanation(
        "--format jsonl",
        "one line per object: change (added, removed, changed, schema), class, key, primary_key, and values or properties with old and new, as dump writes them"
      ),
      Explanation("--format statements", "statements for realm-cli -w A"),
    ])
}
