// What migrations make of realms, and what they refuse, as folders under fixtures/migrations: `before.jsonl`, a dump;
// `steps`; and `after.jsonl`, or `refused.txt` where the run must stop. REALM_CLI_RECORD=1 writes what happened into the
// files instead; read the difference.

import Foundation
import Testing

@Suite("Migrations from files")
struct MigrationScenarioTests {
  private static let folder = RealmProcess.fixtures.appendingPathComponent("migrations")
  private static let isRecording = ProcessInfo.processInfo.environment["REALM_CLI_RECORD"] != nil
  private static let fixedRun = ["--dir", "steps", "--now", "2020-01-01T00:00:00Z", "--seed", "1"]

  static let scenarios = entries("scenarios")

  private static func entries(_ name: String) -> [String] {
    let path = folder.appendingPathComponent(name).path
    return ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [])
      .filter { !$0.hasPrefix(".") }.sorted()
  }

  private static func compare(_ text: String, with file: URL) throws {
    if isRecording { try text.write(to: file, atomically: true, encoding: .utf8) }
    #expect(text == (try? String(contentsOf: file, encoding: .utf8)), "\(file.path)")
  }

  @Test("a scenario ends as it is written down; what is refused stays as it was", arguments: scenarios)
  func outcome(name: String) throws {
    let scene = Self.folder.appendingPathComponent("scenarios/\(name)")
    let scratch = try ScratchFolder()
    let realm = scratch.url.appendingPathComponent("a.realm")
    let loading = try RealmProcess.run("load", realm.path, "before.jsonl", in: scene)
    #expect(loading.status == 0, "\(loading)")
    let before = try Data(contentsOf: realm)
    let plan = try RealmProcess.run(
      ["migrate", "plan", "--json", realm.path] + Self.fixedRun, in: scene)
    #expect(try Data(contentsOf: realm) == before, "a rehearsal changes nothing")
    let run = try RealmProcess.run(["migrate", "apply", realm.path] + Self.fixedRun, in: scene)
    #expect(plan.status == run.status)
    guard run.status == 0 else {
      #expect(try Data(contentsOf: realm) == before, "a refused migration changes nothing")
      return try Self.compare(
        "\(run.errorText)[exit \(run.status)]\n", with: scene.appendingPathComponent("refused.txt"))
    }
    let dump = try RealmProcess.run("dump", realm.path, in: scene)
    try Self.compare(dump.outputText, with: scene.appendingPathComponent("after.jsonl"))
    let again = try RealmProcess.run(["migrate", "apply", realm.path] + Self.fixedRun, in: scene)
    #expect(again.status == 0)
    #expect(again.errorText.contains("nothing to do"))
  }

  @Test("a rehearsal counts what the run then does", arguments: scenarios)
  func rehearsal(name: String) throws {
    let scene = Self.folder.appendingPathComponent("scenarios/\(name)")
    let scratch = try ScratchFolder()
    let realm = scratch.url.appendingPathComponent("a.realm")
    _ = try RealmProcess.run("load", realm.path, "before.jsonl", in: scene)
    let numbers = try ["plan", "apply"].map { word in
      let run = try RealmProcess.run(["migrate", word, "--json", realm.path] + Self.fixedRun, in: scene)
      return try Self.counts(run.output)
    }
    #expect(numbers[0] == numbers[1])
  }

  /// The numbers of all operations, without times.
  private static func counts(_ json: Data) throws -> [[String: Int]] {
    guard !json.isEmpty else { return [] }
    let report = try JSONSerialization.jsonObject(with: json) as? [String: Any]
    let steps = report?["steps"] as? [[String: Any]] ?? []
    return steps.flatMap { $0["operations"] as? [[String: Any]] ?? [] }.map { operation in
      var counts = operation.compactMapValues { $0 as? Int }
      counts["milliseconds"] = nil
      return counts
    }
  }

  @Test("each mistake gets its message, at its place")
  func mistakes() throws {
    let scene = Self.folder.appendingPathComponent("lint")
    var found = ""
    var count = 0
    for name in Self.entries("lint") where name != "expected.txt" {
      let run = try RealmProcess.run("migrate", "lint", name, "--schema", "../schema.yaml", in: scene)
      #expect(!run.error.isEmpty, "\(name)")
      found += "# \(name)\n\(run.errorText)[exit \(run.status)]\n\n"
      count += 1
    }
    try Self.compare(found, with: scene.appendingPathComponent("expected.txt"))
    #expect(count >= 40)
  }
}
