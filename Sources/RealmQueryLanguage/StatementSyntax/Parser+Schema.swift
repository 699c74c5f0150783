// `create class`. Layer: StatementSyntax.

extension Parser {
  /// `create class Person embedded { name: type …, … }`
  mutating func createClass() throws(QueryError) -> StatementKind {
    advance()
    try expectWord("class")
    let name = try className()
    let kind = ClassDeclaration.Kind(rawValue: statementWord) ?? .object
    if !statementWord.isEmpty {
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
    try expect(.colon, "':' and a type")
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
