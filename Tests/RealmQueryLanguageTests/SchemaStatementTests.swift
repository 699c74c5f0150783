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

private func shown(_ policy: ValuePolicy) -> String {
  switch policy {
  case .word(let word): word.rawValue
  case .value(let value): "= \(value)"
  }
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
    #expect(
      try declaration("create embedded class Address {street:string}")
        == declaration("create class Address embedded {street:string}"))
    #expect(try declaration("create asymmetric class Log { }") == ["asymmetric Log"])
    #expect(try declaration("create class embedded { }") == ["object embedded"])
  }

  private func alteration(_ text: String) throws -> String {
    let source = Array("alter class Person \(text)".utf8)
    guard case .alterClass(let name, let alteration) = try Statement(parsing: source).kind,
      name.text == "Person"
    else { return "not an alteration" }
    return described(alteration)
  }

  private func described(_ alteration: ClassAlteration) -> String {
    switch alteration {
    case .add(let property): return "add \(shown(property))"
    case .drop(let names): return "drop \(names.map(\.text).joined(separator: ", "))"
    case .rename(let name, let newName, let isOptional, let index):
      return "rename \(name.text) to \(newName.text)" + (isOptional ? "?" : "")
        + (index.map { " \($0.rawValue)" } ?? "")
    case .require(let name, let nulls): return "require \(name.text) \(shown(nulls))"
    case .changeType(let name, let change):
      return "\(name.text) to \(shown(change.type)) = \(change.value)"
        + (change.nulls.map { " nulls \(shown($0))" } ?? "")
        + (change.unparsable.map { " unparsable \(shown($0))" } ?? "")
    case .makeEmbedded(let policy):
      return "embedded \(policy.primaryKey) \(policy.orphans) \(policy.orphanCountMax ?? -1) \(policy.shared)"
    case .makeObject(let key): return "object " + (key.map { shown($0) } ?? "")
    case .makeOptional(let name): return "optional \(name.text)"
    case .addIndex(let name, let index): return "index \(name.text) \(index.rawValue)"
    case .dropIndex(let name): return "no index \(name.text)"
    case .renameClass(let newName): return "class to \(newName.text)"
    case .changePrimaryKey(let name, let policy):
      let order = policy?.order.map { "\($0.isAscending ? "up" : "down")" }.joined() ?? ""
      return "key \(name?.text ?? "none")"
        + (policy.map { " \($0.keepsFirst ? "first" : "last") \(order) \($0.relinks) \($0.countMax ?? -1)" }
          ?? "")
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
      ("alter nick required", "require nick fail"),
      ("alter nick required nulls delete", "require nick delete"),
      ("alter nick required nulls value 'x'", "require nick = 'x'"), ("drop a, b", "drop a, b"),
      ("alter age to string value string(old)", "age to string = string(old)"),
      (
        "alter age to int? value int(old) nulls keep unparsable null",
        "age to int? = int(old) nulls keep unparsable null"
      ),
      (
        "alter age to int value old nulls value 0 unparsable value 1",
        "age to int = old nulls = 0 unparsable = 1"
      ),
      ("rename a to b optional fulltext", "rename a to b? fulltext"), ("primary key null", "key none"),
      ("primary key `null`", "key null"),
      (
        "primary key a duplicates keep last order by b DESC, c relink max 3", "key a last downup true 3"
      ),
      ("primary key a duplicates keep first", "key a first  false -1"),
      ("primary key a duplicates fail", "key a"), ("embedded", "embedded fail fail -1 fail"),
      (
        "embedded primary key drop orphans delete max 4 shared duplicate", "embedded drop delete 4 duplicate"
      ), ("object", "object "), ("object primary key id: uuid default uuid()", "object id: uuid = uuid()"),
      ("alter nick optional", "optional nick"),
      ("add index email", "index email general"), ("add index email fulltext", "index email fulltext"),
      ("drop index email", "no index email"), ("rename to Human", "class to Human"),
      ("primary key email", "key email"),
      // Properties with the names of these words.
      ("add index: string", "add index: string"), ("add index index", "index index general"),
      ("drop index", "drop index"),
      ("drop index index", "no index index"), ("rename to to too", "rename to to too"),
      ("rename a to to", "rename a to to"),
      ("alter required required", "require required fail"),
      ("add default: int default default + 1", "add default: int = default + 1"),
    ])
  func alterations(text: String, expected: String) throws {
    #expect(try alteration(text) == expected)
  }

  @Test(
    "rename says the same as alter class with fewer words",
    arguments: [
      ("rename Person to Human", "alter class Person rename to Human"),
      ("RENAME `a b` TO `to`;", "alter class `a b` rename to `to`"),
      ("rename to to to", "alter class to rename to `to`"),
      ("rename Person.nick to handle", "alter class Person rename nick to handle"),
      ("rename Person . size to `in`", "alter class Person rename size to `in`"),
      ("rename Person.a to b optional fulltext", "alter class Person rename a to b optional fulltext"),
    ])
  func renaming(text: String, long: String) throws {
    let (short, other) = (try Statement(parsing: Array(text.utf8)), try Statement(parsing: Array(long.utf8)))
    guard case .alterClass(let name, let change) = short.kind,
      case .alterClass(let otherName, let otherChange) = other.kind
    else {
      Issue.record("not an alteration")
      return
    }
    #expect(name.text == otherName.text)
    #expect(described(change) == described(otherChange))
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
        "create class Person { a: int default 5 }", .expectation, at: "default", "have no default values"),
      RefusedText("create class Person { a: int primary }", .expectation, at: "}", "expected key"),
      RefusedText("create class Person { null: int }", .expectation, at: "null", "write `null` for a name"),
      RefusedText("alter class Person", .expectation, at: "", "add, drop, rename, alter, primary key"),
      RefusedText("alter class Person add nick", .expectation, at: "", "':' and a type"),
      RefusedText(
        "alter class Person alter nick", .expectation, at: "", "required, optional or to and a type"),
      RefusedText("rename Person", .expectation, at: "", "expected to"),
      RefusedText("rename Person.nick", .expectation, at: "", "expected to"),
      RefusedText("rename Person. to x", .expectation, at: "x", "expected to"),
      RefusedText("rename Person to Human.x", .expectation, at: ".", "end of statement"),
      RefusedText("alter class Person rename nick", .expectation, at: "", "expected to"),
      RefusedText("alter class Person drop a, b c", .expectation, at: "c", "end of statement"),
      RefusedText("alter class Person alter a to int", .expectation, at: "", "expected value"),
      RefusedText(
        "alter class Person alter a required nulls keep", .expectation, at: "keep", "fail or delete or value"),
      RefusedText("alter class Person primary key a duplicates keep", .expectation, at: "", "first or last"),
      RefusedText("alter class Person object primary key id: int", .expectation, at: "", "default uuid()"),
      RefusedText("drop class Person linked fial", .expectation, at: "fial", "fail or nullify"),
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
