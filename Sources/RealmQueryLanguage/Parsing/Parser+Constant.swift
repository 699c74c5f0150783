// Literals, arguments, object references and lists. Layer: Parsing.

extension Parser {
  /// A literal, an argument, `obj(…)` or `binary(…)`.
  mutating func constant(wanted: String) throws(QueryError) -> Constant {
    let start = current
    switch start.kind {
    case .argument, .specifier:
      return Constant(.argument(takeArgument()), range: start.range)
    case .word where start.keyword == .object:
      let reference = try objectReference()
      return Constant(.object(reference), range: range(from: start.range))
    case .word where start.keyword == .binary && peek(1).kind == .openParenthesis:
      let bytes = try binaryLiteral()
      return Constant(.literal(.binary(bytes)), range: range(from: start.range))
    default:
      guard start.kind.isLiteral else { throw unexpected(wanted) }
      return Constant(.literal(try takeLiteral()), range: start.range)
    }
  }

  /// The value of the current token, which is a literal.
  mutating func takeLiteral() throws(QueryError) -> Literal {
    let literal = try LiteralDecoder.literal(current, in: source)
    if isAssigning, case .double(let number, let text) = literal, number.isInfinite {
      throw QueryError(.number, "\(text) is too large for a double", at: current.range)
    }
    advance()
    return literal
  }

  /// What the current token, which stands for an argument, refers to.
  mutating func takeArgument() -> ArgumentReference {
    // In two steps: taking a token inside a call on `self` would copy the list of tokens.
    let token = advance()
    return argumentReference(token)
  }

  private func argumentReference(_ token: Token) -> ArgumentReference {
    switch token.kind {
    case .specifier, .keyPathSpecifier:
      let specifier: ArgumentReference.Specifier =
        switch source[token.range.end - 1] {
        case UInt8(ascii: "@"): .anything
        case UInt8(ascii: "K"): .keyPath
        case UInt8(ascii: "f"), UInt8(ascii: "g"): .floatingPoint
        default: .integer
        }
      return ArgumentReference(index: token.ordinal, style: .specifier(specifier))
    default:
      let digits = token.range.bounds.dropFirst(token.kind == .keyPathArgument ? 2 : 1)
      let index = LiteralDecoder.int64(in: source, digits).flatMap { Int(exactly: $0) } ?? Int.max
      return ArgumentReference(index: index, style: .dollar)
    }
  }

  /// `binary('…')`
  private mutating func binaryLiteral() throws(QueryError) -> [UInt8] {
    advance()
    let opener = advance()
    guard current.kind == .string || current.kind == .base64 else { throw unexpected("a quoted string") }
    let literal = try takeLiteral()
    try expectCloser(.closeParenthesis, of: opener)
    guard case .string(let bytes) = literal else { preconditionFailure("a string token is a string") }
    return bytes
  }

  /// `obj('Class', key)`
  private mutating func objectReference() throws(QueryError) -> ObjectReference {
    advance()
    let opener = current
    try expect(.openParenthesis, "'('")
    let classToken = current
    guard classToken.kind == .string else { throw unexpected("a class name in quotes") }
    guard case .string(let className) = try takeLiteral() else {
      preconditionFailure("a string token is a string")
    }
    try expect(.comma, "',' and a primary key")
    let keyToken = current
    let primaryKey: ObjectReference.PrimaryKey
    switch keyToken.kind {
    case .argument, .specifier: primaryKey = .argument(takeArgument())
    case .integer, .radixInteger, .string, .uuid, .objectID: primaryKey = .literal(try takeLiteral())
    default: throw unexpected("a primary key: an integer, a string, uuid(…) or oid(…)")
    }
    try expectCloser(.closeParenthesis, of: opener)
    return ObjectReference(
      className: Name(String(decoding: className, as: UTF8.self), range: classToken.range),
      primaryKey: primaryKey, primaryKeyRange: keyToken.range)
  }

  /// `{ a, b, … }`, and where that is known `(a, b)` and `[a, b]`.
  mutating func list() throws(QueryError) -> ConstantList {
    let opener = advance()
    let closer: TokenKind =
      switch opener.kind {
      case .openParenthesis: .closeParenthesis
      case .openBracket: .closeBracket
      default: .closeBrace
      }
    var elements: [Constant] = []
    if !take(closer) {
      repeat {
        elements.append(try listElement(opener: opener))
      } while take(.comma)
      if isSignedNumber || [.plus, .minus, .star, .slash].contains(current.kind) {
        throw QueryError(.listSyntax, "a list holds constants, not expressions", at: opener.range)
      }
      try expectCloser(closer, of: opener, or: "','")
    }
    return ConstantList(elements: elements, range: range(from: opener.range))
  }

  private mutating func listElement(opener: Token) throws(QueryError) -> Constant {
    let start = current
    switch start.kind {
    case .word:
      switch start.keyword {
      case .object: break
      case .binary where peek(1).kind == .openParenthesis: break
      // No property can stand in a list, so these words have one reading only.
      case .true, .yes: return Constant(.literal(.bool(true)), range: advance().range)
      case .false, .no: return Constant(.literal(.bool(false)), range: advance().range)
      default:
        throw QueryError(
          .listSyntax, "a list holds constants, not properties", at: opener.range,
          hint: peek(1).kind == .openParenthesis
            ? "list(…) makes one of what is computed: list(\(source.text(in: start.range))(…))"
            : "quote strings: '\(source.text(in: start.range))'")
      }
    case .comma, .closeBrace, .closeParenthesis, .closeBracket:
      throw QueryError(.listSyntax, "a list has an empty place", at: opener.range)
    case .openBrace:
      throw QueryError(.listSyntax, "a list cannot hold lists", at: opener.range)
    case .openParenthesis, .minus, .plus, .openBracket, .atWord, .keyPathArgument, .keyPathSpecifier:
      throw QueryError(.listSyntax, "a list holds constants, not expressions", at: opener.range)
    case .end, .semicolon:
      throw unclosed(
        opener, by: opener.kind == .openBrace ? "}" : opener.kind == .openBracket ? "]" : ")")
    default: break
    }
    return try constant(wanted: "a constant")
  }
}
