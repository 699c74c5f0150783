// One statement on one of many files. Layer: RealmCommands, ManyFiles.
// Invariant: nothing of a file outlives its turn but rows as text and numbers.

import Arguments
import RealmEngine
import RealmQueryLanguage
import RealmSQL
import RealmSession
import Rendering
import Synchronization

/// What is done with each file, on several threads.
struct FileStatement: Sendable {
  let invocation: Invocation
  let source: [UInt8]
  let statement: Statement
  let render: RenderSpec
  let isSummary: Bool
  /// Nil: rows are by file.
  let totals: SharedTotals?
  let log: ResumeLog?
  /// The columns of all files; nil where each row names its own, or they are the same.
  var columns: [String]?
  /// The column that says which file a row is of, alike in all rows.
  var sourceName = "file"
  /// An empty one, for rows that are of no realm.
  let realmOfNothing: ReadTransaction

  var changes: Bool { StatementSession.changes(statement) }

  /// Whether the mode names columns once.
  var namesColumnsOnce: Bool {
    switch render.mode {
    case .json, .jsonl, .insert, .sql, .line: false
    case .box, .table, .column, .markdown, .list, .csv, .tsv, .html, .quote: true
    }
  }

  /// Whether rows have the columns of their file.
  var dependsOnColumns: Bool {
    guard totals == nil, !isSummary else { return false }
    return switch statement.kind {
    case .select(_, let items): items.isEmpty
    case .sql: source.contains(UInt8(ascii: "*"))
    default: false
    }
  }

  // MARK: A file

  func part(of path: FilePath) -> ResultSegment {
    ResultSegment(source: sourceName, path.name, columns: columns)
  }

  /// `sink`: where rows go at once; nil: they are kept.
  func run(_ path: FilePath, _ part: ResultSegment, sink: OutputBuffer.Sink? = nil) -> FileOutcome {
    let start = SystemClock.nanoseconds
    let messages = MessageLog()
    var outcome = FileOutcome(part: part)
    var out = sink.map { OutputBuffer(sink: $0) } ?? OutputBuffer()
    var counted = ResultSegment(source: "", "")
    do {
      var shown = render
      shown.part = part
      if isSummary {
        var rows = RenderSpec(.csv)
        rows.part = counted
        var unseen = OutputBuffer { _ in }
        try run(path, rows, invocation.unattended(messages), to: &unseen)
      } else {
        try run(path, shown, invocation.unattended(messages), to: &out)
        try out.flush()
      }
    } catch {
      out.text.removeAll()
      counted = ResultSegment(source: "", "")
      let diagnostic = Diagnostic(error, file: path)
      outcome.isFinal = error.endsScripts || diagnostic.code == Diagnostic.cancelledCode
      if diagnostic.isLackOfClass, !invocation.arguments.has(.strict) {
        outcome.lacking = diagnostic
      } else {
        outcome.failure = diagnostic
        outcome.exit = diagnostic.exit
      }
      outcome.part = isSummary ? part : self.part(of: path)
    }
    // An interrupt that waited for the commit waits on this thread alone.
    if changes { EndSignals.release() }
    outcome.messages = messages.all
    if isSummary { summarize(&outcome, rowCount: counted.rowCount, since: start, to: &out) }
    outcome.text = out.text.bytes
    return outcome
  }

  private func run(
    _ path: FilePath, _ render: RenderSpec, _ invocation: Invocation, to out: inout OutputBuffer
  ) throws {
    let session = try invocation.statementSession(
      on: Word(path.bytes), isWritable: changes)
    if changes { return try change(path, session, render, invocation, to: &out) }
    if let totals, case .aggregate(let aggregation) = statement.kind {
      return try totals.add(aggregation, of: source, session, memoryLimit: invocation.memoryLimit)
    }
    var runner = StatementRunner(session: session, invocation: invocation, render: render)
    runner.parameters = try Parameters(invocation.arguments)
    try runner.run(statement, of: source, to: &out)
  }

  private func summarize(
    _ outcome: inout FileOutcome, rowCount: Int, since start: Int, to out: inout OutputBuffer
  ) {
    let status: FileResult.Status =
      outcome.failure != nil ? .failed : outcome.lacking != nil ? .skipped : .ok
    let seconds = Self.seconds((SystemClock.nanoseconds - start) / 1000, in: render.mode)
    var shown = render
    shown.part = outcome.part
    // A row in memory.
    try? write(
      [
        [
          ("status", .string(ByteString(status.rawValue))), ("exit", .int(Int64(outcome.exit.code))),
          ("rows", .int(Int64(rowCount))), ("seconds", seconds),
        ]
      ], shown, to: &out)
  }

  /// A number for programs. For people without an exponent, which short times would have.
  private static func seconds(_ microseconds: Int, in mode: OutputMode) -> Value {
    guard mode != .json, mode != .jsonl else { return .double(Double(microseconds) / 1_000_000) }
    let fraction = String(microseconds % 1_000_000 + 1_000_000).dropFirst()
    return .string(ByteString("\(microseconds / 1_000_000).\(fraction)"))
  }

  private func write(
    _ rows: [[(name: String, value: Value)]], _ render: RenderSpec, to out: inout OutputBuffer
  ) throws(EngineError) {
    var printer = ValueRowPrinter(
      render, names: rows.first?.map(\.name) ?? [], rowNoun: "rows", in: realmOfNothing)
    printer.begin(to: &out)
    for row in rows { try printer.write(row.map(\.value), to: &out) }
    try printer.end(to: &out)
  }

  // MARK: Changes

  private func change(
    _ path: FilePath, _ session: StatementSession, _ render: RenderSpec, _ invocation: Invocation,
    to out: inout OutputBuffer
  ) throws {
    if let log, !invocation.isDryRun {
      let version = try session.realm.read { $0.top.map { Int64(clamping: $0.version) } ?? 0 }
      guard try log.begin(path, version: version) else {
        return invocation.warn("was changed before the run was interrupted, and left as it is")
      }
    }
    // The run was confirmed as a whole.
    session.settings.isConfirmed = true
    let runner = StatementRunner(session: session, invocation: invocation, render: render)
    let counts = try runner.run(statement, of: source, to: &out)
    let mark = invocation.isDryRun ? [(name: "dry_run", value: Value.bool(true))] : []
    switch statement.kind {
    case .createClass, .alterClass, .dropClass, .setSchemaVersion:
      try write(
        [
          [
            ("created_classes", .int(Int64(counts.created))),
            ("altered_classes", .int(Int64(counts.altered))),
            ("dropped_classes", .int(Int64(counts.dropped))),
          ] + mark
        ], render, to: &out)
    default:
      let rows = counts.classes.map { part in
        [
          ("class", Value.string(ByteString(part.name))), ("created", .int(Int64(part.created))),
          ("updated", .int(Int64(part.updated))), ("deleted", .int(Int64(part.deleted))),
        ] + mark
      }
      try write(rows, render, to: &out)
    }
  }

  // MARK: Columns

  /// What the columns of the file's rows are called; nil where that cannot be told.
  func columnNames(of path: FilePath) -> [String]? {
    try? columnNames(
      of: invocation.unattended(MessageLog()).statementSession(on: Word(path.bytes), isWritable: false))
  }

  private func columnNames(of session: StatementSession) throws -> [String]? {
    try session.realm.read { realm in
      guard case .select(let selection, _) = statement.kind else {
        let sql = try SQLSession([SQLSource(name: nil, .realm(realm))], invocation.sqlLimits)
        let parameters = try Parameters(invocation.arguments).forSQL
        let prepared = try sql.prepare(Array(source[statement.range.bounds]), parameters).0
        return prepared.map { statement in (0..<statement.columnCount).map(statement.columnName) }
      }
      return try session.table(selection.className, of: source, in: realm).schema.properties.map(\.name)
    }
  }
}

extension Diagnostic {
  /// Whether a file has no class or table of the name that the statement says.
  fileprivate var isLackOfClass: Bool { code == Self.unknownClassCode }
}

/// Totals that several threads add to.
final class SharedTotals: Sendable {
  private let totals = Mutex(AggregateTotals())

  func add(_ aggregation: Aggregation, of source: [UInt8], _ session: StatementSession, memoryLimit: Int)
    throws
  {
    let (rows, query) = try session.realm.read { realm in
      let selected = try session.bind(aggregation.selection, of: source, in: realm)
      let query = try QueryText.bind(source) { () throws(BindingFailure) in
        try AggregateQuery(
          aggregation.items, by: aggregation.groups, source: source, of: selected.table, in: realm,
          arguments: session.settings.arguments)
      }
      return (
        try AggregateTotals.parts(
          of: query, try QueryExecutor(selected, in: realm), in: realm, memoryLimit: memoryLimit), query
      )
    }
    try totals.withLock { try $0.add(rows, of: query) }
  }

  /// Nil: there was no file.
  func result() throws -> (rows: AggregateResult, isSingleValue: Bool)? {
    try totals.withLock { $0 }.result()
  }
}
