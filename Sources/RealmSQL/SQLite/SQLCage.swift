// What statements may do, and when they end. Layer: RealmSQL, SQLite.

import CLibSQLite
import RealmEngine

/// What a statement may take.
package struct SQLLimits: Sendable {
  /// Bytes of memory; nil for no limit.
  package var memory: Int?
  /// Bytes of files without a name, to which large orders and groups go; 0: all stays in memory.
  package var temporaryFiles: Int
  /// `SystemClock.nanoseconds` at which it ends; nil for never.
  package var endNanoseconds: Int?
  /// What the process says when it ends because the statement does not: one call of a function can take long. Nil where others
  /// depend on the process.
  package var lastWords: String?

  package static let temporaryFilesDefault = 8 << 30

  package init(
    memory: Int? = nil, temporaryFiles: Int = temporaryFilesDefault, endNanoseconds: Int? = nil,
    lastWords: String? = nil
  ) {
    self.memory = memory
    self.temporaryFiles = temporaryFiles
    self.endNanoseconds = endNanoseconds
    self.lastWords = lastWords
  }

  /// Bytes of one text or blob: what takes long to be made is made of small steps.
  static let lengthMax: Int32 = 256 << 20
  static let patternLengthMax: Int32 = 4096
}

extension SQLConnection {
  /// From now on statements read and do nothing else, and end where the user wants that or `limits` say so.
  package func cage(_ limits: SQLLimits) {
    unsafe sql_lock_down(handle)
    unsafe sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, SQLLimits.lengthMax)
    unsafe sqlite3_limit(handle, SQLITE_LIMIT_LIKE_PATTERN_LENGTH, SQLLimits.patternLengthMax)
    sqlite3_hard_heap_limit64(Int64(limits.memory ?? 0))
    unsafe sqlite3_set_authorizer(handle, SQLCage.authorize, nil)
    setEnd(limits)
  }

  private func setEnd(_ limits: SQLLimits) {
    cageEnd = SQLEnd(limits)
    unsafe sqlite3_progress_handler(
      handle, SQLCage.stepsBetweenLooks, SQLCage.mustEnd,
      cageEnd.map { unsafe Unmanaged.passUnretained($0).toOpaque() })
  }
}

/// When a statement has to be over.
@safe final class SQLEnd {
  let nanoseconds: Int?
  private let alarm: OpaquePointer?

  init(_ limits: SQLLimits) {
    nanoseconds = limits.endNanoseconds
    unsafe alarm = limits.endNanoseconds.flatMap {
      unsafe sql_alarm_start(Int64(max(0, $0 - SystemClock.nanoseconds)), limits.lastWords)
    }
  }

  deinit {
    if let alarm = unsafe alarm { unsafe sql_alarm_stop(alarm) }
  }

  /// What the engine does for `body` ends in time as well.
  func stopping<Result>(_ body: () throws -> Result) rethrows -> Result {
    guard let alarm = unsafe alarm else { return try body() }
    return try Interruption.working(on: unsafe sql_alarm_work(alarm), body)
  }

  var isReached: Bool {
    do throws(EngineError) {
      try Interruption.check()
      return nanoseconds.map { SystemClock.nanoseconds >= $0 } ?? false
    } catch {
      return true
    }
  }
}

private enum SQLCage {
  /// Instructions of SQLite's machine, each of which takes well below a microsecond.
  static let stepsBetweenLooks: Int32 = 2000

  static let mustEnd: @convention(c) (UnsafeMutableRawPointer?) -> Int32 = { end in
    guard let end = unsafe end else { return 0 }
    return unsafe Unmanaged<SQLEnd>.fromOpaque(end).takeUnretainedValue().isReached ? 1 : 0
  }

  /// What could read or write files, or take addresses for what they are not.
  private static let forbiddenFunctions: Set<String> = [
    "load_extension", "readfile", "writefile", "edit", "fts3_tokenizer", "fts5", "lsmode", "eval",
  ]
  /// What only tells of tables and of SQLite.
  private static let readingPragmas: Set<String> = [
    "table_info", "table_xinfo", "table_list", "index_list", "index_info", "index_xinfo", "foreign_key_list",
    "database_list", "function_list", "collation_list", "module_list", "pragma_list", "compile_options",
  ]

  private static func holds(_ words: Set<String>, _ word: UnsafePointer<CChar>?) -> Bool {
    unsafe word.map { words.contains(unsafe String(cString: $0).lowercased()) } ?? false
  }

  static let authorize:
    @convention(c) (
      UnsafeMutableRawPointer?, Int32, UnsafePointer<CChar>?, UnsafePointer<CChar>?, UnsafePointer<CChar>?,
      UnsafePointer<CChar>?
    ) -> Int32 = { _, action, first, second, _, _ in
      let isAllowed =
        switch action {
        case SQLITE_SELECT, SQLITE_READ, SQLITE_RECURSIVE: true
        case SQLITE_FUNCTION: unsafe !holds(forbiddenFunctions, second)
        case SQLITE_PRAGMA: unsafe holds(readingPragmas, first)
        // What declares a table of SQLite's own, such as pragma_table_info or json_each, looks like a change of the schema, which
        // SQLite refuses without our help.
        case SQLITE_UPDATE: unsafe holds(["sqlite_master"], first)
        default: false
        }
      return isAllowed ? SQLITE_OK : SQLITE_DENY
    }
}
