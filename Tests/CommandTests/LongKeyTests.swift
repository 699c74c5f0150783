// Primary keys and indexed texts that differ only behind the bytes that an index knows: they share one list, in the order of the
// values.

import Foundation
import TestSupport
import Testing

@Suite("Long keys that begin alike")
struct LongKeyTests {
  private static let prefix = String(repeating: "p", count: 230)

  /// Numbers below `count`, each once, in an order that is none of theirs.
  private static func shuffled(_ count: Int) -> [Int] { (0..<count).map { $0 * 389 % count } }

  private static func rows(_ numbers: [Int], note: String) -> Data {
    let lines = numbers.map { "{\"id\":\"\(prefix)\($0)\",\"note\":\"\(prefix)\(note)\($0 % 10)\"}" }
    return Data(lines.joined(separator: "\n").utf8)
  }

  @Test("are found, changed and erased one by one")
  func changes() throws {
    let scene = try WholeFileScene(isEmpty: true)
    let statement = "create class A { id: string primary key, note: string indexed }"
    try Data(statement.utf8).write(to: scene.url("make.txt"))
    #expect(try scene.shell("\"$R\" create a.realm && \"$R\" -w a.realm <make.txt").status == 0)
    try Self.rows(Self.shuffled(600), note: "a").write(to: scene.url("first.jsonl"))
    try Self.rows(Self.shuffled(600).filter { $0 % 3 == 0 }, note: "b").write(to: scene.url("second.jsonl"))
    for rows in ["first.jsonl", "second.jsonl"] {
      #expect(try scene.shell("\"$R\" upsert a.realm A --data - <\(rows)").status == 0)
    }
    for number in [0, 299, 598] {
      try scene.run(["delete", "a.realm", "A", "id == '\(Self.prefix)\(number)'", "--yes"])
    }
    try scene.run(["check", "a.realm"])
    func count(_ condition: String) throws -> String {
      try scene.run(["query", "a.realm", "A", condition, "--count"]).outputText
    }
    #expect(try count("id == '\(Self.prefix)301'") == "1\n")
    #expect(try count("id == '\(Self.prefix)299'") == "0\n")
    #expect(try count("id == '\(Self.prefix)600'") == "0\n")
    #expect(try count("note BEGINSWITH '\(Self.prefix)b'") == "199\n")
    #expect(try count("note == '\(Self.prefix)a5'") == "40\n")
  }
}
