// Statements whose groups the query engine makes, all at once. Layer: RealmSQL, SQLite.
// SQLite is given the statement with other names for its aggregate functions, and one row for each group. Our functions answer
// with what the engine has calculated for the row, so that HAVING, ORDER BY, LIMIT and all that is made of groups stays SQLite's.

import ByteText
import CLibSQLite
import RealmEngine
import RealmQueryLanguage

/// What a statement calculates for each group of rows of one table.
struct GroupedLoop {
  struct Calculation: Hashable {
    let function: AggregateFunction
    /// Nil: of the rows themselves.
    let column: Int?
  }

  /// The columns in which rows of a group are equal; none: all rows are one group.
  let keys: [Int]
  let calculations: [Calculation]
}

/// A cursor whose rows are groups.
protocol GroupCursor: AnyObject {
  /// The group whose row SQLite is at.
  var group: Int { get }
  func value(of calculation: Int, in group: Int) -> SQLValue
}

/// What the functions of a connection answer with.
final class SQLGroups {
  var calculations: [GroupedLoop.Calculation] = []
  weak var cursor: (any GroupCursor)?
}

/// An aggregate function of SQLite under another name.
private final class GroupFunction {
  enum Kind: String, CaseIterable {
    case count, sum, total, avg, min, max
  }

  let kind: Kind
  unowned let groups: SQLGroups

  init(_ kind: Kind, of groups: SQLGroups) {
    self.kind = kind
    self.groups = groups
  }

  var function: AggregateFunction { AggregateFunction(rawValue: kind.rawValue) ?? .sum }

  /// Where the answer is; `column`: what SQLite was given as a value of the column.
  func answer(for column: Int?) -> (group: Int, calculation: Int)? {
    let wanted = GroupedLoop.Calculation(function: function, column: column)
    guard let cursor = groups.cursor, let calculation = groups.calculations.firstIndex(of: wanted) else {
      return nil
    }
    return (cursor.group, calculation)
  }

  /// `value`: nil where there are no rows.
  func result(_ value: SQLValue?) -> SQLValue {
    switch (kind, value) {
    case (.count, nil): .integer(0)
    case (.total, .integer(let sum)): .real(Double(sum))
    case (.total, .null), (.total, nil): .real(0)
    default: value ?? .null
    }
  }
}

extension SQLConnection {
  static let groupFunctionPrefix = "realm_group_"

  /// The statement with other names for its aggregate functions; nil where it has none.
  static func renamingAggregates(_ text: [UInt8]) -> [UInt8]? {
    var (renamed, index, isRenamed): ([UInt8], Int, Bool) = ([], 0, false)
    func isWord(_ byte: UInt8) -> Bool {
      let isDigit = UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
      let isLetter = UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
      return isDigit || isLetter || byte == UInt8(ascii: "_") || byte >= 0x80
    }
    func end(of closing: [UInt8], from start: Int) -> Int {
      var end = start
      while end < text.count, !text[end...].starts(with: closing) { end += 1 }
      return min(text.count, end + closing.count)
    }
    while index < text.count {
      let start = index
      switch text[index] {
      case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"):
        index = end(of: [text[index]], from: index + 1)
      case UInt8(ascii: "["): index = end(of: Array("]".utf8), from: index + 1)
      case UInt8(ascii: "-") where text[index...].starts(with: "--".utf8):
        index = end(of: Array("\n".utf8), from: index)
      case UInt8(ascii: "/") where text[index...].starts(with: "/*".utf8):
        index = end(of: Array("*/".utf8), from: index + 2)
      case let byte where isWord(byte):
        while index < text.count, isWord(text[index]) { index += 1 }
        let next = text[index...].first { $0 > 0x20 }
        let word = String(decoding: text[start..<index], as: UTF8.self).lowercased()
        if next == UInt8(ascii: "("), GroupFunction.Kind(rawValue: word) != nil {
          renamed += groupFunctionPrefix.utf8
          isRenamed = true
        }
      default: index += 1
      }
      renamed += text[start..<index]
    }
    return isRenamed ? renamed : nil
  }

  func addGroupFunctions(_ groups: SQLGroups) throws(SQLError) {
    for kind in GroupFunction.Kind.allCases {
      for argumentCount in kind == .count ? [0, 1] : [1] {
        let code = unsafe sqlite3_create_function_v2(
          handle, Self.groupFunctionPrefix + kind.rawValue, Int32(argumentCount), SQLITE_UTF8,
          Unmanaged.passRetained(GroupFunction(kind, of: groups)).toOpaque(), nil,
          { unsafe SQLConnection.stepGroup($0, $1, $2) }, { unsafe SQLConnection.finishGroup($0) },
          { function in
            if let function = unsafe function {
              unsafe Unmanaged<GroupFunction>.fromOpaque(function).release()
            }
          })
        if code != SQLITE_OK { throw error(code) }
      }
    }
  }

  /// What SQLite keeps of a group: numbers of the group and the calculation, from 1 on.
  private typealias GroupNote = (group: Int, calculation: Int)

  @unsafe private static func function(_ context: OpaquePointer?) -> GroupFunction? {
    unsafe sqlite3_user_data(context).map {
      unsafe Unmanaged<GroupFunction>.fromOpaque($0).takeUnretainedValue()
    }
  }

  @unsafe private static func note(_ context: OpaquePointer?, _ size: Int) -> UnsafeMutablePointer<GroupNote>?
  {
    unsafe sqlite3_aggregate_context(context, Int32(size))?.assumingMemoryBound(to: GroupNote.self)
  }

  @unsafe private static func stepGroup(
    _ context: OpaquePointer?, _ count: Int32, _ values: UnsafeMutablePointer<OpaquePointer?>?
  ) {
    let column = count > 0 ? unsafe values?[0].map { Int(unsafe sqlite3_value_int64($0)) } : nil
    guard let function = unsafe function(context), let answer = function.answer(for: column),
      let note = unsafe note(context, MemoryLayout<GroupNote>.size)
    else {
      unsafe sqlite3_result_error(context, "no such function", -1)
      return
    }
    unsafe note.pointee = (answer.group + 1, answer.calculation)
  }

  @unsafe private static func finishGroup(_ context: OpaquePointer?) {
    guard let function = unsafe function(context) else { return }
    let note = unsafe note(context, 0).map { unsafe $0.pointee }
    let value = note.flatMap {
      $0.group > 0 ? function.groups.cursor?.value(of: $0.calculation, in: $0.group - 1) : nil
    }
    unsafe answer(context, function.result(value))
  }
}
