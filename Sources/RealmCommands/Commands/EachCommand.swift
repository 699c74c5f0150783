// `each`: one statement on thousands of files, several at once, as one table. Layer: RealmCommands, Commands.

import Arguments
import ByteText
import CPlatform
import RealmEngine
import RealmQueryLanguage
import RealmSession
import Rendering
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

extension Arguments.Operand {
  fileprivate static let statementOfEach = Operand("STATEMENT", .statement, .behindDashes)
}

extension Option {
  static let strict = Option("strict", "a file without the class of the statement is an error, not a warning")
  fileprivate static let summary = Option(
    "summary", "instead of rows, print one line per file: status, exit, rows, seconds")
  fileprivate static let total = Option(
    "total", "add up over all files what is calculated, also by group; no line per file")
}

extension Option {
  fileprivate static let exportFormat = Option(
    "export", takes: .oneOf(["parquet"]), "FORMAT",
    "write all classes into the directory of --output, as one data set: CLASS/part-NNNN.parquet")
  fileprivate static let unify = Option(
    "unify", "with --export, a property with several types becomes text")
}

extension Command {
  /// `each FILE… -- STATEMENT`
  static let each = Command(
    .rows,
    CommandSpec(
      "each", group: CommandGroup.reading, summary: "run a statement on thousands of files, as one table",
      brief: "one statement, many files",
      operands: [.listedRealms, .statementOfEach],
      options: Option.fileLists + [
        .total, .summary, .strict, .resume, .failFast, .argument, .argumentText, .parameter, .memory,
        .temporaryFiles,
        .runTimeout, .snapshot, .write, .dryRun, .yes, .exportFormat, .unify,
      ] + Option.parquetOptions + Option.changing,
      details: [
        """
        The statement is any that shows rows: a class with a condition, an aggregate, summarize, a SELECT statement of SQL; \
        with -w also one that changes objects or classes. Rows have the column file first and come in the order of the files, \
        several of which are worked on at once. Columns are united by name; a file that lacks one has null there.
        """,
        """
        FILE is a file, @LIST for the files that LIST names, one a line, or - for a list on standard input; with --recursive \
        a directory stands for all files named *.realm in and below it but backups (NAME.schema-3.backup.realm). A file named \
        twice is taken once; with --total and where files are changed, one with two names too. Of several files that are \
        changed, backups are left out.
        """,
        """
        A file that fails is reported on standard error, and the others go on; the exit status is that of the failure that \
        counts most, as the manual says. A file without the class of the statement gives no rows and a warning. Nobody is \
        asked for a key: one that an option or the environment names is tried with every encrypted file.
        """,
        """
        --resume LOG writes down which files are done. A run that was stopped or killed goes on with the others when it is \
        started again with the same LOG, and tries once more those that failed; send its rows after those of the first one, \
        with >>. With -w a file whose change was saved just before the end is recognised by its version and not changed \
        again; a warning says so in the place of its row: an interrupt may lose those of the files that are being worked on, \
        up to 8 per job.
        """,
        """
        --export parquet takes the place of a statement: the objects of all files become one table per class, with the column \
        file, which DuckDB, Spark and others read as one although schemas differ. A file that fails is left out as a whole. \
        When the data set itself cannot be written, or after Ctrl-C, nothing of it stays.
        """,
      ],
      examples: [
        Example("realm-cli each *.realm -- 'count Person'", "one line per file"),
        Example(
          "realm-cli each --recursive backups --total -- 'count Person by city'",
          "totals over all files"),
        Example(
          "find . -name '*.realm' -print0 | realm-cli each -0 - --csv -- Person",
          "one table of all"),
        Example("realm-cli each @files.txt --summary -- 'select 1'", "which files open"),
        Example(
          "realm-cli each -w @files.txt --resume run.log --yes -- 'delete Old'",
          "a change that can be stopped"),
        Example("realm-cli each --recursive backups --export parquet -o lake/", "one data set of all files"),
      ]),
    waits: true
  ) { invocation in
    invocation.arguments.has(.exportFormat)
      ? try ExportExecution(invocation).run() : try EachExecution(invocation).run()
  }
}

/// One call of the command.
private struct EachExecution {
  let invocation: Invocation
  private let paths: [FilePath]
  private var file: FileStatement
  private let log: ResumeLog?
  /// Keeps alive what rows of no realm are written in.
  private let nothing: WritableDatabase

  init(_ invocation: Invocation) throws {
    self.invocation = invocation
    let arguments = invocation.arguments
    guard let source = arguments.word(.statementOfEach)?.bytes else {
      throw Diagnostic.usage("each – STATEMENT is missing", hint: "realm-cli each FILE… -- STATEMENT")
    }
    let steps = Script([source]).steps
    guard steps.count == 1, let step = steps.first else {
      throw Diagnostic.usage("each takes one statement, and \(steps.count) were given")
    }
    let statement: Statement
    do {
      statement = try step.statement.get()
    } catch {
      throw Diagnostic(error, in: source)
    }
    let render = try Self.render(invocation)
    let totals = arguments.has(.total) ? SharedTotals() : nil
    for option in [Option.unify] + Option.parquetOptions where arguments.has(option) {
      throw Diagnostic.usage("--\(option.name) needs --export parquet")
    }
    try Self.check(statement, invocation, render)
    let changes = StatementSession.changes(statement)
    paths = try invocation.listedFiles(changing: changes, once: arguments.has(.total))
    log = try arguments.word(.resume).map { word in
      try ResumeLog(
        FilePath(word.bytes), deed: (changes ? Array("-w ".utf8) : []) + source,
        rowsTo: invocation.resultDescriptor)
    }
    nothing = try WritableDatabase.inMemory()
    file = FileStatement(
      invocation: invocation, source: source, statement: statement, render: render,
      isSummary: arguments.has(.summary), totals: totals, log: log,
      realmOfNothing: nothing.database.transaction)
  }

  private static func render(_ invocation: Invocation) throws -> RenderSpec {
    var render = try invocation.renderSpec(isTyped: false)
    guard invocation.arguments.has(.resume) else { return render }
    if invocation.arguments.word(.mode) == nil, render.mode.isAligned { render = RenderSpec(.tsv) }
    guard [.csv, .tsv, .jsonl, .list, .quote, .sql, .line].contains(render.mode) else {
      throw Diagnostic.usage(
        "--resume cannot go on with a result as \(render.mode.rawValue)", hint: "use --csv, --tsv or --jsonl")
    }
    guard invocation.arguments.word(.output)?.isDash ?? true else {
      throw Diagnostic.usage(
        "--resume and --output contradict each other",
        hint: "'>> FILE' keeps the rows of a run that was killed")
    }
    return render
  }

  private static func check(
    _ statement: Statement, _ invocation: Invocation, _ render: RenderSpec
  ) throws {
    let arguments = invocation.arguments
    if StatementSession.changes(statement) {
      guard arguments.has(.write) || arguments.has(.dryRun) else {
        throw Diagnostic(
          .usage, code: "read-only", "the statement changes files, which are opened read-only", hint: "add -w"
        )
      }
      if arguments.has(.total) { throw Diagnostic.usage("--total adds up calculations, not changes") }
    }
    switch statement.kind {
    case .explain, .shell, .begin, .commit, .rollback:
      throw Diagnostic.usage("each takes statements that show rows or change objects")
    default: break
    }
    guard render.mode != .insert else {
      throw Diagnostic.usage("each does not print statements", hint: "use --csv, --jsonl or --sql")
    }
    guard arguments.has(.total) else { return }
    guard case .aggregate = statement.kind else {
      throw Diagnostic.usage(
        "--total adds up count, sum, avg, min and max", hint: "each FILE… --total -- 'count Person'")
    }
    for other in [Option.summary, .resume] where arguments.has(other) {
      throw Diagnostic.usage("--total and --\(other.name) contradict each other")
    }
  }

  func run() throws -> ExitStatus {
    try confirm()
    // An option's key is asked for once, before threads do.
    let isKeyed = try invocation.namedKey.value { try KeySource(invocation: invocation).namedKey() } != nil
    let left = paths.filter { !(log?.finished.contains($0) ?? false) }
    var file = file
    if file.dependsOnColumns {
      let names = columns(file)
      if file.namesColumnsOnce { file.columns = names }
      let plain = file.sourceName
      file.sourceName = ResultSegment.sourceName(plain, beside: names)
      if file.sourceName != plain {
        invocation.warn("files have a column \(plain) of their own; their names are in \(file.sourceName)")
      }
    }
    let isTold = file.changes && !invocation.isDryRun
    do {
      return try EndSignals.notingInterrupts(isTold) {
        try invocation.withOutputDescriptor(hasEffects: isTold) { descriptor, name in
          if isKeyed, invocation.namesOutputFile, OutputFile.hide(descriptor) {
            invocation.warn("\(name) is not encrypted")
          }
          let status = try run(file, left, descriptor, name)
          if !invocation.isDryRun { try log?.close() }
          return status
        }
      }
    } catch let error where isTold && Diagnostic(error).exit == .signal(SIGINT) {
      // It says what is kept.
      platform_end_by_signal(SIGINT)
      throw error
    }
  }

  private func run(
    _ file: FileStatement, _ paths: [FilePath], _ descriptor: Int32, _ name: String
  ) throws -> ExitStatus {
    var status = ExitStatus.success
    var render = file.render
    if log?.isContinued ?? false { render.hasHeader = false }
    let output = JoinedOutput(render, descriptor: descriptor, named: name)
    let progress = FileProgress(
      total: paths.count, isShown: invocation.terminal.errorIsTerminal && !invocation.isQuiet)
    var messages = FileMessages(invocation)
    var okCount = 0
    let failsFast = invocation.arguments.has(.failFast)
    var ending: Diagnostic?
    let waves = FileWaves(
      paths: paths, jobCount: invocation.jobCount, isChanging: file.changes && !invocation.isDryRun)
    try waves.forEach { path in
      file.run(path, file.part(of: path))
    } alone: { path in
      progress.hide()
      let part = file.part(of: path)
      return file.run(path, part, sink: output.sink(of: part))
    } _: { path, outcome in
      if outcome.failure != nil || !outcome.messages.isEmpty { progress.hide() }
      if outcome.isFinal, let failure = outcome.failure {
        ending = ending ?? failure
        return false
      }
      messages.add(outcome, of: path)
      try output.add(outcome)
      status = status.first(of: outcome.exit)
      if outcome.exit == .success, outcome.lacking == nil { okCount += 1 }
      if waves.isChanging || log != nil { try output.flush() }
      if !invocation.isDryRun { try log?.end(path, outcome.exit) }
      progress.add(hasFailed: outcome.exit != .success)
      return !(failsFast && outcome.exit != .success)
    }
    progress.hide()
    if let ending { throw ending }
    if let lacking = messages.lacking, okCount == 0 {
      invocation.report(lacking.first)
      status = status.first(of: lacking.first.exit)
    } else {
      messages.end()
    }
    if let totals = file.totals {
      try invocation.withTotals(totals, file, descriptor, name)
    } else {
      try output.finish()
    }
    return status
  }

  /// The columns of all files together, in the order in which they are met.
  private func columns(_ file: FileStatement) -> [String] {
    let names = Mutex<[[String]]>(Array(repeating: [], count: paths.count))
    let paths = paths
    ParallelWork.forEach(paths.count, workers: invocation.jobCount) { index in
      let found = file.columnNames(of: paths[index]) ?? []
      names.withLock { $0[index] = found }
    }
    var known: Set<String> = []
    return names.withLock { $0 }.joined().filter { known.insert($0).inserted }
  }

  /// What takes objects away without naming each is confirmed once for all files.
  private func confirm() throws {
    guard !Script([file.source]).removals.isEmpty, !invocation.isDryRun else { return }
    let count = counted(paths.count, "file")
    guard try invocation.confirm("run '\(String(decoding: file.source, as: UTF8.self))' on \(count)") else {
      throw Diagnostic(declined: "nothing was changed")
    }
  }
}

extension Invocation {
  fileprivate func withTotals(
    _ totals: SharedTotals, _ file: FileStatement, _ descriptor: Int32, _ name: String
  ) throws {
    guard let result = try totals.result() else { return }
    var out = OutputBuffer { bytes throws(EngineError) in
      try StandardStreams.write(bytes, to: descriptor, named: name)
    }
    try write(
      result.rows, isSingleValue: result.isSingleValue, file.render, in: file.realmOfNothing, to: &out)
    try out.flush()
  }
}

/// `each FILE… --export parquet -o DIR`
private struct ExportExecution {
  let invocation: Invocation
  private let export: FileExport

  init(_ invocation: Invocation) throws {
    self.invocation = invocation
    let arguments = invocation.arguments
    guard arguments.word(.statementOfEach) == nil else {
      throw Diagnostic.usage("--export takes the place of a statement")
    }
    for option in [Option.total, .summary, .resume, .write, .strict] where arguments.has(option) {
      throw Diagnostic.usage("--export and --\(option.name) contradict each other")
    }
    guard let output = arguments.word(.output), !output.isDash else {
      throw Diagnostic.usage("--export needs a directory", hint: "-o lake/")
    }
    export = FileExport(invocation, to: FilePath(output.bytes), try invocation.listedFiles(changing: false))
  }

  func run() throws -> ExitStatus {
    _ = try invocation.namedKey.value { try KeySource(invocation: invocation).namedKey() }
    var messages = FileMessages(invocation)
    var (status, schema, isSecret) = (ExitStatus.success, UnitedSchema(), false)
    var good: [FilePath] = []
    let failsFast = invocation.arguments.has(.failFast)
    let export = export
    let read: @Sendable (FilePath) -> FileSchema = { export.schema(of: $0) }
    try FileWaves(paths: export.paths, jobCount: invocation.jobCount).forEach(read, alone: read) {
      path, found in
      var outcome = FileOutcome(part: ResultSegment(source: "", ""))
      (outcome.failure, outcome.messages) = (found.failure, found.messages)
      messages.add(outcome, of: path)
      if let failure = found.failure {
        if failure.code == Diagnostic.cancelledCode { throw failure }
        status = status.first(of: failure.exit)
        return !failsFast
      }
      good.append(path)
      schema.add(found, of: path)
      isSecret = isSecret || found.isEncrypted
      return true
    }
    messages.end()
    if failsFast, status != .success { return status }
    try refuseClashes(schema)
    invocation.warn(of: schema.renamings)
    let progress = Mutex(
      FileProgress(
        total: good.count, isShown: invocation.terminal.errorIsTerminal && !invocation.isQuiet))
    let done: @Sendable (Bool) -> Void = { hasFailed in progress.withLock { $0.add(hasFailed: hasFailed) } }
    let result = try withFolders(schema) { try export.write(good, schema, isSecret: isSecret, done) }
    progress.withLock { $0.hide() }
    for (_, failure) in result.failures {
      invocation.report(failure)
      status = status.first(of: failure.exit)
    }
    invocation.warn(ofParquet: result.losses)
    if isSecret { invocation.warn("the files in \(export.target.displayName) are not encrypted") }
    try show(result, schema)
    return status
  }

  private func refuseClashes(_ schema: UnitedSchema) throws {
    guard !schema.clashes.isEmpty else { return }
    guard invocation.arguments.has(.unify) else {
      throw Diagnostic(
        .refused, code: "constraint", schema.clashes.joined(separator: "; "),
        hint: "--unify writes these columns as text")
    }
    for clash in schema.clashes { invocation.warn("\(clash); the column is text") }
  }

  /// Makes the folders that `body` writes into. Of those nothing stays where it fails or is interrupted.
  private func withFolders<Result>(_ schema: UnitedSchema, _ body: () throws -> Result) throws -> Result {
    try EndSignals.notingInterrupts {
      var made: [NewDirectory] = []
      do {
        try makeFolders(schema, &made)
        return try body()
      } catch {
        for folder in made.reversed() { folder.discard() }
        throw error
      }
    }
  }

  private func makeFolders(_ schema: UnitedSchema, _ made: inout [NewDirectory]) throws {
    for path in [export.target] + schema.names.map({ export.folder(of: $0, schema) }) {
      let new = try NewDirectory(path)
      if let new { made.append(new) }
      guard new != nil || DirectoryOutput.isDirectory(path) else {
        throw Diagnostic(
          .unavailable, code: "exists", "cannot make the directory \(path.displayName)", file: path)
      }
    }
    for name in schema.names {
      let folder = export.folder(of: name, schema)
      guard SystemCalls.names(in: folder).isEmpty else {
        throw Diagnostic(
          .unavailable, code: "exists", of: folder, "is not empty", hint: "name another directory")
      }
    }
  }

  /// A row for each class.
  private func show(_ result: FileExport.Result, _ schema: UnitedSchema) throws {
    let isForPeople = invocation.terminal.outputIsTerminal
    let mode = invocation.arguments.text(.mode).flatMap(OutputMode.init) ?? (isForPeople ? .box : .tsv)
    let nothing = try WritableDatabase.inMemory()
    var out = OutputBuffer { [descriptor = invocation.resultDescriptor] bytes throws(EngineError) in
      try StandardStreams.write(bytes, to: descriptor, named: "standard output")
    }
    var printer = ValueRowPrinter(
      RenderSpec(mode, hasHeader: invocation.arguments.has(.noHeader) ? false : nil),
      names: ["class", "rows", "parts"], rowNoun: "classes", in: nothing.database.transaction)
    printer.begin(to: &out)
    for name in schema.names {
      try printer.write(
        [
          .string(ByteString(name)), .int(Int64(result.rows[name] ?? 0)),
          .int(Int64(result.parts[name] ?? 0)),
        ], to: &out)
    }
    try printer.end(to: &out)
    try out.flush()
  }
}
