// Statements of SQL: their values, their rows in any mode, and what SQLite says of wrong ones.
// Layer: RealmCommands, StatementOutput.

import Arguments
import ByteText
import RealmEngine
import RealmQueryLanguage
import RealmSQL
import RealmSession
import Rendering

extension Option {
  static let runTimeout = Option(
    "timeout", takes: .seconds, "SECONDS", "end statements of SQL that take longer")
  static let temporaryFiles = Option(
    "temp-files", takes: .size, "SIZE",
    "the temporary files of a statement of SQL, such as 20G (default: 8G; none where --memory is given)")
}

extension Parameters {
  /// The same values for `?1` and `:name`.
  var forSQL: SQLParameters {
    SQLParameters(
      numbered.map { $0.map { SQLValue($0.argument, written: $0.text) } ?? .null },
      named: named.mapValues { SQLValue($0.argument, written: $0.text) })
  }
}

extension Invocation {
  /// What statements of SQL may take from now on.
  var sqlLimits: SQLLimits {
    SQLLimits(
      memory: memoryLimit,
      temporaryFiles: arguments.word(.temporaryFiles)?.byteCount
        ?? (arguments.has(.memory) ? 0 : SQLLimits.temporaryFilesDefault),
      endNanoseconds: arguments.word(.runTimeout)?.milliseconds.map {
        SystemClock.nanoseconds + $0 * 1_000_000
      })
  }

  /// Runs the statements in `range` of `source` and writes their rows. Gives how many values by number they ask for.
  @discardableResult
  func runSQL(
    _ source: [UInt8], _ range: SourceRange, _ parameters: SQLParameters, on session: SQLSession,
    _ render: RenderSpec, in realm: ReadTransaction, to out: inout OutputBuffer
  ) throws -> Int {
    var rest = range.bounds
    var first = rest
    var askedCount = 0
    var resultCount = 0
    do {
      while !rest.isEmpty {
        first = SQLWords.first(of: rest, in: source)
        let length = try session.limited {
          let (statement, length) = try session.prepare(Array(source[first]), parameters)
          if let statement {
            askedCount = max(askedCount, parameters.askedCount(by: statement))
            resultCount += 1
            for column in session.orderedDecimals {
              warn("SQL orders decimals such as \(column) as texts; cast(… as real) makes numbers of them")
            }
            for warning in MisreadSQL(Array(source[first].prefix(length))).warnings { warn(warning) }
            guard namesParquetFile else {
              try write(statement, on: session, render, in: realm, to: &out)
              return length
            }
            guard resultCount == 1 else { throw Self.wrongCountForParquet }
            try writeParquet(statement, on: session, to: &out)
          }
          return length
        }
        rest = (rest.lowerBound + max(1, length))..<rest.upperBound
      }
      if namesParquetFile, resultCount == 0 { throw Self.wrongCountForParquet }
    } catch let error as SQLError {
      var diagnostic = Diagnostic(error, in: source, SourceRange(first))
      diagnostic.hint = SQLHint(error, source[first], session).text
      throw diagnostic
    }
    return askedCount
  }

  private static var wrongCountForParquet: Diagnostic {
    .usage("a file of Parquet holds the rows of one statement")
  }

  private func write(
    _ statement: SQLStatement, on session: SQLSession, _ render: RenderSpec, in realm: ReadTransaction,
    to out: inout OutputBuffer
  ) throws {
    var rows = SQLRows(statement, of: session)
    if render.showsObjectsAsSQL, let objects = try rows.objects() {
      var spec = render
      spec.hasSQLValues = true
      let printer = RowPrinter(spec, objects.table, objects.columns, in: objects.realm)
      return try writeRows(of: objects.executor, printer, to: &out)
    }
    let columns = 0..<statement.columnCount
    var printer = ValueRowPrinter(
      render, names: columns.map(statement.columnName), rowNoun: "rows", in: realm)
    printer.begin(to: &out)
    var row = [Value](repeating: .null, count: columns.count)
    while try rows.next() {
      for column in columns { row[column] = Value(rows.value(column)) }
      try printer.write(row, to: &out)
    }
    try printer.end(to: &out)
    warn(ofRepairs: printer.repairedCount, inSQL: printer.writesSQL)
  }
}

extension RenderSpec {
  /// Whether objects can be written as the rows that SQL makes of them.
  fileprivate var showsObjectsAsSQL: Bool {
    part == nil && !isTyped && [.csv, .tsv, .list, .quote, .json, .jsonl].contains(mode)
  }
}

extension StatementRunner {
  /// Sees what is not committed yet.
  func runSQL(_ statement: Statement, of source: [UInt8], to out: inout OutputBuffer) throws {
    try realm.read(to: &out) { realm, out in
      let session = try SQLSession(
        [SQLSource(name: nil, .realm(realm))], invocation.sqlLimits, only: source[statement.range.bounds])
      try invocation.runSQL(
        source, statement.range, parameters.forSQL, on: session, render, in: realm, to: &out)
    }
  }
}

extension Diagnostic {
  /// With a caret where SQLite names a place.
  init(_ error: SQLError, in source: [UInt8], _ range: SourceRange) {
    switch error.primaryCode {
    case SQLError.interrupted: self.init(.failure, code: "timeout", error.message)
    case SQLError.outOfMemory:
      self.init(.failure, code: "sqlite", "the statement needs more memory than --memory allows")
    case SQLError.notAllowed:
      self.init(
        .statement, code: "sql",
        error.message.hasPrefix("vtable constructor failed")
          ? "full-text and other virtual tables of files of SQLite cannot be read here"
          : SQLHint.isPragma(source[range.bounds])
            ? "this pragma is not allowed here"
            : "not allowed here: statements of SQL only read (\(error.message))")
    case SQLError.wrongStatement, SQLError.tooLong:
      self.init(
        .statement, code: error.missingTable == nil ? "sql" : Self.unknownClassCode, error.message)
    case SQLError.wrongType:
      self.init(.statement, code: "sql", "LIMIT and OFFSET must be whole numbers")
    default: self.init(EngineError(error, file: "SQLite"))
    }
    guard exit == .statement,
      let offset = error.offset ?? error.missingTable?.place(in: source[range.bounds])
    else { return }
    let start = range.bounds.lowerBound + min(offset, range.bounds.count)
    let end =
      source[start..<range.bounds.upperBound].firstIndex { !$0.isNameByte } ?? range.bounds.upperBound
    excerpt = SourceExcerpt(
      String(decoding: source, as: UTF8.self), start..<max(end, min(start + 1, source.count)))
  }
}

extension String {
  /// Bytes into a statement up to where it stands there as a word, as SQLite does not tell of tables.
  fileprivate func place(in source: ArraySlice<UInt8>) -> Int? {
    let name = Array(utf8)
    return source.indices.first { start in
      let rest = source[start...]
      return rest.starts(with: name) && !(rest.dropFirst(name.count).first?.isNameByte ?? false)
        && (start == source.startIndex || !source[start - 1].isNameByte)
    }.map { $0 - source.startIndex }
  }
}
