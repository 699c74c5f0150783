// copy, compact, encrypt, rekey, upgrade and migrate on damaged files: refused, or salvaged with a word.

import Foundation
import Testing

@Suite("Whole-file jobs on damaged files")
struct DamagedSourceTests {
  /// A copy of zoo.realm in which one node counts half of its elements: nothing that is followed is missing.
  private func damage(_ scene: WholeFileScene, _ name: String = "zoo.realm") throws {
    var bytes = try scene.bytes(name)
    bytes[3175] = 2
    try bytes.write(to: scene.url(name))
  }

  private static let jobs: [[String]] = [
    ["compact", "zoo.realm"], ["compact", "--dry-run", "zoo.realm"], ["copy", "zoo.realm", "new.realm"],
    ["copy", "--dry-run", "zoo.realm", "new.realm"], ["encrypt", "zoo.realm", "--new-key-file", "key.hex"],
  ]

  @Test("damage is refused, and the file stays as it is", arguments: jobs)
  func refused(_ job: [String]) throws {
    let scene = try WholeFileScene()
    try damage(scene)
    let before = try scene.bytes("zoo.realm")
    let names = scene.names
    let result = try scene.run(job, status: 3)
    #expect(
      result.errorText.contains("class Address") && result.errorText.contains("check"), "\(result.errorText)")
    #expect(try scene.bytes("zoo.realm") == before)
    #expect(scene.names == names)
  }

  @Test("hostile files are refused too", arguments: ["short-leaf", "wrong-opposite", "shared-free-list"])
  func hostile(_ name: String) throws {
    let scene = try WholeFileScene()
    let path = RealmProcess.fixtures.appendingPathComponent("hostile/\(name).realm")
    try Data(contentsOf: path).write(to: scene.url("bad.realm"))
    try scene.run(["copy", "bad.realm", "new.realm"], status: 3)
    #expect(!scene.names.contains("new.realm"))
  }

  @Test("a realm that looks empty beside a snapshot is not emptied")
  func forgotten() throws {
    let scene = try WholeFileScene()
    try scene.run(["copy", "zoo.realm", "new.realm"])
    var bytes = try scene.bytes("new.realm")
    bytes[23] ^= 1
    try bytes.write(to: scene.url("new.realm"))
    try scene.run(["compact", "new.realm"], status: 3)
    #expect(try scene.bytes("new.realm") == bytes)
  }

  /// The small realm has lost both refs. The large one, of a single commit, selects the slot that names nothing; it is larger than
  /// what is inspected whole before each write.
  @Test("what a header does not name is not written over", arguments: [false, true])
  func lostHeader(_ isLarge: Bool) throws {
    let scene = try WholeFileScene()
    try scene.run(["copy", "zoo.realm", "bad.realm"])
    var bytes = try scene.bytes("bad.realm")
    if isLarge {
      bytes[23] ^= 1
      bytes += Data(count: 1 << 19)
    } else {
      for offset in 0..<16 { bytes[offset] = 0 }
    }
    try bytes.write(to: scene.url("bad.realm"))
    try scene.run(["compact", "bad.realm"], status: 3)
    try scene.run(["insert", "bad.realm", "Dog", "--data", "{}"], status: 3)
    try scene.run(["-w", "bad.realm", "create class Other { a: int }"], status: 3)
    try scene.run(["copy", "bad.realm", "copy.realm"], status: 3)
    try scene.run(["check", "bad.realm"], status: 9)
    #expect(try scene.bytes("bad.realm") == bytes)
    let names = scene.names
    try scene.run(["recover", "bad.realm", "saved.realm"], status: 9)
    #expect(scene.names == names.union(["saved.realm"]))
    #expect(try scene.run(["query", "saved.realm", "Dog", "--count"]).outputText == "60\n")
  }

  /// A link in a dictionary that is on no record, as engines of 2021 and 2022 left them: `REALM_VERIFY` is set.
  @Test("what a writer could build anew hinders no migration", arguments: [[], ["--in-place"]])
  func repairable(_ way: [String]) throws {
    let scene = try WholeFileScene()
    let path = RealmProcess.fixtures.appendingPathComponent("hostile/unrecorded-dictionary-link.realm")
    try Data(contentsOf: path).write(to: scene.url("old.realm"))
    let step = """
      {"realm_migration": 1, "from": 0, "to": 1, "name": "other",
       "up": [{"rename_class": {"from": "Person", "to": "Human"}}]}
      """
    try FileManager.default.createDirectory(at: scene.url("steps"), withIntermediateDirectories: true)
    try Data(step.utf8).write(to: scene.url("steps/v001.json"))
    try scene.run(["migrate", "apply", "old.realm", "--dir", "steps"] + way)
    #expect(try scene.run(["check", "old.realm"]).outputText.contains("repairable – 1 place"))
  }

  /// The classes of the first have a name that only an upgrade reads, those of the second a ref that is none; in the third
  /// links lead to no class, and the last has lost the version of its schema.
  @Test(
    "an upgrade that was interrupted and cannot be finished is damage to all",
    arguments: [
      "interrupted-upgrade-name", "interrupted-upgrade-ref", "interrupted-upgrade-target",
      "interrupted-upgrade-version",
    ])
  func interrupted(_ name: String) throws {
    let scene = try WholeFileScene()
    let bytes = try Data(contentsOf: RealmProcess.fixtures.appendingPathComponent("hostile/\(name).realm"))
    try bytes.write(to: scene.url("bad.realm"))
    try scene.run(["check", "bad.realm"], status: 9)
    for job in [
      ["compact"], ["encrypt", "--new-key-file", "key.hex"], ["upgrade", "--yes"], ["compact", "-n"],
    ] {
      try scene.run(job + ["bad.realm"], status: 3)
      #expect(try scene.bytes("bad.realm") == bytes)
    }
  }

  @Test("an upgrade whose values do not fit names the damage that is behind it")
  func misfit() throws {
    let scene = try WholeFileScene()
    let bytes = try Data(
      contentsOf: RealmProcess.fixtures.appendingPathComponent("hostile/upgrade-misfit.realm"))
    try bytes.write(to: scene.url("bad.realm"))
    let result = try scene.run(["upgrade", "--yes", "bad.realm"], status: 3)
    #expect(result.errorText.contains("check"), "\(result)")
    #expect(try scene.bytes("bad.realm") == bytes)
  }

  @Test("--salvage goes on, says what is damaged, and keeps the original")
  func salvage() throws {
    let scene = try WholeFileScene()
    try damage(scene)
    let before = try scene.bytes("zoo.realm")
    let copied = try scene.run(["copy", "--salvage", "zoo.realm", "new.realm"])
    #expect(
      copied.errorText.contains("class Address") && copied.errorText.contains("lost"), "\(copied.errorText)")
    #expect(!scene.names.contains("zoo.damaged.backup.realm"))
    try scene.run(["compact", "--salvage", "zoo.realm"])
    #expect(try scene.bytes("zoo.damaged.backup.realm") == before)
    let sound = try scene.run(["compact", "--salvage", "alltypes.realm"])
    #expect(!sound.errorText.contains("lost"))
    #expect(!scene.names.contains("alltypes.damaged.backup.realm"))
  }

  @Test("who salvages in place is told where the original is, and that it is plain where the result is not")
  func salvagedOriginal() throws {
    let scene = try WholeFileScene()
    try damage(scene)
    let before = try scene.bytes("zoo.realm")
    let backup = "zoo.damaged.backup.realm"
    let encrypted = try scene.run([
      "--json", "encrypt", "--salvage", "zoo.realm", "--new-key-file", "key.hex",
    ])
    #expect(encrypted.errorText.contains("\(backup), which is not encrypted"), "\(encrypted)")
    #expect(encrypted.outputText.contains("\(backup)\""), "\(encrypted)")
    #expect(try scene.bytes(backup) == before)
    try before.write(to: scene.url("zoo.realm"))
    let compacted = try scene.run(["compact", "--salvage", "zoo.realm"])
    #expect(
      compacted.errorText.contains("\(backup).2") && !compacted.errorText.contains("not encrypted"),
      "\(compacted)")
    let sound = try scene.run(["--json", "encrypt", "alltypes.realm", "--new-key-file", "key.hex"])
    #expect(sound.outputText.contains("\"backup\":null"), "\(sound)")
  }

  @Test("an upgrade of a damaged file is refused")
  func upgrade() throws {
    let scene = try WholeFileScene()
    var bytes = try scene.bytes("legacy9-small.realm")
    // The first leaf of a table counts one row less than the others.
    bytes[847] -= 1
    try bytes.write(to: scene.url("legacy9-small.realm"))
    try scene.run(["upgrade", "--yes", "legacy9-small.realm"], status: 3)
    #expect(try scene.bytes("legacy9-small.realm") == bytes)
  }
}
