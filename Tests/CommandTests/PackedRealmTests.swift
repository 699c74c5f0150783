// Realms with no room to spare, in which nearly all bytes are the values of collections: what is sound can be read by every
// command, though most of the file is met through one property.

import Foundation
import TestSupport
import Testing

@Suite("Realms full of collections")
struct PackedRealmTests {
  private static func packed(_ statements: String, _ rows: [(class: String, lines: [String])]) throws
    -> WholeFileScene
  {
    let scene = try WholeFileScene(isEmpty: true)
    try Data(statements.utf8).write(to: scene.url("make.txt"))
    #expect(try scene.shell("\"$R\" create a.realm && \"$R\" -w a.realm <make.txt").status == 0)
    for (name, lines) in rows {
      try Data(lines.joined(separator: "\n").utf8).write(to: scene.url("rows.jsonl"))
      try scene.run(["import", "a.realm", name, "rows.jsonl"])
    }
    try scene.run(["compact", "a.realm"])
    try scene.run(["check", "a.realm"])
    return scene
  }

  private static func expectReadable(_ scene: WholeFileScene, _ name: String) throws {
    try scene.run(["hash", "a.realm"])
    try scene.run(["dump", "a.realm"]).output.write(to: scene.url("dump.jsonl"))
    try scene.run(["load", "b.realm", "dump.jsonl"])
    #expect(try scene.hash("a.realm", []) == scene.hash("b.realm", []))
    for mode in ["csv", "json", "jsonl", "table", "line", "list", "box", "markdown"] {
      try scene.run(["query", "a.realm", name, "--mode", mode])
    }
    let difference = try RealmProcess.run(["diff", "a.realm", "b.realm"], in: scene.folder.url)
    #expect(difference.status == 0, "\(difference.errorText)")
  }

  @Test("Values in collections are counted once", arguments: ["m", "d", "b", "x", "y"])
  func values(property: String) throws {
    let scene = try Self.packed(
      "create class A { m: list<mixed>, d: dictionary<string>, b: list<data>, x: mixed, y: mixed };",
      [
        (
          "A",
          (0..<8).map { row in
            let texts = (0..<600).map { "\"" + Self.text(row * 1000 + $0) + "\"" }
            let entries = texts.enumerated().map { "\"key \(row) \($0)\":\($1)" }.joined(separator: ",")
            let isDictionary = property == "d" || property == "y"
            return "{\"\(property)\":"
              + (isDictionary ? "{\(entries)}" : "[\(texts.joined(separator: ","))]") + "}"
          }
        )
      ])
    try Self.expectReadable(scene, "A")
  }

  /// 48 digits, which are base64 too.
  private static func text(_ number: Int) -> String {
    String(repeating: "7", count: 40) + String(10_000_000 + number)
  }

  @Test("The primary key of an object that many links lead to is written for each of them")
  func names() throws {
    let keys = (0..<3).map { "p\($0)" + String(repeating: "z", count: 400) }
    let links = (0..<900).map { "\"\(keys[$0 % 3])\"" }
    let entries = (0..<300).map { "\"k\($0)\":\"\(keys[$0 % 3])\"" }
    let scene = try Self.packed(
      """
      create class P { id: string primary key };
      create class B { ps: list<P>, pd: dictionary<P?>, p: P? };
      """,
      [
        ("P", keys.map { "{\"id\":\"\($0)\"}" }),
        ("B", ["{\"ps\":[\(links.joined(separator: ","))],\"pd\":{\(entries.joined(separator: ","))}}"]),
      ])
    try Self.expectReadable(scene, "B")
    let text = try scene.run(["query", "a.realm", "B", "--jsonl"]).outputText
    #expect(text.components(separatedBy: keys[1]).count - 1 == 400)
  }

  @Test(
    "A compact realm can be changed, whatever fills it",
    arguments: [
      ("l: list<int>", "{\"l\": []}", 100), ("o: A?", "{\"o\": null}", 300),
      ("t: list<string?>", "{\"t\": [null]}", 300),
    ])
  func changes(property: String, row: String, count: Int) throws {
    let scene = try Self.packed(
      "create class A { \(property) }", [("A", (0..<count).map { _ in row })])
    try scene.run(["-w", "a.realm", "insert A {}", "create class Q { a: int }"])
    try scene.run(["check", "a.realm"])
    #expect(try scene.run(["query", "a.realm", "A", "--count"]).outputText == "\(count + 1)\n")
  }

  @Test("A compact realm of links and embedded objects can be changed")
  func linkedChanges() throws {
    let scene = try Self.packed(
      "create class E embedded { a: int }; create class A { es: list<E>, e: E?, o: A? };",
      [
        ("A", (0..<250).map { _ in "{\"e\": {\"a\": 1}}" }),
        ("A", ["{\"es\": [\((0..<150).map { _ in "{\"a\": 1}" }.joined(separator: ","))]}"]),
      ])
    try scene.run(["-w", "a.realm", "update A set e.a = 2 where e != nil", "insert A {}"])
    try scene.run(["check", "a.realm"])
  }
}
