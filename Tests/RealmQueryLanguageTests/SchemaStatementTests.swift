import RealmQueryLanguage
import Testing

/// A type as it would be written.
private func shown(_ type: TypeSyntax) -> String {
  let element =
    switch type.element {
    case .value(let word): word.rawValue
    case .object(let name): "<\(name.text)>"
    }
  let inner = element + (type.isOptional ? "?" : "")
  return type.collection.map { "\($0.rawValue) of \(inner)" } ?? inner
}

private func shown(_ property: PropertyDeclaration) -> String {
  property.name.text + ": " + shown(property.type) + (property.isPrimaryKey ? " primary" : "")
    + (property.index.map { " \($0.rawValue)" } ?? "") + (property.defaultValue.map { " = \($0)" } ?? "")
}

@Suite("Statements about classes")
struct SchemaStatementTests {
  private func declaration(_ text: String) throws -> [String] {
    guard case .createClass(let declaration) = try Statement(parsing: Array(text.utf8)).kind else {
      return []
    }
    return ["\(declaration.kind.rawValue) \(declaration.name.text)"]
      + declaration.properties.map { shown($0) }
  }

  @Test("a class is created from names, types and attributes")
  func creation() throws {
    #expect(
      try declaration(
        """
        create class Person {
          _id: int primary key,   -- the number
          nick: string? indexed, tags: list<string>, friend: Person?,
          # a comment
          scores: set<int?>, attrs: dictionary<mixed?>, dogs: list<Dog>, notes: string fulltext,
          `first name`: decimal128, class: objectId, int: list,
        }
        """)
        == [
          "object Person", "_id: int primary", "nick: string? general", "tags: list of string",
          "friend: <Person>?",
          "scores: set of int?", "attrs: dictionary of mixed?", "dogs: list of <Dog>",
          "notes: string fulltext",
          "first name: decimal128", "class: objectId", "int: <list>",
        ])
    #expect(
      try declaration("create class Address embedded {street:string}") == [
        "embedded Address", "street: string",
      ])
    #expect(try declaration("CREATE CLASS Ping asymmetric { }") == ["asymmetric Ping"])
    #expect(try declaration("create class embedded { }") == ["object embedded"])
  }

  private func alteration(_ text: String) throws -> String {
    let source = Array("alter class Person \(text)".utf8)
    guard case .alterClass(let name, let alteration) = try Statement(parsing: source).kind,
      name.text == "Person"
    else { return "not an alteration" }
    switch alteration {
    case .add(let property): return "add \(shown(property))"
    case .drop(let name): return "drop \(name.text)"
    case .rename(let name, let newName): return "rename \(name.text) to \(newName.text)"
    case .require(let name, let value): return "require \(name.text) \(value.map { "= \($0)" } ?? "")"
    case .makeOptional(let name): return "optional \(name.text)"
    case .addIndex(let name, let index): return "index \(name.text) \(index.rawValue)"
    case .dropIndex(let name): return "no index \(name.text)"
    case .renameClass(let newName): return "class to \(newName.text)"
    case .changePrimaryKey(let name): return "key \(name.text)"
    }
  }

  @Test(
    "a class is altered by one change",
    arguments: [
      ("add nick: string?", "add nick: string?"),
      ("add country: string default 'D' + 'K'", "add country: string = 'D' + 'K'"),
      ("add n: int indexed default 0 -1", "add n: int general = 0 - 1"), ("drop nick", "drop nick"),
      ("rename nick to handle", "rename nick to handle"),
      ("alter nick required default ''", "require nick = ''"),
      ("alter nick required", "require nick "), ("alter nick optional", "optional nick"),
      ("add index email", "index email general"), ("add index email fulltext", "index email fulltext"),
      ("drop index email", "no index email"), ("rename to Human", "class to Human"),
      ("primary key email", "key email"),
      // Properties with the names of these words.
      ("add index: string", "add index: string"), ("add index index", "index index general"),
      ("drop index", "drop index"),
      ("drop index index", "no index index"), ("rename to to too", "rename to to too"),
      ("rename a to to", "rename a to to"),
      ("alter required required", "require required "),
      ("add default: int default default + 1", "add default: int = default + 1"),
    ])
  func alterations(text: String, expected: String) throws {
    #expect(try alteration(text) == expected)
  }

  @Test(
    "types stand alone in schema documents",
    arguments: [
      ("int", "int"), (" string ? ", "string?"), ("list<Dog>", "list of <Dog>"),
      ("dictionary < uuid ? >", "dictionary of uuid?"),
      ("Int", "<Int>"), ("`int`", "<int>"), ("Person?", "<Person>?"), ("list", "<list>"),
      ("objectId", "objectId"),
    ])
  func types(text: String, expected: String) throws {
    #expect(shown(try TypeSyntax(parsing: Array(text.utf8))) == expected)
  }

  @Test(
    "types at fault are refused",
    arguments: [
      RefusedText("", .expectation, at: "", "expected a type such as int"),
      RefusedText("list<int>?", .expectation, at: "?", "a list is never null; write list<T?>"),
      RefusedText("list<list<int>>", .expectation, at: "<", "collections cannot be nested"),
      RefusedText("list<int", .parenthesis, at: "<", "missing '>' for '<'"),
      RefusedText("list<", .expectation, at: "", "the type of the elements"),
      RefusedText("int??", .expectation, at: "??", "one '?'"),
      RefusedText("int int", .expectation, at: "int", "end of type"),
      RefusedText("dictionary<string, int>", .expectation, at: ",", "expected '>'"),
    ])
  func refusesTypes(_ refused: RefusedText) throws {
    let found = try #require(
      complaint(about: refused.text) { source throws(QueryError) in try TypeSyntax(parsing: source) })
    #expect(found.code == refused.code.rawValue, "\(found)")
    #expect(found.marked == refused.marked, "\(found)")
    #expect(found.sentence.contains(refused.part), "\(found)")
  }

  @Test(
    "schema statements at fault are refused",
    arguments: [
      RefusedText("create Person {}", .expectation, at: "Person", "expected class"),
      RefusedText("create class Person", .expectation, at: "", "'{' and properties"),
      RefusedText(
        "create class Person embeded {}", .expectation, at: "embeded", "embedded, asymmetric or '{'"),
      RefusedText("create class Person { a int }", .expectation, at: "int", "':' and a type"),
      RefusedText("create class Person { a: int b: int }", .expectation, at: "b", "',' or '}'"),
      RefusedText("create class Person { a: int", .parenthesis, at: "{", "missing '}'"),
      RefusedText(
        "create class Person { a: int default 5 }", .expectation, at: "default", "keeps no default values"),
      RefusedText("create class Person { a: int primary }", .expectation, at: "}", "expected key"),
      RefusedText("create class Person { null: int }", .expectation, at: "null", "write `null` for a name"),
      RefusedText("alter class Person", .expectation, at: "", "add, drop, rename, alter or primary key"),
      RefusedText("alter class Person add nick", .expectation, at: "", "':' and a type"),
      RefusedText("alter class Person alter nick", .expectation, at: "", "required or optional"),
      RefusedText("alter class Person rename nick", .expectation, at: "", "expected to"),
      RefusedText("alter class Person drop a, b", .expectation, at: ",", "end of statement"),
      RefusedText("alter class Person drop index index x", .expectation, at: "x", "end of statement"),
    ])
  func refusesStatements(_ refused: RefusedText) throws {
    let found = try #require(
      complaint(about: refused.text) { source throws(QueryError) in try Statement(parsing: source) })
    #expect(found.code == refused.code.rawValue, "\(found)")
    #expect(found.marked == refused.marked, "\(found)")
    #expect(found.sentence.contains(refused.part), "\(found)")
  }
}
