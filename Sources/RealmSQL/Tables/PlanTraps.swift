// Where SQLite asks a virtual table for what it does not mean, as it does in no table of its own. Layer: RealmSQL, Tables.
// What is found here is found by words of the statement: too much only makes it slower.

import RealmQueryLanguage

/// What makes conditions of a statement doubtful.
struct PlanTraps {
  /// Of `ON` in a left join it forgets that a pattern, `<>` and `IS NOT NULL` leave out no rows of the left side.
  private var hasLeftJoin = false
  /// `(a, b) IN (…)` is compared once more without the types that it has in the statement.
  private var hasRowValues = false

  init() {}

  init(_ statement: [UInt8]) {
    var isBehindBracket = false
    for place in SQLWords.places(in: statement) {
      switch String(decoding: statement[place.prefix(5)], as: UTF8.self).lowercased() {
      case "left": hasLeftJoin = true
      case "in", "not": hasRowValues = hasRowValues || isBehindBracket
      default: break
      }
      isBehindBracket = statement[place.lowerBound] == UInt8(ascii: ")")
    }
  }

  /// Whether a condition must be left to SQLite. `isText`: so its column is.
  func misleads(
    _ constraint: PlanRequest.Constraint, among all: [PlanRequest.Constraint], isText: Bool
  ) -> Bool {
    switch constraint.comparison {
    case .notEqual, .isNotNull, .like, .glob: return hasLeftJoin
    case .equal, .same: return !constraint.isList && mistakes(constraint, isText: isText)
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      // From a pattern it makes bounds, which are texts though the column holds numbers.
      guard !isText, case .text? = constraint.constant else { return false }
      return all.contains {
        $0.column == constraint.column && ($0.comparison == .like || $0.comparison == .glob)
      }
    default: return false
    }
  }

  /// Whether an equality with a column that may hold texts may stand for one of values of any type.
  func mistakes(_ constraint: PlanRequest.Constraint, isText: Bool) -> Bool {
    isText && (constraint.isList || hasRowValues && constraint.constant == nil)
  }
}
