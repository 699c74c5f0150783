// Operators of one precedence, read by a loop into one node. Layer: Parsing.

extension Parser {
  /// `a OR b OR …`; `node` is asked only for two members or more.
  mutating func joined<Kind>(
    by takeOperator: (inout Parser) -> Bool, _ next: (inout Parser) throws(QueryError) -> SyntaxNode<Kind>,
    as node: ([SyntaxNode<Kind>]) -> Kind
  ) throws(QueryError) -> SyntaxNode<Kind> {
    let first = try next(&self)
    guard takeOperator(&self) else { return first }
    var members = [first]
    repeat { members.append(try next(&self)) } while takeOperator(&self)
    return SyntaxNode(node(members), range: range(from: first.range))
  }

  /// `a + b - …`; `node` is asked only when there is an operator.
  mutating func arithmetic<Kind>(
    by takeOperator: (inout Parser) throws(QueryError) -> (symbol: ArithmeticOperator, range: SourceRange)?,
    of first: SyntaxNode<Kind>, _ next: (inout Parser) throws(QueryError) -> SyntaxNode<Kind>,
    as node: (SyntaxNode<Kind>, [ArithmeticStep<SyntaxNode<Kind>>]) -> Kind
  ) throws(QueryError) -> SyntaxNode<Kind> {
    var rest: [ArithmeticStep<SyntaxNode<Kind>>] = []
    while let (symbol, range) = try takeOperator(&self) {
      rest.append(ArithmeticStep(symbol, symbolRange: range, operand: try next(&self)))
    }
    if rest.isEmpty { return first }
    return SyntaxNode(node(first, rest), range: range(from: first.range))
  }

  /// Takes `+` or `-`, also when it was read as the sign of a number.
  mutating func takeAdditiveOperator() -> (symbol: ArithmeticOperator, range: SourceRange)? {
    guard current.kind == .plus || current.kind == .minus || isSignedNumber else { return nil }
    let sign = isSignedNumber ? takeSign() : advance()
    return (sign.kind == .plus ? .add : .subtract, sign.range)
  }
}
