// Statements about objects. Layer: StatementSyntax.

extension SyntaxNode where Kind == StatementKind {
  /// Parses the one statement in `range` of `source`, or in all of it; a `;` may stand behind it.
  ///
  /// Linear in the length of the range; documents to insert are not parsed.
  package init(parsing source: [UInt8], in range: SourceRange? = nil) throws(QueryError) {
    let bounds = range?.bounds ?? source.indices
    if let command = try ShellCommand(parsing: source, in: bounds) {
      self.init(.shell(command), range: SourceRange(bounds))
      return
    }
    if SQLWords.begin(source[bounds]) {
      self.init(.sql, range: SourceRange(bounds))
      return
    }
    try self.init(source, bounds) { parser throws(QueryError) in try parser.statementKind() }
  }

  /// Parses the selection of objects of a class, which may be called by a word that other statements begin with.
  package init(parsingSelection source: [UInt8]) throws(QueryError) {
    try self.init(source, source.indices) { parser throws(QueryError) in try parser.selectStatement() }
  }

  private init(
    _ source: [UInt8], _ bounds: Range<Int>, _ kind: (inout Parser) throws(QueryError) -> StatementKind
  ) throws(QueryError) {
    var parser = try Parser(source: source, bounds: bounds, flavor: .statement, subject: "statement")
    self = try parser.statement(kind)
    _ = parser.take(.semicolon)
    guard parser.current.kind == .end else { throw parser.trailing(self) }
  }
}

extension Parser {
  fileprivate mutating func statement(
    _ kind: (inout Parser) throws(QueryError) -> StatementKind
  ) throws(QueryError) -> Statement {
    let start = current
    let kind = try kind(&self)
    return Statement(kind, range: range(from: start.range))
  }

  fileprivate mutating func statementKind() throws(QueryError) -> StatementKind {
    switch statementWord {
    case let word where AggregateFunction(rawValue: word) != nil: return .aggregate(try aggregation())
    case "summarize":
      advance()
      return .summarize(try clauses(.none).selection)
    case "insert": return try insertion(isUpsert: false)
    case "upsert": return try insertion(isUpsert: true)
    case "update": return try update()
    case "delete": return try deletion()
    case "begin", "commit", "rollback": return transactionStatement()
    case "create": return try createClass()
    case "alter" where isWord("schema", at: 1): return try schemaVersion()
    case "alter": return try alterClass()
    case "rename": return try renaming()
    case "drop":
      try expectClass(after: advance())
      return .dropClass(
        try className(), linked: try policy("linked", [.fail, .nullify]), isEmpty: takeWord("empty"))
    case "explain":
      advance()
      if statementWord == "explain" { throw unexpected("a statement to explain") }
      return .explain(try statement { parser throws(QueryError) in try parser.statementKind() })
    default: return try selectStatement()
    }
  }

  /// The word at the current place in lower case; empty for anything else, quoted names included.
  var statementWord: String {
    guard current.kind == .word, source[current.range.offset].isASCIILetter else { return "" }
    return source.text(in: current.range).lowercased()
  }

  mutating func takeWord(_ word: String) -> Bool {
    guard statementWord == word else { return false }
    advance()
    return true
  }

  mutating func expectWord(_ word: String, hint: String? = nil) throws(QueryError) {
    guard takeWord(word) else { throw unexpected(word, hint: hint) }
  }

  /// What SQL creates and no statement does.
  private static let wordsOfSQL = ["view", "trigger", "temp", "temporary"]

  /// Takes `class` after `create`, `alter` or `drop`. Tables and indexes of SQL have other statements here.
  mutating func expectClass(after verb: Token) throws(QueryError) {
    guard !takeWord("class") else { return }
    let verb = source.text(in: verb.range).lowercased()
    let words = wordsAhead(12).filter { !["if", "not", "exists"].contains($0.lowercased()) }
    func word(after mark: String) -> String? {
      words.firstIndex { $0.lowercased() == mark }.flatMap { $0 + 1 < words.count ? words[$0 + 1] : nil }
    }
    if verb == "create", let first = words.first, Self.wordsOfSQL.contains(first.lowercased()) {
      throw unexpected("class", hint: QueryError.adviceOnViews)
    }
    let isIndex = words.prefix(2).contains { $0.lowercased() == "index" }
    let isNamed = ["class", "table"].contains(words.first?.lowercased())
    let name = isIndex ? word(after: "on") : isNamed ? words.dropFirst().first : words.first
    var form = "\(verb == "create" && isIndex ? "alter" : verb) class \(name ?? "CLASS")"
    if isIndex {
      let property = name.flatMap { word(after: $0.lowercased()) } ?? word(after: "index") ?? "PROPERTY"
      form = "alter class \(name ?? "CLASS") \(verb == "drop" ? "drop" : "add") index \(property)"
    } else if verb != "drop" {
      form += verb == "create" ? " { name: string, age: int? }" : " …"
    }
    throw unexpected("class", hint: "write \(form)")
  }

  /// Names that follow, from the current place on.
  mutating func wordsAhead(_ count: Int, from start: Int = 0) -> [String] {
    (start..<start + count).map { peek($0) }.filter { $0.kind == .word }.map { source.text(in: $0.range) }
  }

  mutating func className() throws(QueryError) -> Name { try nameOfSQL("a class") }

  private mutating func transactionStatement() -> StatementKind {
    let word = statementWord
    advance()
    // As SQL has them. Whoever begins has the lock at once, so that all kinds are one.
    if word == "begin", ["deferred", "immediate", "exclusive"].contains(statementWord) { advance() }
    _ = takeWord("transaction")
    return word == "begin" ? .begin : word == "commit" ? .commit : .rollback
  }

  fileprivate mutating func selectStatement() throws(QueryError) -> StatementKind {
    guard current.kind == .word else { throw unexpected("a statement or a class") }
    let clauses = try clauses(.columns)
    return .select(clauses.selection, clauses.columns)
  }

  private mutating func deletion() throws(QueryError) -> StatementKind {
    advance()
    if current.kind == .star { throw unexpected("from or a class", hint: "leave out the *") }
    if statementWord == "from", peek(1).kind == .word || isNameOfSQL(peek(1)) { advance() }
    if peek(1).kind.isKey {
      let name = try className()
      var keys: [Constant] = []
      repeat {
        guard current.kind.isKey else { throw unexpected("a key: 7, 'text' or @7") }
        keys.append(try objectKeyConstant())
      } while take(.comma)
      return .deleteKeys(name, keys)
    }
    return .delete(try clauses(.none).selection)
  }

  /// A primary key, or an object key as `@7`.
  mutating func objectKeyConstant() throws(QueryError) -> Constant {
    let range = current.range
    return Constant(.literal(try takeLiteral()), range: range)
  }

  /// `@7`
  private mutating func objectKey() throws(QueryError) -> ObjectKeySyntax {
    let range = current.range
    guard case .objectKey(let key) = try takeLiteral() else {
      preconditionFailure("the token was looked at")
    }
    return ObjectKeySyntax(key, range: range)
  }

  /// `alter schema version 3`
  private mutating func schemaVersion() throws(QueryError) -> StatementKind {
    advance()
    advance()
    try expectWord("version")
    if takeWord("none") { return .setSchemaVersion(nil) }
    let range = current.range
    guard current.kind == .integer else { throw unexpected("a number or none") }
    guard case .int(let number) = try takeLiteral(), number >= 0 else {
      throw QueryError(.expectation, "a schema version is a number from 0 to \(Int64.max)", at: range)
    }
    return .setSchemaVersion(number)
  }

  private mutating func update() throws(QueryError) -> StatementKind {
    advance()
    let clauses = try clauses(.assignments)
    if clauses.assignments.isEmpty {
      if clauses.selection.predicate != nil, current.kind != .end {
        throw trailing(behind: clauses.selection)
      }
      throw unexpected("set", hint: "write update Person where … set age = 1")
    }
    return .update(clauses.selection, clauses.assignments)
  }

  /// The complaint about what is left behind a statement.
  mutating func trailing(_ statement: Statement) -> QueryError {
    switch statement.kind {
    case .select(let selection, let items)
    where !items.isEmpty && selection.predicate?.orderings.isEmpty ?? true:
      return unexpected("',', AS, where, sort(…) or end of statement")
    case .aggregate(let aggregation):
      guard let groups = aggregation.groups else {
        if aggregation.items.allSatisfy(\.isCountOfObjects),
          let hint = countWithOthers(of: aggregation.selection)
        {
          return unexpected("where, sort(…), by or end of statement", hint: hint)
        }
        return trailing(behind: aggregation.selection, clause: "by")
      }
      let isOther = groups.orderings.isEmpty && groups.condition == nil
      return isOther
        ? unexpected("',', AS, where, having, sort(…) or end of statement") : trailing(hasOrderings: true)
    case .select(let selection, _): return trailing(behind: selection, clause: "select")
    case .delete(let selection), .summarize(let selection): return trailing(behind: selection)
    case .update: return unexpected("an operator, ',' or end of statement")
    case .explain(let inner): return trailing(inner)
    default: return unexpected("end of statement")
    }
  }

  private static let otherFunctionNames = [
    "mean": "avg", "average": "avg", "total": "sum", "maximum": "max", "minimum": "min",
  ]

  /// `clause`: what else the statement may go on with.
  private mutating func trailing(behind selection: Selection, clause: String? = nil) -> QueryError {
    if clause == "select", let function = AggregateFunction(rawValue: statementWord) {
      let objects = source.text(in: selection.range)
      let wanted = selection.predicate == nil ? "where, sort(…), select" : "AND, OR, sort(…), select"
      let operand = function == .count ? "" : " \(wordsAhead(1, from: 1).first ?? "age") of"
      return unexpected(
        "\(wanted) or end of statement", hint: "write \(function.rawValue)\(operand) \(objects)")
    }
    if clause == "select", statementWord == "by" || statementWord == "group" {
      let hint = "write count \(source.text(in: selection.range)) by …"
      return unexpected("where, sort(…), select or end of statement", hint: hint)
    }
    let className = source.text(in: selection.className.range)
    if let function = Self.otherFunctionNames[className.lowercased()], wordsAhead(1, from: 1) == ["of"] {
      return unexpected("where, sort(…), select or end of statement", hint: "write \(function)")
    }
    if let predicate = selection.predicate { return trailing(hasOrderings: !predicate.orderings.isEmpty) }
    if current.kind == .dot, peek(1).kind == .word {
      return unexpected("where", hint: memberHint(of: source.text(in: selection.className.range)))
    }
    if ["join", "inner", "left", "right", "cross", "natural", "union"].contains(statementWord) {
      let rest = source.text(in: SourceRange(selection.className.range.offset..<end))
      return unexpected(
        "where, sort(…), select or end of statement", hint: "SQL joins: select * from \(rest)")
    }
    return unexpected("where, sort(…), " + (clause.map { "\($0) " } ?? "") + "or end of statement")
  }
}

extension Parser {
  /// What to type instead of `Dog.filter('age > 3')`, `db.Dog.find()` or `Dog.age`, as SDKs and other shells have it.
  private mutating func memberHint(of object: String) -> String? {
    let isDatabase = ["db", "realm"].contains(object)
    let isChain = isDatabase && peek(2).kind == .dot && peek(3).kind == .word
    let place = isChain ? 3 : 1
    let name = isChain ? source.text(in: peek(1).range) : object
    let word = source.text(in: peek(place).range)
    guard peek(place + 1).kind == .openParenthesis else {
      if ["count", "size", "length"].contains(word.lowercased()), !isDatabase {
        return "write count \(name)"
      }
      if ["all", "objects", "values"].contains(word.lowercased()), !isDatabase { return "write \(name)" }
      guard isDatabase else { return "to see a property write \(name) select \(word)" }
      return peek(place + 1).kind == .end ? "write \(word)" : nil
    }
    let argument = peek(place + 2)
    let text = source.text(in: argument.range)
    let quoted = argument.kind == .string ? String(text.dropFirst().dropLast()) : nil
    switch word.lowercased() {
    case "count", "size", "length", "countdocuments": return "write count \(name)"
    case "sum", "avg", "average", "min", "max":
      return "write \(word == "average" ? "avg" : word.lowercased()) \(quoted ?? text) of \(name)"
    case "sort", "sorted": return "write \(name) sort(\(quoted ?? "…"))"
    case "distinct": return "write \(name) distinct(\(quoted ?? "…")) select \(quoted ?? "…")"
    case "deletemany", "deleteone", "remove", "delete": return "write delete \(name) where …"
    case "updatemany", "updateone", "update": return "write update \(name) where … set …"
    case "insertmany", "insertone", "insert", "create", "add": return "write insert \(name) { … }"
    case "getcollectionnames" where isDatabase: return "write .classes"
    case "filter", "filtered", "find", "findone", "where": return "write \(name) where \(quoted ?? "…")"
    case "objects" where isDatabase: return "write \(quoted ?? text)"
    case "all", "objects", "values", "toarray": return "write \(name)"
    default: return nil
    }
  }

  private mutating func insertion(isUpsert: Bool) throws(QueryError) -> StatementKind {
    advance()
    if statementWord == "into", peek(1).kind == .word || isNameOfSQL(peek(1)) { advance() }
    let className = try className()
    if current.kind == .openParenthesis || statementWord == "values" {
      let rows = try insertedRows()
      return .insert(Insertion(className: className, documents: [], rows: rows, isUpsert: isUpsert))
    }
    var documents: [InsertedDocument] = []
    repeat {
      documents.append(try document())
    } while take(.comma) || current.kind == .openBrace || current.kind == .openBracket || isAtKey
    return .insert(Insertion(className: className, documents: documents, rows: nil, isUpsert: isUpsert))
  }

  private var isAtKey: Bool { current.kind == .objectKey }

  /// A JSON object or array, of which only the end is looked for; an object may have its key before it.
  private mutating func document() throws(QueryError) -> InsertedDocument {
    var key: ObjectKeySyntax?
    if isAtKey {
      key = try objectKey()
      if current.kind == .openBracket { throw unexpected("one JSON object after its key") }
    }
    let opener = current
    guard opener.kind == .openBrace || opener.kind == .openBracket else {
      throw unexpected("a JSON object", hint: "write { \"name\": \"Ada\" }")
    }
    guard let end = jsonDocumentEnd(in: source, from: opener.range.offset, end: end) else {
      throw unclosed(opener, by: opener.kind == .openBrace ? "}" : "]")
    }
    resume(at: end)
    return InsertedDocument(SourceRange(opener.range.offset..<end), key: key)
  }
}

extension QueryError {
  package static let adviceOnViews = "SQL only reads here; with v as (select …) select … from v names a query"
}
