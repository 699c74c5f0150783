// Statements about classes. Layer: Statements.

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

  private mutating func propertyDeclaration(takesDefault: Bool) throws(QueryError) -> PropertyDeclaration {
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
        throw unexpected("',' or '}'", hint: "a realm file keeps no default values")
      default: break attributes
      }
    }
    return PropertyDeclaration(
      name: name, type: type, isPrimaryKey: isPrimaryKey, index: index, defaultValue: defaultValue,
      range: range(from: start.range))
  }

  /// `alter class Person …`
  mutating func alterClass() throws(QueryError) -> StatementKind {
    advance()
    try expectWord("class")
    let name = try className()
    switchMode(.expression)
    return .alterClass(name, try alteration())
  }

  private mutating func alteration() throws(QueryError) -> ClassAlteration {
    let isIndex = isNextWord("index")
    switch statementWord {
    case "add" where isIndex && peek(2).kind != .colon:
      advance()
      advance()
      let property = try declaredName("a property")
      return .addIndex(property, takeWord("fulltext") ? .fulltext : .general)
    case "add":
      advance()
      return .add(try propertyDeclaration(takesDefault: true))
    case "drop":
      let isDropIndex = isIndex && peek(2).kind == .word
      advance()
      if isDropIndex { advance() }
      let property = try declaredName("a property")
      return isDropIndex ? .dropIndex(property) : .drop(property)
    case "rename": return try renaming()
    case "alter":
      advance()
      let property = try declaredName("a property")
      if takeWord("optional") { return .makeOptional(property) }
      guard takeWord("required") else { throw unexpected("required or optional") }
      return .require(property, defaultValue: takeWord("default") ? try expression() : nil)
    case "primary":
      advance()
      try expectWord("key")
      return .changePrimaryKey(try declaredName("a property"))
    default: throw unexpected("add, drop, rename, alter or primary key")
    }
  }

  /// `rename nick to handle`, or `rename to Human` for the class itself.
  private mutating func renaming() throws(QueryError) -> ClassAlteration {
    advance()
    if !isNextWord("to"), takeWord("to") { return .renameClass(to: try className()) }
    let property = try declaredName("a property, or to and a new class name")
    try expectWord("to")
    return .rename(property, to: try declaredName("a new name"))
  }

  private mutating func isNextWord(_ word: String) -> Bool {
    let next = peek(1)
    return next.kind == .word && source.text(in: next.range).lowercased() == word
  }
}
