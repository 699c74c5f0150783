// AND, OR, NOT and parentheses. Layer: Parsing.

extension Parser {
  /// `a OR b OR …`
  mutating func condition() throws(QueryError) -> Condition {
    try joined(
      by: { $0.take(.or) || $0.take(.doubleBar) },
      { parser throws(QueryError) in try parser.conjunction() }, as: { .or($0) })
  }

  private mutating func conjunction() throws(QueryError) -> Condition {
    try joined(
      by: { $0.take(.and) || $0.take(.doubleAmpersand) },
      { parser throws(QueryError) in try parser.negation() }, as: { .and($0) })
  }

  private mutating func negation() throws(QueryError) -> Condition {
    var negations: [SourceRange] = []
    while try isAtNegation() {
      try enter(at: current)
      negations.append(advance().range)
    }
    var condition = try primaryCondition()
    for negation in negations.reversed() {
      condition = Condition(.not(condition), range: range(from: negation))
      leave()
    }
    return condition
  }

  private mutating func isAtNegation() throws(QueryError) -> Bool {
    if current.kind == .exclamation { return true }
    guard current.kind == .word, current.keyword == .not else { return false }
    return current.isReserved ? true : readsAsPrefix()
  }

  private mutating func primaryCondition() throws(QueryError) -> Condition {
    if current.kind == .word {
      switch current.keyword {
      case .truePredicate: return Condition(.constant(true), range: advance().range)
      case .falsePredicate: return Condition(.constant(false), range: advance().range)
      case .sort, .distinct, .limit:
        if peek(1).kind == .openParenthesis { throw orderingWithoutCondition() }
      default: break
      }
    }
    guard current.kind == .openParenthesis, !opensValue() else { return try comparison() }
    let opener = advance()
    try enter(at: opener)
    let inner = try condition()
    guard take(.closeParenthesis) else { throw missingEnd(of: inner, in: opener) }
    leave()
    return inner
  }

  private func orderingWithoutCondition() -> QueryError {
    let word = source.text(in: current.range).uppercased()
    return QueryError(
      .ordering, "\(word) needs a condition before it", at: current.range,
      hint: "write TRUEPREDICATE \(word)(…)")
  }

  private func missingEnd(of inner: Condition, in opener: Token) -> QueryError {
    if let failureHere { return failureHere }
    if current.kind == .end || current.kind == .semicolon { return unclosed(opener, by: ")") }
    if isAtOrdering {
      return QueryError(
        .ordering, "\(source.text(in: current.range).uppercased()) must stand behind the whole condition",
        at: current.range)
    }
    return notChained(or: "')'")
  }

  /// The complaint about a token that cannot follow a condition.
  func notChained(or end: String) -> QueryError {
    if let failureHere { return failureHere }
    return QueryError(
      .chain, "expected AND, OR or \(end), found \(describe(current))", at: current.range, hint: chainHint())
  }

  private func chainHint() -> String? {
    guard let previous else { return nil }
    if current.kind.isComparison { return "join comparisons with AND" }
    if previous.kind == .string, current.kind == .string, previous.range.end == current.range.offset {
      return "write \\' for a quote inside '…'"
    }
    if previous.kind == .civilDate, current.kind == .integer {
      let date = source.text(in: previous.range)
      return "write a time as \(date)T\(source.text(in: current.range)):00:00"
    }
    return nil
  }
}
