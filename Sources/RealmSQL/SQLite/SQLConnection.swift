// A connection to an SQLite database. Layer: RealmSQL, SQLite; the files of this folder alone touch SQLite's memory.

import ByteText
import CLibSQLite

/// A database in a file or in memory. For one thread at a time.
@safe package final class SQLConnection {
  let handle: OpaquePointer
  /// When statements end; see `cage`.
  var cageEnd: SQLEnd?
  /// What files without a name may take.
  private let space: OpaquePointer?
  /// What `checkUnchanged` looks at.
  var restingFiles: [RestingFile] = []
  /// Whether texts lie there as UTF-16, so that they must be converted.
  private(set) lazy var holdsWideText = readsWideText()

  package enum Access: Sendable {
    case readOnly, readWrite
    /// Makes the file where there is none.
    case create
  }

  /// `path` nil: a database in memory. `temporaryFiles`: bytes that files without a name may take; nil for no limit.
  package init(
    _ path: [UInt8]?, _ access: Access = .readOnly, temporaryFiles: Int? = nil
  ) throws(SQLError) {
    let flags =
      switch path == nil ? .create : access {
      case .readOnly: SQLITE_OPEN_READONLY
      case .readWrite: SQLITE_OPEN_READWRITE
      case .create: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
      }
    sql_prepare_memory()
    var opened: OpaquePointer?
    let address = access == .readOnly ? path.map { ReadOnlyAddress($0) } : nil
    let name = (address?.bytes ?? path ?? Array(":memory:".utf8)).map(CChar.init(bitPattern:)) + [0]
    let space = unsafe temporaryFiles.flatMap { unsafe sql_space_start(Int64($0)) }
    unsafe self.space = space
    let code = unsafe sqlite3_open_v2(
      name, &opened, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI,
      space.flatMap { unsafe sql_space_name($0) })
    guard code == SQLITE_OK, let handle = unsafe opened else {
      let message = unsafe opened.map { unsafe String(cString: sqlite3_errmsg($0)) }
      unsafe sqlite3_close_v2(opened)
      unsafe space.map { unsafe sql_space_stop($0) }
      throw SQLError(code: code, message: message ?? "SQLite cannot open a database")
    }
    unsafe self.handle = handle
    unsafe sqlite3_extended_result_codes(handle, 1)
    if let file = address?.restingFile { try keep(file) }
  }

  deinit {
    unsafe sqlite3_close_v2(handle)
    unsafe space.map { unsafe sql_space_stop($0) }
  }

  private func readsWideText() -> Bool {
    guard let statement = try? prepare("PRAGMA encoding"), (try? statement.step()) ?? false else {
      return false
    }
    return unsafe sqlite3_column_text(statement.handle, 0).map { unsafe String(cString: $0) } != "UTF-8"
  }

  /// Whether files without a name would have become too large.
  var lacksSpace: Bool { unsafe space.map { unsafe sql_space_was_full($0) != 0 } ?? false }

  /// Runs statements whose results do not matter.
  package func execute(_ text: String) throws(SQLError) {
    let code = unsafe sqlite3_exec(handle, text, nil, nil, nil)
    if code != SQLITE_OK { throw error(code) }
  }

  /// Prepares the first statement of `text`. Nil where it is blank or a comment. `rest`: bytes that were read of it.
  package func prepare(_ text: [UInt8]) throws(SQLError) -> (statement: SQLStatement?, length: Int) {
    var prepared: OpaquePointer?
    var length = 0
    let code = unsafe text.withUnsafeBytes { bytes in
      let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
      var tail: UnsafePointer<CChar>?
      let code = unsafe sqlite3_prepare_v2(handle, start, Int32(clamping: bytes.count), &prepared, &tail)
      if let tail = unsafe tail, let start = unsafe start { length = unsafe tail - start }
      return code
    }
    guard code == SQLITE_OK else { throw error(code) }
    return (unsafe prepared.map { unsafe SQLStatement($0, of: self) }, length)
  }

  package func prepare(_ text: String) throws(SQLError) -> SQLStatement {
    guard let statement = try prepare(Array(text.utf8)).statement else {
      throw SQLError(code: SQLITE_ERROR, message: "there is no statement in '\(text)'")
    }
    return statement
  }

  /// The error that the last call left behind.
  func error(_ code: Int32) -> SQLError {
    let offset = unsafe sqlite3_error_offset(handle)
    // What the system said tells more than "disk I/O error".
    let cause = code == SQLError.failedWrite ? sql_system_error() : 0
    return SQLError(
      code: code,
      message: code == SQLError.unfinishedTransaction
        ? "an unfinished transaction must first be rolled back"
        : cause == 0
          ? unsafe String(cString: sqlite3_errmsg(handle)) : SystemCallError(code: cause).message,
      offset: offset < 0 ? nil : Int(offset))
  }
}
