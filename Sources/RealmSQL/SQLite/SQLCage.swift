// What statements may do, and when they end. Layer: RealmSQL, SQLite.

import CLibSQLite
import RealmEngine

/// What a statement may take.
package struct SQLLimits: Sendable {
  /// Bytes of memory; nil for no limit.
  package var memory: Int?
  /// `SystemClock.nanoseconds` at which it ends; nil for never.
  package var endNanoseconds: Int?

  package init(memory: Int? = nil, endNanoseconds: Int? = nil) {
    self.memory = memory
    self.endNanoseconds = endNanoseconds
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
    unsafe sqlite3_hard_heap_limit64(Int64(limits.memory ?? 0))
    unsafe sqlite3_set_authorizer(handle, SQLCage.authorize, nil)
    setEnd(limits.endNanoseconds)
  }

  private func setEnd(_ nanoseconds: Int?) {
    cageEnd = SQLEnd(nanoseconds)
    unsafe sqlite3_progress_handler(
      handle, SQLCage.stepsBetweenLooks, SQLCage.mustEnd,
      cageEnd.map { unsafe Unmanaged.passUnretained($0).toOpaque() })
  }
}

/// When a statement has to be over.
final class SQLEnd {
  let nanoseconds: Int?

  init(_ nanoseconds: Int?) { self.nanoseconds = nanoseconds }

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
  static let authorize:
    @convention(c) (
      UnsafeMutableRawPointer?, Int32, UnsafePointer<CChar>?, UnsafePointer<CChar>?, UnsafePointer<CChar>?,
      UnsafePointer<CChar>?
    ) -> Int32 = { _, action, _, second, _, _ in
      switch action {
      case SQLITE_SELECT, SQLITE_READ, SQLITE_RECURSIVE: return SQLITE_OK
      case SQLITE_FUNCTION:
        let name = unsafe second.map { unsafe String(cString: $0).lowercased() } ?? ""
        return forbiddenFunctions.contains(name) ? SQLITE_DENY : SQLITE_OK
      default: return SQLITE_DENY
      }
    }
}
