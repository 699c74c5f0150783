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
  /// -1: any number.
  let argumentCount: Int
  /// Whether all arguments but null come as SQLite writes them.
  let takesTexts: Bool
  /// Hears of what the answer refuses, of which SQLite keeps no more than the words.
  let failure: SQLFailure
  /// Nil where the answer is null.
  let answer: ([SQLFunctionArgument]) throws(EngineError) -> SQLValue

  init(
    _ name: String, _ argumentCount: Int, _ failure: SQLFailure, takesTexts: Bool = false,
    _ answer: @escaping ([SQLFunctionArgument]) throws(EngineError) -> SQLValue
  ) {
    self.name = name
    self.argumentCount = argumentCount
    self.failure = failure
    self.takesTexts = takesTexts
    self.answer = answer
  }
}

extension SQLFunction {
  static let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS | SQLITE_SUBTYPE

  /// What a call is given; borrows.
  @unsafe func arguments(
    _ count: Int32, _ values: UnsafeMutablePointer<OpaquePointer?>?
  ) -> [SQLFunctionArgument] {
    (0..<Int(count)).map { index in
      guard let value = unsafe values?[index] else { return SQLFunctionArgument(value: .null, subtype: 0) }
      let subtype = UInt8(truncatingIfNeeded: unsafe sqlite3_value_subtype(value))
      guard takesTexts, unsafe sqlite3_value_type(value) != SQLITE_NULL else {
        return SQLFunctionArgument(value: unsafe SQLValue(value), subtype: subtype)
      }
      let start = unsafe UnsafeRawPointer(sqlite3_value_text(value))
      return SQLFunctionArgument(
        value: .text(unsafe ByteString(start, count: sqlite3_value_bytes(value))), subtype: subtype)
    }
  }

  /// Gives SQLite a result, or what is wrong.
  @unsafe func give(to context: OpaquePointer?, _ result: () throws(EngineError) -> SQLValue) {
    do throws(EngineError) {
      switch try result() {
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
    } catch {
      failure.error = error
      unsafe sqlite3_result_error(context, error.message, -1)
    }
  }
}

extension SQLConnection {
  /// Whether SQLite has functions itself that came with a version.
  static func hasFunctions(of version: Int32) -> Bool { sqlite3_libversion_number() >= version }

  func add(_ function: SQLFunction) throws(SQLError) {
    let code = unsafe sqlite3_create_function_v2(
      handle, function.name, Int32(function.argumentCount), SQLFunction.flags,
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
    let arguments = unsafe function.arguments(count, values)
    unsafe function.give(to: context) { () throws(EngineError) in try function.answer(arguments) }
  }
}
