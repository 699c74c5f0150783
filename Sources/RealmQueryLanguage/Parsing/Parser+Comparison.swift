// One comparison. Layer: Parsing.
// As in the reference engine the string operators, TEXT and BETWEEN take bare values where a query is parsed alone.

extension Parser {
  mutating func comparison(_ place: ConditionContext) throws(QueryError) -> Expression {
    let isParenthesized = current.kind == .openParenthesis
    let left = try coalescing(wanted: place.wanted)
    return try comparison(of: left, isParenthesized: isParenthesized, place)
  }

  /// Apart, so that parentheses in parentheses take little of the stack.
  @inline(never)
  private mutating func comparison(
    of left: Expression, isParenthesized: Bool, _ place: ConditionContext
  ) throws(QueryError) -> Expression {
    if let test = nullTest(of: left) { return test }
    let isNegated = takeNegation()
    let word = current
    guard let symbol = comparisonOperator(word), place.isCondition || comparesValues(word) else {
      // What is wrong with a property alone tells its type, which is not known here.
      if place.isCondition, !left.isProperty || isNegated || !isBehindOperand() {
        throw missingOperator(behind: left)
      }
      return left
    }
    if isForReference, case .comparison(let inner) = left.kind, symbol.isOrder {
      throw QueryError(
        .chain, "expected ')', found '\(source.text(in: inner.symbolRange))'", at: inner.symbolRange,
        hint: "join comparisons with AND")
    }
    if takesBareValues(symbol), isParenthesized || !left.isBareValue {
      throw QueryError(
        .expectation, "\(symbol.rawValue) takes a property or a value, not an expression", at: left.range,
        hint: isParenthesized ? "leave out the parentheses" : nil)
    }
    if symbol == .geoWithin, !left.isProperty {
      throw QueryError(.geospatial, "GEOWITHIN needs a property before it", at: left.range)
    }
    advance()
    if symbol == .equal, current.kind == .singleEqual { throw unexpected("a value", hint: "write ==") }
    let options = try options(of: symbol, word)
    let symbolRange = range(from: word.range)
    let right: Expression
    if symbol == .between, let bounds = try sqlBounds() {
      guard let list = bounds.constants else {
        let test = bounds.test(of: left, symbolRange, range: range(from: left.range))
        return isNegated ? test.negated : test
      }
      right = list
    } else {
      right = try rightSide(of: symbol, word)
    }
    if symbol == .like { warnAboutPattern(right) }
    if !place.isCondition, current.kind.isComparison, comparesValues(current) {
      throw QueryError(
        .chain, "expected an operator or end of \(subject), found \(describe(current))", at: current.range,
        hint: "join comparisons with AND")
    }
    let comparison = Comparison(
      left: left, symbol: symbol, symbolRange: symbolRange, options: options, right: right)
    if symbol == .equal { lastEquality = comparison }
    let result = Expression(.comparison(comparison), range: range(from: left.range))
    return isNegated ? result.negated : result
  }

  /// In assignments `=` is no comparison.
  private func comparesValues(_ token: Token) -> Bool { token.kind != .singleEqual || mode == .predicate }

  private func takesBareValues(_ symbol: ComparisonSymbol) -> Bool {
    symbol == .geoWithin || isForReference && !symbol.takesExpressions
  }

  func comparisonOperator(_ token: Token) -> ComparisonSymbol? {
    switch token.kind {
    case .singleEqual, .doubleEqual: return .equal
    case .notEqual: return .notEqual
    case .less: return .less
    case .lessOrEqual: return .lessOrEqual
    case .greater: return .greater
    case .greaterOrEqual: return .greaterOrEqual
    case .word: break
    default: return nil
    }
    switch token.keyword {
    case .in: return .in
    case .beginsWith: return .beginsWith
    case .endsWith: return .endsWith
    case .contains: return .contains
    case .like: return .like
    case .matches: return .matches
    case .text: return .text
    case .between: return .between
    case .geoWithin: return .geoWithin
    default: return nil
    }
  }

  private mutating func rightSide(of symbol: ComparisonSymbol, _ word: Token) throws(QueryError)
    -> Expression
  {
    switch symbol {
    case .between: return try bounds()
    case .geoWithin: return try shapeOrArgument()
    case .in where current.kind == .openParenthesis: return try parenthesizedList()
    default: break
    }
    if !takesBareValues(symbol) { return try coalescing(wanted: "a value") }
    if current.kind == .openParenthesis {
      throw QueryError(
        .expectation, "\(symbol.rawValue) takes a property or a value, not an expression", at: current.range,
        hint: "leave out the parentheses")
    }
    return try primary(wanted: "a value")
  }

  /// What follows BETWEEN.
  private mutating func bounds() throws(QueryError) -> Expression {
    let start = current
    let operand: Expression
    switch start.kind {
    case .openParenthesis, .openBracket:
      throw QueryError(.listSyntax, "lists are written {1, 2}", at: start.range)
    case .invalid: throw unexpected("a list")
    default: operand = try primary(wanted: "a list such as {1, 5}")
    }
    switch operand.kind {
    case .list, .quantifiedArgument: return operand
    case .constant(let constant): if case .argument = constant.kind { return operand }
    default: break
    }
    throw QueryError(
      .listSyntax, "BETWEEN needs two values", at: operand.range, hint: "write BETWEEN 1 AND 5")
  }

  /// What follows IN when it begins with a parenthesis: an expression, or a list as SQL has it.
  private mutating func parenthesizedList() throws(QueryError) -> Expression {
    guard isAtParenthesizedConstants() else { return try coalescing(wanted: "a list") }
    let list = try list()
    return Expression(.list(nil, list), range: list.range)
  }

  private mutating func warnAboutPattern(_ operand: Expression) {
    guard case .constant(let constant) = operand.kind, case .literal(.string(let pattern)) = constant.kind,
      pattern.contains(UInt8(ascii: "%")),
      !pattern.contains(where: { $0 == UInt8(ascii: "*") || $0 == UInt8(ascii: "?") })
    else { return }
    warnings.append(
      QueryWarning("LIKE takes * and ? as wildcards; '%' matches only itself", at: operand.range))
  }
}

extension Parser {
  /// The options behind an operator.
  private mutating func options(
    of symbol: ComparisonSymbol, _ word: Token
  ) throws(QueryError) -> StringOptions {
    guard current.kind == .openBracket, symbol != .geoWithin || stringOptions(at: 0) != nil else { return [] }
    let opener = current
    guard let options = stringOptions(at: 0) else {
      // What stands there may be a list as JSON has it.
      if !isForReference, !looksLikeOptions() { return [] }
      throw malformedOptions()
    }
    for _ in 0..<3 { advance() }
    let range = range(from: opener.range)
    guard symbol.allowedOptions.isSuperset(of: options) else {
      let quality = options.contains(.caseInsensitive) && !symbol.allowedOptions.contains(.caseInsensitive)
      throw QueryError(
        .options, "\(describe(word)) cannot be \(quality ? "case" : "diacritic")-insensitive", at: range)
    }
    return options
  }

  /// Whether one word stands in the brackets here, and a value behind them: `contains[x] 'a'`.
  private mutating func looksLikeOptions() -> Bool {
    guard peek(1).kind == .word, peek(2).kind == .closeBracket else { return false }
    let value = peek(3)
    return value.kind.isLiteral || value.kind == .argument || value.kind == .specifier
  }

  private mutating func malformedOptions() -> QueryError {
    let opener = current
    let next = peek(1)
    if next.kind == .invalid {
      advance()
      return unexpected("options")
    }
    if next.kind.isLiteral || next.kind == .closeBracket || next.kind == .argument || next.kind == .specifier
    {
      return QueryError(.listSyntax, "lists are written {1, 2}", at: opener.range)
    }
    var last = opener
    for distance in 1...4 where last.kind != .closeBracket && peek(distance).kind != .end {
      last = peek(distance)
    }
    let range = last.kind == .closeBracket ? opener.range.joined(with: last.range) : opener.range
    return QueryError(.options, "options are [c], [d] or [cd]", at: range)
  }

  /// The complaint about an operand that is not followed by an operator.
  private mutating func missingOperator(behind operand: Expression) -> QueryError {
    if let failureHere { return failureHere }
    if let refusal = refusedOperator(behind: operand) { return refusal }
    if isBehindOperand() { return bare(operand) }
    switch current.kind {
    case .percent:
      return QueryError(.unsupported, "'%' is not supported", at: current.range)
    case .exclamation where peek(1).kind == .singleEqual:
      return unexpected("a comparison operator", hint: "write != without a blank")
    case .colon: return unexpected("a comparison operator", hint: "write == to compare")
    default: break
    }
    let meant = foreignCondition(behind: operand)
    return unexpected("a comparison operator", hint: meant.map { "write \($0)" })
  }

  /// Whether what ends an operand, or follows a condition, is here.
  private mutating func isBehindOperand() -> Bool {
    switch current.kind {
    case .end, .semicolon, .closeParenthesis, .comma, .doubleAmpersand, .doubleBar: true
    case .word:
      current.keyword == .and || current.keyword == .or
        || current.keyword.isOrdering && peek(1).kind == .openParenthesis
        || isStatement && Self.clauseWords.contains(source.text(in: current.range).lowercased())
    default: false
    }
  }

  private static let clauseWords = ["select", "set", "by", "having"]

  /// Words of other query languages where an operator is due.
  private mutating func refusedOperator(behind operand: Expression) -> QueryError? {
    guard current.kind == .word else { return nil }
    let left = source.text(in: operand.range)
    let shownLeft = left.utf8.count <= 40 ? left : "x"
    switch current.keyword {
    case .not:
      let next = peek(1)
      guard next.kind == .word, next.keyword.isOperator else { return nil }
      let word = source.text(in: next.range).uppercased()
      return QueryError(
        .negatedOperator, "NOT \(word) is not an operator", at: current.range.joined(with: next.range),
        hint: word == "IS" ? "write \(shownLeft) IS NOT NULL" : "write NOT \(shownLeft) \(word) …")
    case .is:
      let second = peek(1)
      let isNegated = second.kind == .word && second.keyword == .not
      return QueryError(
        .negatedOperator, "only NULL and NOT NULL can follow IS",
        at: current.range.joined(with: isNegated ? second.range : current.range),
        hint: "write \(comparisonByIs(of: shownLeft))")
    default: return nil
    }
  }

  private mutating func bare(_ operand: Expression) -> QueryError {
    let isText = source[operand.range.offset].isQuote
    let text = isText ? source.text(in: operand.range) : quoted(source.text(in: operand.range))
    let advice: String =
      switch operand.kind {
      case .constant(let constant) where constant.kind == .literal(.bool(true)): "write TRUEPREDICATE"
      case .constant(let constant) where constant.kind == .literal(.bool(false)): "write FALSEPREDICATE"
      default: listOfAlternatives(with: operand).map { "write \($0)" } ?? "compare it with something"
      }
    return QueryError(.bareOperand, "\(text) is not a condition", at: operand.range, hint: advice)
  }
}

extension ComparisonSymbol {
  /// Whether parentheses and arithmetic may stand beside it.
  fileprivate var takesExpressions: Bool {
    switch self {
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .in: true
    case .beginsWith, .endsWith, .contains, .like, .matches, .text, .between, .geoWithin: false
    }
  }

  fileprivate var isOrder: Bool {
    switch self {
    case .less, .lessOrEqual, .greater, .greaterOrEqual: true
    default: false
    }
  }

  fileprivate var allowedOptions: StringOptions {
    switch self {
    case .equal, .notEqual, .in, .beginsWith, .endsWith, .contains: [.caseInsensitive, .diacriticInsensitive]
    case .like, .matches: .caseInsensitive
    case .less, .lessOrEqual, .greater, .greaterOrEqual, .text, .between, .geoWithin: []
    }
  }
}

extension Expression {
  /// What every operator can stand behind, in any text.
  fileprivate var isBareValue: Bool {
    switch kind {
    case .constant, .quantifiedArgument, .list, .property, .subquery, .call: true
    default: false
    }
  }

  fileprivate var isProperty: Bool {
    if case .property = kind { return true }
    return false
  }
}
