import RealmEngine
import TestSupport
import Testing
import TextFormats

@Suite("Schema documents")
struct SchemaDocumentTests {
  private static func read(_ text: String) throws -> SchemaDescription {
    try SchemaDescription(document: try DocumentNode.yamlOrJSON(Array(text.utf8).span))
  }

  private static let sample = """
    realm_schema: 1
    schema_version: 4
    classes:
      Person:
        primary_key: _id
        properties:
          _id: int
          nick: "string?"
          email: { type: string, indexed: true }
          bio: { type: string, indexed: fulltext }
          words: { type: "list<string>", indexed: true }
          dogs: "list<string>"
          home: "Address?"
          friend: Person
          any: mixed
          map: "dictionary<Person>"
          odd: { type: "set<object>", target: string }
      Address:
        kind: embedded
        properties: { street: string }
      string:
        properties: {}
    """

  @Test("what was written is read back, whether as YAML or as JSON")
  func roundTrip() throws {
    let schema = try Self.read(Self.sample)
    #expect(schema.version == 4)
    #expect(schema.classes.map(\.name) == ["Address", "Person", "string"])
    let person = try #require(schema.classes.first { $0.name == "Person" })
    #expect(person.properties[0].index == .general)
    #expect(person.properties[7].type == PropertyType(.object, isOptional: true, target: "Person"))
    #expect(person.properties[8].type == PropertyType(.mixed, isOptional: true))
    #expect(person.properties[9].type.isOptional)
    #expect(
      person.properties[10].type
        == PropertyType(.object, collection: .set, isOptional: false, target: "string"))
    #expect(try SchemaDescription(document: schema.document) == schema)
  }

  @Test("a realm made from a document has the document's schema")
  func makes() throws {
    let schema = try Self.read(Self.sample)
    let realm = try WritableDatabase.inMemory()
    let write = try realm.begin()
    try write.addClasses(schema.classes)
    if let version = schema.version { try write.setSchemaVersion(version) }
    try realm.commit(write)
    #expect(realm.database.transaction.schemaDescription() == schema)
  }

  @Test(
    "what cannot be made is refused with its place",
    arguments: [
      ("realm_schema: 2\nclasses: {}", 1, "realm_schema must be 1"),
      ("realm_schema: 1\nclasses: {}\nclass: {}", 3, "no field 'class'"),
      ("realm_schema: 1\nschema_version: -3\nclasses: {}", 2, "negative"),
      ("realm_schema: 1\nclasses:\n  A:\n    kind: embeded\n    properties: {}", 4, "cannot be 'embeded'"),
      ("realm_schema: 1\nclasses:\n  A:\n    kind: embedded", 4, "must have the field 'properties'"),
      ("realm_schema: 1\nclasses:\n  A:\n    properties: { a: strng }", 4, "neither a type nor a class"),
      ("realm_schema: 1\nclasses:\n  A:\n    properties: { a: \"list<A?>\" }", 4, "holds no null"),
      ("realm_schema: 1\nclasses:\n  A:\n    properties: { a: \"list<int>?\" }", 4, "never null"),
      ("realm_schema: 1\nclasses:\n  A:\n    properties: { a: \"list<int\" }", 4, "is not a type"),
      ("realm_schema: 1\nclasses:\n  A:\n    properties: { a: object }", 4, "needs the name of a class"),
      (
        "realm_schema: 1\nclasses:\n  A:\n    properties: { a: { type: double, indexed: true } }", 4,
        "cannot have an index"
      ),
      (
        "realm_schema: 1\nclasses:\n  A:\n    properties: { a: { type: int, indexd: true } }", 4,
        "no field 'indexd'"
      ),
      ("realm_schema: 1\nclasses:\n  A:\n    primary_key: b\n    properties: { a: int }", 4, "no property b"),
      (
        "realm_schema: 1\nclasses:\n  A:\n    primary_key: a\n    properties: { a: bool }", 4,
        "cannot be a primary key"
      ),
      (
        "realm_schema: 1\nclasses:\n  A:\n    kind: embedded\n    properties: { a: \"set<A>\" }", 5,
        "set cannot hold"
      ),
      ("realm_schema: 1\nclasses:\n  A: 7", 3, "must be a mapping, not a single value"),
      ("[1]", 1, "must be a mapping, not a list"),
      (
        "realm_schema: 1\nclasses:\n  \(String(repeating: "x", count: 58)): { properties: {} }", 3,
        "1 to 57 bytes, not 58"
      ),
      (
        "realm_schema: 1\nclasses:\n  A:\n    properties:\n      \(String(repeating: "x", count: 64)): int",
        5,
        "1 to 63 bytes, not 64"
      ),
    ])
  func refusals(_ text: String, _ line: Int, _ part: String) throws {
    let error = #expect(throws: TextFormatError.self) { try Self.read(text) }
    #expect(error?.message.contains(part) ?? false, "\(error?.message ?? "")")
    #expect(error?.location.line == line)
  }

  @Test("more classes than a realm can hold are refused")
  func tooManyClasses() {
    let classes = (0..<65_536).map { "\"C\($0)\":{\"properties\":{}}" }.joined(separator: ",")
    let error = #expect(throws: TextFormatError.self) {
      try Self.read("{\"realm_schema\":1,\"classes\":{\(classes)}}")
    }
    #expect(error?.message == "a realm holds at most 65535 classes, not 65536")
  }

  @Test("near misses are named")
  func hints() throws {
    let misspelled = "realm_schema: 1\nclasses:\n  Dog:\n    properties: { a: Dgo, b: int }"
    #expect(throws: TextFormatError.self) { try Self.read(misspelled) }
    let error = #expect(throws: TextFormatError.self) { try Self.read(misspelled) }
    #expect(error?.hint == "did you mean 'Dog'?")
  }
}
