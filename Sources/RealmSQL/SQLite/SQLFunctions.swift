// Functions of SQL that Swift answers. Layer: RealmSQL, SQLite.

import CLibSQLite
import RealmEngine

/// An argument of a function, with what its column said of it.
struct SQLFunctionArgument {
  let value: SQLValue
  let subtype: UInt8
}

/// What a function is.
final class SQLFunction {
  let name: String
  let argumentCount: Int
  /// Hears of what the answer refuses, of which SQLite keeps no more than the words.
  let failure: SQLFailure
  /// Nil where the answer is null.
  let answer: ([SQLFunctionArgument]) throws(EngineError) -> SQLValue

  init(
    _ name: String, _ argumentCount: Int, _ failure: SQLFailure,
    _ answer: @escaping ([SQLFunctionArgument]) throws(EngineError) -> SQLValue
  ) {
    self.name = name
    self.argumentCount = argumentCount
    self.failure = failure
    self.answer = answer
  }
}

extension SQLConnection {
  func add(_ function: SQLFunction) throws(SQLError) {
    let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS | SQLITE_SUBTYPE
    let code = unsafe sqlite3_create_function_v2(
      handle, function.name, Int32(function.argumentCount), flags,
      Unmanaged.passRetained(function).toOpaque(),
      { unsafe SQLConnection.call($0, $1, $2) }, nil, nil,
      { function in
        if let function = unsafe function { unsafe Unmanaged<SQLFunction>.fromOpaque(function).release() }
      })
    if code != SQLITE_OK { throw error(code) }
  }

  private static func call(
    _ context: OpaquePointer?, _ count: Int32, _ values: UnsafeMutablePointer<OpaquePointer?>?
  ) {
    guard let data = unsafe sqlite3_user_data(context) else { return }
    let function = unsafe Unmanaged<SQLFunction>.fromOpaque(data).takeUnretainedValue()
    var arguments: [SQLFunctionArgument] = []
    for index in 0..<Int(count) {
      guard let value = unsafe values?[index] else { return }
      arguments.append(
        unsafe SQLFunctionArgument(
          value: SQLValue(value), subtype: UInt8(truncatingIfNeeded: sqlite3_value_subtype(value))))
    }
    do throws(EngineError) {
      unsafe answer(context, try function.answer(arguments))
    } catch {
      function.failure.error = error
      unsafe sqlite3_result_error(context, error.message, -1)
    }
  }

  @unsafe static func answer(_ context: OpaquePointer?, _ value: SQLValue) {
    switch value {
    case .null: unsafe sqlite3_result_null(context)
    case .integer(let value): unsafe sqlite3_result_int64(context, value)
    case .real(let value): unsafe sqlite3_result_double(context, value)
    case .text(let text):
      unsafe text.bytes.withBuffer { bytes in
        unsafe sqlite3_result_text64(
          context, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), UInt64(bytes.count),
          SQLiteMemory.copied, UInt8(SQLITE_UTF8))
      }
    case .blob(let blob):
      unsafe blob.bytes.withBuffer { bytes in
        unsafe sqlite3_result_blob64(context, bytes.baseAddress, UInt64(bytes.count), SQLiteMemory.copied)
      }
    }
  }
}
