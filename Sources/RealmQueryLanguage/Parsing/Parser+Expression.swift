// Expressions that compute a value. Layer: Parsing. From loosest to tightest:
// `c ? a : b`, `||`, `&&`, comparisons (not chained), `??`, `+ -`, `* / %`, `! -`.

extension Parser {
  mutating func valueExpression() throws(QueryError) -> ValueExpression {
    var branches: [ConditionalBranch] = []
    var head = try disjunction()
    let start = head.range
    while current.kind == .question {
      try enter(at: advance())
      let value = try valueExpression()
      leave()
      try expect(.colon, "':'")
      branches.append(ConditionalBranch(condition: head, value: value))
      head = try disjunction()
    }
    guard !branches.isEmpty else { return head }
    return ValueExpression(.conditional(branches, otherwise: head), range: range(from: start))
  }

  private mutating func disjunction() throws(QueryError) -> ValueExpression {
    try joined(
      by: { $0.take(.doubleBar) }, { parser throws(QueryError) in try parser.conjunctionOfValues() },
      as: { .or($0) })
  }

  private mutating func conjunctionOfValues() throws(QueryError) -> ValueExpression {
    try joined(
      by: { $0.take(.doubleAmpersand) }, { parser throws(QueryError) in try parser.comparisonOfValues() },
      as: { .and($0) })
  }

  private mutating func comparisonOfValues() throws(QueryError) -> ValueExpression {
    let left = try coalescing()
    guard current.kind.isComparison, current.kind != .singleEqual, let symbol = comparisonOperator(current)
    else {
      return left
    }
    advance()
    let right = try coalescing()
    if current.kind.isComparison, current.kind != .singleEqual {
      throw QueryError(
        .chain, "expected an operator or end of \(subject), found \(describe(current))", at: current.range,
        hint: "join comparisons with &&")
    }
    return ValueExpression(.comparison(left, symbol, right), range: range(from: left.range))
  }

  private mutating func coalescing() throws(QueryError) -> ValueExpression {
    try joined(
      by: { $0.take(.doubleQuestion) }, { parser throws(QueryError) in try parser.sum() },
      as: { .coalescing($0) })
  }

  private mutating func sum() throws(QueryError) -> ValueExpression {
    let first = try product()
    return try arithmetic(
      by: { $0.takeAdditiveOperator() }, of: first, { parser throws(QueryError) in try parser.product() },
      as: { .arithmetic(first: $0, rest: $1) })
  }

  private mutating func product() throws(QueryError) -> ValueExpression {
    let first = try unary()
    return try arithmetic(
      by: { $0.takeFactorOperator() }, of: first, { parser throws(QueryError) in try parser.unary() },
      as: { .arithmetic(first: $0, rest: $1) })
  }

  private mutating func takeFactorOperator() -> (symbol: ArithmeticOperator, range: SourceRange)? {
    switch current.kind {
    case .star: (.multiply, advance().range)
    case .slash: (.divide, advance().range)
    case .percent: (.remainder, advance().range)
    default: nil
    }
  }

  private mutating func unary() throws(QueryError) -> ValueExpression {
    var signs: [Token] = []
    while current.kind == .exclamation || current.kind == .minus {
      try enter(at: current)
      signs.append(advance())
    }
    var expression = try primary()
    for sign in signs.reversed() {
      expression = ValueExpression(
        sign.kind == .minus ? .negative(expression) : .not(expression), range: range(from: sign.range))
      leave()
    }
    return expression
  }

  private mutating func primary() throws(QueryError) -> ValueExpression {
    let start = current
    switch start.kind {
    case .openParenthesis:
      advance()
      try enter(at: start)
      let inner = try valueExpression()
      try expectCloser(.closeParenthesis, of: start, or: "an operator")
      leave()
      return inner
    case .openBrace:
      let list = try list()
      return ValueExpression(.list(list), range: list.range)
    case .word where start.keyword == .object || start.keyword == .binary && peek(1).kind == .openParenthesis:
      break
    case .word where peek(1).kind == .openParenthesis && !isSymbolWord(start): return try call()
    case .word where start.isReserved: throw unexpected("a value")
    case .word, .atWord, .keyPathArgument:
      let reference = try propertyReference()
      return ValueExpression(.property(reference), range: reference.range)
    case .argument: break
    default: guard start.kind.isLiteral else { throw unexpected("a value") }
    }
    let constant = try constant(wanted: "a value")
    return ValueExpression(.constant(constant), range: constant.range)
  }

  private func isSymbolWord(_ token: Token) -> Bool {
    token.isReserved && [.and, .or, .not].contains(token.keyword)
  }

  private mutating func call() throws(QueryError) -> ValueExpression {
    let word = advance()
    let opener = advance()
    try enter(at: opener)
    var arguments: [ValueExpression] = []
    if current.kind != .closeParenthesis {
      repeat { arguments.append(try valueExpression()) } while take(.comma)
    }
    try expectCloser(.closeParenthesis, of: opener, or: "','")
    leave()
    let call = FunctionCall(name: name(of: word), arguments: arguments)
    return ValueExpression(.call(call), range: range(from: word.range))
  }

  /// `property = expression, …`
  mutating func assignments() throws(QueryError) -> [Assignment] {
    var assignments: [Assignment] = []
    repeat {
      let target = try plainPath(.property, "only a property can be set")
      if current.kind == .doubleEqual { throw unexpected("'='", hint: "write = to assign") }
      try expect(.singleEqual, "'='")
      let value = try valueExpression()
      assignments.append(Assignment(target: target, value: value, range: range(from: target.range)))
    } while take(.comma)
    return assignments
  }

  /// Complains when anything is left behind an expression.
  func expectEndOfExpression(or others: String) throws(QueryError) {
    if current.kind == .end { return }
    let hint: String? =
      switch (current.kind, current.keyword) {
      case (.singleEqual, _): "write == to compare"
      case (.word, .and): "write &&"
      case (.word, .or): "write ||"
      default: nil
      }
    throw unexpected("\(others) or end of \(subject)", hint: hint)
  }
}

extension ValueExpression {
  /// Parses an expression. Linear in its length.
  package init(parsing source: [UInt8]) throws(QueryError) {
    var parser = try Parser(source: source, mode: .expression, subject: "expression")
    self = try parser.valueExpression()
    try parser.expectEndOfExpression(or: "an operator")
  }
}

extension Assignment {
  /// Parses `a = 1, b = a + 1`.
  package static func list(parsing source: [UInt8]) throws(QueryError) -> [Assignment] {
    var parser = try Parser(source: source, mode: .expression, subject: "list")
    let assignments = try parser.assignments()
    try parser.expectEndOfExpression(or: "an operator, ','")
    return assignments
  }
}
