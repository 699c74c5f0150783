// `migrate baseline`: a file that was never migrated, but has the schema that some steps lead to.
// Layer: RealmCommands, Commands.

import Arguments
import Migrations
import RealmEngine
import RealmSession
import TextFormats

extension Command {
  private static let version = Option(
    "to", takes: .count, "N", "the schema version to set (default: the newest)")

  /// `migrate baseline FILE…`
  static let migrateBaseline = Command(
    .files([.integer("from"), .integer("to")]),
    CommandSpec(
      "baseline", summary: "mark the steps up to a version as applied, without running them",
      operands: [.realms],
      options: [.migrationFolder, version, .acceptDrift, .dryRun, .failFast] + Option.changing,
      details: [
        """
        For files that got their schema in another way: only their schema version is set. If migrations.sum knows the \
        schema of that version, the file must have it, unless --accept-drift is given.
        """
      ],
      examples: [
        Example("realm-cli migrate baseline app.realm", "mark all steps as applied"),
        Example("realm-cli migrate baseline --to 3 app.realm", "mark the steps up to version 3 as applied"),
      ])
  ) { invocation in
    let folder = try invocation.migrationFolder()
    try invocation.requireSound(folder)
    let wanted = invocation.arguments.integer(version)
    guard let goal = wanted ?? folder.chain.newest else { throw Diagnostic.usage("--to N is missing") }
    guard folder.chain.steps.contains(where: { $0.to == goal || $0.from == goal }) else {
      throw Diagnostic(
        .refused, code: "migration", "no step ends or begins at version \(goal)",
        hint: folder.chain.newest.map { "the newest is \($0)" })
    }
    return try invocation.forEachFile(changing: true) { word in
      try WholeFileJob.deciding { try invocation.baseline(word, goal, folder) }
    }
  }
}

extension Invocation {
  fileprivate func baseline(_ word: Word, _ goal: Int64, _ folder: MigrationFolder) throws -> FileResult {
    let path = FilePath(word.bytes)
    let (version, fingerprint) = try look(path, try keyOfFile(path)) { database throws(EngineError) in
      (database.transaction.schemaVersion ?? 0, try database.transaction.schemaDescription().fingerprint())
    }
    let entries = [DocumentEntry.number("from", version), .number("to", goal)]
    guard version != goal else {
      return FileResult(
        skipped: "\(path.displayName): already at schema version \(goal), nothing to do", entries)
    }
    guard version < goal else {
      throw Diagnostic(
        .refused, code: "migration", of: path, "has schema version \(version), which is above \(goal)",
        hint: "a schema version cannot be lowered")
    }
    if !arguments.has(.acceptDrift), let sums = try folder.sums(),
      let expected = SumFile.fingerprint(at: goal, in: sums, of: folder.chain), expected != fingerprint
    {
      throw Diagnostic(
        .refused, code: "drift", of: path,
        "has another schema than version \(goal) in \(MigrationFolder.sumFileName) (\(expected)); it is \(fingerprint)",
        hint: "--accept-drift continues anyway")
    }
    if isDryRun {
      return FileResult(
        wouldDo: "\(path.displayName): would be marked as schema version \(goal); it is \(version)", entries)
    }
    let session = try statementSession(on: word, isWritable: true)
    var isOutdated = false
    do {
      try session.change { transaction in
        let realm = try transaction.view()
        isOutdated =
          try realm.schemaVersion ?? 0 != version || realm.schemaDescription().fingerprint() != fingerprint
        if isOutdated { throw WholeFileJob.outdated(path) }
        try transaction.setSchemaVersion(goal)
      }
    } catch {
      // The session names the file in it, and what is to be decided anew is told by its kind.
      throw isOutdated ? WholeFileJob.outdated(path) : error
    }
    return FileResult(
      done: "\(path.displayName): marked as schema version \(goal); it was \(version)", entries)
  }
}
