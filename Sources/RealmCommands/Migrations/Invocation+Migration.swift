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

  var isRehearsal: Bool { if case .rehearsal = self { true } else { false } }
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
  /// Files with what was deleted for good.
  let reports: [FilePath]
  /// Why the steps, which a rehearsal has run all the same, would not be run in earnest.
  var refusal: Diagnostic?

  var isNothing: Bool { steps.isEmpty }
}

extension Invocation {
  /// Runs the steps that a file still needs when nobody else changes it any more. `isSingle`: it is the only file.
  /// `earlier`: the reports of the files before it.
  func migrate(
    _ path: FilePath, _ folder: MigrationFolder, _ mode: MigrationMode, isSingle: Bool, earlier: [FilePath]
  ) throws -> MigrationOutcome {
    try WholeFileJob.deciding { try migrateOnce(path, folder, mode, isSingle: isSingle, earlier: earlier) }
  }

  private func migrateOnce(
    _ path: FilePath, _ folder: MigrationFolder, _ mode: MigrationMode, isSingle: Bool, earlier: [FilePath]
  ) throws -> MigrationOutcome {
    let start = SystemClock.milliseconds
    let key = try keyOfFile(path)
    let (fileVersion, version, schema, size, format) = try look(path, key) { database throws(EngineError) in
      let realm = database.transaction
      return (
        database.version, realm.schemaVersion ?? 0, realm.schemaDescription(), database.file.fileSize,
        database.file.format
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
        milliseconds: 0, backup: nil, reports: [])
    }
    var refusal: Diagnostic?
    do {
      try refuseDrift(of: path, try schema.fingerprint(), version, folder, pending)
    } catch let found as Diagnostic where mode.isRehearsal {
      // Who writes a step changes it many times, and plans each time.
      refusal = found
    }
    try check(pending, folder, schema)
    let seeds = try expressionSeeds()
    let reports = DeletionReports(
      of: path, isSingle: isSingle, earlier: earlier, mayReplace: mayReplaceOutput,
      isRehearsal: mode.isRehearsal)
    let runner = MigrationRunner(pending, now: seeds.now, seed: seeds.seed, keeper: reports)
    do {
      let job = migration(runner, reports, path, key, fileVersion, version, mode, format: format)
      let written = try run(job)
      return MigrationOutcome(
        path: path, from: version, to: last.to, format: format, steps: runner.results, sizeBefore: size,
        sizeAfter: written.sizeAfter, milliseconds: SystemClock.milliseconds - start, backup: written.backup,
        reports: reports.committed, refusal: refusal)
    } catch {
      // What stopped the last run may be half of what another program wrote.
      let isOutdated = (error as? EngineError)?.kind == .outdated
      if let failure = runner.failure, !isOutdated, (error as? Diagnostic)?.exit != .busy {
        throw Diagnostic(failure)
      }
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

  /// The job that does it, on the version of the file that it was decided on; a rehearsal, which keeps nobody out, on any
  /// with the same schema version.
  private func migration(
    _ runner: MigrationRunner, _ reports: DeletionReports, _ path: FilePath, _ key: EncryptionKey?,
    _ fileVersion: SnapshotIdentity, _ version: Int64, _ mode: MigrationMode, format: Int
  ) -> WholeFileJob {
    var content = WholeFileJob.Content.changed { database throws(EngineError) in
      guard database.transaction.schemaVersion ?? 0 == version else { throw WholeFileJob.outdated(path) }
      return try runner.changed(database)
    }
    let target: WholeFileJob.Target
    switch mode {
    case .rehearsal: target = .rehearsal
    case .replacement(let keepsBackup):
      target = .inPlace(backupLabel: keepsBackup ? "schema-\(version)" : nil)
    case .edit:
      target = .inPlace(backupLabel: nil)
      // Of a format that keeps rows in another way nothing can stay where it lies.
      guard format >= WritableDatabase.upgradableFormatMin else { break }
      content = .edited { transaction throws(EngineError) in try runner.run(on: transaction) }
    }
    return WholeFileJob(
      source: path, key: key, newKey: key, target: target, history: .keep,
      lockTimeoutMilliseconds: lockTimeoutMilliseconds, salvages: arguments.has(.salvage), content: content,
      version: mode.isRehearsal ? nil : fileVersion,
      beforeReplacing: { () throws(EngineError) in try reports.commit() }, undoingThat: reports.withdraw)
  }
}
