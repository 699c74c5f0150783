// `each`: one statement on thousands of files, several at once, as one table. Layer: RealmCommands, Commands.

import Arguments
import RealmEngine
import RealmQueryLanguage
import RealmSession
import Rendering
import Synchronization

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
        .runTimeout, .snapshot, .write, .dryRun, .yes,
      ] + Option.changing,
      details: [
        """
        The statement is any that shows rows: a class with a condition, an aggregate, summarize, a SELECT statement of SQL; \
        with -w also one that changes objects or classes. Rows have the column file first and come in the order of the files, \
        several of which are worked on at once. Columns are united by name; a file that lacks one has null there.
        """,
        """
        FILE is a file, @LIST for the files that LIST names, one a line, or - for a list on standard input; with --recursive \
        a directory stands for all files named *.realm in and below it. A file named twice is taken once.
        """,
        """
        A file that fails is reported on standard error, and the others go on; the exit status is that of the failure that \
        counts most, as the manual says. A file without the class of the statement gives no rows and a warning. Nobody is \
        asked for a key: one that an option or the environment names is tried with every encrypted file.
        """,
        """
        --resume LOG writes down which files are done. A run that was stopped or killed goes on with the others when it is \
        started again with the same LOG; send its rows behind those of the first one, with >>. With -w a file whose change was \
        saved just before the end is recognised by its version and not changed again.
        """,
      ],
      examples: [
        Example("realm-cli each *.realm -- 'count Person'", "one line per file"),
        Example("realm-cli each --recursive backups --total -- 'count, avg age of Person by city'", "totals over all files"),
        Example("find . -name '*.realm' -print0 | realm-cli each -0 - --csv -- Person > people.csv", "one table of all"),
        Example("realm-cli each @files.txt --summary -- \"select 1\"", "which files open"),
        Example("realm-cli each -w @files.txt --resume run.log -- 'delete Session where age > 90' --yes", "a change that can be stopped"),
      ]),
    waits: true
  ) { invocation in try EachRun(invocation).run() }
}

/// One call of the command.
private struct EachRun {
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
    try Self.check(statement, invocation, render)
    paths = try invocation.listedFiles()
    log = try arguments.word(.resume).map { word in
      try ResumeLog(FilePath(word.bytes), deed: (arguments.has(.write) ? Array("-w ".utf8) : []) + source)
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
        "--resume and --output contradict each other", hint: "'>> FILE' keeps the rows of a run that was killed")
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
          .usage, code: "read-only", "the statement changes files, which are opened read-only", hint: "add -w")
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
      throw Diagnostic.usage("--total adds up count, sum, avg, min and max", hint: "each FILE… --total -- 'count Person'")
    }
    for other in [Option.summary, .resume] where arguments.has(other) {
      throw Diagnostic.usage("--total and --\(other.name) contradict each other")
    }
  }

  func run() throws -> ExitStatus {
    try confirm()
    // An option's key is asked for once, before threads do.
    _ = try invocation.namedKey.value { try KeySource(invocation: invocation).namedKey() }
    let left = paths.filter { log?.finished[$0] == nil }
    var status = (log?.finished ?? [:]).values.reduce(ExitStatus.success) { $0.first(of: $1) }
    var file = file
    if file.needsColumns { file.columns = columns(file) }
    let isTold = file.changes && !invocation.isDryRun
    return try invocation.withOutputDescriptor(hasEffects: { isTold }) { descriptor, name in
      status = status.first(of: try run(file, left, descriptor, name))
      return status
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
    try FileWaves(paths: paths, jobCount: invocation.jobCount).forEach { path in
      file.run(path, file.part(of: path))
    } alone: { path in
      progress.hide()
      let part = file.part(of: path)
      return file.run(path, part, sink: output.sink(of: part))
    } _: { path, outcome in
      if outcome.failure != nil || !outcome.messages.isEmpty { progress.hide() }
      if outcome.isFinal, let failure = outcome.failure { throw failure }
      messages.add(outcome, of: path)
      try output.add(outcome)
      status = status.first(of: outcome.exit)
      if outcome.exit == .success, outcome.lacking == nil { okCount += 1 }
      if let log, !file.changes {
        try output.flush()
        try log.end(path, outcome.exit)
      }
      progress.add(hasFailed: outcome.exit != .success)
      return !(failsFast && outcome.exit != .success)
    }
    progress.hide()
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
    let count = counted(paths.count, "file", "files")
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
