// What a user gives for `$0`: one literal, or just a word. Layer: Parsing.

extension Expression {
  /// Parses the text of one argument: a literal of the language, a list, `obj(…)` or a shape; text that begins
  /// like none of these is a string as a whole (`Ada`, `two words`, and the empty text).
  ///
  /// Its kind is `.constant`, `.list` or `.shape`, and nothing in it is an argument again.
  package init(argument source: [UInt8]) throws(QueryError) {
    var parser = try Parser(source: source, subject: "argument")
    guard parser.beginsArgumentLiteral() else {
      let range = SourceRange(source.indices)
      self.init(.constant(Constant(.literal(.string(source)), range: range)), range: range)
      return
    }
    self = try parser.argumentOperand()
    guard parser.current.kind == .end else {
      throw parser.unexpected(
        "end of argument", hint: "quote it ('…') to make it a string")
    }
  }
}

extension Parser {
  /// Whether the text starts as a literal does. A single word that spells a value is one; a value with more
  /// words behind it is text.
  fileprivate mutating func beginsArgumentLiteral() -> Bool {
    let (start, next) = (current, peek(1))
    switch start.kind {
    case .end: return false
    case .true, .false, .null, .infinity, .notANumber: return next.kind == .end
    case .word:
      switch start.keyword {
      case .true, .false, .yes, .no: return next.kind == .end
      case .object, .binary, .geoBox, .geoCircle, .geoPolygon: return next.kind == .openParenthesis
      default: return false
      }
    case .objectKey, .typedObjectKey: return next.kind == .end
    case .openBrace: return true
    // A literal that is broken is reported rather than taken as text; other signs are text.
    case .invalid: return failureHere?.code != .character && failureHere?.code != .typographicQuote
    default: return start.kind.isLiteral
    }
  }

  fileprivate mutating func argumentOperand() throws(QueryError) -> Expression {
    let start = current
    let operand: Expression
    switch (start.kind, start.keyword) {
    case (.openBrace, _):
      let list = try list()
      operand = Expression(.list(nil, list), range: list.range)
    case (.word, .geoBox), (.word, .geoCircle), (.word, .geoPolygon):
      let shape = try shape()
      operand = Expression(.shape(shape), range: shape.range)
    case (.word, .true), (.word, .yes), (.word, .false), (.word, .no):
      let isTrue = start.keyword == .true || start.keyword == .yes
      let constant = Constant(.literal(.bool(isTrue)), range: advance().range)
      operand = Expression(.constant(constant), range: constant.range)
    default:
      let constant = try constant(wanted: "a literal")
      operand = Expression(.constant(constant), range: constant.range)
    }
    if let argument = firstArgument {
      throw QueryError(
        .argument, "an argument cannot hold the argument \(describe(argument))", at: argument.range)
    }
    return operand
  }
}
