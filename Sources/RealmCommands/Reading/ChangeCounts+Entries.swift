// What was changed, class by class, for programs. Layer: RealmCommands, Reading.
// Invariant: one form for what was done and for what a dry run would do.

import RealmSession
import TextFormats

extension ChangeCounts {
  /// What a command on objects of one class tells: of that class, then of all.
  static let fields = CommandResult.counts + [CommandResult.changes]

  /// An entry for each class.
  var entries: [DocumentEntry] { [DocumentEntry("changes", changes)] }

  var changes: DocumentNode { .sequence(classes.map { .mapping($0.entries) }) }
}

extension ChangeCounts.OfClass {
  var entries: [DocumentEntry] {
    [
      DocumentEntry.text("class", name), .number("created", created), .number("updated", updated),
      .number("deleted", deleted),
    ]
  }
}
