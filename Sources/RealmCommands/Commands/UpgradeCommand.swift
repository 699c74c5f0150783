// `upgrade`: a realm in the current file format. Layer: RealmCommands, Commands.

import Arguments
import RealmEngine
import TextFormats

extension Command {
  /// `upgrade FILE…`
  static let upgrade = Command(
    .files([.integer("from"), .integer("to"), .backup]),
    CommandSpec(
      "upgrade", group: CommandGroup.files, summary: "upgrade a realm to the current file format",
      brief: "to the current format",
      operands: [.realms], options: [.yes, .dryRun, .lockTimeout, .salvage, .failFast],
      details: [
        """
        Upgrades file formats from 2 on to \(FileFormat.newest), as the SDKs do when an app opens the file. The \
        original is kept beside it as NAME.format-N.backup.realm, and no backup is ever overwritten; where several \
        files are named, such backups among them are passed over. Older engines cannot open the result. Synced realms are refused.
        """
      ],
      examples: [
        Example("realm-cli upgrade app.realm", "ask first"),
        Example("realm-cli upgrade --yes *.realm", "do not ask"),
      ])
  ) { invocation in
    try invocation.forEachFile(changing: true, leavingBackups: true) { word in
      var agreed: String?
      return try WholeFileJob.deciding { try invocation.upgrade(FilePath(word.bytes), &agreed) }
    }
  }
}

extension Invocation {
  /// `agreed`: what its user was asked and has said yes to.
  fileprivate func upgrade(_ path: FilePath, _ agreed: inout String?) throws -> FileResult {
    func entries(to newFormat: Int, _ backup: FilePath? = nil) -> [DocumentEntry] {
      [.number("from", format), .number("to", newFormat), .backup(backup)]
    }
    let key = try keyOfFile(path)
    let (format, version) = try look(path, key) { ($0.file.format, $0.version) }
    guard format > 0 else {
      return FileResult(skipped: "\(path.displayName): empty, nothing to upgrade", entries(to: format))
    }
    guard format < FileFormat.newest else {
      return FileResult(
        skipped: "\(path.displayName): already has file format \(FileFormat.newest)", entries(to: format))
    }
    let change = "from file format \(format) to \(FileFormat.newest)"
    if isDryRun {
      return FileResult(
        wouldDo: "\(path.displayName): would be upgraded \(change)", entries(to: FileFormat.newest))
    }
    let deed = "upgrade \(path.displayName) \(change), keeping a backup"
    guard try agreed == deed || confirm(deed) else {
      throw Diagnostic(declined: "\(path.displayName) stays as it is")
    }
    agreed = deed
    let report = try run(
      WholeFileJob(
        source: path, key: key, newKey: key, target: .inPlace(backupLabel: "format-\(format)"),
        history: .keep, isUpgrade: true, lockTimeoutMilliseconds: lockTimeoutMilliseconds,
        salvages: arguments.has(.salvage), version: version))
    let backup = report.backup.map { "; the original is \($0.displayName)" } ?? ""
    return FileResult(
      done: "\(path.displayName): upgraded \(change)\(backup)",
      entries(to: FileFormat.newest, report.backup))
  }
}
