// From text to predicates and their parts. Layer: Parsing, its front door.
// Every function takes the whole source and parses all of it; ranges count from its beginning.

extension Predicate {
  /// Parses a query. Linear in its length; throws the first syntax error.
  package init(parsing source: [UInt8]) throws(QueryError) {
    var parser = try Parser(source: source)
    self = try parser.predicate()
    try parser.expectEnd(of: self)
  }
}

extension PropertyReference {
  /// Parses a path such as `dogs.@count`.
  package init(parsing source: [UInt8]) throws(QueryError) {
    var parser = try Parser(source: source, subject: "path")
    self = try parser.propertyReference()
    try parser.expectEnd("'.'")
  }
}

extension Expression {
  /// Parses an expression. Linear in its length.
  package init(parsing source: [UInt8]) throws(QueryError) {
    var parser = try Parser(source: source, mode: .expression, subject: "expression")
    self = try parser.expression()
    try parser.expectEndOfExpression(or: "an operator")
  }
}

extension Assignment {
  /// Parses `a = 1, b = a + 1`.
  package static func list(parsing source: [UInt8]) throws(QueryError) -> [Assignment] {
    var parser = try Parser(source: source, mode: .expression, subject: "list")
    let assignments = try parser.assignments()
    try parser.expectEndOfExpression(or: "an operator, ','")
    return assignments
  }
}

extension SortKey {
  /// Parses `name, length(name) desc`; a key without a direction ascends.
  package static func list(parsing source: [UInt8]) throws(QueryError) -> [SortKey] {
    var parser = try Parser(source: source, mode: .expression, subject: "list")
    let keys = try parser.sortKeys(needsDirection: false)
    try parser.expectEnd("',', ASC or DESC")
    return keys
  }
}

extension SelectItem {
  /// Parses `a, b.c, age * 2 as twice, @key`.
  package static func list(parsing source: [UInt8]) throws(QueryError) -> [SelectItem] {
    var parser = try Parser(source: source, mode: .expression, subject: "list")
    let items = try parser.selectItems()
    try parser.expectEnd("',' or AS")
    return items
  }
}

/// Cuts a text into tokens, for completion and highlighting. Never fails: a place where no token begins ends
/// the list with an `.invalid` token, every other list ends with `.end`.
///
/// In a statement comments and continued lines are blanks, and the symbols of expressions and types are tokens.
package func tokens(of source: [UInt8], isStatement: Bool = false) -> [Token] {
  guard firstInvalidTextOffset(in: source, bounds: source.indices) == nil else {
    return [Token(.invalid, SourceRange(source.indices))]
  }
  var lexer = Lexer(
    source: source, bounds: source.indices, mode: isStatement ? .expression : .predicate,
    flavor: isStatement ? .statement : .plain)
  var tokens: [Token] = []
  repeat { tokens.append(lexer.next()) } while tokens.last?.kind != .end && tokens.last?.kind != .invalid
  return tokens
}

extension Parser {
  /// Complains when anything is left.
  func expectEnd(_ others: String) throws(QueryError) {
    if current.kind != .end { throw unexpected("\(others) or end of \(subject)") }
  }

  /// `expression as name, @key, …`
  mutating func selectItems() throws(QueryError) -> [SelectItem] {
    var items: [SelectItem] = []
    repeat {
      let start = current
      if start.kind == .star {
        throw unexpected("a property", hint: "leave out the list to get every property")
      }
      let value = try expression(wanted: "a property")
      items.append(SelectItem(value: value, alias: try alias(), range: range(from: start.range)))
    } while take(.comma)
    return items
  }

  mutating func alias() throws(QueryError) -> Name? {
    guard current.kind == .word, source.text(in: current.range).lowercased() == "as" else { return nil }
    advance()
    let token = current
    switch token.kind {
    case .word:
      advance()
      return name(of: token)
    case .string:
      guard case .string(let text) = try takeLiteral() else {
        preconditionFailure("a string token is a string")
      }
      return Name(String(decoding: text, as: UTF8.self), isQuoted: true, range: token.range)
    default: throw unexpected("a name")
    }
  }
}
