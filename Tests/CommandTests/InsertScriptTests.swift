// What `--mode insert` prints loads into another realm, whatever links to what.

import Foundation
import TestSupport
import Testing

@Suite("Printed insert statements")
struct InsertScriptTests {
  private static let circle = """
    create class Node {
      _id: int primary key, next: Node?, all: list<Node>, some: set<Node>, map: dictionary<Node>, any: mixed, home: Home?
    }
    create class Leaf { name: string, other: Leaf?, node: Node? }
    create class Home embedded { street: string, node: Node?, inner: list<Inner> }
    create class Inner embedded { leaf: Leaf? }
    insert Node {"_id": 1, "next": 2, "all": [3, 2, 3], "some": [3], "map": {"a": 1, "b": null, "c": 3}}
    insert Node {"_id": 2, "next": 3, "any": [{"$link": {"class": "Leaf", "key": 9}}, {"x": {"$link": {"class": "Node", "primary_key": 3}}}]}
    insert Node {"_id": 3, "next": 1, "home": {"street": "a", "node": 2, "inner": [{"leaf": 5}, {"leaf": 9}]}}
    insert Leaf @5 {"name": "a", "other": 9, "node": 3}
    insert Leaf @9 {"name": "b", "other": 5}
    """

  @Test(
    "all classes of a realm, one after the other",
    arguments: WholeFileScene.realms.filter(\.key.isEmpty).map(\.name) + [""])
  func everyClass(name: String) throws {
    let scene = try WholeFileScene()
    if name.isEmpty {
      try scene.run(["create", "a.realm"])
      try scene.run(["-w", "a.realm", Self.circle])
    }
    let source = name.isEmpty ? "a.realm" : name
    let tables = try scene.run(["--jsonl", source, ".tables"]).outputText
    let classes = tables.matches(of: #/"class":"([^"]+)","kind":"object"/#).map { String($0.1) }
    guard !classes.isEmpty else { return }
    let script = try scene.run(["--mode", "insert", source] + classes).outputText
    try script.write(to: scene.url("script.txt"), atomically: false, encoding: .utf8)
    let made = try scene.shell(
      "$R schema --format yaml \(source) | $R create b.realm --schema -")
    #expect(made.status == 0, "\(made)")
    try scene.run(["-w", "b.realm", "--file", "script.txt"])
    try scene.run(["diff", "--exit-code", source, "b.realm"])
  }

  @Test(
    "a link to what no insert makes is refused with its place, and nothing is kept",
    arguments: ["begin; \(other); commit", other])
  func nowhere(script: String) throws {
    let scene = try WholeFileScene(isEmpty: true)
    try scene.run(["create", "a.realm"])
    try scene.run(["-w", "a.realm", Self.circle])
    let result = try scene.run(["-w", "a.realm", script], status: 8)
    #expect(result.errorText.contains("Node has no object with this primary key"))
    #expect(result.errorText.contains("insert Node {\"_id\": 7, \"next\": 99}"), "\(result)")
    #expect(try scene.run(["a.realm", "count Node"]).outputText == "3\n")
  }
  private static let other = #"insert Node {"_id": 7, "next": 99}; insert Node {"_id": 8, "next": 7}"#

  @Test("what comes later counts, whether a link waits or not")
  func later() throws {
    let scene = try WholeFileScene(isEmpty: true)
    try scene.run(["create", "a.realm"])
    let script =
      #"insert Node {"_id": 1, "next": 2}; upsert Node {"_id": 1, "next": 1}; insert Node {"_id": 2, "next": 1}"#
    try scene.run(["-w", "a.realm", "create class Node { _id: int primary key, next: Node? }", script])
    #expect(try scene.run(["a.realm", "--csv", "Node"]).outputText == "_id,next\n1,1\n2,1\n")
    // Each alone, where an error does not end the script.
    let kept = try scene.run(
      ["-w", "a.realm", "--keep-going", "delete Node", "-y", script], status: 8)
    #expect(kept.errorText.contains("no object with this primary key"))
    #expect(try scene.run(["a.realm", "count Node"]).outputText == "2\n")
  }
}
