// AND, OR, NOT and parentheses, where a condition is due and where any value is. Layer: Parsing. From loosest to
// tightest: `c ? a : b`, OR, AND, NOT, comparisons (not chained), `??`, `+ -`, `* / %`, `-`.

/// What a place of the text is for.
enum ConditionContext {
  /// What is not compared with anything is refused.
  case condition
  /// `wanted`: what a complaint calls it.
  case value(wanted: String)

  var isCondition: Bool { if case .condition = self { true } else { false } }

  var wanted: String {
    switch self {
    case .condition: "a condition"
    case .value(let wanted): wanted
    }
  }
}

extension Parser {
  mutating func condition() throws(QueryError) -> Expression { try disjunction(.condition) }

  /// A value of any kind, conditions included.
  mutating func expression(wanted: String = "a value") throws(QueryError) -> Expression {
    var branches: [ConditionalBranch] = []
    var head = try disjunction(.value(wanted: wanted))
    let start = head.range
    while current.kind == .question {
      try enter(at: advance())
      let value = try expression()
      leave()
      try expect(.colon, "':'")
      branches.append(ConditionalBranch(condition: head, value: value))
      head = try disjunction(.value(wanted: "a value"))
    }
    guard !branches.isEmpty else { return head }
    return Expression(.conditional(branches, otherwise: head), range: range(from: start))
  }

  private mutating func disjunction(_ place: ConditionContext) throws(QueryError) -> Expression {
    try joined(
      by: { $0.take(.or) || $0.take(.doubleBar) },
      { parser throws(QueryError) in try parser.conjunction(place) }, as: { .or($0) })
  }

  private mutating func conjunction(_ place: ConditionContext) throws(QueryError) -> Expression {
    try joined(
      by: { $0.take(.and) || $0.take(.doubleAmpersand) },
      { parser throws(QueryError) in try parser.negation(place) }, as: { .and($0) })
  }

  private mutating func negation(_ place: ConditionContext) throws(QueryError) -> Expression {
    var negations: [SourceRange] = []
    while isAtNegation() {
      try enter(at: current)
      negations.append(advance().range)
    }
    var condition = try primaryCondition(place)
    for negation in negations.reversed() {
      condition = Expression(.not(condition), range: range(from: negation))
      leave()
    }
    return condition
  }

  private mutating func isAtNegation() -> Bool {
    if current.kind == .exclamation { return true }
    guard current.kind == .word, current.keyword == .not else { return false }
    return current.isReserved ? true : readsAsPrefix()
  }

  private mutating func primaryCondition(_ place: ConditionContext) throws(QueryError) -> Expression {
    if current.kind == .word {
      switch current.keyword {
      case .truePredicate: return Expression(.truth(true), range: advance().range)
      case .falsePredicate: return Expression(.truth(false), range: advance().range)
      case .sort, .distinct, .limit:
        if place.isCondition, peek(1).kind == .openParenthesis { throw orderingWithoutCondition() }
      default: break
      }
    }
    guard place.isCondition, current.kind == .openParenthesis, !opensValue() else {
      return try comparison(place)
    }
    let opener = advance()
    try enter(at: opener)
    let inner = try condition()
    guard take(.closeParenthesis) else {
      throw missingEnd(in: opener, "must come after the whole condition")
    }
    leave()
    return inner
  }

  private func orderingWithoutCondition() -> QueryError {
    let word = source.text(in: current.range).uppercased()
    return QueryError(
      .ordering, "\(word) needs a condition before it", at: current.range,
      hint: "write TRUEPREDICATE \(word)(…)")
  }

  /// The complaint about what stands where a bracket should close; `refusal`: what is said of a clause that orders.
  func missingEnd(in opener: Token, _ refusal: String) -> QueryError {
    if let failureHere { return failureHere }
    if current.kind == .end || current.kind == .semicolon { return unclosed(opener, by: ")") }
    if isAtOrdering {
      let word = source.text(in: current.range).uppercased()
      return QueryError(.ordering, "\(word) \(refusal)", at: current.range)
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
    if let doubledQuoteHint { return doubledQuoteHint }
    let (name, key) = (source.text(in: previous.range), source.text(in: current.range))
    if previous.kind == .word, current.kind.isKey, name.first?.isUppercase ?? false {
      return current.kind == .objectKey ? "write \(key)" : "write obj('\(name)', \(key))"
    }
    if previous.kind == .civilDate, current.kind == .integer {
      let date = source.text(in: previous.range)
      return "write a time as \(date)T\(source.text(in: current.range)):00:00"
    }
    return nil
  }
}
