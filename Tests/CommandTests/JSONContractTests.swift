// Every command that prints JSON prints one document that its own schema allows, whatever becomes of it; a dry run tells the
// figures of the real run.

import Arguments
import Foundation
import RealmCommands
import TestSupport
import Testing

@Suite("One JSON contract")
struct JSONContractTests {
  /// A command line for each way in which a command may end. Files are copies of the fixtures.
  struct Case: Sendable, CustomTestStringConvertible {
    let path: [String]
    let success: [String]
    let refused: [String]
    var dryRun: [String]?

    var testDescription: String { path.joined(separator: " ") }
    var name: String { testDescription }

    init(_ path: String, _ success: [String], refused: [String]) {
      self.path = path.split(separator: " ").map(String.init)
      self.success = success
      self.refused = refused
    }
  }

  private static let key = ["--new-key-file", "key.hex"]

  static let cases: [Case] = [
    Case("", ["zoo.realm", "count Dog"], refused: ["zoo.realm", "count Cat"]),
    Case("info", ["zoo.realm", "bare.realm"], refused: ["zoo.realm", "key.hex"]),
    Case("query", ["zoo.realm", "Dog", "age > 3"], refused: ["zoo.realm", "Dog", "ages > 3"]),
    Case("sql", ["zoo.realm", "select name, age from Dog"], refused: ["zoo.realm", "select nmae from Dog"]),
    Case(
      "each", ["-w", "zoo.realm", "bare.realm", "--", "update Dog set age = age + 1"],
      refused: ["zoo.realm", "key.hex", "--", "count Dog"]),
    Case("aggregate", ["zoo.realm", "Dog", "--by", "age"], refused: ["zoo.realm", "Dog", "--by", "ages"]),
    Case("assert", ["zoo.realm", "Dog", "--min", "1"], refused: ["zoo.realm", "Dog", "--empty"]),
    Case("get", ["zoo.realm", "Person", "1", "--backlinks"], refused: ["zoo.realm", "Person", "-5"]),
    Case("watch", ["zoo.realm", "--for", "0s"], refused: ["zoo.realm", "Cat", "--for", "0s"]),
    Case(
      "import", ["new.realm", "Row", "rows.csv", "--create"], refused: ["zoo.realm", "Person", "rows.csv"]),
    Case(
      "insert", ["zoo.realm", "Dog", "--data", #"{"name":"Rex","age":1,"vaccinated":true}"#],
      refused: ["zoo.realm", "Dog", "--data", #"{"age":"old"}"#]),
    Case(
      "upsert", ["zoo.realm", "Person", "--data", #"{"_id":1,"nick":null}"#],
      refused: ["zoo.realm", "Dog", "--data", "{}"]),
    Case(
      "update", ["zoo.realm", "Dog", "age > 3", "--set", "age = 3"],
      refused: ["zoo.realm", "Dog", "age > 3", "--set", "ages = 3"]),
    Case(
      "delete", ["zoo.realm", "Person", "_id < 20", "--yes"],
      refused: ["zoo.realm", "Address", "TRUEPREDICATE", "--yes"]),
    Case("hash", ["zoo.realm", "bare.realm"], refused: ["zoo.realm", "key.hex"]),
    Case("create", ["new.realm"], refused: ["zoo.realm"]),
    Case("load", ["new.realm", "zoo.realm.jsonl"], refused: ["new.realm", "key.hex"]),
    Case("copy", ["zoo.realm", "new.realm"], refused: ["zoo.realm", "bare.realm"]),
    Case("compact", ["zoo.realm", "bare.realm"], refused: ["zoo.realm", "key.hex"]),
    Case("encrypt", ["zoo.realm", "bare.realm"] + key, refused: ["bare.realm", "missing.realm"] + key),
    Case("decrypt", ["zoo-encrypted.realm", "--key-file", "key.hex"], refused: ["zoo-encrypted.realm"]),
    Case(
      "rekey", ["zoo-encrypted.realm", "--key-file", "key.hex"] + ["--new-key-file", "key2.hex"],
      refused: ["bare.realm"] + key),
    Case("upgrade", ["legacy9-small.realm", "zoo.realm", "--yes"], refused: ["zoo.realm", "key.hex"]),
    Case("migrate new", ["two", "--from", "9"], refused: ["two", "--from", "9", "--to", "3"]),
    Case("migrate baseline", ["--to", "4", "zoo.realm"], refused: ["--to", "9", "zoo.realm"]),
    Case("migrate lint", [], refused: ["nowhere"]),
    Case("migrate status", ["zoo.realm"], refused: ["zoo.realm", "key.hex"]),
    Case("migrate plan", ["zoo.realm"], refused: ["zoo.realm", "key.hex"]),
    Case("migrate apply", ["zoo.realm"], refused: ["zoo.realm", "key.hex"]),
    Case("migrate verify", ["--freeze"], refused: []),
    Case("migrate restore", ["zoo.realm", "old.realm"], refused: ["zoo.realm"]),
    Case("diff", ["zoo.realm", "bare.realm"], refused: ["zoo.realm", "key.hex"]),
    Case("rm", ["zoo.realm", "--yes"], refused: ["key.hex", "--yes"]),
    Case("doctor", ["zoo.realm", "bare.realm"], refused: ["zoo.realm", "missing.realm"]),
    Case("check", ["zoo.realm", "bare.realm"], refused: ["zoo.realm", "missing.realm"]),
    Case("recover", ["zoo.realm", "new.realm"], refused: ["zoo.realm", "bare.realm"]),
  ]

  private func folder() throws -> ScratchFolder {
    let scratch = try ScratchFolder()
    try scratch.addFixtures()
    func write(_ text: String, _ name: String) throws {
      let file = scratch.url.appendingPathComponent(name)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try text.write(to: file, atomically: true, encoding: .utf8)
    }
    try write("id,name\n1,Ada\n2,Bea\n", "rows.csv")
    try write(String(repeating: "07", count: 64), "key2.hex")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o600], ofItemAtPath: scratch.url.appendingPathComponent("key2.hex").path)
    try write(
      "realm_migration: 1\nfrom: 3\nto: 4\nup:\n  - add_property: { class: Dog, name: weight, type: \"double?\" }\n",
      "migrations/v004__weight.yaml")
    try FileManager.default.copyItem(
      at: scratch.url.appendingPathComponent("bare.realm"),
      to: scratch.url.appendingPathComponent("old.realm"))
    return scratch
  }

  private func run(_ item: Case, _ words: [String], in scratch: ScratchFolder) throws -> ProcessResult {
    // Behind `--` there are no options.
    guard let dashes = words.firstIndex(of: "--") else {
      return try RealmProcess.run(item.path + words, in: scratch.url)
    }
    let statement = words[dashes...].prefix(2)
    return try RealmProcess.run(
      item.path + words[..<dashes] + words[dashes...].dropFirst(2) + statement, in: scratch.url)
  }

  private func schema(_ item: Case) throws -> Any {
    let result = try RealmProcess.run(["help", "--json-schema"] + item.path, in: RealmProcess.fixtures)
    #expect(result.status == 0, "\(item.name): \(result)")
    return try JSONSerialization.jsonObject(with: result.output)
  }

  /// Objects on standard error, one a line.
  private func complaints(_ result: ProcessResult, _ name: String) -> [String] {
    result.errorText.split(separator: "\n").compactMap { line in
      let object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      #expect(object?.count == 1, "\(name): standard error holds \(line)")
      return object?.keys.first
    }
  }

  private func check(
    _ item: Case, _ words: [String], mode: String, _ schema: Any, in scratch: ScratchFolder
  ) throws -> ProcessResult {
    let result = try run(item, words + ["--\(mode)"], in: scratch)
    let name = "\(item.name) \(words.joined(separator: " ")) --\(mode)"
    let kinds = complaints(result, name)
    #expect(kinds.contains("error") || result.status == 0 || result.status == 9, "\(name): \(result)")
    guard !result.output.isEmpty else {
      #expect(result.status != 0, "\(name): nothing on standard output")
      #expect(kinds.count { $0 == "error" } == 1, "\(name): \(result)")
      return result
    }
    var value: Any
    if mode == "json" {
      value = try JSONSerialization.jsonObject(with: result.output)
    } else {
      let lines = try result.outputText.split(separator: "\n").map {
        try JSONSerialization.jsonObject(with: Data($0.utf8))
      }
      let isArray = JSONSchema.takesArray(schema)
      value = isArray ? lines : lines.first ?? [:]
      #expect(isArray || lines.count == 1, "\(name): \(result.outputText)")
    }
    let flaw = JSONSchema.flaw(of: value, schema)
    #expect(flaw == nil, "\(name): \(flaw ?? "") in \(result.outputText)")
    return result
  }

  private func modes(_ item: Case) -> [String] { item.name == "watch" ? ["jsonl"] : ["json", "jsonl"] }

  @Test("success, refusal and a usage error are one document or one object", arguments: cases)
  func walk(item: Case) throws {
    let schema = try schema(item)
    for mode in modes(item) {
      let success = try check(item, item.success, mode: mode, schema, in: try folder())
      #expect(success.status == 0, "\(item.name): \(success)")
      if item.name != "migrate verify" {
        let refused = try check(item, item.refused, mode: mode, schema, in: try folder())
        #expect(refused.status != 0, "\(item.name): \(refused)")
      }
      let usage = try check(item, item.success + ["--no-such-option"], mode: mode, schema, in: try folder())
      #expect(usage.status == 2 && usage.output.isEmpty, "\(item.name): \(usage)")
    }
    let text = try run(item, item.success, in: try folder())
    #expect(text.status == 0 && !text.outputText.hasPrefix("{"), "\(item.name): \(text)")
  }

  private static let dryRuns = cases.filter { item in
    let spec = item.path.first.flatMap { name in Registry.program.commands.first { $0.name == name } }
    let leaf = item.path.count > 1 ? spec?.subcommands.first { $0.name == item.path[1] } : spec
    return leaf?.options.contains { $0.name == "dry-run" } ?? false
  }

  @Test("a dry run tells the figures of the real run", arguments: dryRuns)
  func rehearsal(item: Case) throws {
    let schema = try schema(item)
    let scratch = try folder()
    let dry = try check(item, item.success + ["-n"], mode: "json", schema, in: scratch)
    let real = try check(item, item.success, mode: "json", schema, in: scratch)
    #expect(try figures(dry) == figures(real), "\(item.name): \(dry) \(real)")
  }

  /// Without what only a real run has.
  private func figures(_ result: ProcessResult) throws -> NSObject {
    func cleaned(_ value: Any) -> Any {
      if let list = value as? [Any] { return list.map(cleaned) }
      guard let object = value as? [String: Any] else { return value }
      let left = object.filter {
        !["dry_run", "backup", "milliseconds", "steps", "recovered"].contains($0.key)
      }
      return left.mapValues(cleaned)
    }
    let value = cleaned(try JSONSerialization.jsonObject(with: result.output))
    return (value as? NSObject) ?? NSNull()
  }

  @Test("every command is in this table, or prints a document of its own and refuses --json")
  func complete() throws {
    let commands = Registry.program.listedCommands.flatMap { command in
      command.subcommands.isEmpty ? [command.name] : command.subcommands.map { "\(command.name) \($0.name)" }
    }
    let documents: Set = [
      "dump", "export", "schema", "serve", "verify", "completion", "help", "keygen", "migrate schema",
    ]
    for name in commands where !Self.cases.contains(where: { $0.name == name }) {
      #expect(documents.contains(name), "\(name) is in no case")
    }
    for words in [
      ["dump", "zoo.realm"], ["completion", "bash"], ["help"], ["keygen"], ["migrate", "schema"],
    ] {
      let result = try RealmProcess.run(words + ["--json"], in: RealmProcess.fixtures)
      #expect(result.status == 2 && result.output.isEmpty, "\(words): \(result)")
      #expect(complaints(result, words[0]) == ["error"])
    }
  }

  @Test("an option of all commands that does nothing is a usage error")
  func idleOptions() throws {
    for words in [
      ["info", "zoo.realm", "bare.realm", "--csv"], ["get", "zoo.realm", "Dog", "--key", "0", "--box"],
      ["check", "zoo.realm", "-n"], ["query", "zoo.realm", "Dog", "-w"],
      ["hash", "zoo.realm", "--wrap", "3"],
      ["dump", "zoo.realm", "--header"], ["compact", "zoo.realm", "--all-tables"],
      ["insert", "zoo.realm", "Dog", "--data", "{}", "--readonly"], ["keygen", "--key-file", "key.hex"],
      ["query", "zoo.realm", "Dog", "--force"], ["watch", "zoo.realm", "--json"],
    ] {
      let result = try RealmProcess.run(words, in: RealmProcess.fixtures)
      #expect(result.status == 2 && result.output.isEmpty, "\(words): \(result)")
    }
  }

  @Test("the first file that fails stops the others with --fail-fast only; the exit status has one order")
  func severalFiles() throws {
    let scratch = try folder()
    let files = ["missing.realm", "zoo-encrypted.realm", "zoo.realm"]
    let all = try RealmProcess.run(["hash", "--json"] + files, in: scratch.url)
    // A missing key comes before a missing file.
    #expect(all.status == 4)
    #expect(try statuses(all) == ["failed", "failed", "ok"])
    let fast = try RealmProcess.run(["hash", "--json", "--fail-fast"] + files, in: scratch.url)
    #expect(fast.status == 10)
    #expect(try statuses(fast) == ["failed", "skipped", "skipped"])
  }

  private func statuses(_ result: ProcessResult) throws -> [String] {
    let list = try JSONSerialization.jsonObject(with: result.output) as? [[String: Any]] ?? []
    return list.compactMap { $0["status"] as? String }
  }
}
