// What the commands on whole files share: their options, keys, running a job and telling what came of it.
// Layer: RealmCommands, WholeFiles.

import Arguments
import ByteText
import RealmEngine
import TextFormats

extension Option {
  static let lockTimeout = Option(
    "lock-timeout", takes: .seconds, "SECONDS",
    "wait up to SECONDS for other programs to close the file (default 0)")
  static let salvage = Option(
    "salvage", "copy damaged values as they are and report the damage; where it stops the copy, use recover")
  static let newKeyFile = Option(
    "new-key-file", takes: .file, "FILE", "read the new key from FILE ('-' for standard input)")
  static let newKeyEnvironment = Option(
    "new-key-env", takes: .text, "NAME", "read the new key from the environment variable NAME")
  static let newKeyCommand = Option(
    "new-key-command", takes: .shellCommand, "COMMAND", "read the new key from the output of COMMAND")
  static let decrypts = Option("decrypt", "write an unencrypted file")

  static let newKeys = [newKeyFile, newKeyEnvironment, newKeyCommand]
}

extension DocumentEntry {
  /// Where the original is now.
  static func backup(_ path: FilePath?) -> DocumentEntry {
    .text("backup", path?.name)
  }
}

extension KeyOptions {
  /// The key of the file that is written.
  static let new = KeyOptions(
    file: .newKeyFile, environment: .newKeyEnvironment, command: .newKeyCommand)
}

extension Invocation {
  var lockTimeoutMilliseconds: Int {
    arguments.word(.lockTimeout)?.milliseconds ?? 0
  }

  /// The paths of an operand, none of which may be standard input: the files change.
  func paths(_ operand: Arguments.Operand) throws -> [FilePath] {
    try arguments.words(operand).map { word in
      guard !word.isDash else {
        throw Diagnostic.usage("this command needs a file and cannot read standard input")
      }
      return FilePath(word.bytes)
    }
  }

  /// The key that an option names for the result; it must be given.
  func requiredNewKey() throws -> EncryptionKey {
    if let key = try KeySource(invocation: self).namedKey(.new) { return key }
    throw Diagnostic.usage(
      "the new key is missing",
      hint:
        "supply it with --new-key-file, --new-key-env or --new-key-command; `realm-cli keygen` creates one")
  }

  /// The key that opens the file; nil for a plain one, whatever key is named.
  func keyOfFile(_ path: FilePath) throws -> EncryptionKey? {
    do throws(EngineError) {
      try LiveReading.tryOpening(path, key: nil)
      return nil
    } catch {
      guard [.keyMissing, .notARealm].contains(error.kind) else { throw Diagnostic(error, file: path) }
    }
    return try withKey(for: path) { key throws(EngineError) in
      try LiveReading.tryOpening(path, key: key)
      return key
    }
  }

  /// Looks at a realm before a job. Other processes may use it, so `body` may be called again.
  func look<Result>(
    _ path: FilePath, _ key: EncryptionKey?, _ body: (Database) throws(EngineError) -> Result
  ) throws -> Result {
    do throws(EngineError) {
      return try LiveReading.read(path, key: key, body)
    } catch {
      throw Diagnostic(error, file: path)
    }
  }

  /// Runs a job with progress, and tells what it took with `--verbose`. What is to be decided anew is an `EngineError`.
  func run(_ job: WholeFileJob) throws -> WholeFileJob.Report { try run(job) { _, _, _ in } }

  /// The same, where `progress` is told as well.
  func run(_ job: WholeFileJob, _ progress: @escaping WholeFileJob.Progress) throws -> WholeFileJob.Report {
    let name = String(decoding: job.source.lastComponent, as: UTF8.self)
    sayWhenStopped()
    let meter = ProgressMeter(name: name, isShown: terminal.errorIsTerminal && !isQuiet)
    defer { meter.finish() }
    do throws(EngineError) {
      let report = try job.run { stage, done, total throws(EngineError) in
        meter.update(stage, done, of: total)
        try progress(stage, done, total)
      }
      meter.finish()
      tell(report)
      detail(
        "\(job.source.displayName): \(SizeText.bytes(report.sizeAfter)) written in \(report.writingMilliseconds) ms, synced in \(report.syncingMilliseconds) ms, \(report.objectCount) objects in \(report.nodeCount) nodes verified in \(report.verifyingMilliseconds) ms"
      )
      warn(of: report.remarks)
      return report
    } catch {
      if error.kind == .outdated { throw error }
      throw Diagnostic(error, file: job.source)
    }
  }
}

extension Invocation {
  /// Names the original that a job kept because it was damaged. `isPlain`: what it holds is encrypted now, but not there.
  func warn(ofOriginal backup: FilePath?, isPlain: Bool = false) {
    guard let backup else { return }
    warn("the original is \(backup.displayName)\(isPlain ? ", which is not encrypted" : "")")
  }

  /// Says what was damaged in a file that was copied all the same.
  private func tell(_ report: WholeFileJob.Report) {
    guard report.damageCount > 0 else { return }
    let count = report.damageCount
    warn(
      "the data in \(counted(count, "damaged place")) is lost or wrong\(count > report.damage.count ? "; among them:" : ":")"
    )
    for place in report.damage { warn(place) }
  }
}

/// What a job would give, without doing it.
extension Invocation {
  /// What `job` would write. Cost: reads the whole source.
  func measure(_ job: WholeFileJob) throws -> WholeFileJob.Measurement {
    let meter = ProgressMeter(
      name: String(decoding: job.source.lastComponent, as: UTF8.self),
      isShown: terminal.errorIsTerminal && !isQuiet)
    defer { meter.finish() }
    do throws(EngineError) {
      return try job.measure { stage, done, total in meter.update(stage, done, of: total) }
    } catch {
      throw Diagnostic(error, file: job.source)
    }
  }
}
