// Property paths. Layer: Parsing.

extension Parser {
  /// A path and what is asked about its end.
  mutating func propertyReference() throws(QueryError) -> PropertyReference {
    let start = current
    var steps: [PathStep] = []
    var question = try rootStep(&steps)
    while question == nil {
      if current.kind == .dot {
        advance()
        question = try dottedStep(&steps)
      } else if current.kind == .openBracket {
        question = try indexStep(&steps)
      } else {
        break
      }
      // What follows links step by step descends at each.
      if steps.count > Self.depthMax { throw tooDeep(at: current) }
    }
    let path = PropertyPath(
      steps: steps, range: steps.reduce(start.range) { $0.joined(with: $1.range) })
    if let question { try refuseFurtherSteps(question) }
    return PropertyReference(path: path, question: question, range: range(from: start.range))
  }

  /// A path that ends in a property; `complaint` is thrown when something is asked about its end.
  mutating func plainPath(
    _ code: QueryError.Code, _ complaint: String
  ) throws(QueryError) -> PropertyPath {
    guard current.kind != .word || !current.isReserved else { throw unexpected("a property") }
    guard [.word, .atWord, .keyPathArgument, .keyPathSpecifier].contains(current.kind) else {
      throw unexpected("a property")
    }
    let reference = try propertyReference()
    if let question = reference.question {
      throw QueryError(
        code, "\(complaint), not \(quoted(source.text(in: question.range)))", at: question.range)
    }
    return reference.path
  }

  /// The name that the current token, a word, spells.
  mutating func takeName() -> Name {
    // In two steps: taking a token inside a call on `self` would copy the list of tokens.
    let token = advance()
    return name(of: token)
  }

  /// The name that a word token spells.
  func name(of token: Token) -> Name {
    var bytes = source[token.range.bounds]
    let first = bytes.first
    if first == UInt8(ascii: "`") {
      let body = bytes.dropFirst().dropLast().withBackquotesHalved
      // The lexer has found the escapes to be right.
      let text = (try? StringLiteral.bytes(in: body, body.indices)) ?? body
      return Name(String(decoding: text, as: UTF8.self), isQuoted: true, range: token.range)
    }
    let isQuoted = first == UInt8(ascii: "#")
    if isQuoted { bytes = bytes.dropFirst() }
    guard bytes.contains(UInt8(ascii: "\\")) else {
      return Name(String(decoding: bytes, as: UTF8.self), isQuoted: isQuoted, range: token.range)
    }
    return Name(unescapedName(bytes), isQuoted: isQuoted, range: token.range)
  }

  private func unescapedName(_ bytes: ArraySlice<UInt8>) -> String {
    var decoded: [UInt8] = []
    var isEscaped = false
    for byte in bytes {
      if isEscaped {
        switch byte {
        case UInt8(ascii: "n"): decoded.append(UInt8(ascii: "\n"))
        case UInt8(ascii: "r"): decoded.append(UInt8(ascii: "\r"))
        case UInt8(ascii: "t"): decoded.append(UInt8(ascii: "\t"))
        default: decoded.append(byte)
        }
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else {
        decoded.append(byte)
      }
    }
    return String(decoding: decoded, as: UTF8.self)
  }
}

extension Parser {
  private mutating func rootStep(
    _ steps: inout [PathStep]
  ) throws(QueryError) -> PropertyQuestion? {
    let start = current
    switch start.kind {
    case .word: steps.append(PathStep(.name(takeName()), range: start.range))
    case .keyPathArgument, .keyPathSpecifier: steps.append(keyPathStep())
    case .atWord:
      guard [.atLinks, .atKeys, .atValues, .atKey].contains(start.keyword) else {
        throw QueryError(
          .expectation, "\(describe(start)) needs a property before it", at: start.range,
          hint: "write property.\(source.text(in: start.range))")
      }
      return try atStep(&steps)
    default: throw unexpected("a property")
    }
    return nil
  }

  /// What follows a dot.
  private mutating func dottedStep(
    _ steps: inout [PathStep]
  ) throws(QueryError) -> PropertyQuestion? {
    let start = current
    if case .keyPathArgument(let reference) = steps.last?.kind, reference.style == .dollar,
      start.kind != .atWord
    {
      throw QueryError(
        .argument, "$K\(reference.index) is a whole path; nothing can follow it", at: start.range)
    }
    switch start.kind {
    case .atWord: return try atStep(&steps)
    case .keyPathSpecifier: steps.append(keyPathStep())
    case .keyPathArgument:
      throw QueryError(
        .argument, "\(describe(start)) is a whole path; nothing can precede it", at: start.range)
    case .word:
      if start.isReserved {
        throw unexpected("a property name", hint: "write #\(source.text(in: start.range)) for a property")
      }
      steps.append(PathStep(.name(takeName()), range: start.range))
    default: throw unexpected("a property name")
    }
    return nil
  }

  private mutating func keyPathStep() -> PathStep {
    let range = current.range
    return PathStep(.keyPathArgument(takeArgument()), range: range)
  }

  /// A step or a question that begins with an @.
  private mutating func atStep(_ steps: inout [PathStep]) throws(QueryError) -> PropertyQuestion? {
    let word = current
    switch word.keyword {
    case .atLinks:
      try backlinkStep(&steps)
      return nil
    case .atKeys: steps.append(PathStep(.keys, range: advance().range))
    case .atValues: steps.append(PathStep(.values, range: advance().range))
    case .atKey: steps.append(PathStep(.objectKey, range: advance().range))
    case .atCount, .atSize: return PropertyQuestion(.count, range: advance().range)
    case .atType: return PropertyQuestion(.type, range: advance().range)
    case .atMin: return try aggregateQuestion(.min)
    case .atMax: return try aggregateQuestion(.max)
    case .atSum: return try aggregateQuestion(.sum)
    case .atAvg: return try aggregateQuestion(.avg)
    default:
      throw unexpected(
        "a property name", hint: "known are @count @size @min @max @sum @avg @type @key @keys @values @links")
    }
    return nil
  }

  private mutating func aggregateQuestion(
    _ aggregate: Aggregate
  ) throws(QueryError) -> PropertyQuestion {
    let word = advance()
    guard current.kind == .dot else {
      return PropertyQuestion(.aggregate(aggregate, property: nil), range: word.range)
    }
    advance()
    guard current.kind == .word, !current.isReserved else { throw unexpected("a property name") }
    let property = takeName()
    return PropertyQuestion(
      .aggregate(aggregate, property: property), range: range(from: word.range))
  }

  /// `@links.Class.property`, or `@links` before `.@count`.
  private mutating func backlinkStep(_ steps: inout [PathStep]) throws(QueryError) {
    let word = advance()
    let next = peek(1)
    let isCounted =
      current.kind == .dot && next.kind == .atWord && [.atCount, .atSize].contains(next.keyword)
      || current.kind == .openBracket && next.kind == .word && next.keyword == .size
    if isCounted {
      steps.append(PathStep(.allBacklinks, range: word.range))
      return
    }
    let className = try backlinkName(word)
    let property = try backlinkName(word)
    steps.append(
      PathStep(.backlink(className: className, property: property), range: range(from: word.range)))
  }

  private mutating func backlinkName(_ word: Token) throws(QueryError) -> Name {
    guard current.kind == .dot, peek(1).kind == .word, !peek(1).isReserved else {
      if current.kind == .dot { advance() }
      throw failureHere
        ?? QueryError(
          .backlink, "@links needs a class and a property", at: range(from: word.range),
          hint: "write @links.Class.property")
    }
    advance()
    return takeName()
  }
}

extension Parser {
  /// `[…]`
  private mutating func indexStep(
    _ steps: inout [PathStep]
  ) throws(QueryError) -> PropertyQuestion? {
    let opener = advance()
    if case .keyPathArgument(let reference) = steps.last?.kind, reference.style == .dollar,
      current.keyword != .size
    {
      throw QueryError(
        .argument, "$K\(reference.index) is a whole path; nothing can follow it", at: opener.range)
    }
    let kind = try indexKind()
    try expectCloser(.closeBracket, of: opener)
    let range = range(from: opener.range)
    guard let kind else { return PropertyQuestion(.count, range: range) }
    steps.append(PathStep(kind, range: range))
    return nil
  }

  /// What stands between brackets; nil for SIZE.
  private mutating func indexKind() throws(QueryError) -> PathStepKind? {
    let start = current
    switch start.kind {
    case .integer where !isSignedNumber:
      advance()
      return .position(LiteralDecoder.int64(in: source, start.range.bounds) ?? .max)
    case .string:
      guard case .string(let key) = try takeLiteral() else {
        preconditionFailure("a string token is a string")
      }
      return .key(key)
    case .star:
      advance()
      return .all
    case .argument, .specifier: return .argument(takeArgument())
    case .word where source.text(in: start.range).lowercased() == "#any":
      advance()
      return .all
    case .word where start.keyword == .first:
      advance()
      return .first
    case .word where start.keyword == .last:
      advance()
      return .last
    case .word where start.keyword == .size:
      advance()
      return nil
    default: throw unexpected("a position, FIRST, LAST, SIZE, * or a 'key'")
    }
  }

  /// Nothing can follow `@count` and its like.
  private mutating func refuseFurtherSteps(_ question: PropertyQuestion) throws(QueryError) {
    guard current.kind == .dot || current.kind == .openBracket else { return }
    let text = source.text(in: question.range)
    if case .aggregate = question.kind {
      throw QueryError(
        .aggregate, "only one property can follow \(quoted(text))", at: question.range,
        hint: "write collection.@max.property")
    }
    throw QueryError(.expectation, "nothing can follow \(quoted(text))", at: current.range)
  }
}

extension ArraySlice<UInt8> {
  fileprivate var withBackquotesHalved: [UInt8] {
    var isSecond = false
    return filter { byte in
      guard byte == UInt8(ascii: "`") else { return true }
      isSecond.toggle()
      return isSecond
    }
  }
}
