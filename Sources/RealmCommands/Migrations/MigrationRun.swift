// One run of migration steps on one file: a rehearsal, or a new file in the place of the old.
// Layer: RealmCommands, Migrations.
// Invariant: whatever fails, the file stays as it was, byte for byte.

import Arguments
import ByteText
import Migrations
import RealmEngine
import RealmSession

/// How a run ends.
enum MigrationMode {
  case rehearsal
  case replacement(keepsBackup: Bool)
  /// As a replacement without a backup, but the file is not written anew: its copy gets one more version.
  case edit
}

/// What became of one file.
struct MigrationOutcome {
  let path: FilePath
  let from: Int64
  let to: Int64
  let format: Int
  let steps: [StepResult]
  let sizeBefore: Int
  let sizeAfter: Int
  let milliseconds: Int
  let backup: FilePath?

  var isNothing: Bool { steps.isEmpty }
}

extension Invocation {
  /// Runs the steps that a file still needs.
  func migrate(_ path: FilePath, _ folder: MigrationFolder, _ mode: MigrationMode) throws -> MigrationOutcome
  {
    let start = SystemClock.milliseconds
    let key = try keyOfFile(path)
    let (version, schema, size, format) = try look(path, key) { database throws(EngineError) in
      let realm = database.transaction
      return (
        realm.schemaVersion ?? 0, realm.schemaDescription(), database.file.fileSize, database.file.format
      )
    }
    let pending: [MigrationFile]
    do throws(EngineError) {
      pending = try folder.chain.pending(from: version, to: arguments.integer(.targetVersion))
    } catch {
      throw Diagnostic(error, file: path)
    }
    guard let last = pending.last else {
      return MigrationOutcome(
        path: path, from: version, to: version, format: format, steps: [], sizeBefore: size, sizeAfter: size,
        milliseconds: 0, backup: nil)
    }
    try check(pending, folder, schema)
    let seeds = try expressionSeeds()
    let runner = MigrationRunner(pending, now: seeds.now, seed: seeds.seed)
    do {
      let written = try run(runner, path, key, version, mode)
      if case .rehearsal = mode {} else { try write(runner.reports) }
      return MigrationOutcome(
        path: path, from: version, to: last.to, format: format, steps: runner.results, sizeBefore: size,
        sizeAfter: written.size, milliseconds: SystemClock.milliseconds - start, backup: written.backup)
    } catch {
      // What stopped the last run may be half of what another program wrote.
      if let failure = runner.failure, (error as? Diagnostic)?.exit != .busy { throw Diagnostic(failure) }
      throw error
    }
  }

  /// Steps are checked on the file's own schema before the first of them runs.
  private func check(
    _ pending: [MigrationFile], _ folder: MigrationFolder, _ found: SchemaDescription
  ) throws {
    var schema = SimulatedSchema(found)
    for step in pending {
      let report = ProblemReport(step.source)
      _ = ChainChecker.check(step, &schema, report)
      let errors = report.problems.filter { $0.severity == .error }
      _ = show(Array(errors.dropLast()))
      if let last = errors.last { throw Diagnostic(last) }
    }
  }

  private func run(
    _ runner: MigrationRunner, _ path: FilePath, _ key: EncryptionKey?, _ version: Int64,
    _ mode: MigrationMode
  ) throws -> (size: Int, backup: FilePath?) {
    let target: WholeFileJob.Target
    var content = WholeFileJob.Content.changed { database throws(EngineError) in try runner.changed(database)
    }
    switch mode {
    case .rehearsal: target = .rehearsal
    case .replacement(let keepsBackup):
      target = .inPlace(backupLabel: keepsBackup ? "schema-\(version)" : nil)
    case .edit:
      target = .inPlace(backupLabel: nil)
      content = .edited { transaction throws(EngineError) in try runner.run(on: transaction) }
    }
    let report = try run(
      WholeFileJob(
        source: path, key: key, newKey: key, target: target, history: .keep,
        lockTimeoutMilliseconds: lockTimeoutMilliseconds, salvages: arguments.has(.salvage),
        content: content))
    return (report.sizeAfter, report.backup)
  }

  /// What policies asked to be told.
  private func write(_ reports: [(file: String, lines: [String])]) throws {
    for (file, lines) in reports {
      var text = ByteBuffer()
      for line in lines { text.append(text: line + "\n") }
      try NewTextFile.write(text.bytes, to: FilePath(file), mayReplace: true)
    }
  }
}
