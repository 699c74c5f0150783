// `dump`: the whole realm as text. Layer: RealmCommands, Commands.

import Arguments
import Rendering

extension Command {
  /// `dump FILE`
  static let dump = Command(
    .document(modes: []),
    CommandSpec(
      "dump", group: CommandGroup.reading, summary: "print the whole realm as JSON Lines, losslessly",
      brief: "everything, losslessly",
      operands: [.file], options: [.allTables, .snapshot],
      details: [
        """
        One line for the realm, one per class, one per object; the same data always gives the same bytes. Values that \
        JSON has no type for are written as objects such as {"$date":"2020-01-01T00:00:00Z"}.
        """
      ],
      examples: [
        Example("realm-cli dump app.realm > app.jsonl", "all classes and objects"),
        Example("gunzip -c app.realm.gz | realm-cli dump -", "from standard input"),
      ])
  ) { invocation in
    try invocation.withOutput { out in
      try invocation.withSnapshot(of: invocation.arguments.required(.file), to: &out) { database, out in
        try DumpWriter(database.transaction, allTables: invocation.showsAllTables).write(to: &out)
      }
    }
    return .success
  }
}
