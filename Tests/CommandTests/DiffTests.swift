// diff: what it says, and that its statements make one realm of another.

import Foundation
import TestSupport
import Testing

@Suite("Differences of realms")
struct DiffTests {
  private static let pairCount = TestScale.cases(fast: 3, usual: 25, long: 100)
  private static let firstSeed = testSeed()

  @Test("its statements turn A into B, and it counts what differs")
  func randomPairs() throws {
    for offset in 0..<UInt64(Self.pairCount) {
      let seed = Self.firstSeed + offset
      var random = RandomRealm(seed: seed)
      let scene = try WholeFileScene()
      try scene.run(["create", "a.realm"])
      try Self.write(random.beginning(), to: "a.realm", in: scene, seed)
      try scene.run(["copy", "a.realm", "b.realm"])
      try Self.write(random.changes(), to: "b.realm", in: scene, seed)
      if random.isCompacted { try scene.run(["compact", "b.realm"]) }

      let summary = try scene.run(["diff", "--summary", "--format", "jsonl", "a.realm", "b.realm"]).outputText
      let expected = try Self.counted(scene.dump("a.realm", []), scene.dump("b.realm", []))
      let counted = try Self.counts(inSummary: summary)
      for (name, counts) in expected { #expect(counted[name] == counts, "seed \(seed): \(name)") }
      let statements = try scene.run(["diff", "a.realm", "b.realm", "--format", "statements"]).outputText
      try Self.write(statements, to: "a.realm", in: scene, seed)
      #expect(try scene.hash("a.realm", []) == scene.hash("b.realm", []), "seed \(seed)")
      for (old, new) in [("a", "b"), ("b", "a"), ("a", "a")] {
        let rest = try scene.run(["diff", "\(old).realm", "\(new).realm"])
        #expect(rest.outputText == "", "seed \(seed)")
      }
    }
  }

  private static func write(
    _ statements: String, to realm: String, in scene: WholeFileScene, _ seed: UInt64
  ) throws {
    try Data(statements.utf8).write(to: scene.url("statements.txt"))
    let result = try scene.shell("\"$R\" -w \(realm) <statements.txt")
    #expect(result.status == 0, "seed \(seed): \(result)")
  }

  /// Class by class: only in A, only in B, changed, same.
  private static func counts(inSummary text: String) throws -> [String: [Int]] {
    var counts: [String: [Int]] = [:]
    for line in text.split(separator: "\n") {
      guard let row = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any],
        let name = row["class"] as? String
      else { continue }
      counts[name] = ["only_a", "only_b", "changed", "same"].map { row[$0] as? Int ?? -1 }
    }
    return counts
  }

  /// The same from dumps, of classes whose properties are the same on both sides.
  private static func counted(_ left: String, _ right: String) throws -> [String: [Int]] {
    let (old, new) = (try DumpedRealm(left, comparedWith: right), try DumpedRealm(right, comparedWith: left))
    var counts: [String: [Int]] = [:]
    for (name, head) in new.heads
    where old.heads[name] == head && old.embedded == new.embedded && !new.embedded.contains(head) {
      let (before, after) = (old.objects[name] ?? [:], new.objects[name] ?? [:])
      let common = Set(before.keys).intersection(after.keys)
      let same = common.count { before[$0] == after[$0] }
      counts[name] = [
        before.count - common.count, after.count - common.count, common.count - same, same,
      ]
    }
    return counts
  }

  @Test("a realm does not differ from itself", arguments: WholeFileScene.realms)
  func same(realm: (name: String, key: [String])) throws {
    let scene = try WholeFileScene()
    let result = try scene.run(["diff", "--exit-code", realm.name, realm.name] + realm.key)
    #expect(result.outputText == "" && result.status == 0)
    try scene.run(["copy", realm.name, "copy.realm"] + realm.key)
    #expect(try scene.run(["diff", realm.name, "copy.realm"] + realm.key).outputText == "")
  }

  @Test(
    "statements keep indexes, find objects and give values where primary keys and properties change",
    arguments: [
      // A property that is no primary key any more keeps its index, or loses it.
      (
        "create class P { id: int primary key };", "insert P {\"id\": 1};",
        "alter class P primary key null;"
          + "alter class P add index id;"
      ),
      (
        "create class P { id: int primary key, s: string };", "insert P {\"id\": 1, \"s\": \"a\"};",
        "alter class P primary key s;"
      ),
      (
        "create class P { id: int primary key, s: string fulltext };", "insert P {\"id\": 1, \"s\": \"a\"};",
        "alter class P primary key s;"
      ),
      // An object is found by a primary key that becomes optional.
      (
        "create class P { s: string primary key, v: int };", "insert P {\"s\": \"a\", \"v\": 1};",
        "alter class P alter s optional; upsert P {\"s\": \"a\", \"v\": 2};"
      ),
      // Zero is not what a new property holds that may be null.
      (
        "create class P { v: int };", "insert P {\"v\": 1};",
        "alter class P add b: bool?; alter class P add n: int?; alter class P add t: string?; alter class P add m: mixed;"
          + "update P set b = false, n = 0, t = '', m = 0;"
      ),
    ])
  func changedKeys(schema: String, objects: String, change: String) throws {
    let scene = try WholeFileScene()
    try scene.run(["create", "a.realm"])
    try Self.write(schema + objects, to: "a.realm", in: scene, 0)
    try scene.run(["copy", "a.realm", "b.realm"])
    try Self.write(change, to: "b.realm", in: scene, 0)
    for (old, new) in [("a", "b"), ("b", "a")] {
      try scene.run(["copy", "\(old).realm", "c.realm", "--force"])
      let statements = try scene.run(["diff", "c.realm", "\(new).realm", "--format", "statements"]).outputText
      try Self.write(statements, to: "c.realm", in: scene, 0)
      #expect(try scene.hash("c.realm", []) == scene.hash("\(new).realm", []), "\(statements)")
    }
  }

  @Test(
    "statements make any realm of any other", .slow,
    arguments: ["zoo", "alltypes", "evolved", "place", "bare"])
  func anyPair(name: String) throws {
    let scene = try WholeFileScene()
    for other in ["zoo", "alltypes", "evolved", "place", "empty"] {
      try scene.run(["copy", "--force", "\(other).realm", "a.realm"])
      try scene.run(["copy", "--force", "\(name).realm", "b.realm"])
      let result = try scene.shell("\"$R\" diff a.realm b.realm --format statements | \"$R\" -w a.realm")
      #expect(result.status == 0, "\(other): \(result)")
      #expect(try scene.hash("a.realm", []) == scene.hash("b.realm", []), "\(other)")
    }
  }
}

/// Objects by what tells them apart, without their object keys where there is something else.
private struct DumpedRealm {
  private(set) var heads: [String: NSDictionary] = [:]
  private(set) var embedded: [NSDictionary] = []
  private(set) var objects: [String: [String: NSDictionary]] = [:]

  private static func rows(of dump: String) throws -> [[String: Any]] {
    try dump.split(separator: "\n").compactMap {
      try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
    }
  }

  private static func primaryKeys(of rows: [[String: Any]]) -> [String: String] {
    rows.reduce(into: [:]) { keys, row in
      if let name = row["class"] as? String { keys[name] = row["primary_key"] as? String }
    }
  }

  init(_ dump: String, comparedWith other: String) throws {
    let lines = try Self.rows(of: dump)
    let otherKeys = try Self.primaryKeys(of: Self.rows(of: other))
    // What only one side has as a primary key tells no two objects apart.
    let primaryKeys = Self.primaryKeys(of: lines).filter { otherKeys[$0.key] == $0.value }
    for row in lines {
      guard let name = row["class"] as? String else { continue }
      var head = row
      head["count"] = nil
      if row["kind"] as? String == "embedded" { embedded.append(head as NSDictionary) }
      heads[name] = head as NSDictionary
    }
    // Links by primary key, so that they mean the same in both realms.
    var names: [String: String] = [:]
    for row in lines {
      guard let name = row["object"] as? String, let key = row["key"] as? Int,
        let values = row["values"] as? [String: Any]
      else { continue }
      names["\(name) \(key)"] = primaryKeys[name].map { "\(values[$0] ?? "")" } ?? "@\(key)"
    }
    for row in lines {
      guard let name = row["object"] as? String, let key = row["key"] as? Int,
        let values = row["values"] as? [String: Any], let identity = names["\(name) \(key)"]
      else { continue }
      objects[name, default: [:]][identity] = Self.renamed(values, names) as? NSDictionary
    }
  }

  private static func renamed(_ value: Any, _ names: [String: String]) -> Any {
    if let list = value as? [Any] { return list.map { renamed($0, names) } as NSArray }
    guard let entries = value as? [String: Any] else { return value }
    if let link = entries["$link"] as? [String: Any], let name = link["class"] as? String,
      let key = link["key"] as? Int
    {
      return "\(name) \(names["\(name) \(key)"] ?? "nothing")"
    }
    return entries.mapValues { renamed($0, names) } as NSDictionary
  }
}
