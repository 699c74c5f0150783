// upgrade: the same objects in the current format, the original as a backup.

import Foundation
import Testing

@Suite("Upgrading files")
struct UpgradeTests {
  /// The bundled realms of older formats.
  private static let oldRealms: [(name: String, format: Int, key: [String])] = [
    ("legacy9-small.realm", 9, []), ("format11-encrypted.realm", 11, ["--key-file", "key.hex"]),
  ]

  /// A dump without the line about the file, and without what an upgrade changes: sets are sorted, because the order
  /// of texts and data in a mixed set changed with format 23, and primary keys count as indexed, which all are now.
  private static func objects(_ dump: String) throws -> [NSObject] {
    try dump.split(separator: "\n").dropFirst().map { line in
      try #require(sorted(JSONSerialization.jsonObject(with: Data(line.utf8))) as? NSObject)
    }
  }

  private static func sorted(_ node: Any) -> Any {
    if let list = node as? [Any] { return list.map(sorted) }
    guard let members = node as? [String: Any] else { return node }
    if let set = members["$set"] as? [Any] {
      return ["$set": set.map(sorted).sorted { "\($0)" < "\($1)" }]
    }
    guard members["class"] is String, let key = members["primary_key"] as? String else {
      return members.mapValues(sorted)
    }
    let properties = members["properties"] as? [[String: Any]] ?? []
    let indexed = properties.map { property in
      property["name"] as? String == key ? property.merging(["indexed": true]) { $1 } : property
    }
    return members.merging(["properties": indexed]) { $1 }
  }

  @Test("an upgraded file has the objects of the old one, and the old one is kept", arguments: oldRealms)
  func upgrade(realm: (name: String, format: Int, key: [String])) throws {
    let scene = try WholeFileScene()
    let original = try scene.bytes(realm.name)
    let before = try Self.objects(scene.dump(realm.name, realm.key))
    let hash = try scene.hash(realm.name, realm.key)
    try scene.run(["upgrade", "--yes", realm.name] + realm.key)
    let after = try scene.dump(realm.name, realm.key)
    #expect(after.hasPrefix("{\"realm\":{\"file_format\":24,"))
    #expect(try Self.objects(after) == before)
    #expect(try scene.hash(realm.name, realm.key) == hash)
    let stem = realm.name.replacing(".realm", with: "")
    #expect(try scene.bytes("\(stem).format-\(realm.format).backup.realm") == original)
  }

  @Test("no backup is ever overwritten: the next gets a number")
  func backups() throws {
    let scene = try WholeFileScene()
    let original = try scene.bytes("legacy9-small.realm")
    let stem = "legacy9-small.format-9.backup.realm"
    try Data("one".utf8).write(to: scene.url(stem))
    try Data("two".utf8).write(to: scene.url("\(stem).2"))
    let result = try scene.run(["upgrade", "--yes", "legacy9-small.realm"])
    #expect(result.errorText.contains("\(stem).3"), "\(result.errorText)")
    #expect(try scene.bytes(stem) == Data("one".utf8))
    #expect(try scene.bytes("\(stem).2") == Data("two".utf8))
    #expect(try scene.bytes("\(stem).3") == original)
  }

  @Test("a realm that no object was ever stored in becomes an empty one of the current format")
  func neverWritten() throws {
    let scene = try WholeFileScene()
    var bytes = [UInt8](repeating: 0, count: 4096)
    bytes.replaceSubrange(16..<22, with: Array("T-DB".utf8) + [2, 2])
    try Data(bytes).write(to: scene.url("new.realm"))
    let result = try scene.run(["upgrade", "--yes", "new.realm"])
    #expect(result.errorText.contains("the original is new.format-2.backup.realm"), "\(result.errorText)")
    #expect(try scene.dump("new.realm", []).hasPrefix("{\"realm\":{\"file_format\":24,"))
    #expect(try scene.run(["check", "new.realm"]).outputText.contains("sound"))
  }

  @Test("nothing happens without a confirmation, in a dry run, or to a current file")
  func nothing() throws {
    let scene = try WholeFileScene()
    let names = scene.names
    let old = try scene.bytes("legacy9-small.realm")
    let current = try scene.bytes("zoo.realm")
    let refused = try scene.run(["upgrade", "legacy9-small.realm"], status: 2)
    #expect(refused.errorText.contains("--yes"))
    let dry = try scene.run(["upgrade", "--dry-run", "legacy9-small.realm"])
    #expect(dry.outputText.contains("from file format 9 to 24"))
    let done = try scene.run(["upgrade", "--yes", "zoo.realm"])
    #expect(done.errorText.contains("already has file format 24"))
    #expect(try scene.bytes("legacy9-small.realm") == old)
    #expect(try scene.bytes("zoo.realm") == current)
    #expect(scene.names == names, "nothing is left behind")
  }

  @Test("what upgrades for a change that is refused, or taken back, upgrades nothing", arguments: oldRealms)
  func refusedChange(realm: (name: String, format: Int, key: [String])) throws {
    let scene = try WholeFileScene()
    let original = try scene.bytes(realm.name)
    let names = scene.names
    for (statement, status) in [
      ("update Person set nothing = 1", Int32(7)),
      ("create class New { a: int }; update New set nothing = 1", 7),
      ("begin; create class New { a: int }; rollback", 0), ("insert Person {", 7),
    ] {
      let result = try RealmProcess.run(
        ["-w", "--upgrade", realm.name, statement] + realm.key, in: scene.folder.url)
      #expect(result.status == status, "\(statement): \(result)")
      #expect(try scene.bytes(realm.name) == original, "\(statement)")
      #expect(scene.names == names, "\(statement)")
    }
    let rehearsed = try scene.run(
      ["-w", "-n", "--upgrade", realm.name, "create class New { a: int }"] + realm.key)
    #expect(rehearsed.outputText.contains("would create 1 class"), "\(rehearsed)")
    #expect(try scene.bytes(realm.name) == original && scene.names == names)
  }

  @Test("the upgrade and the change that it is for are one", arguments: oldRealms)
  func upgradingChange(realm: (name: String, format: Int, key: [String])) throws {
    let scene = try WholeFileScene()
    let original = try scene.bytes(realm.name)
    try scene.run(
      ["-w", "--upgrade", realm.name, "create class New { a: int }", "insert New { \"a\": 3 }"] + realm.key)
    #expect(try scene.run(["check", realm.name] + realm.key).errorText.isEmpty)
    #expect(try scene.run([realm.name, "sum a of New"] + realm.key).outputText.contains("3"))
    let stem = realm.name.replacing(".realm", with: "")
    #expect(try scene.bytes("\(stem).format-\(realm.format).backup.realm") == original)
  }
}
