// What `serve` asks of the program: realms opened as its command line says, and what commands do with them.
// Layer: RealmCommands, Commands.

import Arguments
import ByteText
import RealmEngine
import RealmQueryLanguage
import RealmSQL
import RealmServer
import RealmSession
import Rendering
import TextFormats

/// The files of a command line, as the server asks for them.
struct ServedFiles: ServerHost {
  let invocation: Invocation
  let words: [Word]

  func source(_ index: Int) throws -> SnapshotSource { try invocation.snapshotSource(of: words[index]) }

  func session(_ index: Int) throws -> StatementSession {
    let session = try invocation.statementSession(on: words[index], isWritable: true)
    session.realm.keepHistory()
    return session
  }

  func information(_ index: Int, measured: Bool) -> DocumentNode {
    let report = invocation.report(on: words[index], measured: measured)
    var entries: [DocumentEntry] = [.file(FilePath(words[index].bytes))]
    var modified = ByteBuffer()
    if FilePath(words[index].bytes).modified?.write(to: &modified) ?? false {
      entries.append(.object("modified", [.text("$date", modified.text)]))
    }
    entries += report.entries
    if let failure = report.failure { entries.append(DocumentEntry("error", failure.document)) }
    return .mapping(entries)
  }

  func write(
    resultOf statement: String, _ index: Int, as render: RenderSpec, to out: inout OutputBuffer
  ) throws {
    let source = Array(statement.utf8)
    let parsed = try QueryText.parse(source) { source throws(QueryError) in try Statement(parsing: source) }
    if case .shell = parsed.kind { throw Diagnostic.usage("commands with a dot belong to the prompt") }
    let script = Script([source])
    guard script.steps.count == 1 else { throw Diagnostic.usage("write one statement at a time") }
    guard !script.hasTransactions else {
      throw Diagnostic.usage("transactions belong to the prompt; here every edit is one")
    }
    guard !StatementSession.changes(parsed) else {
      throw Diagnostic.usage("this statement changes the realm", hint: "the shell runs it: realm-cli -w FILE")
    }
    if render.table != nil, case .explain = parsed.kind {
      throw Diagnostic.usage("a plan has no rows that a file of SQLite could hold")
    }
    let session = try invocation.statementSession(on: words[index], isWritable: false)
    try StatementRunner(session: session, invocation: invocation, render: render).run(
      parsed, of: source, to: &out)
    try out.flush()
  }

  func result(of statement: String, _ index: Int) throws -> StatementResult {
    // Rows are a line each: what is too much is cut behind one of them.
    var text: [UInt8] = []
    var isCut = false
    let warnings = MessageLog()
    var out = OutputBuffer { bytes throws(EngineError) in
      text += bytes.bytes
      isCut = text.count > Self.resultSizeMax
      if isCut { throw EngineError(.outputFailed, "the result is too large") }
    }
    do {
      var render = RenderSpec(.json, isTyped: true)
      render.hasRowArrays = true
      try ServedFiles(invocation: invocation.telling(warnings), words: words).write(
        resultOf: statement, index, as: render, to: &out)
    } catch {
      guard isCut, let end = text.lastIndex(of: UInt8(ascii: "\n")) else { throw error }
      text.removeLast(text.count - end)
      if text.last == UInt8(ascii: ",") { text.removeLast() }
      text += Array("\n]}".utf8)
    }
    return StatementResult(text: text, isCut: isCut, warnings: warnings.all.filter(\.isWarning).map(\.text))
  }

  private static let resultSizeMax = 1 << 22

  func completion(
    of typed: String, inConditionOn className: String?, _ schema: SchemaDescription
  ) -> DocumentNode {
    let before = className.map { "\(spelledName($0, as: .className)) where " } ?? ""
    // Dot commands belong to the prompt, and are completed with names of files.
    let isDot = before.isEmpty && typed.first { !$0.isWhitespace }.map { ".\\".contains($0) } ?? false
    let completion =
      isDot ? LineCompletion() : Completer(schema).complete(Array(typed.utf8), after: Array(before.utf8))
    return .mapping([
      .number("replaced", completion.replacedCount),
      .text("insertion", String(decoding: completion.insertion, as: UTF8.self)),
      .list("choices", completion.choices.map { .string($0) }),
    ])
  }

  func check(_ index: Int) throws -> DocumentNode {
    .mapping(InspectionReportWriter.entries(try invocation.inspection(of: words[index])))
  }

  func compact(_ index: Int) throws -> DocumentNode {
    defer { EndSignals.release() }
    let path = FilePath(words[index].bytes)
    return try invocation.compact(path, Self.count).document(of: path, isDryRun: false)
  }

  func make(_ form: MadeFile, _ index: Int, _ send: ([UInt8]) throws(EngineError) -> Void) throws {
    // Without a name and with signals let through before anything is sent: that takes as long as the client likes.
    try (form == .realm ? copy(index) : sqlite(index)).forEachPiece(send)
  }

  private func copy(_ index: Int) throws -> FileHandle {
    let path = FilePath(words[index].bytes)
    let key = try invocation.keyOfFile(path)
    let temporary = FilePath.temporaryDirectory.child(
      Array("realm-cli-\(UInt64.random(in: .min ... .max)).realm".utf8))
    let job = WholeFileJob(
      source: path, key: key, newKey: key, target: .newFile(temporary, replacing: false), history: .forCopy)
    let name = TemporaryName(temporary)
    defer {
      withExtendedLifetime(name) { temporary.remove() }
      EndSignals.release()
    }
    _ = try invocation.run(job, Self.count)
    return try FileHandle.openForReading(temporary)
  }

  private func sqlite(_ index: Int) throws -> FileHandle {
    var made: SafeReplacement?
    defer { made?.discard() }
    var nothing = OutputBuffer()
    return try invocation.withSnapshot(of: words[index], to: &nothing) { database, _ in
      // The file may have changed in an attempt before this one.
      made?.discard()
      let replacement = try SafeReplacement(target: .temporarySQLite, like: nil)
      made = replacement
      _ = try SQLiteProof(
        writing: RealmExport(database.transaction), to: try replacement.sqlitePath, name: "the file of SQLite"
      )
      return replacement.handle
    }
  }

  func make(
    table name: String, _ write: (RenderSpec, inout OutputBuffer) throws -> Void,
    _ send: ([UInt8]) throws(EngineError) -> Void
  ) throws {
    let replacement = try SafeReplacement(target: .temporarySQLite, like: nil)
    defer { replacement.discard() }
    let file = try ResultFile(try replacement.sqlitePath, table: name)
    var out = OutputBuffer { bytes throws(EngineError) in try file.run(bytes) }
    try write(file.render, &out)
    try file.finish()
    replacement.discard()
    try replacement.handle.forEachPiece(send)
  }

  /// How far a job is, over its two stages.
  private static func count(_ stage: WholeFileJob.Stage, _ done: Int, _ total: Int) throws(EngineError) {
    ProgressCounter.expect(2 * total)
    ProgressCounter.advance(stage == .writing ? done : stage == .syncing ? total : total + done)
    try Interruption.check()
  }

  func problem(_ error: any Error, _ index: Int?) -> (document: DocumentNode, exit: Int32) {
    var problem = Diagnostic(error, file: index.map { FilePath(words[$0].bytes) })
    // The page waits for nobody.
    if problem.exit == .busy { problem.hint = "close the apps that have it open, or try again" }
    // The page has no values to give.
    if problem.parameter != nil { problem.hint = nil }
    // How much of the line is wrong, for carets.
    let length = problem.excerpt.map { [DocumentEntry.number("length", $0.characterCount)] } ?? []
    let entries = (problem.document.entries ?? []) + length
    return (.mapping([.object("error", entries)]), problem.exit.code)
  }

  func note(_ text: String) {}
  func warn(_ text: String) { invocation.warn(text) }
  /// The page has asked already.
  func confirm(_ deed: String) throws -> Bool { true }
  func run(_ job: WholeFileJob) throws -> WholeFileJob.Report { try invocation.run(job) }
}
