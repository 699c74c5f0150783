// What migrations make of realms, and what they refuse, as folders under fixtures/migrations: `before.jsonl`, a dump;
// `steps`; and `after.jsonl`, or `refused.txt` where the run must stop. REALM_CLI_RECORD=1 writes what happened into the
// files instead; read the difference.
// Folders under fixtures/migrations/examples are chains of apps, each beside what it replaces.

import Foundation
import RealmCommands
import TestSupport
import Testing

@Suite("Migrations from files")
struct MigrationScenarioTests {
  private static let folder = RealmProcess.fixtures.appendingPathComponent("migrations")
  private static let isRecording = ProcessInfo.processInfo.environment["REALM_CLI_RECORD"] != nil
  private static let fixedRun = ["--dir", "steps", "--now", "2020-01-01T00:00:00Z", "--seed", "1"]

  static let scenarios = ["scenarios", "examples"].flatMap { kind in entries(kind).map { "\(kind)/\($0)" } }

  private static func entries(_ name: String) -> [String] {
    let path = folder.appendingPathComponent(name).path
    return ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [])
      .filter { !$0.hasPrefix(".") }.sorted()
  }

  private static func compare(_ text: String, with file: URL) throws {
    if isRecording { try text.write(to: file, atomically: true, encoding: .utf8) }
    #expect(text == (try? String(contentsOf: file, encoding: .utf8)), "\(file.path)")
  }

  @Test(
    "a scenario ends as it is written down; what is refused stays as it was",
    arguments: TestScale.current == .fast
      ? stride(from: 0, to: scenarios.count, by: 2).map { scenarios[$0] } : scenarios)
  func outcome(name: String) throws {
    let scene = Self.folder.appendingPathComponent(name)
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

  @Test("a rehearsal tells what the run then tells, and that is what happens", .slow, arguments: scenarios)
  func rehearsal(name: String) throws {
    let scene = Self.folder.appendingPathComponent(name)
    let scratch = try ScratchFolder()
    let realm = scratch.url.appendingPathComponent("a.realm")
    _ = try RealmProcess.run("load", realm.path, "before.jsonl", in: scene)
    let original = try Data(contentsOf: realm)
    let countBefore = try Self.objectCount(realm, in: scene)
    var dumps: [String] = []
    let runs = try [["plan"], ["apply", "--dry-run"], ["apply", "--in-place"], ["apply"]].map { words in
      try original.write(to: realm)
      let run = try RealmProcess.run(["migrate"] + words + ["--json", realm.path] + Self.fixedRun, in: scene)
      dumps.append(try RealmProcess.run("dump", realm.path, in: scene).outputText)
      if run.status != 0 { #expect(try Data(contentsOf: realm) == original, "\(words)") }
      #expect(try RealmProcess.run("check", realm.path, in: scene).status == 0, "\(words)")
      return run
    }
    #expect(dumps[0] == dumps[1] && dumps[2] == dumps[3])
    let applied = runs[3]
    for (index, run) in runs.enumerated() {
      #expect(run.status == applied.status)
      if applied.status == 0 {
        #expect(try Self.report(run)["dry_run"] as? Bool == (index < 2 ? true : nil))
        // Only a file that is rewritten has its least size.
        let ignored = index == 2 ? ["size_after"] : []
        #expect(try Self.told(run, without: ignored) == Self.told(applied, without: ignored))
      } else {
        #expect(!run.errorText.isEmpty && run.errorText == applied.errorText)
      }
    }
    guard applied.status == 0 else { return }
    // The numbers are those of the realm.
    let operations = try Self.operations(applied)
    #expect(!operations.isEmpty)
    func sum(_ key: String) -> Int { operations.reduce(0) { $0 + ($1[key] as? Int ?? 0) } }
    #expect(try Self.objectCount(realm, in: scene) == countBefore + sum("created") - sum("deleted"))
  }

  private static func report(_ run: ProcessResult) throws -> [String: Any] {
    let files = try #require(try JSONSerialization.jsonObject(with: run.output) as? [[String: Any]])
    #expect(files.count == 1)
    return try #require(files.first)
  }

  private static func operations(_ run: ProcessResult) throws -> [[String: Any]] {
    let steps = try #require(try report(run)["steps"] as? [[String: Any]])
    return try steps.flatMap { try #require($0["operations"] as? [[String: Any]]) }
  }

  /// All of a report but times and the names of files.
  private static func told(_ run: ProcessResult, without ignored: [String]) throws -> [NSDictionary] {
    var whole = try report(run)
    whole.removeValue(forKey: "dry_run")
    for key in ["steps", "milliseconds", "file", "backup"] + ignored {
      #expect(whole.removeValue(forKey: key) != nil, "\(key)")
    }
    let parts = try operations(run).map { operation in
      var operation = operation
      #expect(operation.removeValue(forKey: "milliseconds") != nil)
      return operation
    }
    return ([whole] + parts).map { $0 as NSDictionary }
  }

  /// All objects, embedded ones too.
  private static func objectCount(_ realm: URL, in scene: URL) throws -> Int {
    let result = try RealmProcess.run("dump", realm.path, in: scene)
    return try result.outputText.split(separator: "\n").reduce(0) { sum, line in
      let entry = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      return sum + (entry?["count"] as? Int ?? 0)
    }
  }

  @Test("an example tells what it replaces, and its chain passes lint on the schema that it begins with")
  func examples() throws {
    let names = Self.entries("examples")
    #expect(names.count >= 10)
    for name in names {
      let scene = Self.folder.appendingPathComponent("examples/\(name)")
      let told = try String(contentsOf: scene.appendingPathComponent("replaces.md"), encoding: .utf8)
      #expect(told.contains("```"), "\(name) shows no code")
      let scratch = try ScratchFolder()
      let realm = scratch.url.appendingPathComponent("a.realm")
      _ = try RealmProcess.run("load", realm.path, "before.jsonl", in: scene)
      let shown = try #require(MigrationExample.all.first { told.contains($0.code) }, "\(name) in the manual")
      #expect(
        shown.steps.split(separator: "\n").filter { !$0.hasPrefix("#") } == (try Self.operations(in: scene)))
      let lint = try RealmProcess.run("migrate", "lint", "steps", "--schema", realm.path, in: scene)
      #expect(lint.status == 0 && lint.errorText.contains("no problems found"), "\(name): \(lint)")
    }
  }

  /// The lines of all operations of an example, in order.
  private static func operations(in scene: URL) throws -> [Substring] {
    let folder = scene.appendingPathComponent("steps")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    return try names.flatMap { name in
      let text = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
      return text.split(separator: "\n").drop { $0 != "up:" }.dropFirst().map { $0.dropFirst(2) }
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
