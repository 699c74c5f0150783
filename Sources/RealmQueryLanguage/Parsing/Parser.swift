// The parser's position, and how it complains. Layer: Parsing.
// Recursive descent over a window of tokens that moves as they are taken. Only parentheses, NOT, `!`, `-` and
// SUBQUERY descend, and not deeper than `depthMax`; everything else is a loop.

struct Parser {
  /// Nested parentheses, NOTs and subqueries; steps of a path.
  static let depthMax = 512
  /// As many as a short query has.
  private static let tokensReserved = 12
  /// So many may be kept that are taken, because a list may have millions.
  private static let takenMax = 256

  /// What the text is called in messages.
  let subject: String
  let source: [UInt8]
  var depth = 0
  /// Calls around the current place.
  var callDepth = 0
  var warnings: [QueryWarning] = []
  /// The last comparison by `==`.
  var lastEquality: Comparison?
  /// The variables of the subqueries around the current place.
  var variables: [Name] = []
  /// Whether values are to be stored, and not only compared, so that no number may be too large.
  var isAssigning = false
  /// Whether names are those of the columns of groups, among which `avg age` is one.
  var isOfGroups = false
  /// Where the parenthesis opened by a token is closed; filled by `closingIndex`.
  var closingIndices: [Int: Int?] = [:]

  private var lexer: Lexer
  /// Holds the token at `index`, always, and the one before it.
  private var tokens: [Token]
  /// The index of the first of them.
  private var start = 0
  private(set) var index = 0

  /// Throws when the text in `bounds` is not UTF-8. Linear in its length.
  init(
    source: [UInt8], bounds: Range<Int>? = nil, mode: Lexer.Mode = .predicate, flavor: Lexer.Flavor = .plain,
    subject: String = "query"
  ) throws(QueryError) {
    let bounds = bounds ?? source.indices
    if let offset = firstInvalidTextOffset(in: source, bounds: bounds) {
      throw QueryError(.encoding, "\(subject) is not valid UTF-8", at: SourceRange(offset: offset, length: 1))
    }
    self.source = source
    self.subject = subject
    lexer = Lexer(source: source, bounds: bounds, mode: mode, flavor: flavor)
    tokens = []
    tokens.reserveCapacity(Self.tokensReserved)
    tokens.append(lexer.next())
  }

  var current: Token { tokens[index - start] }

  /// The offset behind the last byte of the text.
  var end: Int { lexer.end }

  /// The token before the current one.
  var previous: Token? { index > 0 ? tokens[index - start - 1] : nil }

  /// The first `$0` or `%@` among the tokens taken.
  var firstArgument: Token? {
    lexer.firstArgument.flatMap { $0.range.offset < current.range.offset ? $0 : nil }
  }

  var isStatement: Bool { lexer.flavor == .statement }

  var mode: Lexer.Mode { lexer.mode }

  /// Whether this place is part of a query that stands alone, of which the reference engine refuses what we could read.
  var isForReference: Bool { lexer.flavor == .plain && lexer.mode == .predicate && callDepth == 0 }

  /// Takes the current token.
  @discardableResult
  mutating func advance() -> Token {
    let token = current
    index += 1
    if index - start > Self.takenMax {
      tokens.removeSubrange(..<(index - start - 1))
      start = index - 1
    }
    fill(upTo: index)
    return token
  }

  /// The token `distance` behind the current one.
  mutating func peek(_ distance: Int) -> Token { token(at: index + distance) }

  mutating func token(at index: Int) -> Token {
    fill(upTo: index)
    return tokens[min(index - start, tokens.count - 1)]
  }

  private mutating func fill(upTo index: Int) {
    while tokens.count <= index - start { tokens.append(lexer.next()) }
  }

  /// Cuts what follows anew, in the symbols of `mode`.
  mutating func switchMode(_ mode: Lexer.Mode) {
    restart(at: current.range.offset, mode: mode)
  }

  /// Goes on at `offset`, behind bytes that are no tokens.
  mutating func resume(at offset: Int) { restart(at: offset, mode: lexer.mode) }

  private mutating func restart(at offset: Int, mode: Lexer.Mode) {
    closingIndices.removeAll()
    tokens.removeSubrange((index - start)...)
    lexer.restart(at: offset, mode: mode)
    fill(upTo: index)
  }

  /// Splits the sign off the number at the current place, and returns it as a token of its own.
  mutating func takeSign() -> Token {
    let number = current
    let isPlus = source[number.range.offset] == UInt8(ascii: "+")
    tokens[index - start] = Token(
      number.kind, SourceRange(offset: number.range.offset + 1, length: number.range.length - 1))
    return Token(isPlus ? .plus : .minus, SourceRange(offset: number.range.offset, length: 1))
  }

  var isSignedNumber: Bool { isSignedNumber(current) }

  func isSignedNumber(_ token: Token) -> Bool { token.kind.maySign && source[token.range.offset].isSign }
}

extension Parser {
  /// Whether the current token is `kind`; takes it if so.
  mutating func take(_ kind: TokenKind) -> Bool {
    guard current.kind == kind else { return false }
    advance()
    return true
  }

  /// Takes a word that spells `keyword`; at this place no name can stand.
  mutating func take(_ keyword: Keyword) -> Bool {
    guard current.kind == .word, current.keyword == keyword else { return false }
    advance()
    return true
  }

  mutating func expect(_ kind: TokenKind, _ wanted: String) throws(QueryError) {
    guard take(kind) else { throw unexpected(wanted) }
  }

  /// Takes the bracket that closes `opener`.
  mutating func expectCloser(_ kind: TokenKind, of opener: Token, or others: String? = nil) throws(QueryError)
  {
    if take(kind) { return }
    let mark = kind == .closeParenthesis ? ")" : kind == .closeBrace ? "}" : "]"
    if current.kind == .end || current.kind == .semicolon { throw unclosed(opener, by: mark) }
    throw unexpected(others.map { "\($0) or '\(mark)'" } ?? "'\(mark)'")
  }

  func unclosed(_ opener: Token, by mark: String) -> QueryError {
    let offset = opener.range.offset
    let lineStart = source[..<offset].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    let column = source.text(in: SourceRange(lineStart..<offset)).count + 1
    return QueryError(
      .parenthesis, "missing '\(mark)' for \(describe(opener)) at column \(column)", at: opener.range)
  }

  /// The complaint about the current token where `wanted` is due.
  func unexpected(_ wanted: String, hint: String? = nil) -> QueryError {
    if let failure = failureHere { return failure }
    let place = previous.map { " after \(describe($0))" } ?? ""
    return QueryError(
      .expectation, "expected \(wanted)\(place), found \(describe(current))", at: current.range,
      hint: hint ?? doubledQuoteHint)
  }

  /// For whoever doubles a quote inside a text, as SQL does: that is two texts here.
  var doubledQuoteHint: String? {
    guard let previous, previous.kind == .string, current.kind == .string,
      previous.range.end == current.range.offset
    else { return nil }
    let mark = source.text(in: current.range).prefix(1)
    return "write \\\(mark) for a quote inside \(mark)…\(mark)"
  }

  /// What is wrong at the current place already as a token.
  var failureHere: QueryError? { current.kind == .invalid ? lexer.failure : nil }

  func describe(_ token: Token) -> String {
    if token.kind == .end { return "end of \(subject)" }
    let text = quoted(source.text(in: token.range))
    return token.kind == .string ? String(text.dropFirst().dropLast()) : text
  }

  /// Descends one level, for what begins at `token`.
  mutating func enter(at token: Token) throws(QueryError) {
    depth += 1
    if depth > Self.depthMax { throw tooDeep(at: token) }
  }

  func tooDeep(at token: Token) -> QueryError {
    QueryError(.depth, "\(subject) is nested too deeply", at: token.range)
  }

  mutating func leave() { depth -= 1 }

  /// The range from `start` to the last token taken.
  func range(from start: SourceRange) -> SourceRange {
    previous.map { start.joined(with: $0.range) } ?? start
  }
}
