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

  /// For programs: what a command on objects may have done.
  fileprivate var entries: [DocumentEntry] {
    [.number("inserted", inserted), .number("updated", updated), .number("deleted", deleted)]
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

extension Invocation {
  /// Says what was changed; what would be changed is the result of a dry run. `otherwise`: what is said where nothing was;
  /// nil for scripts, whose results have standard output for themselves.
  func tell(_ counts: ChangeCounts, in realm: SessionRealm, otherwise: String? = nil) throws {
    let nothing = realm.isDryRun ? "nothing would change" : "nothing changed"
    let list = counts.total == 0 ? nothing : counts.list(isDryRun: realm.isDryRun)
    let text = "\(realm.path.displayName) – \(list)"
    if let otherwise {
      if counts.total == 0, !wantsJSON { return note(otherwise) }
      if realm.isDryRun { return try write(wouldDo: text, [.file(realm.path)] + counts.entries) }
      return tell(done: text, [.file(realm.path)] + counts.entries)
    }
    if realm.isDryRun { try StandardStreams.write(text + "\n") } else { note(text) }
  }
}
