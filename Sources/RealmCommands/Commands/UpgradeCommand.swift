// `upgrade`: a realm in the current file format. Layer: RealmCommands, Commands.

import Arguments
import RealmEngine
import TextFormats

extension Command {
  /// `upgrade FILE…`
  static let upgrade = Command(
    CommandSpec(
      "upgrade", group: CommandGroup.files, summary: "upgrade a realm to the current file format",
      operands: [.realms], options: [.yes, .dryRun, .lockTimeout, .salvage],
      details: [
        """
        Any file format from 2 on becomes \(FileFormat.newest), as the SDKs do it when an app opens the file. \
        The original is kept as NAME.format-N.backup.realm beside it, and no backup is ever overwritten. Engines \
        of the time that wrote the file can no longer open the result. Synced realms are refused.
        """
      ],
      examples: [
        Example("realm-cli upgrade app.realm", "ask first"),
        Example("realm-cli upgrade --yes *.realm", "without questions"),
      ])
  ) { invocation in
    var status = ExitStatus.success
    for path in try invocation.paths(.realms) {
      var agreed: String?
      let outcome = try WholeFileJob.deciding { try invocation.upgrade(path, &agreed) }
      if outcome != .success { status = outcome }
    }
    return status
  }
}

extension Invocation {
  /// `agreed`: what its user was asked and has said yes to.
  fileprivate func upgrade(_ path: FilePath, _ agreed: inout String?) throws -> ExitStatus {
    let key = try keyOfFile(path)
    let (format, version) = try look(path, key) { ($0.file.format, $0.version) }
    guard format > 0 else {
      tell(done: "\(path.displayName) is empty; nothing to upgrade", unchanged(path, format))
      return .success
    }
    guard format < FileFormat.newest else {
      tell(
        done: "\(path.displayName) already has file format \(FileFormat.newest)", unchanged(path, format))
      return .success
    }
    let change = "from file format \(format) to \(FileFormat.newest)"
    if isDryRun {
      try write(
        wouldDo: "\(path.displayName) would be upgraded \(change)",
        [.file(path), .number("from", format), .number("to", FileFormat.newest)])
      return .success
    }
    let deed = "upgrade \(path.displayName) \(change), keeping a backup"
    guard try agreed == deed || confirm(deed) else {
      report(Diagnostic(declined: "\(path.displayName) stays as it is"))
      return .failure
    }
    agreed = deed
    let report = try run(
      WholeFileJob(
        source: path, key: key, newKey: key, target: .inPlace(backupLabel: "format-\(format)"),
        history: .keep, isUpgrade: true, lockTimeoutMilliseconds: lockTimeoutMilliseconds,
        salvages: arguments.has(.salvage), version: version))
    let backup = report.backup.map { "; the original is \($0.displayName)" } ?? ""
    tell(
      done: "\(path.displayName) upgraded \(change)\(backup)",
      [
        .file(path), .number("from", format), .number("to", FileFormat.newest),
        .backup(report.backup),
      ])
    return .success
  }

  private func unchanged(_ path: FilePath, _ format: Int) -> [DocumentEntry] {
    [.file(path), .number("from", format), .number("to", format)]
  }
}
