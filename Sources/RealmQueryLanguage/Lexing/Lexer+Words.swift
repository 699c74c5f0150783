// Names, keywords and the literals that begin like a name. Layer: Lexing.

extension Lexer {
  /// A token that begins with a letter, `_`, `$` or a scalar above ASCII.
  mutating func wordToken() -> Token {
    let runEnd = identifierEnd(offset)
    let run = offset..<runEnd
    if let literal = literalToken(run: run) { return literal }
    if source[offset] >= 0x80, let complaint = typographicQuoteToken() { return complaint }
    let (keyword, isReserved) = Keyword.spelled(in: source, run)
    let range = SourceRange(run)
    switch (keyword, isReserved) {
    case (.true, true): return Token(.true, range)
    case (.false, true): return Token(.false, range)
    case (.null, true): return Token(.null, range)
    case (.infinity, true): return Token(.infinity, range)
    case (.notANumber, true): return Token(.notANumber, range)
    default: return Token(.word, range, keyword: keyword, isReserved: isReserved)
    }
  }

  /// `inf`, `infinity` or `nan` with the sign at the offset, or nil.
  func signedWordToken() -> Token? {
    guard byte(offset + 1).isASCIILetter else { return nil }
    let runEnd = identifierEnd(offset + 1)
    let range = SourceRange(offset..<runEnd)
    switch Keyword.spelled(in: source, offset + 1..<runEnd).keyword {
    case .infinity: return Token(.infinity, range)
    case .notANumber: return Token(.notANumber, range)
    default: return nil
    }
  }

  /// `@count` and its like.
  mutating func atToken() -> Token {
    var letters = offset + 1
    if byte(letters).isDigit {
      while byte(letters).isDigit { letters += 1 }
      guard !byte(letters).isIdentifierPart else { return unexpectedCharacter() }
      return Token(.objectKey, SourceRange(offset..<letters))
    }
    while byte(letters).isASCIILetter { letters += 1 }
    guard letters > offset + 1 else { return unexpectedCharacter() }
    let runEnd = identifierEnd(letters)
    let (keyword, _) = Keyword.spelled(in: source, offset..<runEnd)
    return Token(.atWord, SourceRange(offset..<runEnd), keyword: keyword)
  }

  /// `#name`, a name even where the word is a keyword.
  mutating func hashToken() -> Token {
    let first = byte(offset + 1)
    guard first.isIdentifierStart, first != UInt8(ascii: "$") else { return unexpectedCharacter() }
    return Token(.word, SourceRange(offset..<identifierEnd(offset + 1)))
  }

  /// `` `any name` ``; a doubled backquote stands for one, and escapes are those of strings.
  mutating func backquotedToken() -> Token {
    var index = offset + 1
    while index < end {
      switch source[index] {
      case UInt8(ascii: "`"):
        guard byte(index + 1, is: "`") else {
          return index > offset + 1 ? closedName(end: index + 1) : unclosedName()
        }
        index += 2
      case UInt8(ascii: "\\") where index + 1 < end:
        // A backquote ends or doubles whatever stands before it, so that the scanner need not know of escapes.
        let length = escapeLength(index)
        guard length > 0 else { return escapeFailure(index) }
        index += length
      default: index += 1
      }
    }
    return unclosedName()
  }

  private mutating func unclosedName() -> Token {
    let range = SourceRange(offset: offset, length: 1)
    return fail(QueryError(.unclosedString, "name is not closed; expected `", at: range))
  }

  private mutating func closedName(end: Int) -> Token {
    let range = SourceRange(offset..<end)
    do throws(QueryError) {
      _ = try StringLiteral.bytes(in: source, range.bounds.dropFirst().dropLast())
    } catch {
      return fail(error)
    }
    return Token(.word, range)
  }

  /// The offset behind the identifier bytes that begin at `start`; the first byte is taken as it is.
  func identifierEnd(_ start: Int) -> Int {
    var index = start
    while index < end {
      let byte = source[index]
      if byte.isIdentifierPart {
        index += 1
      } else if byte == UInt8(ascii: "\\"), index > start, isNameEscape(self.byte(index + 1)) {
        index += 2
      } else {
        break
      }
    }
    return index
  }

  private func isNameEscape(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: " "), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"): true
    default: false
    }
  }

  /// Quotes that a word processor made are letters of a name; nobody means that.
  private mutating func typographicQuoteToken() -> Token? {
    let range = SourceRange(offset: offset, length: 3)
    guard range.end <= end else { return nil }
    switch source.text(in: range) {
    case "\u{2018}", "\u{2019}", "\u{201C}", "\u{201D}":
      return fail(
        QueryError(
          .typographicQuote, "use ' or \" instead of \(source.text(in: range))", at: range))
    default: return nil
    }
  }
}

extension Lexer {
  /// The literal or argument at the offset, whose first letters are `run`; nil when it is just a word.
  private mutating func literalToken(run: Range<Int>) -> Token? {
    switch source[run.lowerBound] {
    case UInt8(ascii: "$"): return dollarToken(run: run)
    case UInt8(ascii: "B") where isSpelled("B64", run) && byte(run.upperBound, is: "\""):
      return base64Token(quote: run.upperBound)
    case UInt8(ascii: "T"):
      guard let end = ticksEnd(run.lowerBound + 1), end > run.upperBound else { return nil }
      return Token(.ticks, SourceRange(run.lowerBound..<end))
    case UInt8(ascii: "O") where run.count > 1 && digitsEnd(run.lowerBound + 1) == run.upperBound:
      return Token(.objectKey, SourceRange(run))
    case UInt8(ascii: "L") where run.count > 1 && digitsEnd(run.lowerBound + 1) == run.upperBound:
      guard byte(run.upperBound, is: ":"), byte(run.upperBound + 1).isDigit else { return nil }
      return Token(.typedObjectKey, SourceRange(run.lowerBound..<digitsEnd(run.upperBound + 1)))
    case UInt8(ascii: "u"), UInt8(ascii: "U"):
      return isSpelled("uuid", run, ignoringCase: true) ? identityToken(.uuid, run: run) : nil
    case UInt8(ascii: "o"), UInt8(ascii: "O"):
      return isSpelled("oid", run, ignoringCase: true) ? identityToken(.objectID, run: run) : nil
    default: return nil
    }
  }

  private mutating func dollarToken(run: Range<Int>) -> Token? {
    var digits = run.lowerBound + 1
    let isKeyPath = byte(digits, is: "K")
    if isKeyPath { digits += 1 }
    guard digits < run.upperBound, digitsEnd(digits) == run.upperBound else { return nil }
    return argumentToken(isKeyPath ? .keyPathArgument : .argument, SourceRange(run))
  }

  /// `uuid(…)` or `oid(…)`, with blanks and quotes inside the parentheses.
  private mutating func identityToken(_ kind: TokenKind, run: Range<Int>) -> Token? {
    guard byte(run.upperBound, is: "(") else { return nil }
    var index = blanksEnd(run.upperBound + 1)
    let quote = byte(index).isQuote ? byte(index) : nil
    if quote != nil { index += 1 }
    let start = index
    while byte(index).isIdentifierPart { index += 1 }
    let value = start..<index
    if let quote, byte(index) == quote { index += 1 }
    index = blanksEnd(index)
    if byte(index, is: ")"), IdentityText.bytes(kind, in: source, value) != nil {
      return Token(kind, SourceRange(run.lowerBound..<index + 1))
    }
    // Else it is a call of the function of the same name, unless somebody has miswritten a literal.
    if mode == .expression || kind == .uuid && quote == nil && !looksLikeDigits(value) { return nil }
    let behind = source[run.upperBound..<end].firstIndex {
      $0 == UInt8(ascii: ")") || $0 == UInt8(ascii: "\n")
    }
    let closer = behind.map { source[$0] == UInt8(ascii: ")") ? $0 + 1 : $0 } ?? end
    let range = SourceRange(run.lowerBound..<closer)
    return fail(
      kind == .uuid
        ? QueryError(.uuid, "uuid needs 8-4-4-4-12 hex digits", at: range)
        : QueryError(.objectID, "oid needs 24 hex digits", at: range))
  }

  /// Whether a name can hardly be meant.
  private func looksLikeDigits(_ bounds: Range<Int>) -> Bool {
    byte(bounds.lowerBound).isDigit || source[bounds].contains(UInt8(ascii: "-"))
  }

  private mutating func base64Token(quote: Int) -> Token {
    var index = quote + 1
    while byte(index).isBase64Part { index += 1 }
    let closer = source[index..<end].firstIndex(of: UInt8(ascii: "\"")) ?? end
    let range = SourceRange(offset..<min(end, closer + 1))
    guard byte(index, is: "\"") else { return fail(QueryError(.base64, "invalid base64", at: range)) }
    return Token(.base64, range)
  }

  private func isSpelled(_ word: StaticString, _ run: Range<Int>, ignoringCase: Bool = false) -> Bool {
    let mask: UInt8 = ignoringCase ? 0x20 : 0
    return run.count == word.utf8CodeUnitCount
      && zip(source[run], word.description.utf8).allSatisfy { $0 | mask == $1 | mask }
  }

  func digitsEnd(_ start: Int) -> Int {
    var index = start
    while byte(index).isDigit { index += 1 }
    return index
  }

  private func blanksEnd(_ start: Int) -> Int {
    var index = start
    while byte(index).isBlank { index += 1 }
    return index
  }
}

extension UInt8 {
  fileprivate var isBase64Part: Bool {
    isASCIILetter || isDigit || self == UInt8(ascii: "+") || self == UInt8(ascii: "/")
      || self == UInt8(ascii: "=")
  }
}
