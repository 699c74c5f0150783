// Statements whose groups the query engine makes, all at once. Layer: RealmSQL, SQLite.
// SQLite is given the statement with other names for its aggregate functions, and one row for each group. Our functions answer
// with what the engine has calculated for the row, so that HAVING, ORDER BY, LIMIT and all that is made of groups stays SQLite's.

import ByteText
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
  /// Of the group whose row SQLite is at.
  func value(of calculation: Int) -> SQLValue
}

/// What the functions of a connection answer with.
final class SQLGroups {
  var calculations: [GroupedLoop.Calculation] = []
  weak var cursor: (any GroupCursor)?
}

/// An aggregate function of SQLite under another name, of one group.
private final class GroupAnswer: SQLAccumulator {
  enum Kind: String, CaseIterable {
    case count, sum, total, avg, min, max
  }

  private let kind: Kind
  private unowned let groups: SQLGroups
  /// Nil where there are no rows.
  private var value: SQLValue?

  init(_ kind: Kind, of groups: SQLGroups) {
    self.kind = kind
    self.groups = groups
  }

  let size = 0

  /// Of the row of a group, whose only argument is the number of a column.
  func add(_ arguments: [SQLFunctionArgument]) throws(EngineError) {
    var column: Int?
    if case .integer(let number)? = arguments.first?.value { column = Int(number) }
    let function = AggregateFunction(rawValue: kind.rawValue) ?? .sum
    let wanted = GroupedLoop.Calculation(function: function, column: column)
    guard let cursor = groups.cursor, let index = groups.calculations.firstIndex(of: wanted) else {
      throw EngineError(.badQuery, "no such function")
    }
    value = cursor.value(of: index)
  }

  func result() -> SQLValue {
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
        if next == UInt8(ascii: "("), GroupAnswer.Kind(rawValue: word) != nil {
          renamed += groupFunctionPrefix.utf8
          isRenamed = true
        }
      default: index += 1
      }
      renamed += text[start..<index]
    }
    return isRenamed ? renamed : nil
  }

  func addGroupFunctions(_ groups: SQLGroups, _ failure: SQLFailure) throws(SQLError) {
    for kind in GroupAnswer.Kind.allCases {
      for argumentCount in kind == .count ? [0, 1] : [1] {
        let name = Self.groupFunctionPrefix + kind.rawValue
        try add(SQLAggregate(name, argumentCount, failure) { GroupAnswer(kind, of: groups) })
      }
    }
  }
}
