// A prepared statement: its parameters and its rows. Layer: RealmSQL, SQLite.

import ByteText
import CLibSQLite
import RealmEngine

/// A statement of one connection.
@safe package final class SQLStatement {
  let handle: OpaquePointer
  package let connection: SQLConnection
  /// For a statement whose groups the query engine can make: the one that asks for them, and what it calculates.
  var grouped: (statement: SQLStatement, loop: GroupedLoop)?

  @unsafe init(_ handle: OpaquePointer, of connection: SQLConnection) {
    unsafe self.handle = handle
    self.connection = connection
  }

  deinit { unsafe sqlite3_finalize(handle) }

  var text: String { unsafe sqlite3_sql(handle).map { unsafe String(cString: $0) } ?? "" }

  /// Whether it may leave rows out that are the same as others.
  var isDistinct: Bool { text.lowercased().holds("distinct") }
  var mayGroup: Bool { text.lowercased().holds("group") }

  // MARK: Parameters, numbered from 1

  package var parameterCount: Int { Int(unsafe sqlite3_bind_parameter_count(handle)) }

  /// With its first character, `:`, `@`, `$` or `?`; nil for a plain `?`.
  package func parameterName(_ number: Int) -> String? {
    unsafe sqlite3_bind_parameter_name(handle, Int32(number)).map { unsafe String(cString: $0) }
  }

  package func bind(_ number: Int, _ value: SQLValue) throws(SQLError) {
    let code = unsafe bind(Int32(clamping: number), value, SQLiteMemory.copied)
    if code != SQLITE_OK { throw connection.error(code) }
  }

  @inline(__always)
  func bind(_ number: Int32, _ value: SQLValue, _ memory: sqlite3_destructor_type?) -> Int32 {
    switch value {
    case .null: unsafe sqlite3_bind_null(handle, number)
    case .integer(let value): unsafe sqlite3_bind_int64(handle, number, value)
    case .real(let value): unsafe sqlite3_bind_double(handle, number, value)
    case .text(let text):
      unsafe text.bytes.withBuffer { bytes in
        unsafe sqlite3_bind_text64(
          handle, number, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), UInt64(bytes.count), memory,
          UInt8(SQLITE_UTF8))
      }
    case .blob(let blob):
      unsafe blob.bytes.withBuffer { bytes in
        unsafe sqlite3_bind_blob64(handle, number, bytes.baseAddress, UInt64(bytes.count), memory)
      }
    }
  }

  // MARK: Running

  /// Goes to the next row. False: there is no more.
  package func step() throws(SQLError) -> Bool {
    let code = unsafe sqlite3_step(handle)
    if code == SQLITE_ROW { return true }
    guard code == SQLITE_DONE else { throw connection.error(code) }
    return false
  }

  /// Makes the statement ready to be run again. Parameters stay.
  package func reset() { unsafe sqlite3_reset(handle) }

  /// Binds `values` from parameter 1 on, runs the statement to its end, and makes it ready again.
  package func run(_ values: [SQLValue] = []) throws(SQLError) {
    defer { reset() }
    for (index, value) in values.enumerated() { try bind(index + 1, value) }
    while try step() {}
  }

  // MARK: The row, whose columns are numbered from 0

  package var columnCount: Int { Int(unsafe sqlite3_column_count(handle)) }

  package func columnName(_ index: Int) -> String {
    unsafe sqlite3_column_name(handle, Int32(index)).map { unsafe String(cString: $0) } ?? ""
  }

  /// The type that the column was declared with; nil for expressions.
  package func declaredType(_ index: Int) -> String? {
    unsafe sqlite3_column_decltype(handle, Int32(index)).map { unsafe String(cString: $0) }
  }

  /// A value of the row. Text and data are borrowed: valid until the next step, unless they are copied.
  package func value(_ index: Int) -> SQLValue {
    let index = Int32(index)
    switch unsafe sqlite3_column_type(handle, index) {
    case SQLITE_INTEGER: return .integer(unsafe sqlite3_column_int64(handle, index))
    case SQLITE_FLOAT: return .real(unsafe sqlite3_column_double(handle, index))
    case SQLITE_TEXT:
      // Read as data, for which SQLite makes no copy with a zero byte at the end.
      let start =
        connection.holdsWideText
        ? unsafe UnsafeRawPointer(sqlite3_column_text(handle, index))
        : unsafe sqlite3_column_blob(handle, index)
      return .text(unsafe ByteString(start, count: sqlite3_column_bytes(handle, index)))
    case SQLITE_BLOB:
      let start = unsafe sqlite3_column_blob(handle, index)
      return .blob(unsafe ByteString(start, count: sqlite3_column_bytes(handle, index)))
    default: return .null
    }
  }
}

/// What SQLite does with memory that it is given.
enum SQLiteMemory {
  /// It makes a copy.
  static var copied: sqlite3_destructor_type { unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self) }
  /// It stays as it is for as long as SQLite looks at it.
  static var lasting: sqlite3_destructor_type? { nil }
}
