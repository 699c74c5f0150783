// What statements have changed, in words. Layer: RealmCommands, Statements.

import RealmSession

extension ChangeCounts {
  /// The counts that are not 0, with what was done.
  private var counts: [(noun: String, nouns: String, counts: [(Int, String)])] {
    [
      ("class", "classes", [(created, "created"), (altered, "altered"), (dropped, "dropped")]),
      ("object", "objects", [(inserted, "inserted"), (updated, "updated"), (deleted, "deleted")]),
    ].map { ($0.0, $0.1, $0.2.filter { $0.0 > 0 }) }.filter { !$0.2.isEmpty }
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
  /// Says what was changed, if anything was; what would be changed is the result of a dry run.
  func tell(_ counts: ChangeCounts, in realm: SessionRealm) throws {
    guard counts.total > 0 else { return }
    let text = "\(realm.path.displayName) – \(counts.list(isDryRun: realm.isDryRun))"
    if realm.isDryRun { try StandardStreams.write(text + "\n") } else { note(text) }
  }
}
