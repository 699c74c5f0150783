// `migrate`: schema and data changes from files. Layer: RealmCommands, Commands.

import Arguments
import ByteText
import Migrations
import RealmEngine
import Synchronization
import TextFormats

extension Command {
  /// `migrate new|baseline|lint|status|plan|apply|verify|restore|schema`
  static let migrate = Command(
    "migrate", group: CommandGroup.migrations, summary: "migrate schema and data with migration files",
    brief: "schema and data",
    subcommands: [
      .migrateNew, .migrateBaseline, .migrateLint, .migrateStatus, .migratePlan, .migrateApply,
      .migrateVerify, .migrateRestore, .migrateSchema,
    ])

  private static let noBackup = Option("no-backup", "do not keep a backup of the file")
  private static let inPlace = Option(
    "in-place", "keep the file's layout instead of compacting it; makes no backup")
  private static let runOptions: [Option] = [
    .migrationFolder, .targetVersion, .fixedTime, .fixedSeed, .lockTimeout, .salvage,
  ]

  /// `migrate plan FILE…`
  static let migratePlan = Command(
    .files(MigrationOutcome.fields),
    CommandSpec(
      "plan", summary: "show what apply would do, using a private copy", operands: [.listedRealms],
      options: [.acceptDrift] + runOptions + [.failFast] + Option.fileLists,
      details: [
        """
        Shows for each operation how many objects it updates, inserts and deletes. The file is not changed. The exit status is \
        that of 'apply', which may also refuse to run the steps.
        """
      ],
      examples: [
        Example("realm-cli migrate plan app.realm", "try migrations/ without changing the file"),
        Example("realm-cli migrate plan app.realm --to 4", "only up to version 4"),
      ])
  ) { invocation in try invocation.migrateFiles(.rehearsal) }

  /// `migrate apply FILE…`
  static let migrateApply = Command(
    .files(MigrationOutcome.fields),
    CommandSpec(
      "apply", summary: "migrate files to the newest schema version", operands: [.listedRealms],
      options: [.dryRun, inPlace, noBackup, .acceptDrift] + runOptions + [.failFast, .force, .resume]
        + Option.fileLists,
      details: [
        """
        All steps run on a private copy. When every assertion holds and the copy reads back as it was written, it \
        replaces the file, which is kept as NAME.schema-N.backup.realm. Where several files are named, such \
        backups among them are passed over. A run that fails or is killed leaves the file unchanged, byte for byte. \
        Files of older formats are upgraded.
        """,
        """
        A file that is newer than the last step is refused. So is a file that 'status' calls drifted, and a step that \
        was changed after migrations.sum was written, unless --accept-drift is given. Objects deleted by a policy are \
        written to the report that it names; with several FILEs, to one report beside each, NAME.REPORT. An existing \
        report is replaced only with --force.
        """,
        """
        Several files are migrated at once (--jobs). They may come from lists (@LIST, or - for standard input) and directories \
        (--recursive), and with --resume LOG a run that was stopped goes on with those that are left.
        """,
      ],
      examples: [
        Example("realm-cli migrate apply app.realm", "run all pending steps"),
        Example(
          "realm-cli migrate apply corpus/*.realm", "many files; one that fails does not stop the others"),
      ])
  ) { invocation in
    if invocation.isDryRun { return try invocation.migrateFiles(.rehearsal) }
    if invocation.arguments.has(inPlace) { return try invocation.migrateFiles(.edit) }
    return try invocation.migrateFiles(.replacement(keepsBackup: !invocation.arguments.has(noBackup)))
  }

  /// `migrate status FILE`
  private static let migrateStatus = Command(
    .files(MigrationStatus.fields),
    CommandSpec(
      "status", summary: "show the schema versions of files and their pending steps",
      operands: [.listedRealms], options: [.migrationFolder, .exitCode, .failFast] + Option.fileLists,
      details: ["Files may come from lists (@LIST, or - for standard input) and directories (--recursive)."],
      examples: [
        Example("realm-cli migrate status app.realm", "list the pending steps"),
        Example("realm-cli migrate status --exit-code app.realm", "exit with 9 if steps are pending"),
      ])
  ) { invocation in try invocation.migrationStatus() }

  private static let backup = Operand("BACKUP", .file, .atMostOnce)

  /// `migrate restore FILE [BACKUP]`
  private static let migrateRestore = Command(
    .file([.text("restored"), .integer("from"), .integer("to"), .integer("size"), .backup]),
    CommandSpec(
      "restore", summary: "restore the backup made by a migration", operands: [.file, backup],
      options: [.dryRun, .lockTimeout],
      details: [
        """
        Restores BACKUP, or the newest NAME.schema-*.backup.realm beside the file (or beside the target, if it is a \
        link) whose schema version is lower, so that each restore goes further back. The present file becomes a \
        backup itself, and 'migrate apply' migrates the restored one again. No migration lowers a schema \
        version: data would be lost.
        """
      ],
      examples: [
        Example("realm-cli migrate restore app.realm", "restore the newest backup"),
        Example(
          "realm-cli migrate restore app.realm app.schema-3.backup.realm", "restore a particular version"),
      ])
  ) { invocation in try invocation.restoreBackup(invocation.arguments.word(backup)) }
}

extension Invocation {
  /// Runs the chain on all files.
  fileprivate func migrateFiles(_ mode: MigrationMode) throws -> ExitStatus {
    let folder = try migrationFolder()
    try requireSound(folder)
    let steps = steps(of: folder)
    let reports = Mutex<[FilePath]>([])
    let paths = try listedFiles(changing: true)
    let isSingle = paths.count == 1
    // Realms of one name in several directories may have one report, which the first of them gets.
    let isOrdered =
      Set(paths.map(\.stem)).count < paths.count
      && folder.sources.contains { String(decoding: $0.bytes, as: UTF8.self).holds("report") }
    let log = try arguments.word(.resume).map { word in
      try ResumeLog(FilePath(word.bytes), deed: Array("migrate apply".utf8), rowsTo: nil)
    }
    return try forEachListedFile(
      paths, jobs: isOrdered ? 1 : jobCount, changing: true, rehearsing: mode.isRehearsal, log: log
    ) { own, path in
      let outcome = try own.migrate(
        path, try steps(own), mode, isSingle: isSingle, earlier: reports.withLock { $0 })
      reports.withLock { $0 += outcome.reports }
      let sentence = outcome.summary(isRehearsal: mode.isRehearsal)
      if mode.isRehearsal {
        let text = sentence + "\n" + outcome.details
        return outcome.refusal.map { FileResult($0, shown: text, outcome.entries) }
          ?? FileResult(shown: text, outcome.entries)
      }
      if own.isVerbose, !own.wantsJSON { StandardStreams.writeError(outcome.details) }
      return outcome.isNothing
        ? FileResult(skipped: sentence, outcome.entries)
        : FileResult(done: sentence, outcome.entries)
    }
  }

  fileprivate func migrationStatus() throws -> ExitStatus {
    let folder = try migrationFolder()
    try requireSound(folder)
    let steps = steps(of: folder)
    return try forEachListedFile(try listedFiles(changing: false), jobs: jobCount) { own, path in
      let folder = try steps(own)
      let status = try own.migrationStatus(of: path, folder)
      return FileResult(
        shown: status.text, status.entries(newest: folder.chain.newest),
        exit: status.hasNews && own.arguments.has(.exitCode) ? .checkFailed : .success)
    }
  }

  /// What gives each thread the steps in `folder`: standard input gives its step once, the others it reads for itself.
  private func steps(of folder: MigrationFolder) -> @Sendable (Invocation) throws -> MigrationFolder {
    let isPiped = arguments.word(.migrationFolder as Option)?.isDash ?? false
    let piped = isPiped ? folder.sources.first : nil
    return { own in try piped.map { try MigrationFolder($0) } ?? own.migrationFolder() }
  }

  fileprivate func restoreBackup(_ wanted: Word?) throws -> ExitStatus {
    let path = FilePath(arguments.required(.file).bytes)
    // Backups stand beside the file itself, not beside links to it.
    let place = try path.resolved ?? path
    let named = try wanted.map { word throws(EngineError) in try MigrationBackup(FilePath(word.bytes)) }
    let key = try keyOfFile(path)
    let (present, replaced) = try look(path, key) { ($0.transaction.schemaVersion ?? 0, $0.version) }
    // A name may say another version than the file has.
    func isLower(_ backup: MigrationBackup) throws -> Bool {
      try lookAtBackup(backup.path, key).version < present
    }
    guard let backup = try named ?? MigrationBackup.all(of: place, below: present).first(where: isLower)
    else {
      let lack = EngineError(
        .notFound, "there is no backup of a schema version below \(present) beside \(path.displayName)",
        naming: path.displayName, hint: "'migrate apply' migrates it again")
      throw Diagnostic(lack, file: path)
    }
    let (version, size) = try lookAtBackup(backup.path, key)
    let found = "\(backup.path.displayName): schema version \(version), made \(backup.date), \(size) bytes"
    func entries(_ kept: FilePath?) -> [DocumentEntry] {
      [
        .file(backup.path, "restored"), .number("from", present), .number("to", version),
        .number("size", size), .backup(kept),
      ]
    }
    if isDryRun { return try write(FileResult(wouldDo: found, entries(nil)), of: path) }
    note(found)
    let report = try run(
      WholeFileJob(
        source: path, key: key, newKey: key, target: .inPlace(backupLabel: "schema-\(present)"),
        history: .keep,
        lockTimeoutMilliseconds: lockTimeoutMilliseconds,
        content: .other(backup.path), version: replaced))
    let kept = report.backup.map { "; the previous file is \($0.displayName)" } ?? ""
    return try write(
      FileResult(
        done: "\(path.displayName): restored to schema version \(version)\(kept)", entries(report.backup)),
      of: path, changing: true)
  }
}

extension Invocation {
  /// The schema version and the size of a backup, which has to have the key of the file.
  private func lookAtBackup(
    _ path: FilePath, _ key: EncryptionKey?
  ) throws -> (version: Int64, size: Int) {
    do {
      return try look(path, key) { ($0.transaction.schemaVersion ?? 0, $0.file.fileSize) }
    } catch {
      var diagnostic = Diagnostic(error, file: path)
      guard diagnostic.exit == .key else { throw diagnostic }
      diagnostic.hint =
        "the file's key has changed since; give the backup the same first, with 'encrypt', 'rekey' or 'decrypt'"
      throw diagnostic
    }
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

  /// Those whose names say a schema version below `version`, the highest first, of one version the one that was made last:
  /// going back again goes further.
  static func all(of path: FilePath, below version: Int64) throws(EngineError) -> [MigrationBackup] {
    let prefix = path.stem + Array(".schema-".utf8)
    let marker = Array(".backup.realm".utf8)
    var found: [(version: Int64, backup: MigrationBackup)] = []
    for entry in try path.directory.entryNames where entry.starts(with: prefix) {
      let rest = entry.dropFirst(prefix.count)
      let number = rest.prefix { $0 != UInt8(ascii: ".") }
      guard rest.dropFirst(number.count).starts(with: marker),
        let named = Int64(String(decoding: number, as: UTF8.self)), named < version,
        path.sibling(entry).changeNanoseconds != nil
      else { continue }
      found.append((named, try MigrationBackup(path.sibling(entry))))
    }
    return found.sorted { ($0.version, $0.backup.nanoseconds) > ($1.version, $1.backup.nanoseconds) }.map {
      $0.backup
    }
  }
}
