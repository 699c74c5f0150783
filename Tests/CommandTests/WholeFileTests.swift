// copy, compact, encrypt, rekey, decrypt, keygen, rm and hash, when all goes well.

import Foundation
import Testing

@Suite("Whole files")
struct WholeFileTests {
  @Test("a copy has the dump of the original", arguments: WholeFileScene.realms)
  func copy(realm: (name: String, key: [String])) throws {
    let scene = try WholeFileScene()
    let original = try scene.bytes(realm.name)
    try scene.run(["copy", realm.name, "copy.out"] + realm.key)
    #expect(try scene.dump("copy.out", realm.key) == scene.dump(realm.name, realm.key))
    #expect(try scene.hash("copy.out", realm.key) == scene.hash(realm.name, realm.key))
    #expect(try scene.bytes(realm.name) == original)
    try scene.run(["copy", "copy.out", "again.out"] + realm.key)
    #expect(try scene.bytes("again.out").count <= scene.bytes("copy.out").count)
  }

  @Test("compacting keeps the dump and never makes a file larger", arguments: WholeFileScene.realms)
  func compact(realm: (name: String, key: [String])) throws {
    let scene = try WholeFileScene()
    let names = scene.names
    let before = try scene.dump(realm.name, realm.key)
    let size = try scene.bytes(realm.name).count
    let said = try scene.run(["compact", "--dry-run", "--json", realm.name] + realm.key)
    try scene.run(["compact", realm.name] + realm.key)
    #expect(try scene.dump(realm.name, realm.key) == before)
    let compactedSize = try scene.bytes(realm.name).count
    #expect(compactedSize <= size)
    #expect(said.outputText.contains("\"size_after\":\(compactedSize),"), "\(said.outputText)")
    let again = try scene.run(["compact", realm.name] + realm.key)
    #expect(again.errorText.contains("already compact"))
    #expect(scene.names == names, "nothing is left behind")
  }

  @Test("encrypting, changing the key and decrypting give the dump back", arguments: WholeFileScene.realms)
  func keys(realm: (name: String, key: [String])) throws {
    let scene = try WholeFileScene()
    let before = try scene.dump(realm.name, realm.key)
    let hash = try scene.hash(realm.name, realm.key)
    try scene.run(["keygen", "one.key"])
    try scene.run(["keygen", "--format=base64", "-o", "two.key"])
    if realm.key.isEmpty {
      try scene.run(["encrypt", realm.name, "--new-key-file", "one.key"])
    } else {
      try scene.run(["rekey", realm.name, "--new-key-file", "one.key"] + realm.key)
    }
    #expect(try scene.dump(realm.name, ["--key-file", "one.key"]) == before)
    try scene.run(["rekey", realm.name, "--key-file", "one.key", "--new-key-file", "two.key"])
    #expect(try scene.hash(realm.name, ["--key-file", "two.key"]) == hash)
    try scene.run(["dump", realm.name, "--key-file", "one.key"], status: 4)
    try scene.run(["decrypt", realm.name, "--key-file", "two.key"])
    #expect(try scene.dump(realm.name, []) == before)
    #expect(try scene.hash(realm.name, []) == hash)
  }

  @Test("what is done already is success and says so")
  func nothingToDo() throws {
    let scene = try WholeFileScene()
    let original = try scene.bytes("zoo.realm")
    let encrypted = try scene.bytes("zoo-encrypted.realm")
    func says(_ text: String, _ arguments: [String]) throws {
      #expect(try scene.run(arguments).errorText.contains(text), "\(arguments)")
    }
    try says("not encrypted", ["decrypt", "zoo.realm"])
    try says(
      "already encrypted with this key", ["encrypt", "zoo-encrypted.realm", "--new-key-file", "key.hex"])
    try says(
      "already encrypted with this key", ["rekey", "zoo-encrypted.realm", "--new-key-file", "key.hex"])
    try says("does not hold", ["compact", "zoo.realm", "--if", "size > 1TB"])
    #expect(try scene.bytes("zoo.realm") == original)
    #expect(try scene.bytes("zoo-encrypted.realm") == encrypted)
  }

  @Test("a copy of an encrypted realm keeps its key, unless it is told otherwise")
  func copyKeys() throws {
    let scene = try WholeFileScene()
    let key = ["--key-file", "key.hex"]
    try scene.run(["copy", "zoo-encrypted.realm", "same.out"] + key)
    try scene.run(["dump", "same.out"], status: 4)
    #expect(try scene.dump("same.out", key) == scene.dump("zoo.realm", []))
    try scene.run(["copy", "zoo-encrypted.realm", "plain.out", "--decrypt"] + key)
    #expect(try scene.dump("plain.out", []) == scene.dump("zoo.realm", []))
    try scene.run(
      ["copy", "zoo-encrypted.realm", "x.out", "--decrypt", "--new-key-file", "key.hex"] + key, status: 2)
  }

  @Test("dry runs change nothing")
  func dryRuns() throws {
    let scene = try WholeFileScene()
    let names = scene.names
    let original = try scene.bytes("zoo.realm")
    let key = ["--new-key-file", "key.hex"]
    for arguments in [
      ["copy", "zoo.realm", "x.out"], ["compact", "zoo.realm"], ["encrypt", "zoo.realm"] + key,
      ["rm", "zoo.realm"], ["keygen", "x.key"],
    ] {
      try scene.run(arguments + ["--dry-run"])
    }
    #expect(scene.names == names)
    #expect(try scene.bytes("zoo.realm") == original)
  }

  @Test("a new key is 64 bytes in each form, in a file for its owner alone")
  func keygen() throws {
    let scene = try WholeFileScene()
    for (form, size) in [("raw", 64), ("hex", 129), ("base64", 89)] {
      try scene.run(["keygen", "--format", form, "\(form).key"])
      #expect(try scene.bytes("\(form).key").count == size)
      let attributes = try FileManager.default.attributesOfItem(atPath: scene.url("\(form).key").path)
      #expect(attributes[.posixPermissions] as? Int == 0o600)
      try scene.run(["copy", "bare.realm", "\(form).out", "--new-key-file", "\(form).key"])
      #expect(
        try scene.dump("\(form).out", ["--key-file", "\(form).key"]) == scene.dump("bare.realm", []))
    }
    let key = try scene.bytes("hex.key")
    try scene.run(["keygen", "hex.key"], status: 10)
    #expect(try scene.bytes("hex.key") == key)
    #expect(try scene.run(["keygen"]).outputText != scene.run(["keygen"]).outputText)
  }

  @Test("rm takes the companions too, and asks first")
  func remove() throws {
    let scene = try WholeFileScene()
    let names = scene.names
    try FileManager.default.copyItem(at: scene.url("zoo.realm"), to: scene.url("x.realm"))
    // By a process of its own: other tests start processes, and one that begins while this one writes has the file open too.
    _ = try scene.shell("printf '\\0' >x.realm.lock")
    try Data().write(to: scene.url("x.realm.note"))
    _ = try scene.shell(
      """
      mkdir x.realm.management; cd x.realm.management
      touch access_control.write.mx; mkfifo access_control.new_commit.cv
      """)
    try scene.run(["rm", "x.realm"], status: 2)
    #expect(scene.names.isSuperset(of: ["x.realm", "x.realm.note", "x.realm.management"]))
    try scene.run(["rm", "--yes", "x.realm"])
    #expect(scene.names == names)
    try scene.run(["rm", "--yes", "zoo.realm.jsonl"], status: 3)
    try scene.run(["rm", "--yes", "missing.realm"], status: 10)
    #expect(scene.names == names)
  }

  @Test("rm leaves what no engine puts into the management directory, and says so")
  func removeBesideOthers() throws {
    let scene = try WholeFileScene()
    _ = try scene.shell(
      """
      cp zoo.realm x.realm; mkdir -p x.realm.management/sub; cd x.realm.management
      touch access_control.write.mx; mkdir access_control.control.mx; echo x >sub/thesis.txt
      """)
    let result = try scene.run(["rm", "--yes", "x.realm"])
    #expect(result.errorText.contains("warning – x.realm.management stays"), "\(result)")
    #expect(!scene.names.contains("x.realm"))
    let left = try scene.shell("cd x.realm.management; find . -mindepth 1 | sort").outputText
    #expect(left == "./access_control.control.mx\n./sub\n./sub/thesis.txt\n")
  }

  @Test("rm takes an empty file only with --force")
  func removeEmpty() throws {
    let scene = try WholeFileScene()
    _ = try scene.shell(": >empty.realm")
    let result = try scene.run(["rm", "--yes", "empty.realm"], status: 3)
    #expect(result.errorText.contains("--force"), "\(result)")
    #expect(scene.names.contains("empty.realm"))
    try scene.run(["rm", "--yes", "--force", "empty.realm"])
    #expect(!scene.names.contains("empty.realm"))
  }

  @Test("a link is followed: the file it leads to is replaced, and the link stays")
  func symbolicLink() throws {
    let scene = try WholeFileScene()
    try FileManager.default.createSymbolicLink(
      atPath: scene.url("link.realm").path, withDestinationPath: "zoo.realm")
    let before = try scene.dump("zoo.realm", [])
    try scene.run(["encrypt", "link.realm", "--new-key-file", "key.hex"])
    #expect(try scene.dump("zoo.realm", ["--key-file", "key.hex"]) == before)
    let target = try FileManager.default.destinationOfSymbolicLink(atPath: scene.url("link.realm").path)
    #expect(target == "zoo.realm")
    #expect(!scene.names.contains { $0.hasSuffix(".lock") })
  }

  @Test("the mode of the original is kept")
  func mode() throws {
    let scene = try WholeFileScene()
    let path = scene.url("zoo.realm").path
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
    try scene.run(["encrypt", "zoo.realm", "--new-key-file", "key.hex"])
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o640)
  }

  @Test("one changed value changes the hash")
  func hashDiffers() throws {
    let scene = try WholeFileScene()
    let hashes = try WholeFileScene.realms.map { try scene.hash($0.name, $0.key) }
    // The encrypted realms hold what others hold.
    #expect(Set(hashes).count >= WholeFileScene.realms.count - 2)
    #expect(hashes.allSatisfy { $0.count == 65 })
  }
}
