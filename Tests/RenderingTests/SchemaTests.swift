import ByteText
import RealmEngine
import Rendering
import Testing
import TextFormats

@Suite("Schemas")
struct SchemaTests {
  private static let person = ClassDefinition(
    "Person", primaryKey: "_id",
    properties: [
      PropertyDefinition("_id", PropertyType(.int, isOptional: false), index: .general),
      PropertyDefinition("nick", PropertyType(.string, isOptional: true), index: .general),
      PropertyDefinition("bio", PropertyType(.string, isOptional: false), index: .fullText),
      PropertyDefinition("tags", PropertyType(.mixed, collection: .dictionary, isOptional: true)),
      PropertyDefinition("home", PropertyType(.object, isOptional: true, target: "Address")),
      PropertyDefinition(
        "odd", PropertyType(.object, collection: .list, isOptional: false, target: "string")),
    ])
  private static let address = ClassDefinition(
    "Address", kind: .embedded,
    properties: [PropertyDefinition("street", PropertyType(.string, isOptional: false))])
  private static let mistakable = ClassDefinition("string", kind: .asymmetric, properties: [])

  @Test("the document has classes by name, properties as stored, and only what is not the default")
  func document() {
    let schema = SchemaDescription(version: 4, classes: [Self.person, Self.mistakable, Self.address])
    var yaml = ByteBuffer()
    yaml.append(yaml: schema.document)
    #expect(
      yaml.text == """
        realm_schema: 1
        schema_version: 4
        classes:
          Address:
            kind: embedded
            properties:
              street: string
          Person:
            primary_key: _id
            properties:
              _id: int
              nick: { type: "string?", indexed: true }
              bio: { type: string, indexed: fulltext }
              tags: "dictionary<mixed>"
              home: "Address?"
              odd: { type: "list<object>", target: string }
          string:
            kind: asymmetric
            properties: {}

        """)
  }

  @Test("the fingerprint is the SHA-256 of the canonical document, whatever the order and the version")
  func fingerprint() throws {
    let expected = "sha256:274caea492044529fa485e9a9f92cfe2f77deed0139117185b7eae762110dc54"
    let schema = SchemaDescription(version: 4, classes: [Self.person, Self.mistakable, Self.address])
    #expect(try schema.fingerprint() == expected)
    let reordered = ClassDefinition(
      "Person", primaryKey: "_id", properties: Self.person.properties.reversed())
    let other = SchemaDescription(version: nil, classes: [Self.address, reordered, Self.mistakable])
    #expect(try other.fingerprint() == expected)
    let smaller = SchemaDescription(version: 4, classes: [Self.person, Self.mistakable])
    #expect(try smaller.fingerprint() != expected)
  }

  @Test("names that are no plain words cannot break statements and diagrams")
  func awkwardNames() {
    let awkward = ClassDefinition(
      "A \"b\"|{c}",
      properties: [
        PropertyDefinition(
          "to self", PropertyType(.object, collection: .set, isOptional: false, target: "A \"b\"|{c}"))
      ])
    let schema = SchemaDescription(version: nil, classes: [awkward])
    #expect(
      schema.statements == "create class `A \"b\"|{c}` {\n  `to self`: set<`A \"b\"|{c}`>\n}\n")
    #expect(
      schema.mermaid == """
        classDiagram
          class `A _b_|_c_` {
            set~A _b_|_c_~ to self
          }
          `A _b_|_c_` --> "*" `A _b_|_c_` : to self

        """)
    #expect(schema.graphviz.contains("\"A \\\"b\\\"|{c}\" [label=\"{A\\ \\\"b\\\"\\|\\{c\\}|"))
  }
}
