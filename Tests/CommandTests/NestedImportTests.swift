// Objects in objects, as deep as sources say: what would not be read again is not written, and no source ends the program.

import Foundation
import TestSupport
import Testing

@Suite("Deeply nested sources")
struct NestedImportTests {
  private static let levelsMax = 500

  private static func scene() throws -> WholeFileScene {
    let scene = try WholeFileScene(isEmpty: true)
    let statements = """
      create class E embedded { n: int?, e: E?, l: list<E> }
      create class A { id: int primary key, e: E?, any: mixed, a: A? }
      """
    try Data(statements.utf8).write(to: scene.url("make.txt"))
    #expect(try scene.shell("\"$R\" create a.realm && \"$R\" -w a.realm <make.txt").status == 0)
    return scene
  }

  private static func many(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }

  /// An object with so many embedded ones in each other.
  private static func object(_ levels: Int) -> String {
    "{\"id\":1,\(many("\"e\":{", levels))\"n\":5\(many("}", levels))}"
  }

  @Test("what is nested as deep as may be comes back from a dump, from recovery, and as rows", .slow)
  func deepest() throws {
    let scene = try Self.scene()
    try Data(Self.object(Self.levelsMax).utf8).write(to: scene.url("deep.json"))
    try scene.run(["import", "a.realm", "A", "deep.json"])
    // Nested as deep as the SDKs allow, with a value in the innermost.
    let mixed = Self.many("[", 50) + Self.many("{\"k\":", 50) + "7" + Self.many("}", 50) + Self.many("]", 50)
    try Data("{\"id\":2,\"any\":\(mixed)}".utf8).write(to: scene.url("mixed.json"))
    try scene.run(["import", "a.realm", "A", "mixed.json"])
    try scene.run(["check", "a.realm"])
    try scene.run(["recover", "a.realm", "saved.realm"])
    #expect(try scene.hash("a.realm", []) == scene.hash("saved.realm", []))
    // Each embedded object is a row, and in the rows of all that it is in.
    for mode in ["json", "jsonl", "csv", "table", "line", "box", "insert"] {
      try scene.run(["query", "a.realm", "E", "--mode", mode])
    }
    try scene.run(["dump", "a.realm"]).output.write(to: scene.url("dump.jsonl"))
    try scene.run(["load", "b.realm", "dump.jsonl"])
    #expect(try scene.hash("a.realm", []) == scene.hash("b.realm", []))
  }

  @Test("what is nested as deep as may be is compared, and comes back from statements and CSV")
  func deepestOtherwise() throws {
    let scene = try Self.scene()
    try scene.run(["copy", "a.realm", "b.realm"])
    try scene.run(["copy", "a.realm", "c.realm"])
    try Data(Self.object(Self.levelsMax).utf8).write(to: scene.url("deep.json"))
    try scene.run(["import", "a.realm", "A", "deep.json"])
    #expect(try scene.run(["diff", "b.realm", "a.realm"]).outputText.hasPrefix("+ A "))
    try scene.run(["diff", "b.realm", "a.realm", "--format", "statements"]).output
      .write(to: scene.url("statements.txt"))
    #expect(try scene.shell("\"$R\" -w b.realm <statements.txt").status == 0)
    #expect(try scene.hash("b.realm", []) == scene.hash("a.realm", []))
    try scene.run(["export", "a.realm", "A", "-o", "deep.csv"])
    try scene.run(["import", "c.realm", "A", "deep.csv"])
    #expect(try scene.hash("c.realm", []) == scene.hash("a.realm", []))
  }

  @Test("what is nested deeper is refused, and nothing is written", arguments: [501, 1000, 20_000])
  func tooDeep(levels: Int) throws {
    let scene = try Self.scene()
    let before = try scene.bytes("a.realm")
    let path = Self.many("e.", levels) + "n"
    let (opened, closed) = (Self.many("[", levels), Self.many("]", levels))
    let dumped = try scene.run(["dump", "a.realm"]).outputText
    let sources = [
      "objects.json": Self.object(levels), "path.jsonl": "{\"id\":1,\"\(path)\":5}",
      "path.csv": "id,\(path)\n1,5\n", "mixed.json": "{\"id\":1,\"any\":\(opened)\(closed)}",
      "lists.json": "{\"id\":1,\"e\":{\(Self.many("\"l\":[{", levels))\"n\":5\(Self.many("}]", levels))}}",
      "links.json": Self.many("{\"a\":", levels) + "{\"id\":1}" + Self.many("}", levels),
      "dump.jsonl": dumped + "{\"object\":\"A\",\"key\":0,\"values\":\(Self.object(levels))}\n",
    ]
    for (name, source) in sources.sorted(by: { $0.key < $1.key }) {
      try Data(source.utf8).write(to: scene.url(name))
      let result = try RealmProcess.run(["import", "a.realm", "A", name], in: scene.folder.url)
      #expect(result.status == 8 && result.errorText.contains("levels") || result.errorText.contains("deep"))
      #expect(result.errorText.utf8.count < 400, "\(name): \(result.errorText.prefix(600))")
      #expect(try scene.bytes("a.realm") == before, "\(name)")
    }
    let loaded = try RealmProcess.run(["load", "new.realm", "dump.jsonl"], in: scene.folder.url)
    #expect(loaded.status == 8 && !FileManager.default.fileExists(atPath: scene.url("new.realm").path))
  }
}
