// What statements have changed, in words. Layer: RealmCommands, StatementOutput.

import RealmSession
import TextFormats

extension ChangeCounts {
  /// The counts that are not 0, with what was done.
  private var counts: [(noun: String, nouns: String, counts: [(Int, String)])] {
    [
      ("class", "classes", [(created, "created"), (altered, "altered"), (dropped, "dropped")]),
      ("object", "objects", [(inserted, "inserted"), (updated, "updated"), (deleted, "deleted")]),
    ].map { ($0.0, $0.1, $0.2.filter { $0.0 > 0 }) }.filter { !$0.2.isEmpty }
  }

  /// For programs: an entry for each class.
  var entries: [DocumentEntry] {
    [DocumentEntry("changes", .sequence(classes.map { .mapping($0.entries) }))]
  }

  /// `1 class created, 2 objects inserted, 1 updated`
  var text: String {
    let texts = counts.flatMap { group in
      group.counts.enumerated().map { index, part in
        let noun = index > 0 ? "" : part.0 == 1 ? " \(group.noun)" : " \(group.nouns)"
        return "\(part.0)\(noun) \(part.1)"
      }
    }
    return texts.isEmpty ? "nothing changed" : texts.joined(separator: ", ")
  }

  /// `classes: 1 created; objects: 2 inserted, 1 updated`
  fileprivate func list(isDryRun: Bool) -> String {
    counts.map { group in
      "\(group.nouns): "
        + group.counts.map { "\($0.0) \(isDryRun ? "would be " : "")\($0.1)" }.joined(separator: ", ")
    }.joined(separator: "; ")
  }
}

extension ChangeCounts.OfClass {
  fileprivate var entries: [DocumentEntry] {
    [
      DocumentEntry("class", .string(name)), .number("created", created), .number("updated", updated),
      .number("deleted", deleted),
    ]
  }
}

extension Invocation {
  /// Says what a command has changed in the objects of `name`, or would change. `otherwise`: what is said where that is
  /// nothing.
  func write(
    _ counts: ChangeCounts, of name: String, in realm: SessionRealm, otherwise: String,
    _ more: [DocumentEntry] = []
  ) throws -> ExitStatus {
    let own = counts.classes.first { $0.name == name } ?? ChangeCounts.OfClass(name: name)
    let entries = own.entries + more + counts.entries
    let sentence = sentence(counts, in: realm)
    let result =
      counts.total == 0
      ? FileResult(done: otherwise, entries)
      : realm.isDryRun ? FileResult(wouldDo: sentence, entries) : FileResult(done: sentence, entries)
    return try write(result, of: realm.path, changing: true)
  }

  /// Says what a script has changed, whose results have standard output for themselves; that nothing would change is worth a
  /// word.
  func tell(_ counts: ChangeCounts, in realm: SessionRealm) throws {
    let text = sentence(counts, in: realm)
    if realm.isDryRun { try StandardStreams.write(text + "\n") } else { note(text) }
  }

  private func sentence(_ counts: ChangeCounts, in realm: SessionRealm) -> String {
    let nothing = realm.isDryRun ? "nothing would change" : "nothing changed"
    let list = counts.total == 0 ? nothing : counts.list(isDryRun: realm.isDryRun)
    return "\(realm.path.displayName) – \(list)"
  }
}
