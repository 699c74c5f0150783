// `create class`. Layer: StatementSyntax.

extension Parser {
  /// `create class Person embedded { name: type …, … }`, or `create embedded class Person`
  mutating func createClass() throws(QueryError) -> StatementKind {
    let verb = advance()
    let first = isWord("class", at: 1) ? ClassDeclaration.Kind(rawValue: statementWord) : nil
    if first != nil { advance() }
    try expectClass(after: verb)
    let name = try className()
    let kind = first ?? ClassDeclaration.Kind(rawValue: statementWord) ?? .object
    if first == nil, !statementWord.isEmpty {
      guard kind != .object else { throw unexpected("embedded, asymmetric or '{'") }
      advance()
    }
    switchMode(.expression)
    let opener = current
    try expect(.openBrace, "'{' and properties")
    var properties: [PropertyDeclaration] = []
    while current.kind != .closeBrace {
      properties.append(try propertyDeclaration(takesDefault: false))
      if !take(.comma) { break }
    }
    try expectCloser(.closeBrace, of: opener, or: "','")
    return .createClass(ClassDeclaration(name: name, kind: kind, properties: properties))
  }

  mutating func propertyDeclaration(takesDefault: Bool) throws(QueryError) -> PropertyDeclaration {
    let start = current
    let name = try declaredName("a property")
    guard take(.colon) else {
      let words = [source.text(in: name.range), source.text(in: current.range)]
      let isColumn = words[0].lowercased() == "column" && peek(1).kind == .word
      let (property, type) = isColumn ? (words[1], source.text(in: peek(1).range)) : (words[0], words[1])
      let hint = current.kind == .word ? "write \(property): \(type)" : nil
      throw unexpected("':' and a type", hint: hint)
    }
    let type = try type()
    var isPrimaryKey = false
    var index: IndexWord?
    var defaultValue: Expression?
    attributes: while true {
      switch statementWord {
      case "primary" where !isPrimaryKey:
        advance()
        try expectWord("key")
        isPrimaryKey = true
      case "indexed" where index == nil:
        advance()
        index = .general
      case "fulltext" where index == nil:
        advance()
        index = .fulltext
      case "default" where takesDefault && defaultValue == nil:
        advance()
        defaultValue = try expression()
      case "default" where !takesDefault:
        throw unexpected("',' or '}'", hint: "realm files have no default values")
      default: break attributes
      }
    }
    return PropertyDeclaration(
      name: name, type: type, isPrimaryKey: isPrimaryKey, index: index, defaultValue: defaultValue,
      range: range(from: start.range))
  }
}
