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
      var agreed: String?
      try WholeFileJob.deciding { try invocation.upgrade(path, &agreed) }
    }
    return .success
  }
}

extension Invocation {
  /// `agreed`: what its user was asked and has said yes to.
  fileprivate func upgrade(_ path: FilePath, _ agreed: inout String?) throws {
    let key = try keyOfFile(path)
    let (format, version) = try look(path, key) { ($0.file.format, $0.version) }
    guard format > 0 else { return note("\(path.displayName) holds nothing to upgrade") }
    guard format < FileFormat.newest else {
      return note("\(path.displayName) has file format \(FileFormat.newest) already")
    }
    let change = "from file format \(format) to \(FileFormat.newest)"
    if isDryRun {
      return try StandardStreams.write("\(path.displayName) would be upgraded \(change)\n")
    }
    let deed = "upgrade \(path.displayName) \(change), keeping a backup"
    guard try agreed == deed || confirm(deed) else {
      return note("\(path.displayName) stays as it is")
    }
    agreed = deed
    let report = try run(
      WholeFileJob(
        source: path, key: key, newKey: key, target: .inPlace(backupLabel: "format-\(format)"),
        history: .keep, isUpgrade: true, lockTimeoutMilliseconds: lockTimeoutMilliseconds,
        salvages: arguments.has(.salvage), version: version))
    let backup = report.backup.map { "; the original is \($0.displayName)" } ?? ""
    note("\(path.displayName) upgraded \(change)\(backup)")
  }
}
