// `migrate`: schema and data changes from files. Layer: RealmCommands, Commands.

import Arguments
import ByteText
import Migrations
import RealmEngine
import TextFormats

extension Command {
  /// `migrate new|lint|status|plan|apply|verify|restore|schema`
  static let migrate = Command(
    "migrate", group: CommandGroup.migrations, summary: "change schema and data by migration files",
    subcommands: [
      .migrateNew, .migrateLint, .migrateStatus, .migratePlan, .migrateApply, .migrateVerify, .migrateRestore,
      .migrateSchema,
    ])

  private static let keepGoing = Option("keep-going", "go on with the next file after one that fails")
  private static let noBackup = Option("no-backup", "keep no copy of the file as it was")
  private static let inPlace = Option(
    "in-place", "keep the file's layout and free space instead of packing it; there is no backup then")
  private static let runOptions: [Option] = [
    .migrationFolder, .targetVersion, .fixedTime, .fixedSeed, .lockTimeout, .salvage,
  ]

  /// `migrate plan FILE…`
  private static let migratePlan = Command(
    CommandSpec(
      "plan", summary: "show what apply would do, by doing it on a private copy", operands: [.realms],
      options: runOptions + [keepGoing],
      details: [
        "Tells for each operation how many objects it changes, makes and deletes. The file stays as it is."
      ],
      examples: [Example("realm-cli migrate plan app.realm", "a rehearsal of migrations/")])
  ) { invocation in try invocation.migrateFiles(.rehearsal) }

  /// `migrate apply FILE…`
  private static let migrateApply = Command(
    CommandSpec(
      "apply", summary: "bring a file to the newest schema version", operands: [.realms],
      options: [.dryRun, inPlace, noBackup] + runOptions + [keepGoing, .force],
      details: [
        """
        The whole chain runs on a private copy; when all that must hold afterwards holds and the copy reads back \
        as it was written, it takes the place of the file, which is kept as NAME.schema-N.backup.realm. A run that \
        fails or is killed leaves the file as it was, byte for byte. Files of older formats are upgraded on the way.
        """,
        """
        A file that is newer than the last step is refused. What a policy deletes goes to the report that it names: \
        with several FILEs to one beside each, NAME.REPORT. A report that exists is replaced with --force only.
        """,
      ],
      examples: [
        Example("realm-cli migrate apply app.realm", "every step that the file still needs"),
        Example("realm-cli migrate apply --keep-going corpus/*.realm", "many files, one line each"),
      ])
  ) { invocation in
    if invocation.isDryRun { return try invocation.migrateFiles(.rehearsal) }
    if invocation.arguments.has(inPlace) { return try invocation.migrateFiles(.edit) }
    return try invocation.migrateFiles(.replacement(keepsBackup: !invocation.arguments.has(noBackup)))
  }

  /// `migrate status FILE`
  private static let migrateStatus = Command(
    CommandSpec(
      "status", summary: "the schema version of a file, and which steps it needs", operands: [.file],
      options: [.migrationFolder, .exitCode],
      examples: [
        Example("realm-cli migrate status --exit-code app.realm", "exit with 9 where steps are pending")
      ])
  ) { invocation in try invocation.migrationStatus() }

  private static let backup = Operand("BACKUP", .file, .atMostOnce)

  /// `migrate restore FILE [BACKUP]`
  private static let migrateRestore = Command(
    CommandSpec(
      "restore", summary: "put a backup of a migration back", operands: [.file, backup],
      options: [.lockTimeout],
      details: [
        """
        Takes BACKUP, or the newest NAME.schema-*.backup.realm beside the file (beside the one that a link leads to); \
        the present file becomes a backup itself. There is no way to lower a schema otherwise: it would lose data.
        """
      ],
      examples: [
        Example("realm-cli migrate restore app.realm app.schema-3.backup.realm", "back to a certain version")
      ])
  ) { invocation in try invocation.restoreBackup(invocation.arguments.word(backup)) }
}

extension Invocation {
  /// Runs the chain on all files; the worst exit status wins.
  fileprivate func migrateFiles(_ mode: MigrationMode) throws -> ExitStatus {
    let folder = try migrationFolder()
    try requireSound(folder)
    let paths = try paths(.realms)
    let keepsGoing = arguments.occurrences.contains { $0.name == "keep-going" }
    var worst = ExitStatus.success
    for path in paths {
      do {
        try show(try migrate(path, folder, mode, isSingle: paths.count == 1), mode)
      } catch {
        guard keepsGoing, paths.count > 1 else { throw error }
        let diagnostic = Diagnostic(error, file: path)
        report(diagnostic)
        if diagnostic.exit.code > worst.code { worst = diagnostic.exit }
      }
    }
    return worst
  }

  private func show(_ outcome: MigrationOutcome, _ mode: MigrationMode) throws {
    if wantsJSON {
      var text = ByteBuffer()
      text.append(json: outcome.document)
      return writeAfterwards(text.text + "\n")
    }
    if case .rehearsal = mode {
      try StandardStreams.write(outcome.summary(isRehearsal: true) + "\n" + outcome.details)
    } else {
      note(outcome.summary(isRehearsal: false))
      if isVerbose { StandardStreams.writeError(outcome.details) }
    }
  }

  fileprivate func migrationStatus() throws -> ExitStatus {
    let folder = try migrationFolder()
    try requireSound(folder)
    let word = arguments.required(.file)
    let path = FilePath(word.bytes)
    let (version, fingerprint) = try look(path, try keyOfFile(path)) { database throws(EngineError) in
      let realm = database.transaction
      return (realm.schemaVersion ?? 0, try realm.schemaDescription().fingerprint())
    }
    let pending: [MigrationFile]
    do throws(EngineError) {
      // A file that is newer than all steps has drifted, and there is nothing to be done.
      let isNewer = folder.chain.newest.map { version > $0 } ?? false
      pending = isNewer ? [] : try folder.chain.pending(from: version, to: nil)
    } catch {
      throw Diagnostic(error, file: path)
    }
    let drift = try drift(fingerprint, version, folder, pending)
    if wantsJSON {
      var text = ByteBuffer()
      text.append(
        json: .mapping([
          DocumentEntry("file", .string(path.displayName)), DocumentEntry("version", .integer(version)),
          DocumentEntry("newest", .integer(folder.chain.newest ?? version)),
          DocumentEntry("fingerprint", .string(fingerprint)),
          DocumentEntry("pending", .sequence(pending.map { .string($0.source.name) })),
          DocumentEntry("drift", drift.map { .string($0) } ?? .null),
        ]))
      try StandardStreams.write(text.text + "\n")
    } else {
      var text = "\(path.displayName) has schema version \(version)\n"
      for step in pending { text += "  pending: \(step.source.name) (\(step.from) → \(step.to))\n" }
      if let drift { text += "  drift: \(drift)\n" }
      if pending.isEmpty, drift == nil { text += "  nothing to do\n" }
      try StandardStreams.write(text)
    }
    let hasNews = !pending.isEmpty || drift != nil
    return hasNews && arguments.has(.exitCode) ? .checkFailed : .success
  }

  /// Whether the schema is another than the one that the chain knows for this version.
  private func drift(
    _ found: String, _ version: Int64, _ folder: MigrationFolder, _ pending: [MigrationFile]
  ) throws -> String? {
    if let expected = pending.first?.expectedFingerprint, expected != found {
      return "the next step expects another schema (\(expected)); this is \(found)"
    }
    if let sums = try folder.sums(),
      let expected = SumFile.fingerprint(at: version, in: sums, of: folder.chain), expected != found
    {
      return
        "\(MigrationFolder.sumFileName) has another schema for version \(version) (\(expected)); this is \(found)"
    }
    if let newest = folder.chain.newest, version > newest {
      return "the file is newer than all steps, which end at \(newest)"
    }
    return nil
  }

  fileprivate func restoreBackup(_ wanted: Word?) throws -> ExitStatus {
    let path = FilePath(arguments.required(.file).bytes)
    // Backups stand beside the file itself, not beside links to it.
    let place = try path.resolved ?? path
    let named = try wanted.map { word throws(EngineError) in try MigrationBackup(FilePath(word.bytes)) }
    guard let backup = try named ?? MigrationBackup.newest(of: place) else {
      throw Diagnostic(
        .unavailable, code: "not-found", "there is no backup of a migration beside \(path.displayName)",
        file: path)
    }
    let key = try keyOfFile(path)
    let (version, size) = try look(backup.path, key) { ($0.transaction.schemaVersion ?? 0, $0.file.fileSize) }
    let (present, replaced) = try look(path, key) { ($0.transaction.schemaVersion ?? 0, $0.version) }
    note("\(backup.path.displayName): schema version \(version), made \(backup.date), \(size) bytes")
    if isDryRun { return .success }
    let report = try run(
      WholeFileJob(
        source: path, key: key, newKey: key, target: .inPlace(backupLabel: "schema-\(present)"),
        history: .keep,
        lockTimeoutMilliseconds: lockTimeoutMilliseconds,
        content: .other(backup.path), version: replaced))
    let kept = report.backup.map { "; the file before is \($0.displayName)" } ?? ""
    note("\(path.displayName) has schema version \(version) again\(kept)")
    return .success
  }
}

/// A backup that a migration left.
private struct MigrationBackup {
  let path: FilePath
  /// When it was made.
  let date: String
  private let nanoseconds: Int64

  /// Throws `.notFound` where there is no such file.
  init(_ path: FilePath) throws(EngineError) {
    guard let nanoseconds = path.changeNanoseconds else {
      throw EngineError(.notFound, "there is no backup \(path.displayName)")
    }
    self.path = path
    self.nanoseconds = nanoseconds
    var date = ByteBuffer()
    _ = Timestamp(seconds: nanoseconds / 1_000_000_000, nanoseconds: 0).write(to: &date)
    self.date = date.text
  }

  /// The one that was made last beside a file; nil where there is none.
  static func newest(of path: FilePath) throws(EngineError) -> MigrationBackup? {
    let prefix = path.stem + Array(".schema-".utf8)
    let marker = Array(".backup.realm".utf8)
    let names = try path.directory.entryNames.filter { entry in
      entry.starts(with: prefix) && entry.indices.contains { entry[$0...].starts(with: marker) }
    }
    var newest: MigrationBackup?
    for name in names where path.sibling(name).changeNanoseconds != nil {
      let backup = try MigrationBackup(path.sibling(name))
      if newest.map({ $0.nanoseconds < backup.nanoseconds }) ?? true { newest = backup }
    }
    return newest
  }
}
