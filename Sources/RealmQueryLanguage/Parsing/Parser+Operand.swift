// Arithmetic and single values. Layer: Parsing.

extension Parser {
  /// `a + b - …`
  mutating func expression(wanted: String) throws(QueryError) -> Operand {
    let first = try term(wanted: wanted)
    return try arithmetic(
      by: { $0.takeAdditiveOperator() }, of: first,
      { parser throws(QueryError) in try parser.term(wanted: "a value") },
      as: { .arithmetic(first: $0, rest: $1) })
  }

  private mutating func term(wanted: String) throws(QueryError) -> Operand {
    let first = try factor(wanted: wanted)
    return try arithmetic(
      by: { parser throws(QueryError) in try parser.takeMultiplicativeOperator() }, of: first,
      { parser throws(QueryError) in try parser.factor(wanted: "a value") },
      as: { .arithmetic(first: $0, rest: $1) })
  }

  private mutating func takeMultiplicativeOperator() throws(QueryError) -> (
    symbol: ArithmeticOperator, range: SourceRange
  )? {
    guard current.kind == .star || current.kind == .slash else { return nil }
    let sign = advance()
    if sign.kind == .star, current.kind == .star {
      throw QueryError(.unsupported, "'**' is not supported", at: sign.range.joined(with: current.range))
    }
    return (sign.kind == .star ? .multiply : .divide, sign.range)
  }

  private mutating func factor(wanted: String) throws(QueryError) -> Operand {
    guard current.kind == .openParenthesis else { return try value(wanted: wanted) }
    let opener = advance()
    try enter(at: opener)
    let inner = try expression(wanted: "a value")
    if current.kind == .comma { throw QueryError(.listSyntax, "lists are written {1, 2}", at: opener.range) }
    if current.kind.isComparison {
      throw QueryError(
        .chain, "expected ')', found \(describe(current))", at: current.range,
        hint: "join comparisons with AND")
    }
    try expectCloser(.closeParenthesis, of: opener, or: "an operator")
    leave()
    return inner
  }

  /// A constant, a property, a list or a subquery.
  mutating func value(wanted: String) throws(QueryError) -> Operand {
    let start = current
    switch start.kind {
    case .word: return try wordValue(wanted: wanted)
    case .atWord, .keyPathArgument, .keyPathSpecifier: return try property(quantifier: nil, from: start)
    case .openBrace:
      let list = try list()
      return Operand(.list(nil, list), range: list.range)
    case .openBracket where peek(1).kind.isLiteral || peek(1).kind == .closeBracket:
      throw QueryError(.listSyntax, "lists are written {1, 2}", at: start.range)
    case .minus:
      throw QueryError(
        .unsupported, "a minus sign before \(describe(peek(1))) is not supported", at: start.range,
        hint: "subtract from 0")
    case .argument, .specifier: break
    default: guard start.kind.isLiteral else { throw unexpected(wanted) }
    }
    let constant = try constant(wanted: wanted)
    return Operand(.constant(constant), range: constant.range)
  }

  private mutating func wordValue(wanted: String) throws(QueryError) -> Operand {
    let start = current
    switch start.keyword {
    case .any, .some, .all, .noneOf:
      if start.isReserved ? true : readsAsPrefix() { return try quantified() }
    case .subquery: return try subquery()
    case .object: return try constantOperand(wanted: wanted)
    case .binary where peek(1).kind == .openParenthesis: return try constantOperand(wanted: wanted)
    case .function, .cast:
      if peek(1).kind == .openParenthesis {
        let word = source.text(in: start.range).uppercased()
        throw QueryError(.unsupported, "\(word) is not supported", at: start.range)
      }
    case .geoBox, .geoCircle, .geoPolygon: throw unexpected(wanted, hint: "shapes stand behind GEOWITHIN")
    default: break
    }
    if start.isReserved { throw unexpected(wanted) }
    return try property(quantifier: nil, from: start)
  }

  private mutating func constantOperand(wanted: String) throws(QueryError) -> Operand {
    let constant = try constant(wanted: wanted)
    return Operand(.constant(constant), range: constant.range)
  }

  private mutating func property(quantifier: Quantifier?, from start: Token) throws(QueryError) -> Operand {
    let reference = try propertyReference()
    return Operand(.property(quantifier, reference), range: range(from: start.range))
  }

  /// ANY, ALL or NONE with the path, list or argument behind it.
  private mutating func quantified() throws(QueryError) -> Operand {
    let word = advance()
    let quantifier: Quantifier =
      switch word.keyword {
      case .all: .all
      case .noneOf: .noneOf
      default: .any
      }
    switch current.kind {
    case .openBrace:
      let list = try list()
      return Operand(.list(quantifier, list), range: range(from: word.range))
    case .argument, .specifier:
      let reference = takeArgument()
      return Operand(.quantifiedArgument(quantifier, reference), range: range(from: word.range))
    case .word where current.keyword == .subquery:
      throw QueryError(
        .quantifier, "\(source.text(in: word.range)) needs a to-many path; SUBQUERY has one value",
        at: word.range)
    case .word where current.isReserved: throw unexpected("a to-many path")
    case .word, .atWord, .keyPathArgument, .keyPathSpecifier: break
    default: throw unexpected("a to-many path")
    }
    let operand = try property(quantifier: quantifier, from: word)
    if case .property(_, let reference) = operand.kind, case .aggregate = reference.question?.kind {
      throw QueryError(
        .quantifier, "\(source.text(in: word.range)) needs a to-many path; an aggregate has one value",
        at: word.range)
    }
    return operand
  }
}

extension Parser {
  private mutating func subquery() throws(QueryError) -> Operand {
    let word = advance()
    let opener = current
    try expect(.openParenthesis, "'('")
    try enter(at: opener)
    let collection = try plainPath(.subquery, "SUBQUERY needs a path to objects")
    try expect(.comma, "',' and a variable such as $x")
    let variable = try subqueryVariable()
    try expect(.comma, "',' and a condition")
    variables.append(variable)
    let inner = try condition()
    variables.removeLast()
    guard current.kind == .closeParenthesis else { throw unfinishedSubquery(opener) }
    advance()
    leave()
    guard current.kind == .dot, peek(1).kind == .atWord, [.atCount, .atSize].contains(peek(1).keyword) else {
      throw failureHere
        ?? QueryError(
          .subquery, "SUBQUERY(…) must be followed by .@count", at: range(from: word.range))
    }
    advance()
    advance()
    if current.kind == .dot || current.kind == .openBracket {
      throw unexpected("a comparison operator")
    }
    let subquery = Subquery(collection: collection, variable: variable, condition: inner)
    return Operand(.subquery(subquery), range: range(from: word.range))
  }

  private mutating func subqueryVariable() throws(QueryError) -> Name {
    let token = current
    let isName = token.kind == .word && source[token.range.offset] == UInt8(ascii: "$")
    guard isName, token.range.length >= 2 else {
      throw failureHere
        ?? QueryError(
          .subquery, "SUBQUERY needs a variable such as $x, found \(describe(token))", at: token.range)
    }
    advance()
    let variable = name(of: token)
    guard !variables.contains(where: { $0.text.utf8.elementsEqual(variable.text.utf8) }) else {
      throw QueryError(
        .subquery, "variable \(quoted(variable.text)) is already used by an outer SUBQUERY", at: token.range)
    }
    return variable
  }

  private func unfinishedSubquery(_ opener: Token) -> QueryError {
    if let failureHere { return failureHere }
    if current.kind == .end || current.kind == .semicolon { return unclosed(opener, by: ")") }
    if isAtOrdering {
      let word = source.text(in: current.range).uppercased()
      return QueryError(.ordering, "\(word) is not allowed inside SUBQUERY", at: current.range)
    }
    return notChained(or: "')'")
  }
}
