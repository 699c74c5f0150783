// What stands behind the class of a statement: `where`, `sort(…)`, `select` and their like, in any order.
// Layer: StatementSyntax.

/// The clauses behind a class, read so far.
struct Clauses {
  /// What a statement may have beside conditions and orderings.
  enum Extra { case none, columns, groups, assignments }

  let className: Name
  var key: Constant?
  var condition: Expression?
  var orderings: [Ordering] = []
  var columns: [SelectItem] = []
  var grouping: [SelectItem] = []
  var groupCondition: Expression?
  /// Those that stand behind `by`.
  var groupOrderings: [Ordering] = []
  var assignments: [Assignment] = []
  var warnings: [QueryWarning] = []
  /// Of the class and what says which of its objects are meant.
  var range: SourceRange

  var selection: Selection {
    guard condition != nil || !orderings.isEmpty else {
      return Selection(className: className, predicate: nil, key: key, range: range)
    }
    let everything = Expression(.truth(true), range: SourceRange(offset: range.end, length: 0))
    return Selection(
      className: className,
      predicate: Predicate(
        condition: condition ?? everything, orderings: orderings, warnings: warnings),
      key: key, range: range)
  }

  var groups: Grouping? {
    grouping.isEmpty
      ? nil : Grouping(items: grouping, condition: groupCondition, orderings: groupOrderings)
  }
}

extension Parser {
  /// A class and its clauses, each kind once but for orderings, which are applied as they are written.
  mutating func clauses(_ extra: Clauses.Extra) throws(QueryError) -> Clauses {
    let start = current
    var clauses = Clauses(className: try className(), range: start.range)
    if current.kind.isKey {
      clauses.key = try objectKeyConstant()
      clauses.range = range(from: start.range)
    }
    while try takeClause(&clauses, extra) {}
    clauses.warnings = warnings
    return clauses
  }

  /// False where none begins.
  private mutating func takeClause(
    _ clauses: inout Clauses, _ extra: Clauses.Extra
  ) throws(QueryError) -> Bool {
    if isAtClause() {
      // What groups are ordered by may be one of their calculated columns.
      isOfGroups = !clauses.grouping.isEmpty
      defer { isOfGroups = false }
      let orderings = try orderings()
      if clauses.grouping.isEmpty {
        clauses.orderings += orderings
      } else {
        clauses.groupOrderings += orderings
      }
      return true
    }
    switch (statementWord, extra) {
    case ("where", _) where clauses.condition == nil && clauses.key == nil:
      advance()
      clauses.condition = try condition()
      clauses.range = range(from: clauses.range)
    case ("select", .columns) where clauses.columns.isEmpty:
      try refuseWordsOfSQL(behind: clauses)
      clauses.columns = try clause { parser throws(QueryError) in try parser.selectItems() }
    case ("by", .groups) where clauses.grouping.isEmpty:
      clauses.grouping = try clause { parser throws(QueryError) in try parser.selectItems() }
    case ("set", .assignments) where clauses.assignments.isEmpty:
      clauses.assignments = try clause { parser throws(QueryError) in try parser.assignments() }
    case ("having", .groups) where clauses.groupCondition == nil:
      guard !clauses.grouping.isEmpty else {
        throw unexpected("by", hint: "HAVING is a condition on groups: write by … having …")
      }
      isOfGroups = true
      defer { isOfGroups = false }
      advance()
      clauses.groupCondition = try condition()
    case ("group", .groups): throw unexpected("by", hint: "leave out GROUP")
    default: return false
    }
    return true
  }

  /// `Dog select count(*)` counts what is selected, `Dog select distinct city` takes each value once: both come elsewhere.
  private mutating func refuseWordsOfSQL(behind clauses: Clauses) throws(QueryError) {
    let (word, next) = (wordsAhead(1, from: 1).first?.lowercased(), peek(2).kind)
    let objects = source.text(in: clauses.range)
    if word == "count", next == .openParenthesis, [.star, .closeParenthesis].contains(peek(3).kind) {
      throw QueryError(
        .expectation, "count(*) is not a property of an object", at: peek(1).range,
        hint: "write count \(objects)")
    }
    if word == "distinct", next == .word {
      let name = source.text(in: peek(2).range)
      throw QueryError(
        .expectation, "distinct comes before select", at: peek(1).range,
        hint: "write \(objects) distinct(\(name)) select \(name)")
    }
  }

  /// What stands behind the current word, in the symbols of expressions.
  private mutating func clause<Part>(
    _ part: (inout Parser) throws(QueryError) -> [Part]
  ) throws(QueryError) -> [Part] {
    advance()
    switchMode(.expression)
    let parts = try part(&self)
    switchMode(.predicate)
    return parts
  }
}
