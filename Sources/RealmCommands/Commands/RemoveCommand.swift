// `rm`: a realm and what belongs to it. Layer: RealmCommands, Commands.

import Arguments
import ByteText
import RealmEngine
import TextFormats

extension Command {
  /// `rm FILE…`
  static let remove = Command(
    .files([.texts("removed"), .integer("size")]),
    CommandSpec(
      "rm", group: CommandGroup.files, summary: "remove a realm, its lock file and its management files",
      brief: "remove a realm",
      operands: [.realms], options: [.yes, .dryRun, .lockTimeout, .force, .failFast],
      details: [
        """
        Removes the file and the files that engines keep beside it: .lock, .note and .management. A file that another \
        program has open is left alone, and so are files that are not realms, and files of others in .management. \
        Only its key shows that a file is an encrypted realm; --force removes files that look encrypted without the \
        key, and empty files. Backups are kept. A symbolic link is removed together with the file that it leads to.
        """
      ],
      examples: [
        Example("realm-cli rm scratch.realm", "ask first"),
        Example("realm-cli rm --yes scratch.realm", "do not ask"),
      ])
  ) { invocation in
    try invocation.forEachFile(changing: true) { word in
      let path = FilePath(word.bytes)
      let removal = try invocation.removal(of: path)
      let names = removal.paths.map(\.displayName).joined(separator: ", ")
      if invocation.isDryRun { return FileResult(wouldDo: "would remove \(names)", removal.entries) }
      guard try invocation.confirm("remove \(names) (\(SizeText.bytes(removal.size)))") else {
        throw Diagnostic(declined: "\(path.displayName) stays")
      }
      invocation.warn(of: try removal.run(lockTimeoutMilliseconds: invocation.lockTimeoutMilliseconds))
      return FileResult(done: "\(names): removed", removal.entries)
    }
  }
}

extension Invocation {
  /// What would be removed, with the key where only that shows that it is a realm.
  fileprivate func removal(of path: FilePath) throws -> RealmRemoval {
    do throws(EngineError) {
      return try RealmRemoval(path, key: nil, isForced: mayReplaceOutput)
    } catch {
      // A small encrypted file looks like nothing at all.
      guard [.keyMissing, .notARealm].contains(error.kind), try path.status?.isRegular ?? false else {
        throw error
      }
    }
    return try withKey(for: path) { key throws(EngineError) in
      try RealmRemoval(path, key: key, isForced: mayReplaceOutput)
    }
  }
}

extension RealmRemoval {
  fileprivate var entries: [DocumentEntry] {
    [
      DocumentEntry.list("removed", paths.map { .string($0.name) }), .number("size", size),
    ]
  }
}
