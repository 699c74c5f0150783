import ByteText
import TestSupport
import Testing
import TextFormats

private func complaint(_ bytes: [UInt8]) -> String? {
  do throws(TextFormatError) {
    _ = try DocumentNode.yaml(bytes.span)
    return nil
  } catch {
    return "\(error.location.line):\(error.location.column)@\(error.location.offset) \(error.message)"
  }
}

private func complaint(_ text: String) -> String? { complaint(Array(text.utf8)) }

private func yaml(_ text: String) throws -> DocumentNode {
  try DocumentNode.yaml(Array(text.utf8).span)
}

@Suite("YAML")
struct YAMLTests {
  @Test("mappings, sequences and scalars become the tree that JSON gives")
  func subset() throws {
    let document = try yaml(
      """
      # a comment
      from: 3
      name: orders by number   # another
      quoted: "3"
      single: 'it''s'
      empty:
      block: |
        two
        lines
      up:
        - add: { class: Person, names: [a, b] }
        - drop
      """)
    let json = try DocumentNode.json(
      Array(
        #"""
        {"from": 3, "name": "orders by number", "quoted": "3", "single": "it's", "empty": "",
         "block": "two\nlines\n", "up": [{"add": {"class": "Person", "names": ["a", "b"]}}, "drop"]}
        """#.utf8
      ).span)
    #expect(document["from"]?.integer == 3 && document["quoted"]?.integer == nil)
    #expect(document["empty"]?.isNull == true && document["empty"]?.plainText == "")
    #expect(document["name"]?.plainText == "orders by number")
    #expect(document["block"]?.text == "two\nlines\n" && document["block"]?.plainText == nil)
    #expect(document["up"]?.items?.count == 2)
    #expect(document["up"]?.items?[0]["add"]?["names"]?.items?.map(\.text) == ["a", "b"])
    #expect(document.entries?.map(\.key) == json.entries?.map(\.key))
  }

  @Test("nodes and keys know line, column in characters and offset in bytes")
  func places() throws {
    let document = try yaml("\u{FEFF}æ: ø\nlist:\n  - x\n  - {k: v}\n")
    let entries = try #require(document.entries)
    #expect(entries[0].keyLocation == TextLocation(line: 1, column: 1, offset: 3))
    #expect(entries[0].value.location == TextLocation(line: 1, column: 4, offset: 7))
    #expect(entries[1].keyLocation == TextLocation(line: 2, column: 1, offset: 10))
    #expect(entries[1].value.items?[1]["k"]?.location == TextLocation(line: 4, column: 9, offset: 30))
  }

  @Test("what the subset leaves out is refused with its place")
  func refusals() {
    let cases: [(String, String)] = [
      ("a: &x 1", "1:4@3 anchors (&) are not accepted; write the value out"),
      ("a: &x [1]", "1:4@3 anchors (&) are not accepted; write the value out"),
      ("a: *x", "1:4@3 aliases (*) are not accepted; write the value out"),
      ("a: !!int 1", "1:4@3 tags (!) are not accepted"),
      ("a: !x {b: 1}", "1:4@3 tags (!) are not accepted"),
      ("b:\n  <<: {a: 1}", "2:3@5 merge keys (<<) are not accepted; write the entries out"),
      ("a: 1\nb: 2\na: 3", "3:1@10 the key 'a' appears twice, first in line 1"),
      ("a: 1\n\"a\": 3", "2:1@5 the key 'a' appears twice, first in line 1"),
      ("? [a]\n: 1", "1:3@2 a key must be a single word or text"),
      ("{a: 1}: 1", "1:1@0 a key must be a single word or text"),
      ("a: 1\n---\nb: 2", "2:1@5 a second document is not accepted"),
      ("%YAML 1.1\n---\na: 1", "1:1@0 directives (%) are not accepted"),
      ("", "1:1@0 the document is empty"),
      ("# only a comment\n", "2:1@17 the document is empty"),
      ("a: [1, 2", "1:9@8 not valid YAML: while parsing a flow sequence did not find expected ',' or ']'"),
      (
        "a:\n\t- b",
        "2:1@3 not valid YAML: while scanning for the next token found character that cannot start any token"
      ),
      ("a: \"x", "1:6@5 not valid YAML: while scanning a quoted scalar found unexpected end of stream"),
      ("a: b: c", "1:5@4 not valid YAML: mapping values are not allowed in this context"),
    ]
    for (text, expected) in cases { #expect(complaint(text) == expected, "\(text)") }
    #expect(
      complaint([0x61, 0x3A, 0x0A, 0x20, 0xFF])?.hasPrefix(
        "2:2@4 not valid YAML: invalid leading UTF-8 octet") == true)
    #expect(complaint([0x61, 0x3A, 0x20, 0x00]) != nil)
    #expect(complaint([0xFF, 0xFE, 0x61, 0x00]) != nil)
    // Quoted, it is a key like any other.
    #expect(complaint("\"<<\": 1") == nil)
  }

  @Test("nesting has a limit, however it is written")
  func nesting() {
    let tooDeep = "nested more than 256 deep"
    #expect(complaint(String(repeating: "[", count: 100_000))?.hasSuffix(tooDeep) == true)
    #expect(complaint(String(repeating: "- ", count: 100_000))?.hasSuffix(tooDeep) == true)
    #expect(complaint(String(repeating: "{a: ", count: 300))?.hasSuffix(tooDeep) == true)
  }

  @Test("a document is JSON when it begins like JSON")
  func eitherFormat() throws {
    for text in ["a: [1]", " {\"a\": [1]}", "\u{FEFF}\n{\"a\":[1]}"] {
      let document = try DocumentNode.yamlOrJSON(Array(text.utf8).span)
      #expect(document["a"]?.items?.first?.integer == 1)
    }
    for text in ["{a: 1}", "", " \n"] {
      #expect(throws: TextFormatError.self) { _ = try DocumentNode.yamlOrJSON(Array(text.utf8).span) }
    }
  }

  @Test("a schema document is laid out as its format shows it")
  func layout() {
    let document = DocumentNode.mapping([
      DocumentEntry("realm_schema", .integer(1)),
      DocumentEntry(
        "classes",
        .mapping([
          DocumentEntry(
            "Person",
            .mapping([
              DocumentEntry("primary_key", .string("_id")),
              DocumentEntry(
                "properties",
                .mapping([
                  DocumentEntry("_id", .string("int")), DocumentEntry("nick", .string("string?")),
                  DocumentEntry(
                    "email",
                    .mapping(
                      [DocumentEntry("type", .string("string")), DocumentEntry("indexed", .bool(true))],
                      isFlow: true)),
                  DocumentEntry("yes", .string("list<Dog>")),
                ])),
            ])), DocumentEntry("Empty", .mapping([])),
        ])), DocumentEntry("steps", .sequence([.string("a b"), .sequence([.null])])),
    ])
    #expect(
      written { $0.append(yaml: document) } == """
        realm_schema: 1
        classes:
          Person:
            primary_key: _id
            properties:
              _id: int
              nick: "string?"
              email: { type: string, indexed: true }
              "yes": "list<Dog>"
          Empty: {}
        steps:
          - "a b"
          -
            - null

        """)
  }

  @Test("random documents survive YAML, in block and flow form")
  func roundTrip() throws {
    let seed = testSeed()
    var random = SplitMix64(state: seed)
    for _ in 0..<1_000 {
      let document = randomDocument(&random, depth: 4)
      let text = written { $0.append(yaml: document) }
      let reread = try yaml(text)
      // A word without quotes is text of which nobody can tell that it had some.
      #expect(equalIgnoringQuotes(reread, document), "\(text), seed \(seed)")
    }
  }

  @Test("random bytes never trap")
  func randomBytes() {
    let seed = testSeed()
    var random = SplitMix64(state: seed)
    let alphabet = Array("ab: -[]{},\"'|>&*!%?#\n\t~<".utf8) + [0xC3, 0xA6, 0xFF, 0x00, 0xEF, 0xBB, 0xBF]
    for _ in 0..<10_000 {
      let bytes = (0..<Int.random(in: 0...16, using: &random)).map { _ in
        alphabet.randomElement(using: &random) ?? 0
      }
      _ = complaint(bytes)
    }
  }
}

private func equalIgnoringQuotes(_ left: DocumentNode, _ right: DocumentNode) -> Bool {
  if let text = left.text { return right.text.map { $0.utf8.elementsEqual(text.utf8) } ?? false }
  if let items = left.items {
    return right.items.map { $0.elementsEqual(items, by: equalIgnoringQuotes) } ?? false
  }
  guard let entries = left.entries, let others = right.entries else { return false }
  return entries.elementsEqual(others) {
    $0.key.utf8.elementsEqual($1.key.utf8) && equalIgnoringQuotes($0.value, $1.value)
  }
}
