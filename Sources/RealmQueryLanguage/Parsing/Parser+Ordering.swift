// SORT, DISTINCT and LIMIT, and what stands behind a condition by mistake. Layer: Parsing.

extension Parser {
  /// The clauses that follow here; an empty array when there are none.
  mutating func orderings() throws(QueryError) -> [Ordering] {
    var orderings: [Ordering] = []
    while isAtClause() { orderings.append(try isAtOrderBy() ? orderBy() : ordering()) }
    return orderings
  }

  /// Whether SORT, DISTINCT, LIMIT, OFFSET or ORDER BY begins here.
  mutating func isAtClause() -> Bool { isAtOrdering || isAtOffset() || isAtOrderBy() }

  private mutating func isAtOffset() -> Bool {
    isOffset(current) && (peek(1).kind == .openParenthesis || isCount(peek(1)))
  }

  /// Whether a number stands there behind LIMIT or OFFSET, which needs no parentheses.
  private func isCount(_ token: Token) -> Bool {
    [.integer, .argument, .specifier].contains(token.kind) && !isSignedNumber(token)
  }

  private mutating func isAtOrderBy() -> Bool { isWord("order", at: 0) && isWord("by", at: 1) }

  /// `ORDER BY name, age DESC`
  private mutating func orderBy() throws(QueryError) -> Ordering {
    let word = advance()
    advance()
    return Ordering(.sort(try sortKeys(needsDirection: false)), range: range(from: word.range))
  }

  /// Whether an unquoted word stands there, in any case.
  mutating func isWord(_ word: String, at distance: Int) -> Bool {
    let token = peek(distance)
    return token.kind == .word && token.range.length == word.utf8.count
      && source.text(in: token.range).lowercased() == word
  }

  private func isOffset(_ token: Token) -> Bool {
    token.kind == .word && source.text(in: token.range).lowercased() == "offset"
  }

  private mutating func ordering() throws(QueryError) -> Ordering {
    let word = advance()
    let opener = current
    if isCount(opener), word.keyword != .sort, word.keyword != .distinct {
      return Ordering(try limit(isOffset: isOffset(word)), range: range(from: word.range))
    }
    let takesCount = word.keyword != .sort && word.keyword != .distinct
    guard take(.openParenthesis) else {
      if takesCount, [.integer, .double, .word].contains(opener.kind) {
        throw noCount(isOffset: isOffset(word))
      }
      let name = source.text(in: word.range).uppercased()
      throw failureHere
        ?? QueryError(
          .ordering, "\(name) needs parentheses", at: word.range,
          hint: "write \(name)(\(example(word.keyword)))")
    }
    if current.kind == .closeParenthesis {
      throw QueryError(
        .ordering, "\(source.text(in: word.range).uppercased())() is empty", at: current.range,
        hint: "write \(source.text(in: word.range).uppercased())(\(example(word.keyword)))")
    }
    let kind: OrderingKind
    switch word.keyword {
    case .sort: kind = .sort(try sortKeys(needsDirection: isForReference))
    case .distinct: kind = .distinct(try distinctValues())
    default: kind = try limit(isOffset: isOffset(word))
    }
    if current.kind == .comma, takesCount {
      throw QueryError(
        .ordering, "\(source.text(in: word.range).uppercased()) takes one number", at: current.range)
    }
    if current.kind == .word, word.keyword == .distinct, isDirection(current) {
      throw QueryError(.ordering, "DISTINCT takes no direction", at: current.range)
    }
    try expectCloser(.closeParenthesis, of: opener, or: takesCount ? nil : "','")
    return Ordering(kind, range: range(from: word.range))
  }

  private func example(_ keyword: Keyword) -> String {
    switch keyword {
    case .sort: "property ASC"
    case .distinct: "property"
    default: "10"
    }
  }

  /// `path ASC, expression DESC, …`; where the reference engine wants a direction, so do we.
  mutating func sortKeys(needsDirection: Bool) throws(QueryError) -> [SortKey] {
    var keys: [SortKey] = []
    repeat {
      if current.kind == .closeParenthesis {
        throw QueryError(.ordering, "SORT has an empty place", at: current.range)
      }
      let value = try orderingValue("SORT needs a property")
      let hasDirection = current.kind == .word && isDirection(current)
      guard hasDirection || !needsDirection else {
        throw failureHere
          ?? QueryError(
            .ordering, "SORT key needs ASC or DESC", at: current.range,
            hint: "write \(source.text(in: value.range)) ASC")
      }
      let isAscending = hasDirection ? advance().keyword == .ascending : true
      keys.append(SortKey(value, isAscending: isAscending, range: range(from: value.range)))
    } while take(.comma)
    return keys
  }

  private func isDirection(_ token: Token) -> Bool {
    token.keyword == .ascending || token.keyword == .descending
  }

  /// What objects are sorted or made distinct by; in a query that stands alone, a property.
  private mutating func orderingValue(_ complaint: String) throws(QueryError) -> Expression {
    guard isForReference else { return try expression(wanted: "a property") }
    let path = try plainPath(.sorting, complaint)
    return Expression(
      .property(nil, PropertyReference(path: path, range: path.range)), range: path.range)
  }

  private mutating func distinctValues() throws(QueryError) -> [Expression] {
    var values: [Expression] = []
    repeat {
      if current.kind == .closeParenthesis {
        throw QueryError(.ordering, "DISTINCT has an empty place", at: current.range)
      }
      values.append(try orderingValue("DISTINCT needs a property"))
    } while take(.comma)
    return values
  }

  private mutating func limit(isOffset: Bool) throws(QueryError) -> OrderingKind {
    let start = current
    switch start.kind {
    case .argument, .specifier:
      let count = RowCount.argument(takeArgument())
      return isOffset ? .offset(count) : .limit(count)
    case .integer where !isSignedNumber:
      advance()
      let count = RowCount.number(LiteralDecoder.int64(in: source, start.range.bounds) ?? .max)
      return isOffset ? .offset(count) : .limit(count)
    default: throw noCount(isOffset: isOffset)
    }
  }

  private func noCount(isOffset: Bool) -> QueryError {
    failureHere
      ?? QueryError(
        .ordering,
        "\(isOffset ? "OFFSET" : "LIMIT") needs a whole number, 0 or more, found \(describe(current))",
        at: current.range)
  }

  /// A condition and its orderings; what follows them is left.
  mutating func predicate() throws(QueryError) -> Predicate {
    let condition = try condition()
    let orderings = try orderings()
    return Predicate(
      condition: condition, orderings: orderings, warnings: warnings, isForReference: isForReference)
  }

  /// Complains when anything is left behind `predicate`.
  func expectEnd(of predicate: Predicate) throws(QueryError) {
    if current.kind == .end { return }
    throw trailing(hasOrderings: !predicate.orderings.isEmpty)
  }

  /// The complaint about what follows a predicate.
  func trailing(hasOrderings: Bool) -> QueryError {
    if let failureHere { return failureHere }
    let word = current.kind == .word ? source.text(in: current.range).uppercased() : ""
    switch word {
    case "ORDER": return QueryError(.ordering, "ORDER needs BY after it", at: current.range)
    case "GROUP", "HAVING", "INCLUDE":
      return QueryError(.unsupported, "\(word) is not supported", at: current.range)
    default: break
    }
    switch current.kind {
    case .closeParenthesis, .closeBracket, .closeBrace:
      return QueryError(.parenthesis, "\(describe(current)) closes nothing", at: current.range)
    case .percent: return QueryError(.unsupported, "'%' is not supported", at: current.range)
    default: break
    }
    if hasOrderings {
      return QueryError(
        .ordering, "only SORT, DISTINCT, LIMIT and OFFSET can follow here, found \(describe(current))",
        at: current.range)
    }
    return notChained(or: "end of \(subject)")
  }
}
