// realm-json(7): what other programs can rely on. Layer: RealmCommands, Manual.

import Arguments

extension ManualPage {
  /// Made by `realm-cli __man realm-json.7`.
  static let json = ManualPage(
    "realm-json", section: 7, summary: "JSON that realm-cli prints for other programs",
    chapters: [
      ManualChapter(
        "DESCRIPTION",
        [
          """
          With --json a command prints one JSON document, and nothing else goes to standard output: an array with an element \
          for each file where it takes several, also for one; an object where it is about one realm; an array of objects for \
          rows. Several statements print one document each, one after the other. --jsonl prints the elements of the array, one \
          on a line, or the object on one line. Of columns with one name all but the first get a number: name, name_2. 'realm-cli help --json-schema COMMAND' prints the JSON Schema.
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
        ]),
      ManualChapter("SEE ALSO", ["realm-cli(1), realm-cli-dump(1), realm-cli-export(1)"]),
    ])
}
