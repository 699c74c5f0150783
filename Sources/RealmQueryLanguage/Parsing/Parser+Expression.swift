// Arithmetic, calls and single values. Layer: Parsing.

extension Parser {
  /// `a ?? b ?? …`: the side of a comparison.
  mutating func coalescing(wanted: String) throws(QueryError) -> Expression {
    try joined(
      by: { $0.take(.doubleQuestion) }, { parser throws(QueryError) in try parser.sum(wanted: wanted) },
      as: { .coalescing($0) })
  }

  private mutating func sum(wanted: String) throws(QueryError) -> Expression {
    try arithmetic(
      by: { $0.takeAdditiveOperator() }, of: try product(wanted: wanted),
      { parser throws(QueryError) in try parser.product(wanted: "a value") })
  }

  private mutating func product(wanted: String) throws(QueryError) -> Expression {
    try arithmetic(
      by: { parser throws(QueryError) in try parser.takeFactorOperator() }, of: try signed(wanted: wanted),
      { parser throws(QueryError) in try parser.signed(wanted: "a value") })
  }

  /// Behind a minus sign `!` binds as tightly as it does.
  private mutating func signed(wanted: String) throws(QueryError) -> Expression {
    var signs: [Token] = []
    while current.kind == .minus || current.kind == .exclamation && !signs.isEmpty {
      if isForReference {
        throw QueryError(
          .unsupported, "a minus sign before \(describe(peek(1))) is not supported", at: current.range,
          hint: "subtract from 0")
      }
      try enter(at: current)
      signs.append(advance())
    }
    var expression = try primary(wanted: signs.isEmpty ? wanted : "a value")
    for sign in signs.reversed() {
      expression = Expression(
        sign.kind == .minus ? .negative(expression) : .not(expression), range: range(from: sign.range))
      leave()
    }
    return expression
  }

  /// A constant, a property, a list, a call, a subquery, or anything in parentheses.
  mutating func primary(wanted: String) throws(QueryError) -> Expression {
    let start = current
    switch start.kind {
    case .openParenthesis: return try parenthesized()
    case .word: return try wordValue(wanted: wanted)
    case .atWord, .keyPathArgument, .keyPathSpecifier: return try property(quantifier: nil, from: start)
    case .openBrace:
      let list = try list()
      return Expression(.list(nil, list), range: list.range)
    case .openBracket where !isForReference:
      let list = try list()
      return Expression(.list(nil, list), range: list.range)
    case .openBracket where peek(1).kind.isLiteral || peek(1).kind == .closeBracket:
      throw QueryError(.listSyntax, "lists are written {1, 2}", at: start.range)
    case .argument, .specifier: break
    case .question:
      throw unexpected(wanted, hint: "a value that is given beside the condition is written $0")
    default: guard start.kind.isLiteral else { throw unexpected(wanted) }
    }
    return try constantOperand(wanted: wanted)
  }

  private mutating func parenthesized() throws(QueryError) -> Expression {
    let opener = advance()
    try enter(at: opener)
    let inner = try expression()
    if current.kind == .comma { throw QueryError(.listSyntax, "lists are written {1, 2}", at: opener.range) }
    try expectCloser(.closeParenthesis, of: opener, or: "an operator")
    leave()
    return inner
  }

  private mutating func wordValue(wanted: String) throws(QueryError) -> Expression {
    let start = current
    let isBeforeParenthesis = peek(1).kind == .openParenthesis
    switch start.keyword {
    case .any, .some, .all, .noneOf:
      if start.isReserved ? true : readsAsPrefix() { return try quantified() }
    case .subquery: return try subquery()
    case .object: return try constantOperand(wanted: wanted)
    case .binary where isBeforeParenthesis: return try constantOperand(wanted: wanted)
    case .function where isBeforeParenthesis, .cast where isBeforeParenthesis:
      let word = source.text(in: start.range).uppercased()
      throw QueryError(.unsupported, "\(word) is not supported", at: start.range)
    case .geoBox, .geoCircle, .geoPolygon: throw unexpected(wanted, hint: "shapes come after GEOWITHIN")
    default: break
    }
    if start.isReserved { throw unexpected(wanted) }
    if isOfGroups, let column = try calculatedColumn() { return column }
    return isBeforeParenthesis ? try call() : try property(quantifier: nil, from: start)
  }

  private mutating func constantOperand(wanted: String) throws(QueryError) -> Expression {
    let constant = try constant(wanted: wanted)
    return Expression(.constant(constant), range: constant.range)
  }

  mutating func property(quantifier: Quantifier?, from start: Token) throws(QueryError) -> Expression {
    let reference = try propertyReference()
    return Expression(.property(quantifier, reference), range: range(from: start.range))
  }

  private mutating func call() throws(QueryError) -> Expression {
    let word = advance()
    let opener = advance()
    try enter(at: opener)
    var arguments: [Expression] = []
    callDepth += 1
    if current.kind != .closeParenthesis {
      repeat { arguments.append(try expression()) } while take(.comma)
    }
    callDepth -= 1
    try expectCloser(.closeParenthesis, of: opener, or: "','")
    leave()
    let call = FunctionCall(name: name(of: word), arguments: arguments)
    return Expression(.call(call), range: range(from: word.range))
  }

  /// `property = expression, …`
  mutating func assignments() throws(QueryError) -> [Assignment] {
    var assignments: [Assignment] = []
    repeat {
      let target = try assignmentTarget()
      if current.kind == .doubleEqual { throw unexpected("'='", hint: "write = to assign") }
      let symbol = try assignmentSymbol()
      isAssigning = true
      let value = try expression()
      isAssigning = false
      assignments.append(
        Assignment(target: target, symbol: symbol, value: value, range: range(from: target.range)))
    } while take(.comma)
    return assignments
  }

  private mutating func assignmentTarget() throws(QueryError) -> PropertyPath {
    guard isStatement, isNameOfSQL(current) else {
      return try plainPath(.property, "only a property can be set")
    }
    let name = takeNameOfSQL()
    return PropertyPath(steps: [PathStep(.name(name), range: name.range)], range: name.range)
  }

  /// `=`, `+=` or `-=`
  private mutating func assignmentSymbol() throws(QueryError) -> Assignment.Symbol {
    let sign = current
    if sign.kind == .plus || sign.kind == .minus, peek(1).kind == .singleEqual,
      sign.range.end == peek(1).range.offset
    {
      advance()
      advance()
      return sign.kind == .plus ? .add : .remove
    }
    try expect(.singleEqual, "'='")
    return .set
  }

  /// Complains when anything is left behind an expression.
  func expectEndOfExpression(or others: String) throws(QueryError) {
    if current.kind == .end { return }
    throw unexpected(
      "\(others) or end of \(subject)", hint: current.kind == .singleEqual ? "write == to compare" : nil)
  }
}
