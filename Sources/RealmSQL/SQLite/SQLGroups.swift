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
  /// Whether SQLite leaves out groups whose keys are the same for it.
  let isDistinct: Bool
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
    var (renamed, end): ([UInt8], Int) = ([], 0)
    let places = SQLWords.places(in: text)
    for (place, next) in zip(places, places.dropFirst()) where text[next.lowerBound] == UInt8(ascii: "(") {
      guard GroupAnswer.Kind(rawValue: String(decoding: text[place], as: UTF8.self).lowercased()) != nil
      else { continue }
      renamed += text[end..<place.lowerBound] + groupFunctionPrefix.utf8
      end = place.lowerBound
    }
    return renamed.isEmpty ? nil : renamed + text[end...]
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
