// Quantifiers and subqueries. Layer: Parsing.

extension Parser {
  /// ANY, ALL or NONE with the path, list or argument behind it.
  mutating func quantified() throws(QueryError) -> Expression {
    let word = advance()
    let quantifier: Quantifier =
      switch word.keyword {
      case .all: .all
      case .noneOf: .noneOf
      default: .any
      }
    let nameHint =
      "a property called \(source.text(in: word.range)) stands in backquotes: `\(source.text(in: word.range))`"
    switch current.kind {
    case .openBrace:
      let list = try list()
      return Expression(.list(quantifier, list), range: range(from: word.range))
    case .argument, .specifier:
      let reference = takeArgument()
      return Expression(.quantifiedArgument(quantifier, reference), range: range(from: word.range))
    case .word where current.keyword == .subquery:
      throw QueryError(
        .quantifier, "\(source.text(in: word.range)) needs a to-many path; SUBQUERY has one value",
        at: word.range)
    case .word where current.isReserved: throw unexpected("a to-many path", hint: nameHint)
    case .word, .atWord, .keyPathArgument, .keyPathSpecifier: break
    default: throw unexpected("a to-many path", hint: nameHint)
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
  mutating func subquery() throws(QueryError) -> Expression {
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
    guard current.kind == .closeParenthesis else {
      throw missingEnd(in: opener, "is not allowed inside SUBQUERY")
    }
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
    return Expression(.subquery(subquery), range: range(from: word.range))
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
}
