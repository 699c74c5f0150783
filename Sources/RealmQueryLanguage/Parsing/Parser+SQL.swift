// Conditions as SQL spells them: IS NULL, NOT IN (1, 2), BETWEEN 1 AND 5. Layer: Parsing.
// Each is another spelling of something that the language has; no query of the reference engine means anything else by it.

extension Parser {
  /// Whether it is in double quotes, and nothing in it is an escape. Where a value can stand this is a text.
  func isNameOfSQL(_ token: Token) -> Bool {
    token.kind == .string && token.range.length > 2 && source[token.range.offset] == UInt8(ascii: "\"")
      && !source[token.range.bounds].contains(UInt8(ascii: "\\"))
  }

  mutating func takeNameOfSQL() -> Name {
    let range = advance().range
    let body = SourceRange(range.bounds.dropFirst().dropLast())
    return Name(source.text(in: body), isQuoted: true, range: range)
  }

  /// `left IS NULL`, `left IS NOT NULL`; nil where neither stands here.
  mutating func nullTest(of left: Expression) -> Expression? {
    guard current.kind == .word, current.keyword == .is else { return nil }
    let isNegated = peek(1).kind == .word && peek(1).keyword == .not
    guard peek(isNegated ? 2 : 1).kind == .null else { return nil }
    let word = advance()
    if isNegated { advance() }
    let symbolRange = range(from: word.range)
    let null = advance()
    let comparison = Comparison(
      left: left, symbol: isNegated ? .notEqual : .equal, symbolRange: symbolRange,
      right: Expression(.constant(Constant(.literal(.null), range: null.range)), range: null.range))
    return Expression(.comparison(comparison), range: range(from: left.range))
  }

  /// Takes the NOT of NOT IN, NOT LIKE, NOT BETWEEN and their like.
  mutating func takeNegation() -> Bool {
    let next = peek(1)
    guard current.kind == .word, current.keyword == .not, next.kind == .word, next.keyword.isNegatable
    else { return false }
    advance()
    return true
  }

  /// Whether a list in parentheses begins here: its first element and what stands behind it are there. An argument alone may be
  /// a list itself.
  mutating func isAtParenthesizedConstants() -> Bool {
    let (first, second) = (peek(1), peek(2))
    if first.kind == .closeParenthesis { return true }
    let isBeforeComma = second.kind == .comma
    switch first.kind {
    case .argument, .specifier: return isBeforeComma
    case .word where first.keyword == .object, .word where first.keyword == .binary:
      var other = self
      return (try? other.list()) != nil
    case .word:
      let isBool = [.true, .false, .yes, .no].contains(first.keyword)
      return isBool && (isBeforeComma || second.kind == .closeParenthesis)
    default: return first.kind.isLiteral && (isBeforeComma || second.kind == .closeParenthesis)
    }
  }

  /// The two values of `BETWEEN a AND b`; nil where a list stands here.
  mutating func sqlBounds() throws(QueryError) -> SQLBounds? {
    if [.openBrace, .openParenthesis, .openBracket, .invalid].contains(current.kind) { return nil }
    let isArgument = current.kind == .argument || current.kind == .specifier
    var other = self
    guard let lower = try? other.bound(), other.take(.and) else { return nil }
    // `x BETWEEN $0 AND y == 1`: the argument is the list, and another condition begins behind AND.
    if isArgument {
      guard other.current.kind != .openParenthesis, (try? other.bound()) != nil,
        other.comparisonOperator(other.current) == nil,
        ![.plus, .minus, .star, .slash, .percent].contains(other.current.kind)
      else { return nil }
    }
    _ = try bound()
    _ = take(.and)
    return SQLBounds(lower: lower, upper: try bound())
  }

  private mutating func bound() throws(QueryError) -> Expression {
    isForReference ? try primary(wanted: "a value") : try coalescing(wanted: "a value")
  }
}

/// What `BETWEEN a AND b` lies between.
struct SQLBounds {
  let lower: Expression
  let upper: Expression

  /// Both as a list, where both are constants.
  var constants: Expression? {
    guard case .constant(let low) = lower.kind, case .constant(let high) = upper.kind else { return nil }
    let range = lower.range.joined(with: upper.range)
    return Expression(.list(nil, ConstantList(elements: [low, high], range: range)), range: range)
  }

  /// `left >= lower AND left <= upper`
  func test(of left: Expression, _ symbolRange: SourceRange, range: SourceRange) -> Expression {
    let sides: [(ComparisonSymbol, Expression)] = [(.greaterOrEqual, lower), (.lessOrEqual, upper)]
    return Expression(
      .and(
        sides.map { symbol, side in
          Expression(
            .comparison(
              Comparison(left: left, symbol: symbol, symbolRange: symbolRange, right: side)),
            range: range)
        }), range: range)
  }
}

extension Expression {
  /// The opposite, as NOT behind an operand has it.
  var negated: Expression { Expression(.not(self), range: range) }
}
