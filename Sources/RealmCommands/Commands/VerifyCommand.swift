// `export --format sqlite` and `verify`: a realm as a file of SQLite that is proven to hold the same.
// Layer: RealmCommands, Commands.

import Arguments
import ByteText
import RealmEngine
import RealmSQL
import Rendering
import TextFormats

extension Arguments.Operand {
  fileprivate static let sqliteFile = Operand("SQLITE", .file)
}

extension Command {
  /// `verify FILE SQLITE`
  static let verify = Command(
    .file([
      .text("sqlite"), .integer("classes"), .integer("objects"), .texts("differences"),
      JSONField("tables", .list(.object(.text("table"), .integer("rows"), .text("hash")))),
    ]),
    CommandSpec(
      "verify", group: CommandGroup.checking,
      summary: "compare a realm with a file of SQLite exported from it", brief: "compare with SQLite's file",
      operands: [.file, .sqliteFile],
      options: [.library, .exportedDates, .snapshot] + Option.part + Option.parameters,
      details: [
        """
        Every table that 'export --format sqlite' would write is read from SQLITE: the number of rows and a hash over all \
        values must be those of the realm, and PRAGMA integrity_check and foreign_key_check must find nothing. \
        Other tables do not count. A file that was exported for a library needs the same --for and --dates, and a part of a \
        realm the same --only, --where and the like; with --for, columns, keys, indexes and user_version must be as exported, too. \
        The exit status is 9 where something differs.
        """
      ],
      examples: [
        Example("realm-cli verify app.realm app.sqlite", "whether the file still holds what the realm holds"),
        Example("realm-cli verify --json app.realm app.sqlite", "with the rows and the hash of each table"),
      ])
  ) { invocation in
    let word = invocation.arguments.required(.sqliteFile)
    let path = FilePath(word.bytes)
    try invocation.checkDatabase(word)
    guard !invocation.masksAtRandom else {
      throw Diagnostic.usage(
        "masks with a random key are different each time, so that nothing would be the same",
        hint: "export with --mask-key-file, and name the same key here")
    }
    let form = try invocation.sqlForm()
    let part = try invocation.partRealm()
    var nothing = OutputBuffer()
    var additions: [String] = []
    let proof = try invocation.withSnapshot(of: invocation.arguments.required(.file), to: &nothing) {
      database, _ in
      let export = try RealmExport(part(database), form)
      let summaries = try export.forEachBatch { _, _ in }
      let file = SQLiteFile(path, name: path.displayName)
      let differences: [String]
      do {
        differences = try file.differences(from: summaries, of: export)
        additions = try file.additions(to: export)
      } catch let error as EngineError where error.kind == .badDocument && !path.holdsSQLite {
        throw error.advising(
          FileProbe.findsRealm(path)
            ? "two realms are compared by diff: realm-cli diff \(FilePath(invocation.arguments.required(.file).bytes).shellText) \(path.shellText)"
            : "name the file that 'export --format sqlite' has written"
        )
      }
      return SQLiteProof(summaries: summaries, differences: differences)
    }
    if !additions.isEmpty {
      invocation.note("note: not compared, as the realm has no such: \(additions.joined(separator: ", "))")
    }
    let lines = proof.differences.isEmpty ? [proof.text] : proof.differences
    let status = try invocation.write(
      FileResult(
        shown: lines.joined(separator: "\n") + "\n", proof.entries(path),
        exit: proof.differences.isEmpty ? .success : .checkFailed),
      of: FilePath(invocation.arguments.required(.file).bytes))
    if !proof.differences.isEmpty, form.library == nil, let source = try? SQLiteSource(path),
      !source.isExported
    {
      invocation.note("hint: a file that was exported with --for needs the same --for here")
    }
    return status
  }
}

/// What comparing a realm with a file of SQLite gave.
struct SQLiteProof {
  let summaries: [RealmExport.Summary]
  /// A sentence each.
  let differences: [String]

  init(summaries: [RealmExport.Summary], differences: [String]) {
    (self.summaries, self.differences) = (summaries, differences)
  }

  /// Writes the file and reads it back; throws where it does not hold the same.
  init(writing export: RealmExport, to path: FilePath, name: String) throws {
    let file = SQLiteFile(path, name: name)
    let summaries = try file.write(export)
    self.init(summaries: summaries, differences: try file.differences(from: summaries, of: export))
    guard differences.isEmpty else {
      throw Diagnostic(
        .checkFailed, code: "differs",
        "what was written is not what the realm holds: \(differences.joined(separator: "; "))",
        hint: "no file was made; 'check' tells whether the realm is damaged")
    }
  }

  /// `verified: 3 classes, 360 objects, 0 differences`
  var text: String {
    let classes = counted(summaries.classCount, "class", "classes")
    let objects = counted(summaries.objectCount, "object")
    return "verified: \(classes), \(objects), \(counted(differences.count, "difference"))"
  }

  func entries(_ path: FilePath) -> [DocumentEntry] {
    [
      .file(path, "sqlite"), .number("classes", summaries.classCount),
      .number("objects", summaries.objectCount), .list("differences", differences.map(DocumentNode.string)),
      .list(
        "tables",
        summaries.map { summary in
          .mapping([
            .text("table", summary.name), .number("rows", summary.digest.rowCount),
            .text("hash", summary.digest.text),
          ])
        }),
    ]
  }
}

extension Invocation {
  /// All classes as one file of SQLite.
  func exportSQLite() throws -> ExitStatus {
    var output: SQLiteOutput?
    defer { output?.discard() }
    let name = arguments.word(.output).map { FilePath($0.bytes) } ?? FilePath("standard output")
    var nothing = OutputBuffer()
    var isEncrypted = false
    let form = try sqlForm()
    let part = try partRealm()
    var losses: [String] = []
    let proof = try withSnapshot(of: arguments.required(.file), to: &nothing) { database, _ in
      // The file may have changed in an attempt before this one.
      output?.discard()
      isEncrypted = database.file.image.isEncrypted
      let export = try RealmExport(part(database), form)
      if form.library != nil {
        let found = try export.losses()
        // An attempt before this one may have said the same.
        if found != losses { warn(ofLosses: found) }
        losses = found
      }
      let made = try SQLiteOutput(self, isSecret: isEncrypted)
      output = made
      return try SQLiteProof(writing: export, to: made.path, name: name.displayName)
    }
    warn(of: try output?.keep() ?? [])
    if isEncrypted { warn("\(name.displayName) is not encrypted") }
    if masksAtRandom {
      note(
        "note: 'verify' cannot compare it later: the key of the masks is random; --mask-key-file names one")
    }
    if arguments.word(.output).map(\.isDash) ?? true {
      note(proof.text)
      return .success
    }
    guard wantsJSON else {
      note(proof.text)
      return .success
    }
    var text = ByteBuffer()
    text.append(
      json: FileResult(done: nil, proof.entries(name) + lossEntries(form, losses))
        .document(of: FilePath(arguments.required(.file).bytes), isDryRun: false))
    try StandardStreams.write(text.text + "\n")
    return .success
  }

  /// Says what the library's file will not hold, the first of many.
  private func warn(ofLosses losses: [String]) {
    let shown = isVerbose ? losses[...] : losses.prefix(Self.lossesShownMax)
    for loss in shown { warn(loss) }
    if losses.count > shown.count {
      warn("\(losses.count - shown.count) more of these; --verbose shows them")
    }
  }

  private static let lossesShownMax = 10

  private func lossEntries(_ form: SQLForm, _ losses: [String]) -> [DocumentEntry] {
    guard let library = form.library else { return [] }
    return [
      DocumentEntry.text("for", library.rawValue), .list("losses", losses.map(DocumentNode.string)),
    ]
  }

  /// All classes as one script.
  func exportScript() throws -> ExitStatus {
    let part = try partRealm()
    try withOutput { out in
      try withSnapshot(of: arguments.required(.file), to: &out) { database, out in
        var script = SQLScript(try RealmExport(part(database)))
        try script.write(to: &out)
        let losses = script.losses
        warn(ofRepairs: losses.texts, inSQL: true)
        warn(ofNullLinks: losses.links)
        if losses.dates > 0 {
          warn("\(counted(losses.dates, "date")) beyond what PostgreSQL has: it reads null")
        }
        if losses.fractions > 0 {
          let dates = counted(losses.fractions, "date")
          warn("\(dates) with more digits than PostgreSQL keeps: it rounds")
        }
      }
    }
    return .success
  }
}
