// What strangers may have put where a realm or one of its companions is expected: links, second names, pipes, devices,
// files of another kind. None of it is followed, emptied, removed or waited for.

import Foundation
import Testing

@Suite("Paths that strangers made")
struct ForeignPathTests {
  /// What an engine of today writes into a lock file, up to its version.
  static let lockFile = Data(
    [1, 40, 48, 0, 24, 3, 14, 0, 0, 0, 0, 0, 1, 0, 0, 0] + [7] + [UInt8](repeating: 0, count: 1000))

  /// Commands that take the lock of `zoo.realm`, dry runs among them.
  private static let lockingCommands = [
    "update zoo.realm Person TRUEPREDICATE --set 'age = 1'",
    "update zoo.realm Person TRUEPREDICATE --set 'age = 1' --dry-run",
    "delete zoo.realm Person TRUEPREDICATE --yes", "compact zoo.realm", "rm --yes zoo.realm",
    "encrypt zoo.realm --new-key-file key.hex", "copy --force bare.realm zoo.realm",
    "load --force zoo.realm bare.realm.jsonl", "-w zoo.realm 'update Person set age = 1'",
    "migrate apply zoo.realm", "migrate apply --in-place zoo.realm",
  ]

  private static let step = """
    realm_migration: 1
    from: 3
    to: 4
    up: [ { update: { class: Person, set: { age: "1" } } } ]
    """

  private func scene() throws -> WholeFileScene {
    let scene = try WholeFileScene()
    try FileManager.default.createDirectory(
      at: scene.url("migrations"), withIntermediateDirectories: false)
    try Self.step.write(to: scene.url("migrations/v004.yaml"), atomically: true, encoding: .utf8)
    return scene
  }

  /// Runs a line of the shell, which must be refused at once and change nothing.
  private func expectRefusal(
    _ line: String, status: Int32 = 1, says text: String = "", in scene: WholeFileScene,
    _ location: SourceLocation = #_sourceLocation
  ) throws {
    let names = scene.names
    let realm = try scene.bytes("zoo.realm")
    let result = try scene.shell("timeout 60 \(line)")
    #expect(result.status == status, "\(line): \(result)", sourceLocation: location)
    #expect(
      text.isEmpty || result.errorText.contains(text), "\(line): \(result)", sourceLocation: location)
    #expect(scene.names == names, "\(line)", sourceLocation: location)
    #expect(try scene.bytes("zoo.realm") == realm, "\(line)", sourceLocation: location)
  }

  @Test("a pipe where a result is to stand is not waited for")
  func pipeAsResult() throws {
    let scene = try scene()
    #expect(try scene.shell("mkfifo pipe").status == 0)
    for line in [
      "\"$R\" recover zoo.realm pipe", "\"$R\" copy --force zoo.realm pipe",
      "\"$R\" load --force pipe bare.realm.jsonl",
    ] {
      try expectRefusal(line, status: 10, says: "is not a file", in: scene)
    }
  }

  @Test(
    "a lock file is for everybody who may write the realm",
    .enabled(if: geteuid() == 0, "only root can be several users"))
  func groupOfLock() throws {
    let scene = try scene()
    let result = try scene.shell(
      """
      chmod 777 .; chown 0:12345 zoo.realm; chmod 664 zoo.realm
      { echo begin; until [ -e go ]; do sleep 0.05; done; } | setpriv --reuid 65534 --regid 65534 --groups 12345 \
        "$R" --dialog --mode jsonl -w zoo.realm >held 2>&1 &
      until grep -q '"ok":true' held || ! kill -0 $!; do sleep 0.05; done 2>/dev/null
      stat -c '%g %a' zoo.realm.lock; touch go; wait
      """)
    // Where the program itself is out of reach there is nothing to see.
    if result.outputText.isEmpty { return }
    #expect(result.outputText == "12345 664\n", "\(result)")
  }

  @Test("only what this program left is taken for its leftovers")
  func leftovers() throws {
    let scene = try scene()
    for name in [
      ".zoo.realm.realm-cli-notes.tmp", ".zoo.realm.realm-cli-1-x.tmp", ".zoo.realm.realm-cli-4-5.tmp",
    ] {
      try Data("precious".utf8).write(to: scene.url(name))
    }
    try Data("half".utf8).write(to: scene.url(".zoo.realm.realm-cli-4-6.tmp"))
    #expect(try scene.shell("ln .zoo.realm.realm-cli-4-5.tmp second").status == 0)
    let names = scene.names
    try scene.run(["compact", "zoo.realm"])
    #expect(scene.names == names.subtracting([".zoo.realm.realm-cli-4-6.tmp"]))
  }

  @Test(
    "what another user has in a directory of all is not replaced, nor backed up in vain",
    .enabled(if: geteuid() == 0, "only root can be several users"))
  func sticky() throws {
    let scene = try scene()
    #expect(try scene.shell("chmod 1777 .; chmod 666 zoo.realm legacy9-small.realm").status == 0)
    let names = scene.names
    for line in ["migrate apply zoo.realm", "upgrade --yes legacy9-small.realm", "compact zoo.realm"] {
      let result = try scene.shell("setpriv --reuid 65534 --regid 65534 --clear-groups \"$R\" \(line)")
      // Where the program itself is out of reach there is nothing to see.
      if result.status == 127 || result.status == 126 { return }
      #expect(result.status == 10 && result.errorText.contains("cannot replace"), "\(line): \(result)")
      #expect(scene.names == names)
    }
  }

  @Test(
    "a file that its user may not write is not replaced by --force",
    .enabled(if: geteuid() == 0, "only root can be several users"))
  func readOnly() throws {
    let scene = try scene()
    #expect(
      try scene.shell(
        "chmod 777 .; chmod 444 zoo.realm; echo x >key.out; chmod 444 key.out; chmod 644 bare.realm"
      ).status
        == 0)
    let before = try scene.bytes("zoo.realm")
    for line in ["copy --force bare.realm zoo.realm", "create --force zoo.realm", "keygen --force key.out"] {
      let result = try scene.shell("setpriv --reuid 65534 --regid 65534 --clear-groups \"$R\" \(line)")
      if result.status == 127 || result.status == 126 { return }
      #expect(result.status == 10, "\(line): \(result)")
    }
    #expect(try scene.bytes("zoo.realm") == before)
    #expect(try scene.bytes("key.out") == Data("x\n".utf8))
  }

  // MARK: Lock files

  @Test("of those who find a realm in use nobody leaves the lock file, whoever ends last")
  func noLockLeft() throws {
    let scene = try scene()
    let names = scene.names
    for _ in 0..<15 {
      _ = try scene.shell(
        """
        for i in 1 2 3; do "$R" -w zoo.realm 'update Person set age = 1' >/dev/null 2>&1 & done; wait
        """)
      #expect(scene.names == names)
    }
  }

  @Test("a lock file that is a link, dangling or not, is neither followed nor emptied")
  func linkedLock() throws {
    let scene = try scene()
    let precious = Data("precious".utf8)
    try precious.write(to: scene.url("victim"))
    for target in ["victim", "nothing"] {
      try scene.run(["--version"])
      _ = try scene.shell("ln -sf \(target) zoo.realm.lock")
      for command in Self.lockingCommands {
        try expectRefusal("$R \(command)", says: "a link", in: scene)
      }
    }
    #expect(try scene.bytes("victim") == precious)
    #expect(!scene.names.contains("nothing"))
  }

  @Test("a lock file that is another name of a file is not emptied")
  func secondName() throws {
    let scene = try scene()
    _ = try scene.shell("cp zoo.realm.jsonl victim; ln victim zoo.realm.lock")
    let precious = try scene.bytes("victim")
    for command in Self.lockingCommands {
      try expectRefusal("$R \(command)", says: "2 names", in: scene)
    }
    #expect(try scene.bytes("victim") == precious)
  }

  @Test(
    "a file of another kind in the place of a lock file is not emptied",
    arguments: [
      "echo precious >", "cat key.hex >", "cat bare.realm >", "head -c 100000 /dev/zero >", "mkfifo", "mkdir",
    ])
  func otherContent(making: String) throws {
    let scene = try scene()
    _ = try scene.shell("\(making) zoo.realm.lock")
    let before = try scene.shell("ls -ln zoo.realm.lock; test -p zoo.realm.lock || cat zoo.realm.lock").output
    for command in Self.lockingCommands { try expectRefusal("$R \(command)", in: scene) }
    let after = try scene.shell("ls -ln zoo.realm.lock; test -p zoo.realm.lock || cat zoo.realm.lock").output
    #expect(after == before)
  }

  @Test("lock files that engines left are used, and keep owner and mode", arguments: [0, 1])
  func leftLock(isComplete: Int) throws {
    let scene = try scene()
    var content = Self.lockFile
    if isComplete == 0 { content = Data(count: content.count) }
    try content.write(to: scene.url("zoo.realm.lock"))
    let owner = geteuid() == 0 ? "chown 4242:4242 zoo.realm.lock;" : ""
    _ = try scene.shell("\(owner) chmod 640 zoo.realm.lock")
    let line = "ls -ln zoo.realm.lock | cut -d' ' -f1-4"
    let before = try scene.shell(line).outputText
    try scene.run(["update", "zoo.realm", "Person", "TRUEPREDICATE", "--set", "age = 1"])
    #expect(try scene.shell(line).outputText == before)
    // It names no processes any more: whoever comes next begins anew.
    #expect(try scene.bytes("zoo.realm.lock").isEmpty)
  }

  @Test("a realm that is changed through a link is locked under both names")
  func bothNames() throws {
    let scene = try scene()
    _ = try scene.shell("ln -s zoo.realm link.realm")
    for name in ["zoo.realm", "link.realm"] {
      try Self.lockFile.write(to: scene.url("\(name).lock"))
      try expectRefusal(
        "flock -s \(name).lock $R update link.realm Person TRUEPREDICATE --set 'age = 1'", status: 6,
        in: scene)
      try FileManager.default.removeItem(at: scene.url("\(name).lock"))
    }
  }

  // MARK: Backups and new files

  @Test("no text takes the place of a realm, or is added to it, encrypted ones included")
  func textOverRealm() throws {
    let scene = try scene()
    let names = ["plain", "encrypted"]
    _ = try scene.shell("mv bare.realm plain; mv zoo-encrypted.realm encrypted")
    let before = try names.map(scene.bytes)
    for name in names {
      let deeds = [".output", ".once", ".log"].map { "zoo.realm '\($0) \(name)' 'count Person'" }
      for words in deeds + ["-o \(name) --force zoo.realm 'count Person'"] {
        let result = try scene.shell("\"$R\" \(words)")
        let isRefused = result.status == 10 && result.errorText.contains("realm, which no text replaces")
        #expect(isRefused, "\(words): \(result)")
      }
    }
    #expect(try names.map(scene.bytes) == before)
  }

  @Test("what a link leads to is replaced only where it is a realm")
  func linkedTarget() throws {
    let scene = try scene()
    let precious = Data("precious".utf8)
    try precious.write(to: scene.url("victim"))
    _ = try scene.shell("ln -s victim link.out; ln -s nothing dangling.out; ln -s bare.realm realm.out")
    for command in ["copy --force zoo.realm", "load --force"] {
      let dump = command.hasPrefix("load") ? " bare.realm.jsonl" : ""
      try expectRefusal("$R \(command) link.out\(dump)", status: 10, says: "not a realm", in: scene)
      try expectRefusal("$R \(command) dangling.out\(dump)", status: 10, says: "nowhere", in: scene)
    }
    #expect(try scene.bytes("victim") == precious)
    try scene.run(["copy", "--force", "zoo.realm", "realm.out"])
    #expect(try scene.dump("bare.realm", []) == scene.dump("zoo.realm", []))
  }

  @Test("results are not written through links, nor over realms, and leave other names of a file alone")
  func outputs() throws {
    let scene = try scene()
    let precious = Data("precious".utf8)
    try precious.write(to: scene.url("victim"))
    _ = try scene.shell("ln -s victim link.out; ln -s nothing dangling.out; cp victim x.out; ln x.out second")
    _ = try scene.shell("mkdir dir; ln -s ../victim dir/Dog.csv")
    for line in ["dump zoo.realm -o", "query zoo.realm Dog -o", "schema zoo.realm -o"] {
      try expectRefusal("$R \(line) link.out --force", status: 10, says: "a link to a file", in: scene)
      try expectRefusal("$R \(line) dangling.out --force", status: 10, says: "nowhere", in: scene)
      try expectRefusal("$R \(line) bare.realm --force", status: 10, says: "a realm", in: scene)
    }
    try expectRefusal("$R export zoo.realm -o dir/ --force", status: 10, says: "a link to a file", in: scene)
    for target in ["link.out", "bare.realm"] {
      let result = try scene.shell("printf '.output \(target)\\ncount Dog\\n' | $R zoo.realm")
      #expect(result.status == 10, "\(result)")
    }
    #expect(try scene.bytes("victim") == precious)
    try scene.run(["dump", "zoo.realm", "-o", "x.out", "--force"])
    #expect(try scene.bytes("x.out") == Data(scene.dump("zoo.realm", []).utf8))
    #expect(try scene.bytes("second") == precious)
    // One that fails leaves what was there.
    try scene.run(["dump", "key.hex", "-o", "x.out", "--force"], status: 3)
    #expect(try scene.bytes("x.out") == Data(scene.dump("zoo.realm", []).utf8))
    let streamed = try scene.shell("$R query zoo.realm Dog --count -o /dev/stdout | cat").outputText
    #expect(streamed == "60\n")
  }

  @Test("only regular files are replaced", arguments: ["pipe", "device", "link", "folder"])
  func onlyFilesAreReplaced(target: String) throws {
    let scene = try scene()
    _ = try scene.shell("cp key.hex victim; mkfifo pipe; ln -s victim link; mkdir folder")
    if target == "device" {
      // Only root can make one.
      guard geteuid() == 0, try scene.shell("mknod device c 1 3").status == 0 else { return }
    }
    let kind = "stat -c '%F %s' \(target)"
    let before = try scene.shell(kind).outputText
    for command in ["keygen --force \(target)", "keygen --force -o \(target)"] {
      try expectRefusal("$R \(command)", status: 10, in: scene)
    }
    if ["pipe", "device"].contains(target) {
      for command in ["copy --force zoo.realm", "load --force", "recover zoo.realm"] {
        let dump = command.hasPrefix("load") ? " bare.realm.jsonl" : ""
        try expectRefusal("$R \(command) \(target)\(dump)", status: 10, says: "is not a file", in: scene)
      }
    }
    #expect(try scene.shell(kind).outputText == before)
    #expect(try scene.bytes("victim") == scene.bytes("key.hex"))
    try expectRefusal("$R keygen --force bare.realm", status: 10, says: "a realm", in: scene)
  }

  @Test("results do not wait for the reader of a pipe")
  func pipesAsOutput() throws {
    let scene = try scene()
    _ = try scene.shell("mkfifo pipe; mkdir dir; mkfifo dir/Dog.csv; $R export zoo.realm Dog -o dogs.csv")
    for line in [
      "export zoo.realm Dog --format csv -o pipe", "dump zoo.realm --force -o pipe",
      "export zoo.realm --force -o dir/", "import zoo.realm Dog dogs.csv --rejects pipe",
      "zoo.realm '.output pipe'", "zoo.realm '.once pipe'", "zoo.realm '.log pipe'",
    ] {
      try expectRefusal("$R \(line)", status: 10, says: "is not a file", in: scene)
    }
    for target in ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"] {
      let line = "$R query zoo.realm Dog --count -o \(target) | cat"
      #expect(try scene.shell(line).outputText == "60\n", "\(target)")
    }
    #expect(try scene.shell("$R query zoo.realm Dog --count -o /dev/null").status == 0)
    // The last one reads until nobody writes any more.
    let substituted = try scene.shell("bash -c '$R query zoo.realm Dog --count -o >(cat)' | cat")
    #expect(substituted.outputText == "60\n")
  }

  @Test("a session writes to no file that has another name")
  func secondNameOfOutput() throws {
    let scene = try scene()
    _ = try scene.shell("echo precious >victim; ln victim out")
    for command in [".output", ".once", ".log"] {
      try expectRefusal("$R zoo.realm '\(command) out' 'count Dog'", status: 10, says: "2 names", in: scene)
    }
    #expect(try scene.bytes("victim") == Data("precious\n".utf8))
    // With one name it is emptied, or added to.
    _ = try scene.shell("rm out; $R zoo.realm '.output victim' 'count Dog'")
    #expect(try scene.bytes("victim") == Data("60\n".utf8))
    // What its user opened himself may have any number of names.
    _ = try scene.shell("ln victim out; $R zoo.realm '.output /dev/stdout' 'count Person' >out")
    #expect(try scene.bytes("victim").count > 0)
  }

  // MARK: Removing

  @Test("rm takes no file that is not known to be a realm, and follows no link")
  func removal() throws {
    let scene = try scene()
    _ = try scene.shell("head -c 8192 /dev/urandom > random; cp zoo-encrypted.realm x.realm; $R keygen o.key")
    try expectRefusal("$R rm --yes random", status: 4, says: "--force", in: scene)
    try expectRefusal("$R rm --yes random --key-file key.hex", status: 4, in: scene)
    try expectRefusal("$R rm --yes --force key.hex", status: 3, in: scene)
    try expectRefusal("$R rm --yes x.realm", status: 4, in: scene)
    try expectRefusal("$R rm --yes x.realm --key-file o.key", status: 4, in: scene)
    try scene.run(["rm", "--yes", "x.realm", "--key-file", "key.hex"])
    try scene.run(["rm", "--yes", "--force", "random"])
    #expect(!scene.names.contains("x.realm") && !scene.names.contains("random"))

    _ = try scene.shell(
      "mkdir docs; echo precious > docs/a; cp bare.realm x.realm; echo precious > x.realm.note")
    _ = try scene.shell("mkdir x.realm.management; ln -s ../docs x.realm.management/access_control.write.mx")
    try scene.run(["rm", "--yes", "x.realm"])
    #expect(scene.names.contains("x.realm.management"), "a link is nothing that an engine makes")
    try FileManager.default.removeItem(at: scene.url("x.realm.management"))
    #expect(scene.names.contains("x.realm.note"), "it holds something that no engine writes")
    _ = try scene.shell("cp bare.realm x.realm; ln -s docs x.realm.management")
    try scene.run(["rm", "--yes", "x.realm"])
    #expect(try scene.bytes("docs/a") == Data("precious\n".utf8))
  }

  // MARK: Realms that are none

  @Test(
    "pipes, devices and directories are refused as realms at once",
    arguments: ["fifo", "/dev/zero", "/dev/null", "folder", "to-fifo"])
  func noFile(name: String) throws {
    let scene = try scene()
    _ = try scene.shell("mkfifo fifo; mkdir folder; ln -s fifo to-fifo")
    let commands = [
      "info", "dump", "check", "compact", "compact --dry-run", "upgrade --yes", "rm --yes", "migrate plan",
      "migrate apply", "migrate status", "hash", "schema", "decrypt --key-file key.hex",
      "diff --schema zoo.realm",
    ]
    for command in commands { try expectRefusal("$R \(command) \(name)", status: 3, in: scene) }
    try expectRefusal("$R update \(name) A TRUEPREDICATE --set 'a = 1'", status: 3, in: scene)
    try expectRefusal("$R copy \(name) x.out", status: 3, in: scene)
    try expectRefusal("$R \(name) 'count A'", status: 3, in: scene)
  }

  @Test("a pipe that the shell opened is read")
  func openPipe() throws {
    let scene = try scene()
    let result = try scene.shell("bash -c '$R dump <(cat zoo.realm)'")
    #expect(result.outputText == (try scene.dump("zoo.realm", [])), "\(result.errorText)")
  }

  @Test("a file that may not be written is not replaced either")
  func readOnlyFile() throws {
    let scene = try scene()
    // Root may write everything, so somebody else tries.
    let other = geteuid() == 0 ? "setpriv --reuid 65534 --regid 65534 --clear-groups" : ""
    _ = try scene.shell("chmod 777 .; chmod 444 zoo.realm legacy9-small.realm; chmod 644 key.hex")
    let commands = [
      "update zoo.realm Person TRUEPREDICATE --set 'age = 1'", "compact zoo.realm",
      "encrypt zoo.realm --new-key-file key.hex", "migrate apply zoo.realm",
      "migrate apply --in-place zoo.realm", "upgrade --yes legacy9-small.realm",
    ]
    for command in commands {
      try expectRefusal("\(other) $R \(command)", status: 10, says: "ermission denied", in: scene)
    }
  }
}
