// Copies that broke off: what a compact realm begins with names its classes and their columns, and rows follow them before
// anything leads to them. All that is there comes back.

import Foundation
import TestSupport
import Testing

@Suite("Truncated copies")
struct TruncatedCopyTests {
  private static func scene() throws -> WholeFileScene {
    let scene = try WholeFileScene(isEmpty: true)
    let statements = """
      create class Place { name: string, height: double };
      create class Visit { id: int primary key, note: string?, at: date, tags: list<string>, mark: mixed };
      """
    try Data(statements.utf8).write(to: scene.url("make.txt"))
    #expect(try scene.shell("\"$R\" create a.realm && \"$R\" -w a.realm <make.txt").status == 0)
    let places = (0..<20).map { "{\"name\":\"place \($0)\",\"height\":\($0).5}" }
    let visits = (0..<3000).map { row in
      let tags = (0..<row % 4).map { "\"tag \(row) \($0)\"" }.joined(separator: ",")
      let note = row % 5 == 0 ? "null" : "\"note \(row)\""
      let mark = row % 3 == 0 ? "\(row)" : "\"m\(row)\""
      return "{\"id\":\(row),\"note\":\(note),\"at\":\"2020-01-01T00:00:\(10 + row % 50)Z\","
        + "\"tags\":[\(tags)],\"mark\":\(mark)}"
    }
    for (name, lines) in [("Place", places), ("Visit", visits)] {
      try Data(lines.joined(separator: "\n").utf8).write(to: scene.url("rows.jsonl"))
      try scene.run(["import", "a.realm", name, "rows.jsonl"])
    }
    return scene
  }

  private static func rows(_ scene: WholeFileScene, _ file: String, _ name: String) throws -> Set<String> {
    let text = try scene.run(["export", file, name, "--format", "jsonl"]).outputText
    return Set(text.split(separator: "\n").map(String.init))
  }

  @Test("Rows come back whose class lost all but its name and its columns", arguments: [4, 6, 7])
  func rowsWithoutTable(eighths: Int) throws {
    let scene = try Self.scene()
    try scene.run(["compact", "a.realm"])
    let bytes = try scene.bytes("a.realm")
    try bytes.prefix(bytes.count * eighths / 8).write(to: scene.url("cut.realm"))
    // The objects are all in it, and not all that there were.
    try scene.run(["recover", "cut.realm", "out.realm"], status: 9)
    try scene.run(["check", "out.realm"])
    #expect(try Self.rows(scene, "out.realm", "Place") == Self.rows(scene, "a.realm", "Place"))
    let found = try Self.rows(scene, "out.realm", "Visit")
    #expect(found.isSubset(of: try Self.rows(scene, "a.realm", "Visit")))
    #expect(found.count >= 3000 * (eighths - 2) / 8)
  }

  @Test("Links within a class tell the keys of its objects, and lead where they did")
  func links() throws {
    let scene = try WholeFileScene(isEmpty: true)
    let statement = "create class Step { id: int primary key, beforeID: int?, before: Step? }"
    try Data(statement.utf8).write(to: scene.url("make.txt"))
    #expect(try scene.shell("\"$R\" create a.realm && \"$R\" -w a.realm <make.txt").status == 0)
    let rows = (0..<2000).map { row in
      let before = row % 3 == 0 ? "null" : "\(max(0, row - row % 7 % 3 - 1))"
      return "{\"id\":\(row),\"beforeID\":\(before),\"before\":\(before)}"
    }
    try Data(rows.joined(separator: "\n").utf8).write(to: scene.url("rows.jsonl"))
    try scene.run(["import", "a.realm", "Step", "rows.jsonl"])
    try scene.run(["compact", "a.realm"])
    let bytes = try scene.bytes("a.realm")
    try bytes.prefix(bytes.count / 2).write(to: scene.url("cut.realm"))
    try scene.run(["recover", "cut.realm", "out.realm"], status: 9)
    func count(_ condition: String) throws -> Int {
      let result = try scene.run(["query", "out.realm", "Step", condition, "--count"])
      return Int(result.outputText.trimmingCharacters(in: .whitespacesAndNewlines)) ?? -1
    }
    #expect(try count("before != null") > 300)
    #expect(try count("before != null AND before.id != beforeID") == 0)
  }

  @Test("What was deleted does not come back out of a file that was changed since it was written")
  func changedSince() throws {
    let scene = try Self.scene()
    for id in [2999, 2998] { try scene.run(["delete", "a.realm", "Visit", "id == \(id)", "--yes"]) }
    let bytes = try scene.bytes("a.realm")
    try bytes.prefix(bytes.count / 2).write(to: scene.url("cut.realm"))
    _ = try RealmProcess.run(["recover", "cut.realm", "out.realm"], in: scene.folder.url)
    let found = scene.names.contains("out.realm") ? try scene.run(["dump", "out.realm"]).outputText : ""
    for id in [2999, 2998] { #expect(!found.contains("\"id\":\(id),")) }
  }
}
