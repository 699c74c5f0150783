// Cuts a source text into tokens, by longest match. Layer: Lexing.
// It knows no grammar: a sign directly before a digit always belongs to the number, and the parser splits it
// off where an operator is due. At the first place that begins no token it stops for good with an `.invalid`
// token, whose complaint is thrown only if the parser gets that far.

import ByteText

/// A position in a source text, from which the next token is taken.
package struct Lexer {
  /// Which symbols exist; words and literals are the same in both.
  enum Mode {
    /// `%` before a letter or `@` begins an argument specifier.
    case predicate
    /// `%` is an operator, and `uuid(` begins a call wherever it begins no literal.
    case expression
  }

  /// What counts as white space.
  enum Flavor {
    case plain
    /// Comments, `\` before a newline, and `;`.
    case statement
  }

  let source: [UInt8]
  /// The offset behind the last byte to read.
  let end: Int
  let flavor: Flavor
  var mode: Mode
  /// The offset behind the last token.
  var offset: Int
  /// What is wrong at the `.invalid` token.
  private(set) var failure: QueryError?

  /// The first argument of the text; those of the other style are refused after it.
  private(set) var firstArgument: Token?
  /// Where the `%` specifiers stand that were seen so far.
  private var specifierOffsets: [Int] = []

  init(source: [UInt8], bounds: Range<Int>, mode: Mode, flavor: Flavor) {
    self.source = source
    end = bounds.upperBound
    offset = bounds.lowerBound
    self.mode = mode
    self.flavor = flavor
  }

  /// Goes on at `offset`, backwards or forwards, in `mode`; tokens behind it are cut anew.
  mutating func restart(at offset: Int, mode: Mode) {
    precondition(offset >= 0 && offset <= end, "a lexer stays within its text")
    self.offset = offset
    self.mode = mode
    failure = nil
    specifierOffsets.removeAll { $0 >= offset }
  }

  /// The next token; `.end` again and again at the end, `.invalid` again and again behind a failure.
  mutating func next() -> Token {
    let lastEnd = offset
    if let failure { return Token(.invalid, failure.range) }
    skipBlanks()
    guard offset < end else {
      // The end is where the last token ends, not behind the blanks that follow it.
      return Token(.end, SourceRange(offset: lastEnd, length: 0))
    }
    let token = tokenAtOffset()
    if token.kind != .invalid { offset = token.range.end }
    return token
  }

  /// The byte at `index`, or 0, which is no byte of a valid text, at the end.
  func byte(_ index: Int) -> UInt8 { index < end ? source[index] : 0 }

  func byte(_ index: Int, is scalar: Unicode.Scalar) -> Bool { byte(index) == UInt8(ascii: scalar) }

  mutating func fail(_ error: QueryError) -> Token {
    failure = error
    return Token(.invalid, error.range)
  }

  /// Notes that the text takes arguments, and complains when it does so in two styles.
  mutating func argumentToken(_ kind: TokenKind, _ range: SourceRange) -> Token {
    let isSpecifier = kind == .specifier || kind == .keyPathSpecifier
    if let firstArgument, firstArgument.range.offset < range.offset,
      (firstArgument.kind == .specifier || firstArgument.kind == .keyPathSpecifier) != isSpecifier
    {
      return fail(
        QueryError(.argument, "a query uses either $0, $1, … or %@, not both", at: range))
    }
    let token = Token(kind, range, ordinal: specifierOffsets.count)
    if firstArgument == nil { firstArgument = token }
    if isSpecifier { specifierOffsets.append(range.offset) }
    return token
  }
}

extension Lexer {
  private mutating func tokenAtOffset() -> Token {
    let first = source[offset]
    if first.isIdentifierStart { return wordToken() }
    if first.isDigit { return numberToken() }
    switch first {
    case UInt8(ascii: "'"), UInt8(ascii: "\""): return stringToken()
    case UInt8(ascii: "+"), UInt8(ascii: "-"):
      if startsNumber(offset + 1) { return numberToken() }
      if let word = signedWordToken() { return word }
      return symbol(first == UInt8(ascii: "+") ? .plus : .minus, 1)
    case UInt8(ascii: "."): return byte(offset + 1).isDigit ? numberToken() : symbol(.dot, 1)
    case UInt8(ascii: "@"): return atToken()
    case UInt8(ascii: "#"): return hashToken()
    case UInt8(ascii: "%"): return percentToken()
    case UInt8(ascii: "`"): return backquotedToken()
    default: return symbolToken(first)
    }
  }

  func startsNumber(_ index: Int) -> Bool {
    byte(index).isDigit || byte(index, is: ".") && byte(index + 1).isDigit
  }

  private func symbol(_ kind: TokenKind, _ length: Int) -> Token {
    Token(kind, SourceRange(offset: offset, length: length))
  }

  private mutating func symbolToken(_ first: UInt8) -> Token {
    let second = byte(offset + 1)
    switch (first, second) {
    case (UInt8(ascii: "="), UInt8(ascii: "=")): return symbol(.doubleEqual, 2)
    case (UInt8(ascii: "="), UInt8(ascii: "<")), (UInt8(ascii: "<"), UInt8(ascii: "=")):
      return symbol(.lessOrEqual, 2)
    case (UInt8(ascii: "="), UInt8(ascii: ">")), (UInt8(ascii: ">"), UInt8(ascii: "=")):
      return symbol(.greaterOrEqual, 2)
    case (UInt8(ascii: "!"), UInt8(ascii: "=")), (UInt8(ascii: "<"), UInt8(ascii: ">")):
      return symbol(.notEqual, 2)
    case (UInt8(ascii: "&"), UInt8(ascii: "&")): return symbol(.doubleAmpersand, 2)
    case (UInt8(ascii: "|"), UInt8(ascii: "|")): return symbol(.doubleBar, 2)
    case (UInt8(ascii: "?"), UInt8(ascii: "?")): return symbol(.doubleQuestion, 2)
    default: break
    }
    switch first {
    case UInt8(ascii: "="): return symbol(.singleEqual, 1)
    case UInt8(ascii: "<"): return symbol(.less, 1)
    case UInt8(ascii: ">"): return symbol(.greater, 1)
    case UInt8(ascii: "!"): return symbol(.exclamation, 1)
    case UInt8(ascii: "*"): return symbol(.star, 1)
    case UInt8(ascii: "/"): return symbol(.slash, 1)
    case UInt8(ascii: "("): return symbol(.openParenthesis, 1)
    case UInt8(ascii: ")"): return symbol(.closeParenthesis, 1)
    case UInt8(ascii: "{"): return symbol(.openBrace, 1)
    case UInt8(ascii: "}"): return symbol(.closeBrace, 1)
    case UInt8(ascii: "["): return symbol(.openBracket, 1)
    case UInt8(ascii: "]"): return symbol(.closeBracket, 1)
    case UInt8(ascii: ","): return symbol(.comma, 1)
    case UInt8(ascii: "?"): return symbol(.question, 1)
    case UInt8(ascii: ":"): return symbol(.colon, 1)
    case UInt8(ascii: ";") where flavor == .statement: return symbol(.semicolon, 1)
    default: return unexpectedCharacter()
    }
  }

  /// `%` with the letters of a format specifier, else the operator.
  private mutating func percentToken() -> Token {
    guard mode == .predicate else { return symbol(.percent, 1) }
    if byte(offset + 1, is: "@") { return argumentToken(.specifier, SourceRange(offset: offset, length: 2)) }
    var letters = offset + 1
    while byte(letters).isIdentifierPart { letters += 1 }
    let range = SourceRange(offset..<letters)
    switch source.text(in: SourceRange(offset + 1..<letters)) {
    case "K": return argumentToken(.keyPathSpecifier, range)
    case "d", "i", "u", "ld", "lld", "lu", "llu", "f", "g": return argumentToken(.specifier, range)
    default: return symbol(.percent, 1)
    }
  }

  mutating func unexpectedCharacter() -> Token {
    let range = SourceRange(offset: offset, length: utf8Sequence(in: source.span, at: offset).length)
    let hint: String? =
      switch source[offset] {
      case UInt8(ascii: "&"): "write && or AND"
      case UInt8(ascii: "|"): "write || or OR"
      case UInt8(ascii: "~"): "MATCHES takes a regular expression: name MATCHES 'R.*'"
      case UInt8(ascii: ";"): "a query is one condition without ';'"
      default: nil
      }
    return fail(
      QueryError(.character, "unexpected character \(quoted(source.text(in: range)))", at: range, hint: hint))
  }
}

/// `text` between quotation marks for a message: cut when long, and without control characters.
func quoted(_ text: String) -> String {
  let scalarsMax = 40
  var shown = String.UnicodeScalarView()
  for scalar in text.unicodeScalars.prefix(scalarsMax) {
    shown.append(scalar.properties.generalCategory == .control ? " " : scalar)
  }
  let isCut = text.unicodeScalars.dropFirst(scalarsMax).first != nil
  return "'\(String(shown))\(isCut ? "…" : "")'"
}
