// `upgrade`: a realm in the current file format. Layer: RealmCommands, Commands.

import Arguments
import RealmEngine

extension Command {
  /// `upgrade FILE…`
  static let upgrade = Command(
    CommandSpec(
      "upgrade", group: CommandGroup.files, summary: "bring a realm to the current file format",
      operands: [.realms], options: [.yes, .dryRun, .lockTimeout, .salvage],
      details: [
        """
        Any file format from 2 on becomes \(FileFormat.newest), as the SDKs do it when an app opens the file. \
        The original is kept as NAME.format-N.backup.realm beside it, and no backup is ever overwritten. Engines \
        of the time that wrote the file can no longer open the result. Synced realms are refused.
        """
      ],
      examples: [
        Example("realm-cli upgrade app.realm", "asks first"),
        Example("realm-cli upgrade --yes *.realm", "without questions"),
      ])
  ) { invocation in
    for path in try invocation.paths(.realms) {
      let key = try invocation.keyOfFile(path)
      let format = try invocation.format(path, key)
      guard let format, format < FileFormat.newest else {
        invocation.note(
          "\(path.displayName) \(format == nil ? "holds nothing to upgrade" : "has file format \(FileFormat.newest) already")"
        )
        continue
      }
      let change = "from file format \(format) to \(FileFormat.newest)"
      if invocation.isDryRun {
        try StandardStreams.write("\(path.displayName) would be upgraded \(change)\n")
        continue
      }
      guard try invocation.confirm("upgrade \(path.displayName) \(change), keeping a backup") else {
        invocation.note("\(path.displayName) stays as it is")
        continue
      }
      let report = try invocation.run(
        WholeFileJob(
          source: path, key: key, newKey: key, target: .inPlace(backupLabel: "format-\(format)"),
          history: .keep, isUpgrade: true,
          lockTimeoutMilliseconds: invocation.lockTimeoutMilliseconds,
          salvages: invocation.arguments.has(.salvage)))
      let backup = report.backup.map { "; the original is \($0.displayName)" } ?? ""
      invocation.note("\(path.displayName) upgraded \(change)\(backup)")
    }
    return .success
  }
}

extension Invocation {
  /// The file format of the realm; nil where no engine has begun one yet.
  fileprivate func format(_ path: FilePath, _ key: EncryptionKey?) throws -> Int? {
    let format = try look(path, key) { $0.file.format }
    return format == 0 ? nil : format
  }
}
