// Questions about tokens that are not taken yet. Layer: Parsing.
// Two things need more than the current token: whether a parenthesis holds a condition or a value, and whether
// `Not`, `Any`, … in mixed case are the keyword or a property of that name.

extension Parser {
  /// Whether the parenthesis that opens here holds a value: an operator follows behind its end.
  ///
  /// Each parenthesis of the text is visited once, whatever the nesting.
  mutating func opensValue() -> Bool {
    guard let closer = closingIndex() else { return false }
    let behind = token(at: closer + 1)
    if behind.kind.isComparison || isSignedNumber(behind) { return true }
    switch behind.kind {
    case .plus, .minus, .star, .slash, .percent: return true
    case .word: return behind.keyword.isOperator || behind.keyword == .not
    default: return false
    }
  }

  /// The index of the token that closes the parenthesis at the current one, or nil.
  private mutating func closingIndex() -> Int? {
    if let known = closingIndices[index] { return known }
    var openers: [Int] = []
    var place = index
    scan: while true {
      switch token(at: place).kind {
      case .openParenthesis: openers.append(place)
      case .closeParenthesis:
        guard let opener = openers.popLast() else { break scan }
        closingIndices[opener] = .some(place)
        if openers.isEmpty { return place }
      case .end, .invalid, .semicolon: break scan
      default: break
      }
      place += 1
    }
    for opener in openers { closingIndices[opener] = .some(nil) }
    return nil
  }

  /// Whether the current word, which spells a keyword but may be a name, is followed by what only the keyword
  /// can be followed by.
  ///
  /// A name is followed by an operator, `.`, `[` or the end of its operand; a keyword by an operand. Where the
  /// next word can be both an operator and a name, the token behind it tells.
  mutating func readsAsPrefix() -> Bool {
    let next = peek(1)
    switch next.kind {
    case .openParenthesis, .openBrace, .exclamation, .atWord, .argument, .keyPathArgument, .specifier,
      .keyPathSpecifier:
      return true
    case .word:
      if next.isReserved { return next.keyword != .and && next.keyword != .or && next.keyword != .geoWithin }
      if next.keyword.isOrdering { return peek(2).kind != .openParenthesis }
      return next.keyword.isOperator ? continuesName(2) : true
    default:
      return next.kind.isLiteral
    }
  }

  /// Whether the word before the token at `distance` is a name and not an operator.
  private mutating func continuesName(_ distance: Int) -> Bool {
    let next = peek(distance)
    if next.kind.isComparison { return true }
    switch next.kind {
    case .dot, .plus, .minus, .star, .slash: return true
    case .word: return next.keyword.isOperator && beginsOperand(distance + 1)
    case .openBracket: return stringOptions(at: distance) == nil
    default: return false
    }
  }

  private mutating func beginsOperand(_ distance: Int) -> Bool {
    let next = peek(distance)
    switch next.kind {
    case .openBrace, .openParenthesis, .argument, .keyPathArgument, .specifier, .keyPathSpecifier, .atWord:
      return true
    case .openBracket: return stringOptions(at: distance) != nil
    case .word:
      if next.keyword == .and || next.keyword == .or { return false }
      return !next.keyword.isOrdering || peek(distance + 1).kind != .openParenthesis
    default: return next.kind.isLiteral
    }
  }

  /// The options between the brackets that open at `distance`, when they are written as options are.
  mutating func stringOptions(at distance: Int) -> StringOptions? {
    let (opener, letters, closer) = (peek(distance), peek(distance + 1), peek(distance + 2))
    guard letters.kind == .word, closer.kind == .closeBracket, opener.range.end == letters.range.offset,
      letters.range.end == closer.range.offset
    else { return nil }
    var options: StringOptions = []
    for byte in source[letters.range.bounds] {
      switch byte | 0x20 {
      case UInt8(ascii: "c"): options.insert(.caseInsensitive)
      case UInt8(ascii: "d"): options.insert(.diacriticInsensitive)
      default: return nil
      }
    }
    return options
  }

  /// Whether a SORT, DISTINCT or LIMIT clause begins here.
  var isAtOrdering: Bool { current.kind == .word && current.keyword.isOrdering }
}
