// `encrypt`, `decrypt` and `rekey`: a realm in place, under another key or none. Layer: RealmCommands, Commands.

import Arguments
import RealmEngine
import TextFormats

extension Command {
  /// `encrypt FILE…`
  static let encrypt = Command(
    CommandSpec(
      "encrypt", group: CommandGroup.files, summary: "encrypt a realm in place",
      operands: [.realms], options: Option.newKeys + [.dryRun, .lockTimeout, .salvage],
      details: [
        """
        The encrypted file takes the place of the plain one in one step, after it was read back and compared. \
        Nothing of the plain file is overwritten: what a disk keeps of removed files is not this program's \
        to erase.
        """
      ],
      examples: [
        Example("realm-cli keygen key.hex", "make a key"),
        Example("realm-cli encrypt app.realm --new-key-file key.hex", "use it"),
      ])
  ) { invocation in
    let newKey = try invocation.requiredNewKey()
    for path in try invocation.paths(.realms) {
      try invocation.decidingOnKey(of: path) {
        if let version = try invocation.version(path, nil) {
          try invocation.rewrite(path, version, from: nil, to: newKey, "encrypted")
        } else if try invocation.version(path, newKey) != nil {
          invocation.tell(
            done: "\(path.displayName) is already encrypted with this key",
            [.file(path), DocumentEntry("done", .null)])
        } else {
          throw Diagnostic(
            .key, code: "key-wrong", "\(path.displayName) is already encrypted, with another key",
            hint: "`realm-cli rekey` changes the key", file: path)
        }
      }
    }
    return .success
  }

  /// `decrypt FILE…`
  static let decrypt = Command(
    CommandSpec(
      "decrypt", group: CommandGroup.files, summary: "decrypt a realm in place",
      operands: [.realms], options: [.dryRun, .lockTimeout, .salvage],
      details: ["The plain file takes the place of the encrypted one in one step."],
      examples: [Example("realm-cli decrypt app.realm --key-file key.hex", "decrypt it")])
  ) { invocation in
    for path in try invocation.paths(.realms) {
      try invocation.decidingOnKey(of: path) {
        let key = try invocation.keyOfFile(path)
        let version = try invocation.look(path, key) { $0.version }
        if let key {
          try invocation.rewrite(path, version, from: key, to: nil, "decrypted")
        } else {
          invocation.tell(
            done: "\(path.displayName) is not encrypted", [.file(path), DocumentEntry("done", .null)])
        }
      }
    }
    return .success
  }

  /// `rekey FILE…`
  static let rekey = Command(
    CommandSpec(
      "rekey", group: CommandGroup.files, summary: "change the key of an encrypted realm in place",
      operands: [.realms], options: Option.newKeys + [.dryRun, .lockTimeout, .salvage],
      details: ["The new file takes the place of the old one in one step."],
      examples: [
        Example("realm-cli rekey app.realm --key-file old.hex --new-key-file new.hex", "change the key")
      ])
  ) { invocation in
    let newKey = try invocation.requiredNewKey()
    for path in try invocation.paths(.realms) {
      try invocation.decidingOnKey(of: path) {
        guard try invocation.version(path, nil) == nil else {
          throw Diagnostic(
            .failure, code: "refused", "\(path.displayName) is not encrypted",
            hint: "`realm-cli encrypt` encrypts it", file: path)
        }
        guard try invocation.version(path, newKey) == nil else {
          return invocation.tell(
            done: "\(path.displayName) is already encrypted with this key",
            [.file(path), DocumentEntry("done", .null)])
        }
        let key = try invocation.keyOfFile(path)
        let version = try invocation.look(path, key) { $0.version }
        try invocation.rewrite(path, version, from: key, to: newKey, "encrypted with the new key")
      }
    }
    return .success
  }
}

extension Invocation {
  /// As `WholeFileJob.deciding`: a key that is wrong because another process has changed the file's key between two looks at
  /// it is no error either.
  fileprivate func decidingOnKey(of path: FilePath, _ body: () throws -> Void) throws {
    try WholeFileJob.deciding {
      let before = try? path.status
      do {
        try body()
      } catch let error as Diagnostic where error.exit == .key {
        guard let before, let now = try? path.status, !now.isSameFile(as: before) else { throw error }
        throw WholeFileJob.outdated(path)
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
  ) throws {
    let job = WholeFileJob(
      source: path, key: key, newKey: newKey, target: .inPlace(backupLabel: nil), history: .keep,
      lockTimeoutMilliseconds: lockTimeoutMilliseconds, salvages: arguments.has(.salvage), version: version)
    if isDryRun {
      let size = try measure(job).size
      return try StandardStreams.write(
        "\(path.displayName) would be \(done): \(SizeText.bytes(size))\n")
    }
    let report = try run(job)
    warn(ofOriginal: report.backup, isPlain: key == nil)
    tell(
      done: "\(path.displayName) \(done): \(SizeText.bytes(report.sizeAfter))",
      [
        .file(path), DocumentEntry("done", .string(done)), .number("size", report.sizeAfter),
        .backup(report.backup),
      ])
  }
}
