// Operators of one precedence, read by a loop into one node. Layer: Parsing.

extension Parser {
  /// `a OR b OR …`; `node` is asked only for two members or more.
  mutating func joined(
    by takeOperator: (inout Parser) -> Bool, _ next: (inout Parser) throws(QueryError) -> Expression,
    as node: ([Expression]) -> ExpressionKind
  ) throws(QueryError) -> Expression {
    let first = try next(&self)
    guard takeOperator(&self) else { return first }
    var members = [first]
    repeat { members.append(try next(&self)) } while takeOperator(&self)
    return Expression(node(members), range: range(from: first.range))
  }

  /// `a + b - …`
  mutating func arithmetic(
    by takeOperator: (inout Parser) throws(QueryError) -> (symbol: ArithmeticOperator, range: SourceRange)?,
    of first: Expression, _ next: (inout Parser) throws(QueryError) -> Expression
  ) throws(QueryError) -> Expression {
    var rest: [ArithmeticStep] = []
    while let (symbol, range) = try takeOperator(&self) {
      rest.append(ArithmeticStep(symbol, symbolRange: range, operand: try next(&self)))
    }
    if rest.isEmpty { return first }
    return Expression(.arithmetic(first: first, rest: rest), range: range(from: first.range))
  }

  /// Takes `+` or `-`, also when it was read as the sign of a number.
  mutating func takeAdditiveOperator() -> (symbol: ArithmeticOperator, range: SourceRange)? {
    guard current.kind == .plus || current.kind == .minus || isSignedNumber else { return nil }
    let sign = isSignedNumber ? takeSign() : advance()
    return (sign.kind == .plus ? .add : .subtract, sign.range)
  }

  mutating func takeFactorOperator() throws(QueryError) -> (symbol: ArithmeticOperator, range: SourceRange)? {
    let symbol: ArithmeticOperator
    switch current.kind {
    case .star: symbol = .multiply
    case .slash: symbol = .divide
    case .percent where !isForReference: symbol = .remainder
    default: return nil
    }
    let sign = advance()
    if symbol == .multiply, current.kind == .star {
      throw QueryError(.unsupported, "'**' is not supported", at: sign.range.joined(with: current.range))
    }
    return (symbol, sign.range)
  }
}
