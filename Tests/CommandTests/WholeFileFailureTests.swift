// Whole-file commands when something is in their way: the original stays, nothing is left behind, the status is right.

import Foundation
import TestSupport
import Testing

@Suite("Whole files in trouble")
struct WholeFileFailureTests {
  /// Runs a line of the shell and sees to it that nothing changed.
  private func expectRefusal(
    _ line: String, status: Int32, in scene: WholeFileScene, _ location: SourceLocation = #_sourceLocation
  ) throws {
    let names = scene.names
    let files = try names.filter { $0.hasSuffix(".realm") }.map { ($0, try scene.bytes($0)) }
    let result = try scene.shell(line)
    #expect(result.status == status, "\(line): \(result.errorText)", sourceLocation: location)
    #expect(scene.names == names, "\(line)", sourceLocation: location)
    for (name, bytes) in files {
      #expect(try scene.bytes(name) == bytes, "\(line) changed \(name)", sourceLocation: location)
    }
  }

  @Test("wrong keys, existing targets and the like are refused")
  func refusals() throws {
    let scene = try WholeFileScene()
    try scene.run(["keygen", "other.key"])
    try FileManager.default.createSymbolicLink(
      atPath: scene.url("link.realm").path, withDestinationPath: "zoo.realm")
    try FileManager.default.createDirectory(at: scene.url("folder"), withIntermediateDirectories: false)
    let lines: [(String, Int32)] = [
      ("$R copy zoo-encrypted.realm x.out --key-file other.key", 4),
      ("$R compact zoo-encrypted.realm --key-file other.key", 4),
      ("$R compact zoo-encrypted.realm", 4),
      ("$R decrypt zoo-encrypted.realm --key-file other.key", 4),
      ("$R rekey zoo-encrypted.realm --key-file other.key --new-key-file other.key", 4),
      ("$R encrypt zoo-encrypted.realm --new-key-file other.key", 4),
      ("$R rekey zoo.realm --new-key-file other.key", 1),
      ("$R encrypt zoo.realm", 2),
      ("$R copy zoo.realm bare.realm", 10),
      ("$R copy zoo.realm zoo.realm", 10),
      ("$R copy --force zoo.realm link.realm", 10),
      ("$R copy zoo.realm folder", 10),
      ("$R copy --force zoo.realm folder", 10),
      ("$R copy zoo.realm missing/x.realm", 10),
      ("$R copy missing.realm x.out", 10),
      ("$R compact zoo.realm.jsonl", 3),
      ("$R compact - < zoo.realm", 2),
      ("$R compact zoo.realm --if 'size >'", 2),
      ("$R compact folder", 3),
    ]
    for (line, status) in lines { try expectRefusal(line, status: status, in: scene) }
  }

  @Test("a directory that may not be written is an error", .enabled(if: geteuid() != 0))
  func readOnlyDirectory() throws {
    let scene = try WholeFileScene()
    let manager = FileManager.default
    let path = scene.folder.url.path
    try manager.setAttributes([.posixPermissions: 0o555], ofItemAtPath: path)
    defer { try? manager.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path) }
    try expectRefusal("$R encrypt zoo.realm --new-key-file key.hex", status: 10, in: scene)
    try expectRefusal("$R copy zoo.realm x.out", status: 10, in: scene)
    // What only would be done is refused for the same reasons.
    for command in ["encrypt --new-key-file key.hex", "compact", "rm"] {
      try expectRefusal("$R \(command) --yes --dry-run zoo.realm", status: 10, in: scene)
    }
  }

  @Test("a realm that is open elsewhere is left alone")
  func inUse() throws {
    let scene = try WholeFileScene()
    try Data("locked".utf8).write(to: scene.url("zoo.realm.lock"))
    for command in ["encrypt zoo.realm --new-key-file key.hex", "rm --yes zoo.realm"] {
      try expectRefusal("flock -s zoo.realm.lock $R \(command)", status: 6, in: scene)
    }
    try expectRefusal("flock -s zoo.realm.lock $R copy --force bare.realm zoo.realm", status: 6, in: scene)
    // Reading does not mind.
    #expect(try scene.shell("flock -s zoo.realm.lock $R copy zoo.realm x.out").status == 0)
  }

  @Test("a lock that is given back in time is waited for")
  func lockTimeout() throws {
    let scene = try WholeFileScene()
    try ForeignPathTests.lockFile.write(to: scene.url("zoo.realm.lock"))
    let line =
      "flock -s zoo.realm.lock sleep 0.3 & sleep 0.1; $R decrypt zoo-encrypted.realm --key-file key.hex; "
      + "$R encrypt zoo.realm --new-key-file key.hex --lock-timeout 20; s=$?; wait; exit $s"
    #expect(try scene.shell(line).status == 0)
  }

  @Test("a full disk at any write leaves everything as it was")
  func fullDisk() throws {
    let scene = try WholeFileScene()
    // In blocks of 512 bytes; the results have more than 80 KB.
    for limit in [0, 1, 8, 16, 64] {
      for command in ["encrypt zoo.realm --new-key-file key.hex", "copy zoo.realm x.out"] {
        try expectRefusal("ulimit -f \(limit); exec $R \(command)", status: 10, in: scene)
      }
    }
  }

  @Test("a full disk at any write of a migration leaves everything as it was")
  func fullDiskInMigration() throws {
    let scene = try WholeFileScene()
    try FileManager.default.createDirectory(
      at: scene.url("migrations"), withIntermediateDirectories: false)
    let padding = String(repeating: "x", count: 1000)
    let step = """
      realm_migration: 1
      from: 3
      to: 4
      up: [ { add_property: { class: Person, name: label, type: string, value: "name + '\(padding)'" } } ]
      """
    try step.write(to: scene.url("migrations/v004.yaml"), atomically: true, encoding: .utf8)
    // In blocks of 512 bytes; the file has 131,072 bytes and needs more in the end.
    for limit in [0, 1, 8, 64, 128, 256, 300] {
      for option in ["", "--no-backup", "--in-place"] where limit <= 128 || option == "--in-place" {
        try expectRefusal(
          "ulimit -f \(limit); exec $R migrate apply zoo.realm \(option)", status: 10, in: scene)
      }
    }
  }

  @Test("a full disk at any write of a change leaves every byte as it was")
  func fullDiskInChanges() throws {
    let scene = try WholeFileScene()
    // Free space, which the change that fails writes to before it needs more.
    let first = String(repeating: "x", count: 900)
    try scene.run(["zoo.realm", "-w", "update Person set name = name + '\(first)'"])
    try scene.run(["zoo.realm", "-w", "update Person set name = 'y'"])
    let size = try scene.bytes("zoo.realm").count
    let text = String(repeating: "z", count: 4000)
    for limit in [0, 1, 64, size / 512, size / 512 + 64] {
      try expectRefusal(
        "ulimit -f \(limit); exec $R zoo.realm -w \"update Person set name = name + '\(text)'\"", status: 10,
        in: scene)
    }
  }

  @Test("a target on another file system is written there", .enabled(if: Self.hasOtherFileSystem))
  func otherFileSystem() throws {
    let scene = try WholeFileScene()
    let target = "/dev/shm/realm-cli-\(UUID().uuidString).realm"
    defer { try? FileManager.default.removeItem(atPath: target) }
    try scene.run(["copy", "zoo.realm", target])
    #expect(try scene.dump(target, []) == scene.dump("zoo.realm", []))
  }

  private static var hasOtherFileSystem: Bool {
    func device(_ path: String) -> Int? {
      try? FileManager.default.attributesOfItem(atPath: path)[.systemNumber] as? Int
    }
    return device("/dev/shm").map { $0 != device(NSTemporaryDirectory()) } ?? false
  }

  @Test("what a killed run left is cleared away by the next, and nothing else")
  func leftovers() throws {
    let scene = try WholeFileScene()
    let names = scene.names
    // An empty lock file and a hidden file that nobody holds, with the number of a process that lives. The lock file is made
    // by a process of its own: one that another test starts while this one writes would have it open too.
    _ = try scene.shell(": >zoo.realm.lock")
    try Data([1]).write(to: scene.url(".zoo.realm.realm-cli-1-0.tmp"))
    try Data([1]).write(to: scene.url(".zoo.realm.realm-cli-held.tmp"))
    try Data([1]).write(to: scene.url(".bare.realm.realm-cli-1-0.tmp"))
    let line = "flock -x .zoo.realm.realm-cli-held.tmp $R encrypt zoo.realm --new-key-file key.hex"
    #expect(try scene.shell(line).status == 0)
    #expect(
      scene.names.subtracting(names) == [".zoo.realm.realm-cli-held.tmp", ".bare.realm.realm-cli-1-0.tmp"])
  }

  // MARK: Signals

  /// How many moments are tried for each signal.
  static let momentCount = TestScale.cases(fast: 2, usual: 5, long: 10)

  @Test(
    "a signal at any moment leaves the original, or the work is done",
    arguments: [SIGINT, SIGTERM, SIGHUP, SIGKILL])
  func signals(number: Int32) throws {
    let scene = try WholeFileScene()
    let seed = testSeed()
    print("seed \(seed) for signal \(number)")
    var random = SplitMix64(state: seed)
    let name = "format11-encrypted.realm"
    let original = try scene.bytes(name)
    let key = ["--key-file", "key.hex"]
    let dump = try scene.dump(name, key)
    let names = scene.names
    for _ in 0..<Self.momentCount {
      try original.write(to: scene.url(name))
      let process = Process()
      process.executableURL = RealmProcess.executable
      process.arguments = ["decrypt", name] + key
      process.currentDirectoryURL = scene.folder.url
      process.environment = RealmProcess.bareEnvironment
      process.standardError = FileHandle.nullDevice
      try process.run()
      usleep(UInt32.random(in: 0..<20_000, using: &random))
      kill(process.processIdentifier, number)
      process.waitForExit()
      let isDone = process.terminationReason == .exit
      let now = try scene.bytes(name)
      if number == SIGKILL {
        if now != original { #expect(try scene.dump(name, []) == dump) }
      } else {
        #expect(isDone ? process.terminationStatus == 0 : process.terminationStatus == number)
        #expect(scene.names == names, "after signal \(number)")
        #expect(isDone ? try scene.dump(name, []) == dump : now == original)
      }
    }
    // The next run clears everything away.
    try original.write(to: scene.url(name))
    try scene.run(["decrypt", name] + key)
    #expect(scene.names == names)
  }
}
