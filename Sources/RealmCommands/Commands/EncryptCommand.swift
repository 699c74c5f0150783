// `encrypt`, `decrypt` and `rekey`: a realm in place, under another key or none. Layer: RealmCommands, Commands.

import Arguments
import ByteText
import RealmEngine
import Rendering
import TextFormats

extension Command {
  /// `encrypt FILE…`
  static let encrypt = Command(
    .files(encrypted),
    CommandSpec(
      "encrypt", group: CommandGroup.files, summary: "encrypt a realm in place",
      operands: [.realms], options: Option.newKeys + [.dryRun, .lockTimeout, .salvage, .failFast],
      details: [
        """
        The encrypted file replaces the plain one in one step, after it was read back and compared. The plain file is \
        removed, but its bytes are not overwritten on the disk.
        """
      ],
      examples: [
        Example("realm-cli keygen key.hex", "make a key"),
        Example("realm-cli encrypt app.realm --new-key-file key.hex", "use it"),
      ])
  ) { invocation in
    let newKey = try invocation.requiredNewKey()
    return try invocation.forEachKeyedFile { path in
      if let version = try invocation.version(path, nil) {
        return try invocation.rewrite(path, version, from: nil, to: newKey, "encrypted")
      } else if try invocation.version(path, newKey) != nil {
        return .encryptedAlready(path)
      } else {
        throw Diagnostic(
          .key, code: "key-wrong", of: path, "is already encrypted, with another key",
          hint: "`realm-cli rekey` changes the key")
      }
    }
  }

  /// `decrypt FILE…`
  static let decrypt = Command(
    .files(encrypted),
    CommandSpec(
      "decrypt", group: CommandGroup.files, summary: "decrypt a realm in place",
      operands: [.realms], options: [.dryRun, .lockTimeout, .salvage, .failFast],
      details: ["The plain file replaces the encrypted one in one step."],
      examples: [
        Example("realm-cli decrypt app.realm --key-file key.hex", "decrypt a file"),
        Example("realm-cli decrypt app.realm --key-env APP_KEY --dry-run", "check the key, change nothing"),
      ])
  ) { invocation in
    return try invocation.forEachKeyedFile { path in
      let key = try invocation.keyOfFile(path)
      let version = try invocation.look(path, key) { $0.version }
      guard let key else {
        return FileResult(
          skipped: "\(path.displayName): not encrypted", [.flag("encrypted", false)])
      }
      return try invocation.rewrite(path, version, from: key, to: nil, "decrypted")
    }
  }

  /// `rekey FILE…`
  static let rekey = Command(
    .files(encrypted),
    CommandSpec(
      "rekey", group: CommandGroup.files, summary: "change the key of an encrypted realm in place",
      brief: "change the key",
      operands: [.realms], options: Option.newKeys + [.dryRun, .lockTimeout, .salvage, .failFast],
      details: ["The new file replaces the old one in one step."],
      examples: [
        Example("realm-cli rekey app.realm --key-file old.hex --new-key-file new.hex", "change the key"),
        Example("realm-cli keygen new.hex", "generate the new key"),
      ])
  ) { invocation in
    let newKey = try invocation.requiredNewKey()
    return try invocation.forEachKeyedFile { path in
      guard try invocation.version(path, nil) == nil else {
        throw Diagnostic(
          .failure, code: "refused", of: path, "is not encrypted",
          hint: "`realm-cli encrypt` encrypts it")
      }
      guard try invocation.version(path, newKey) == nil else { return .encryptedAlready(path) }
      // It may have been decrypted since the look above.
      guard let key = try invocation.keyOfFile(path) else { throw WholeFileJob.outdated(path) }
      let version = try invocation.look(path, key) { $0.version }
      return try invocation.rewrite(path, version, from: key, to: newKey, "encrypted with the new key")
    }
  }
}

/// What is told of a file whose key was, or would be, changed.
private let encrypted: [JSONField] = [.flag("encrypted"), .integer("size"), .backup]

extension FileResult {
  fileprivate static func encryptedAlready(_ path: FilePath) -> FileResult {
    FileResult(
      skipped: "\(path.displayName): already encrypted with this key",
      [.flag("encrypted", true)])
  }
}

extension Invocation {
  /// As `WholeFileJob.deciding` for each file: a key that is wrong because another process has changed the file's key between
  /// two looks at it is no error either.
  fileprivate func forEachKeyedFile(_ body: (FilePath) throws -> FileResult) throws -> ExitStatus {
    try forEachFile(changing: true) { word in
      let path = FilePath(word.bytes)
      return try WholeFileJob.deciding {
        let before = try? path.status
        do {
          return try body(path)
        } catch let error as Diagnostic where error.exit == .key {
          guard let before, let now = try? path.status, !now.isSameFile(as: before) else { throw error }
          throw WholeFileJob.outdated(path)
        }
      }
    }
  }

  /// The version of the file, where this key, or none, is the file's. What is wrong with a file besides its key is an
  /// error.
  fileprivate func version(_ path: FilePath, _ key: EncryptionKey?) throws -> SnapshotIdentity? {
    do throws(EngineError) {
      return try LiveReading.read(path, key: key) { $0.version }
    } catch {
      switch error.kind {
      case .keyMissing, .keyWrong: return nil
      // A small encrypted file looks like nothing at all.
      case .notARealm where key == nil && (try? path.status)?.isRegular ?? false: return nil
      default: throw Diagnostic(error, file: path)
      }
    }
  }

  fileprivate func rewrite(
    _ path: FilePath, _ version: SnapshotIdentity, from key: EncryptionKey?, to newKey: EncryptionKey?,
    _ done: String
  ) throws -> FileResult {
    let job = WholeFileJob(
      source: path, key: key, newKey: newKey, target: .inPlace(backupLabel: nil), history: .keep,
      lockTimeoutMilliseconds: lockTimeoutMilliseconds, salvages: arguments.has(.salvage), version: version)
    func entries(_ size: Int, _ backup: FilePath?) -> [DocumentEntry] {
      [DocumentEntry.flag("encrypted", newKey != nil), .number("size", size), .backup(backup)]
    }
    if isDryRun {
      let size = try measure(job).size
      return FileResult(
        wouldDo: "\(path.displayName): would be \(done), \(SizeText.bytes(size))", entries(size, nil))
    }
    let report = try run(job)
    warn(ofOriginal: report.backup, isPlain: key == nil)
    if key == nil { warn(ofPlainBackupsOf: path, besides: report.backup) }
    return FileResult(
      done: "\(path.displayName): \(done), \(SizeText.bytes(report.sizeAfter))",
      entries(report.sizeAfter, report.backup))
  }
  /// What a migration or an upgrade kept is as plain as the file was.
  private func warn(ofPlainBackupsOf path: FilePath, besides told: FilePath?) {
    let (start, end) = (path.stem + Array(".".utf8), Array(".backup.realm".utf8))
    let names = ((try? path.directory.entryNames) ?? []).filter {
      $0.starts(with: start) && $0.suffix(end.count).elementsEqual(end)
    }
    for backup in names.map(path.sibling).sorted(by: { $0.displayName < $1.displayName }) where backup != told
    {
      guard let version = try? version(backup, nil), version != nil else { continue }
      warn("the backup \(backup.displayName) is not encrypted")
    }
  }
}
