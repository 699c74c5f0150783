// What commands that write refuse, by which exit status and word.

import Foundation
import Testing

@Suite("Refused changes")
struct WriteStatusTests {
  private static let schema = """
    realm_schema: 1
    classes:
      Item:
        primary_key: id
        properties: { id: int, name: string, note: string?, at: date? }
      Part:
        kind: embedded
        properties: { size: float }
      Box:
        properties: { part: Part?, item: Item?, any: mixed }
    """

  struct Refusal: CustomTestStringConvertible, Sendable {
    let arguments: [String]
    let status: Int32
    let code: String
    let part: String

    init(_ arguments: [String], _ status: Int32, _ code: String, _ part: String) {
      (self.arguments, self.status, self.code, self.part) = (arguments, status, code, part)
    }

    var testDescription: String { arguments.joined(separator: " ") }
  }

  private static func insert(_ name: String, _ object: String) -> [String] {
    ["insert", "new.realm", name, "--data", object]
  }

  /// A statement that is wrong in itself, or names what there is not, is 7; data that cannot be taken is 8.
  private static let refusals = [
    Refusal(insert("Item", "{\"id\":1,\"name\":\"b\"}"), 8, "constraint", "already has an object"),
    Refusal(insert("Item", "{\"name\":\"b\"}"), 8, "missing-property", "id – Item.id is missing"),
    Refusal(insert("Item", "{\"id\":2}"), 8, "missing-property", "name – Item.name is missing"),
    Refusal(insert("Item", "{\"id\":2,\"name\":null}"), 8, "bad-object", "name – Item.name holds no null"),
    Refusal(insert("Item", "{\"id\":2,\"name\":3}"), 8, "bad-object", "Item.name is string, not 3"),
    Refusal(insert("Item", "{\"id\":2,\"nam\":\"\"}"), 7, "unknown-property", "no property 'nam'"),
    Refusal(insert("Item", "{\"id\":2,\"name\":\"\",\"at\":{\"$oid\":\"x\"}}"), 8, "bad-object", "at – "),
    Refusal(insert("Item", "[{\"id\":2,\"name\":\"\"},{\"id\":2,\"name\":\"\"}]"), 8, "constraint", "[1] – "),
    Refusal(insert("Box", "{\"item\":9}"), 8, "no-object", "Item has no object with this primary key"),
    Refusal(insert("Box", "{\"part\":{\"size\":\"big\"}}"), 8, "bad-object", "part.size – "),
    Refusal(insert("Lid", "{}"), 7, "unknown-class", "Lid"),
    Refusal(insert("Item", "{\"id\":2,"), 7, "bad-json", "the text ends"),
    Refusal(["update", "new.realm", "Item", "id == 1", "--set", "name = null"], 7, "type", "null"),
    Refusal(
      ["update", "new.realm", "Item", "id == 1", "--set", "name = note"], 8, "constraint", "cannot hold null"),
    Refusal(["update", "new.realm", "Item", "id == 1", "--set", "id = 2"], 7, "operation", "primary key"),
    Refusal(["new.realm", "-w", "create class Item { a: int }"], 8, "constraint", "already"),
    Refusal(["new.realm", "-w", "alter class Item alter note required"], 8, "constraint", "null"),
  ]

  @Test("each has its status and its word, and changes nothing", arguments: refusals)
  func refusal(_ refusal: Refusal) throws {
    let scene = try WholeFileScene()
    try Data(Self.schema.utf8).write(to: scene.url("schema.yaml"))
    try scene.run(["create", "new.realm", "--schema", "schema.yaml"])
    try scene.run(Self.insert("Item", "{\"id\":1,\"name\":\"a\",\"note\":null}"))
    let before = try scene.dump("new.realm", [])
    let result = try scene.run(["--json"] + refusal.arguments, status: refusal.status)
    #expect(result.errorText.contains("\"kind\":\"\(refusal.code)\""), "\(result.errorText)")
    #expect(result.errorText.contains(refusal.part), "\(result.errorText)")
    #expect(try scene.dump("new.realm", []) == before)
  }

  /// Every value in the form that `--json` shows and in the one that `dump` writes.
  private static let spellings: [(property: String, written: [String], dumped: String)] = [
    ("i", ["-7"], "-7"), ("b", ["true"], "true"), ("s", ["\"a\""], "\"a\""),
    ("s", ["{\"$string\":\"//4=\"}"], "{\"$string\":\"//4=\"}"),
    ("f", ["0.1", "{\"$float\":0.1}", "{\"$double\":0.1}"], "{\"$float\":0.1}"),
    ("f", ["\"-Infinity\"", "{\"$float\":\"-Infinity\"}"], "{\"$float\":\"-Infinity\"}"),
    ("d", ["1.5", "{\"$double\":1.5}", "{\"$float\":1.5}"], "1.5"),
    ("d", ["\"NaN\"", "{\"$double\":\"NaN\"}"], "{\"$double\":\"NaN\"}"),
    ("n", ["1.50", "\"1.50\"", "{\"$decimal\":\"1.50\"}"], "{\"$decimal\":\"1.50\"}"),
    (
      "t", ["\"2020-01-02\"", "[1577923200,0]", "{\"$date\":\"2020-01-02T00:00:00Z\"}"],
      "{\"$date\":\"2020-01-02T00:00:00Z\"}"
    ),
    ("x", ["\"AAEC\"", "{\"$binary\":\"AAEC\"}"], "{\"$binary\":\"AAEC\"}"),
    (
      "o", ["\"0123456789abcdef01234567\"", "{\"$oid\":\"0123456789abcdef01234567\"}"],
      "{\"$oid\":\"0123456789abcdef01234567\"}"
    ),
    (
      "u",
      [
        "\"01234567-89ab-cdef-0123-456789abcdef\"", "{\"$uuid\":\"01234567-89ab-cdef-0123-456789abcdef\"}",
      ], "{\"$uuid\":\"01234567-89ab-cdef-0123-456789abcdef\"}"
    ),
    ("m", ["{\"$float\":0.5}"], "{\"$float\":0.5}"), ("m", ["2.5"], "2.5"), ("m", ["null"], "null"),
    (
      "m", ["{\"$uuid\":\"01234567-89ab-cdef-0123-456789abcdef\"}"],
      "{\"$uuid\":\"01234567-89ab-cdef-0123-456789abcdef\"}"
    ),
  ]

  @Test("insert and load read the same spellings of every value")
  func spellings() throws {
    let scene = try WholeFileScene()
    let types = [
      "i": "int", "b": "bool", "s": "string", "f": "float", "d": "double", "n": "decimal128", "t": "date",
      "x": "data", "o": "objectId", "u": "uuid", "m": "mixed",
    ]
    let properties = types.sorted { $0.key < $1.key }
    try Data(
      ("realm_schema: 1\nclasses:\n  All:\n    properties: { "
        + properties.map { "\($0.key): \($0.value)\($0.value == "mixed" ? "" : "?")" }.joined(separator: ", ")
        + " }\n").utf8
    ).write(to: scene.url("schema.yaml"))
    try scene.run(["create", "inserted.realm", "--schema", "schema.yaml"])
    let head = try scene.dump("inserted.realm", [])
    let objects = Self.spellings.flatMap { item in item.written.map { (item.property, $0, item.dumped) } }
    try scene.run([
      "insert", "inserted.realm", "All", "--data",
      "[" + objects.map { "{\"\($0.0)\":\($0.1)}" }.joined(separator: ",") + "]",
    ])
    let lines = objects.map { "{\"object\":\"All\",\"values\":{\"\($0.0)\":\($0.1)}}\n" }.joined()
    try Data((head.replacingOccurrences(of: "\"count\":0", with: "\"count\":\(objects.count)") + lines).utf8)
      .write(to: scene.url("data.jsonl"))
    try scene.run(["load", "loaded.realm", "data.jsonl"])
    let dump = try scene.dump("inserted.realm", [])
    #expect(try scene.dump("loaded.realm", []) == dump)
    for (line, object) in zip(dump.split(separator: "\n").dropFirst(2), objects) {
      #expect(line.contains("\"\(object.0)\":\(object.2)"), "\(object.1): \(line)")
    }
  }
}
