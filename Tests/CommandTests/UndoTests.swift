// `.undo` and `.redo`: whatever statements changed is taken back to the last byte of a dump, and made again.

import Foundation
import TestSupport
import Testing

@Suite("Changes that are undone")
struct UndoTests {
  private static let definition = """
    create class Node {
      _id: int primary key, name: string? indexed, x: double, any: mixed, tags: list<string>, words: set<string?>,
      map: dictionary<mixed>, next: Node?, all: list<Node>, some: set<Node>, home: Home?, homes: list<Home>,
      places: dictionary<Home?>, leaf: Leaf?, leaves: list<Leaf>
    }
    create class Leaf { n: int?, at: date?, node: Node? }
    create class Home embedded { street: string, node: Node?, inner: Inner? }
    create class Inner embedded { n: int }

    """

  /// Statements, each of which is one transaction.
  private static func statement(_ random: inout SplitMix64) -> String {
    let (one, other) = (random.below(12), random.below(12))
    let node = "where _id == \(one)"
    switch random.below(16) {
    case 0, 1:
      return """
        upsert Node {"_id": \(one), "name": "a\(other)", "x": \(other), "any": [1, {"b": "c"}], "tags": ["x", "\(one)"], \
        "words": ["b", "a", null], "map": {"k": 1, "l": [2]}, "next": \(one), "all": [\(one), \(one)], "some": [\(one)], \
        "home": {"street": "s\(other)", "node": \(one), "inner": {"n": \(other)}}, "homes": [{"street": "t"}, {"street": "u"}], \
        "places": {"p": {"street": "q"}}, "leaves": [{"n": \(other)}]}
        """
    case 2:
      return
        "upsert Node {\"_id\": \(one), \"x\": \(other), \"leaf\": {\"n\": \(one), \"at\": \"2020-01-0\(1 + other % 9)\"}}"
    case 3: return "insert Leaf {\"n\": \(one)}"
    case 4: return "delete Node \(node)"
    case 5: return "delete Leaf where n == \(one)"
    case 6: return "delete Node where x < \(other)"
    case 7: return "update Node \(node) set home = null, tags = {}"
    case 8: return "update Node where home != null set home.street = 'v\(other)'"
    case 9: return "update Node \(node) set homes = null, leaves = null, places = null"
    case 10: return "update Node set x = x + \(other), name = null"
    case 11: return "upsert Node {\"_id\": \(one), \"x\": 0, \"next\": \(other), \"all\": [\(other)]}"
    case 12: return "update Node where home.inner != null set home.inner.n = home.inner.n + 1"
    case 13: return "update Node \(node) set any = \(other), map['k'] = 'z'"
    case 14: return "begin; update Node set x = \(other); delete Node \(node); insert Leaf {\"n\": 1}; commit"
    default: return "delete Node"
    }
  }

  @Test("undo leads back to every state, and redo forward again")
  func everyState() throws {
    let seed = testSeed()
    var random = SplitMix64(state: seed)
    let scene = try WholeFileScene(isEmpty: true)
    try scene.run(["create", "a.realm"])
    let first = (0..<3).map { "upsert Node {\"_id\": \($0), \"x\": 1, \"all\": []};" }.joined(separator: "\n")
    try scene.run(["-w", "a.realm", Self.definition, first])
    let count = 40
    let statements = (0..<count).map { _ in Self.statement(&random) }
    // Statements that find nothing to change or are refused are no step: the dump does not change there either.
    var script = ".dump\n"
    for statement in statements { script += "\(statement)\n.dump\n" }
    var states = try Self.dumps(scene, script)
    #expect(states.count == count + 1)
    states = states.reduce(into: []) { if $0.last != $1 { $0.append($1) } }
    let steps = states.count - 1
    #expect(steps > 10, "seed \(seed)")
    script = statements.joined(separator: "\n") + "\n.dump\n"
    script += String(repeating: ".undo\n.dump\n", count: steps)
    script += String(repeating: ".redo\n.dump\n", count: steps)
    try scene.run(["create", "--force", "a.realm"])
    try scene.run(["-w", "a.realm", Self.definition, first])
    let back = try Self.dumps(scene, script)
    #expect(back.count == 2 * steps + 1, "seed \(seed)")
    for (index, state) in back.enumerated() {
      let expected = states[index <= steps ? steps - index : index - steps]
      #expect(state == expected, "seed \(seed), step \(index)")
    }
    try scene.run(["check", "a.realm"])
  }

  /// The dumps that a script printed.
  private static func dumps(_ scene: WholeFileScene, _ script: String) throws -> [String] {
    try script.write(to: scene.url("script"), atomically: true, encoding: .utf8)
    let result = try scene.shell("$R -w --yes --keep-going a.realm <script 2>errors")
    let lines = result.outputText.split(separator: "\n")
    return lines.split { $0.hasPrefix("{\"realm\"") }.map { $0.joined(separator: "\n") }
  }

  /// Runs the statements at a prompt; between them, `$ …` is done by another program.
  private static func told(_ lines: [String]) throws -> String {
    let scene = try WholeFileScene()
    var script = "mkfifo pipe; : >out; $R -w --yes --dialog zoo.realm <pipe >out 2>&1 & exec 3>pipe\n"
    var count = 0
    for line in lines {
      if line.hasPrefix("$ ") {
        // The prompt lets go of the file a moment after it has answered.
        script += "$R -w --yes --lock-timeout 10 zoo.realm '\(line.dropFirst(2))'\n"
        continue
      }
      count += 1
      script += "echo \"\(line)\" >&3; echo .print done >&3\n"
      script += "while [ $(grep -c done out) -lt \(count) ]; do sleep 0.01; done\n"
    }
    script += "exec 3>&-; wait; cat out"
    return try scene.shell(script).outputText
  }

  @Test(
    "it is refused where an object has changed since",
    arguments: [
      (
        "update Person where _id == 7 set age = 1", "update Person where _id == 7 set age = 2",
        "has changed since"
      ),
      ("update Person where _id == 7 set age = 1", "delete Person where _id == 7", "was deleted since"),
      // The keys of classes and properties stay, as they may be those of something else in another file.
      ("update Person where _id == 7 set age = 1", "rename Person to Human", "its class is gone"),
      (
        "update Person where _id == 7 set age = 1", "alter class Person rename age to years",
        "has changed since"
      ),
      ("insert Person {'_id': 7777}", "alter class Person rename age to years", "has changed since"),
      ("insert Person {'_id': 7777}", "update Person where _id == 7777 set age = 2", "has changed since"),
      ("insert Person {'_id': 7777}", "update Person where _id == 7 set name = 'x'", ""),
    ])
  func changedSince(change: String, other: String, refusal: String) throws {
    let required =
      "'name': '', 'age': 1, 'weight': 1, 'balance': 1, 'active': true, 'token': '00000000-0000-0000-0000-000000000000'"
    let change = change.replacingOccurrences(of: "7777}", with: "7777, \(required)}")
      .replacingOccurrences(of: "'", with: change.hasPrefix("insert") ? "\\\"" : "'")
    let text = try Self.told([change, "$ " + other.replacingOccurrences(of: "'", with: "'\\''"), ".undo"])
    if refusal.isEmpty {
      #expect(!text.contains("realm-cli:"), "\(text)")
    } else {
      #expect(text.contains("the last change cannot be undone") && text.contains(refusal), "\(text)")
    }
  }
}
