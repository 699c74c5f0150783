// `rm`: a realm and what belongs to it. Layer: RealmCommands, Commands.

import Arguments
import RealmEngine

extension Command {
  /// `rm FILE…`
  static let remove = Command(
    CommandSpec(
      "rm", group: CommandGroup.files, summary: "remove a realm with its lock file and management files",
      operands: [.realms], options: [.yes, .dryRun, .lockTimeout],
      details: [
        """
        Removes the file and what engines keep beside it: .lock, .note and .management. A file that another \
        program has open is left alone, and so is what is no realm. Backups stay.
        """
      ],
      examples: [Example("realm-cli rm --yes scratch.realm", "without a question")])
  ) { invocation in
    for path in try invocation.paths(.realms) {
      do {
        let removal = try RealmRemoval(path, lockTimeoutMilliseconds: invocation.lockTimeoutMilliseconds)
        let names = removal.paths.map(\.displayName).joined(separator: ", ")
        if invocation.isDryRun {
          try StandardStreams.write("would remove \(names)\n")
          continue
        }
        guard try invocation.confirm("remove \(names) (\(SizeText.bytes(removal.size)))") else {
          invocation.note("\(path.displayName) stays")
          continue
        }
        try removal.run()
        invocation.note("\(path.displayName) removed")
      } catch {
        throw Diagnostic(error, file: path)
      }
    }
    return .success
  }
}
