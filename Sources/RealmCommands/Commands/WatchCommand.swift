// `watch`: what every commit does to the objects of a realm. Layer: RealmCommands, Commands.

import Arguments
import RealmEngine
import Rendering

extension Command {
  /// `watch FILE [CLASS [PREDICATE]]`
  static let watch = Command(
    .changes([
      .integer("version"), .text("time"), .integer("previous").optional, .integer("commits").optional,
      JSONField("classes", .row, isRequired: false), JSONField("objects", .list(.row), isRequired: false),
      JSONField("changes", .list(.row), isRequired: false), .integer("created").optional,
      .integer("updated").optional, .integer("deleted").optional,
    ]),
    CommandSpec(
      "watch", group: CommandGroup.reading, summary: "show the changes of every commit",
      brief: "changes as they happen",
      operands: [.file, .watchedClass, .predicate],
      options: Option.ofWatches + [.argument, .argumentText, .allTables, .noJoin],
      details: [
        """
        Prints how many objects there are, then for each commit by any process the objects that were \
        inserted, deleted and modified, with the old and new values of what changed. A change of an embedded \
        object is one of its owner. With PREDICATE, objects count as inserted when they begin to meet it. \
        With --jsonl each change set is one line. Commits that follow one another too fast are one change \
        set, which says how many they were.
        """,
        """
        Where apps have the realm open, their session keeps the version that was seen last. Otherwise it is \
        kept in memory, and the file may have up to 1 GB.
        """,
      ],
      examples: [
        Example(
          "realm-cli watch app.realm Person 'age >= 18'", "people who turn 18, and all changes of adults"),
        Example(
          "realm-cli watch app.realm --jsonl --for 1m", "all changes of one minute, one JSON object each"),
        Example(
          "realm-cli watch app.realm Order --count 1 --exec 'jq .changes'", "the next change of an order"),
      ]),
    waits: true
  ) { invocation in
    let word = invocation.arguments.required(.file)
    guard !word.isDash else { throw Diagnostic.usage("standard input cannot be watched") }
    let watching = try Watching(invocation)
    try invocation.withOutput { (out: inout OutputBuffer) throws -> Void in
      try watching.run(to: &out)
    }
    return .success
  }
}
