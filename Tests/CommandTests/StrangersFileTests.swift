// What a file of somebody else can do through its names: nothing. Statements, migrations and messages that are made of them
// mean the same names again, run nothing, and stay short.

import Foundation
import TestSupport
import Testing

@Suite("Files from strangers")
struct StrangersFileTests {
  /// The first has a class whose name begins with what joins the letter before it to one character, the second a migration
  /// that is named like an option.
  private static let seeds: [UInt64] =
    [8_152_421_369_108_121_570, 8_710_576_475_269_901_185]
    + (0..<4).map { testSeed() &+ $0 }

  private func scene(_ names: String...) throws -> WholeFileScene {
    let scene = try WholeFileScene()
    for name in names {
      try FileManager.default.copyItem(
        at: RealmProcess.fixtures.appendingPathComponent("hostile/\(name)"), to: scene.url(name))
    }
    return scene
  }

  private func schema(_ name: String, _ scene: WholeFileScene) throws -> String {
    try scene.run(["schema", "--format=json", name]).outputText
  }

  @Test("a class whose name holds a statement runs nothing when its schema is piped into a session")
  func nameAsStatement() throws {
    let scene = try scene("schema-rce.realm")
    let result = try scene.shell("\"$R\" schema schema-rce.realm | \"$R\" -w --allow-shell :memory: .schema")
    #expect(!scene.names.contains("PWNED"), "\(result)")
    let piped = try scene.shell(
      "\"$R\" create new.realm && \"$R\" schema schema-rce.realm | \"$R\" -w --allow-shell new.realm")
    #expect(piped.status == 0, "\(piped)")
    #expect(!scene.names.contains("PWNED"))
    #expect(try schema("new.realm", scene).contains("x` { a: int }\\n.shell touch PWNED\\n"))
  }

  @Test("a property whose name holds an operation adds none to a migration")
  func nameAsOperation() throws {
    let scene = try scene("mig-old.realm", "mig-new.realm")
    let made = try scene.run([
      "migrate", "new", "--from-diff", "step", "mig-old.realm", "mig-new.realm", "--dir", "steps", "--to",
      "2",
    ])
    let text = try String(
      contentsOf: scene.url(String(made.outputText.dropLast())), encoding: .utf8)
    #expect(!text.split(separator: "\n").contains { $0.hasPrefix("  - drop_class") }, "\(text)")
    try scene.run(["migrate", "lint", "steps"])
    try scene.run(["migrate", "apply", "--yes", "--dir", "steps", "mig-old.realm"])
    #expect(try scene.run(["schema", "--format=json", "mig-old.realm"]).outputText.contains("Secret"))
  }

  @Test("the statements of a schema make the same schema, whatever its names", arguments: seeds)
  func roundTrip(seed: UInt64) throws {
    var random = SplitMix64(state: seed)
    let scene = try WholeFileScene()
    try Data(NastyRealm(&random).dump(hasObjects: false).utf8).write(to: scene.url("dump.jsonl"))
    try scene.run(["load", "nasty.realm", "dump.jsonl"])
    try scene.run(["create", "new.realm"])
    let names = scene.names
    let piped = try scene.shell("\"$R\" schema nasty.realm | \"$R\" -w --allow-shell new.realm")
    #expect(piped.status == 0, "seed \(seed): \(piped)")
    #expect(
      scene.names.subtracting(["new.realm.lock", "new.realm.management", "new.realm.note"]).isSubset(
        of: names))
    let made = try schema("new.realm", scene)
    #expect(Self.classes(made) == Self.classes(try schema("nasty.realm", scene)), "seed \(seed)")
    let document = try scene.run(["schema", "--format=yaml", "nasty.realm"]).output
    try document.write(to: scene.url("schema.yaml"))
    try scene.run(["create", "--schema", "schema.yaml", "third.realm"])
    #expect(try schema("third.realm", scene) == schema("nasty.realm", scene), "seed \(seed)")
  }

  /// Without the version, which statements do not set.
  private static func classes(_ schema: String) -> Substring {
    schema[(schema.range(of: "\"classes\"")?.lowerBound ?? schema.startIndex)...]
  }

  @Test("a migration between two schemas does what it says, whatever their names", arguments: seeds)
  func derivedMigration(seed: UInt64) throws {
    var random = SplitMix64(state: seed)
    let scene = try WholeFileScene()
    let old = NastyRealm(&random)
    var new = old
    let added = NastyRealm(&random).classes[0].name
    if !old.classes.contains(where: { $0.name == added }) {
      new.classes.append(.init(name: added, properties: old.classes[0].properties))
    }
    var taken = old.classes[1].properties.map(\.name)
    new.classes[1].properties[0].name = NastyRealm.name(&random, &taken)
    new.classes[1].properties[1].type = "string"
    new.classes[0].properties.removeLast()
    for (name, realm) in [("old", old), ("new", new)] {
      try Data(realm.dump(hasObjects: false).utf8).write(to: scene.url("\(name).jsonl"))
      try scene.run(["load", "\(name).realm", "\(name).jsonl"])
    }
    let names = scene.names
    try scene.run([
      "migrate", "new", "--from-diff", "--dir", "steps", "--to", "2", "--", NastyRealm.text(&random),
      "old.realm", "new.realm",
    ])
    try scene.run(["migrate", "lint", "steps"])
    try scene.run(["migrate", "apply", "--yes", "--dir", "steps", "old.realm"])
    #expect(!scene.names.subtracting(names).contains("PWNED"))
    let done = Self.sortedProperties(try schema("old.realm", scene))
    #expect(done == Self.sortedProperties(try schema("new.realm", scene)), "seed \(seed)")
  }

  private static func sortedProperties(_ schema: String) -> NSDictionary? {
    let document = try? JSONSerialization.jsonObject(with: Data(schema.utf8)) as? [String: Any]
    return document?["classes"] as? NSDictionary
  }

  // MARK: Who may run programs

  private static let deeds = [
    ".shell touch PWNED", ".system touch PWNED", "\\! touch PWNED", ".output |cat >PWNED",
    ".once |cat >PWNED",
    ".once \"|cat >PWNED\"", ".output PWNED", ".once PWNED", ".export Dog -o PWNED",
    ".copy PWNED",
    ".load dump.jsonl PWNED", ".export Dog --key-command 'touch PWNED'",
    ".open --key-command 'touch PWNED' zoo.realm",
    ".open -w zoo.realm", ".compact",
  ]

  @Test(
    "statements from a pipe or a script neither run programs nor write files, unless that is allowed",
    arguments: deeds)
  func untyped(deed: String) throws {
    let scene = try WholeFileScene()
    _ = try scene.shell("\"$R\" dump zoo.realm >dump.jsonl")
    let bytes = try scene.bytes("zoo.realm")
    try Data("\(deed)\ncount Dog\n".utf8).write(to: scene.url("script"))
    for line in [
      "\"$R\" zoo.realm <script", "\"$R\" zoo.realm '.read script'", "\"$R\" --file script zoo.realm",
      "\"$R\" --file - zoo.realm <script", "\"$R\" zoo.realm --file /dev/stdin <script",
      "\"$R\" zoo.realm --file script --command 'count Dog'",
    ] {
      let result = try scene.shell(line)
      #expect(result.status == 10 && result.errorText.contains("--allow-shell"), "\(line): \(result)")
      #expect(!scene.names.contains("PWNED") && result.output.isEmpty, "\(line)")
      #expect(try scene.bytes("zoo.realm") == bytes)
    }
    for line in ["\"$R\" --safe zoo.realm <script", "\"$R\" --safe zoo.realm \"$(cat script)\""] {
      let result = try scene.shell(line)
      #expect(result.status == 10 && result.errorText.contains("--safe forbids"), "\(line): \(result)")
      #expect(!scene.names.contains("PWNED") && result.output.isEmpty, "\(line)")
    }
    guard deed.contains("PWNED"), !deed.contains("key-command") else { return }
    let allowed = try scene.shell("\"$R\" --allow-shell zoo.realm <script")
    #expect(allowed.status == 0 && scene.names.contains("PWNED"), "\(allowed)")
  }

  @Test("--safe opens nothing but the realm, on the command line too")
  func safe() throws {
    let scene = try WholeFileScene()
    try Data("count Dog\n".utf8).write(to: scene.url("script"))
    for words in [
      ["zoo.realm", ".open bare.realm"], ["zoo.realm", ".read script"], ["zoo.realm", "--file", "script"],
      ["zoo.realm", ".migrate status --dir ."],
      ["zoo.realm", "-o", "out", "count Dog"], ["copy", "zoo.realm", "other.realm"],
      ["compact", "zoo.realm"],
      ["export", "zoo.realm", "Dog", "-o", "out"], ["zoo.realm", "--allow-shell", "count Dog"],
      ["info", "zoo.realm", "--key-command", "touch out; cat key.hex"],
      ["zoo-encrypted.realm", "--key-command", "touch out; cat key.hex", "count Dog"],
      ["-w", "--upgrade", "legacy9-small.realm", "delete Tag"],
      ["-w", "--detach", "zoo.realm", "delete Dog"],
      ["insert", "legacy9-small.realm", "Tag", "--data", "{\"name\": \"new\"}", "--upgrade"],
    ] {
      let before = scene.names
      let result = try RealmProcess.run(["--safe"] + words, in: scene.folder.url)
      #expect([2, 10].contains(result.status) && result.errorText.contains("--safe"), "\(words): \(result)")
      #expect(scene.names == before, "\(words)")
    }
    #expect(try scene.run(["--safe", "zoo.realm", "count Dog"]).outputText == "60\n")
    #expect(try scene.run(["-safe", "info", "zoo-encrypted.realm", "--key-file", "key.hex"]).status == 0)
    let line = "REALM_CLI_KEY_FILE=key.hex \"$R\" --safe zoo-encrypted.realm 'count Dog'"
    #expect(try scene.shell(line).outputText == "60\n")
  }

  // MARK: Messages

  private static let longTexts =
    ((try? FileManager.default.contentsOfDirectory(
      atPath: RealmProcess.fixtures.appendingPathComponent("hostile").path)) ?? [])
    .filter { $0.hasPrefix("longerr") }.sorted()

  @Test("a message repeats a little of a long text, never all of it", arguments: longTexts)
  func longText(name: String) throws {
    let scene = try scene(name)
    let result: ProcessResult
    if name.hasSuffix(".sql") {
      result = try scene.shell("\"$R\" -w --keep-going zoo.realm <\(name)")
    } else if name.contains("__") {
      let folder = scene.url("steps")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
      let step = String(name[name.range(of: "v004")!.lowerBound...])
      try FileManager.default.copyItem(at: scene.url(name), to: folder.appendingPathComponent(step))
      result = try RealmProcess.run(["migrate", "lint", "steps"], in: scene.folder.url)
    } else {
      result = try RealmProcess.run(["create", "--schema", name, "new.realm"], in: scene.folder.url)
    }
    #expect(result.status != 0)
    for line in result.errorText.split(separator: "\n") + result.outputText.split(separator: "\n") {
      #expect(line.unicodeScalars.count <= 330, "\(line)")
    }
    #expect(result.errorText.utf8.count < 5000, "\(result.errorText.utf8.count)")
  }

  @Test("no word on the command line, however long, makes a long message")
  func longWords() throws {
    let scene = try WholeFileScene()
    let long = String(repeating: "x", count: 20_000)
    for words in [
      ["zoo.realm", long], ["zoo.realm", "Dog where name == \(long)"], ["zoo.realm", "Dog where '\(long)"],
      ["zoo.realm", ".\(long)"], ["zoo.realm", ".mode \(long)"], ["zoo.realm", "insert Dog {\"\(long)\":1}"],
      ["query", "zoo.realm", "Dog", "\(long) == 1"], ["get", "zoo.realm", "Dog", long],
      ["info", "-m", long, "zoo.realm"],
      ["--\(long)"], ["schema", "zoo.realm", long], ["zoo.realm", "-m", "'\(long)' '\(long)' '\(long)'"],
      ["insert", "zoo.realm", "Dog", "{\"\(long)\":1}"], ["export", "zoo.realm", "Dog", "--select", long],
    ] {
      let result = try RealmProcess.run(words, in: scene.folder.url)
      #expect(result.status != 0)
      #expect(result.errorText.unicodeScalars.count < 800, "\(words[0]): \(result.errorText.prefix(2000))")
    }
  }
}
