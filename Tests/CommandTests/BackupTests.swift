// Backups of realms that are replaced: files of their own, whatever other names the realm has or had.

import Foundation
import Testing

@Suite("Backups of realms that are replaced")
struct BackupTests {
  private static let step = """
    realm_migration: 1
    from: 3
    to: 4
    up: [ { update: { class: Person, set: { age: "1" } } } ]
    """

  @Test(
    "the backup of a realm that has another name does not change with it, also where a killed run left one",
    arguments: [false, true])
  func otherName(isLeftOver: Bool) throws {
    let scene = try WholeFileScene()
    try FileManager.default.createDirectory(
      at: scene.url("migrations"), withIntermediateDirectories: false)
    try Self.step.write(to: scene.url("migrations/v004.yaml"), atomically: true, encoding: .utf8)
    let original = try scene.bytes("zoo.realm")
    let backup = "zoo.schema-3.backup.realm"
    #expect(try scene.shell("ln zoo.realm other.realm").status == 0)
    if isLeftOver { #expect(try scene.shell("ln zoo.realm \(backup)").status == 0) }
    try scene.run(["migrate", "apply", "zoo.realm"])
    #expect(try scene.shell("stat -c %h other.realm \(backup)").outputText == "1\n1\n")
    try scene.run(["-w", "other.realm", "update Person set age = 7"])
    #expect(try scene.bytes("other.realm") != original)
    #expect(try scene.bytes(backup) == original)
    #expect(!scene.names.contains("\(backup).2"))
  }

  @Test("a backup that is another name of a renamed file is a file of its own before a change")
  func renamed() throws {
    let scene = try WholeFileScene()
    let original = try scene.bytes("zoo.realm")
    let backup = "zoo.schema-0.backup.realm"
    #expect(try scene.shell("ln zoo.realm \(backup) && mv zoo.realm new.realm").status == 0)
    try scene.run(["-w", "new.realm", "update Person set age = 7"])
    #expect(try scene.bytes("new.realm") != original)
    #expect(try scene.bytes(backup) == original)
  }

  @Test("a link where the backup would stand is no backup")
  func linkedBackup() throws {
    let scene = try WholeFileScene()
    _ = try scene.shell("ln -s legacy9-small.realm legacy9-small.format-9.backup.realm")
    let original = try scene.bytes("legacy9-small.realm")
    try scene.run(["upgrade", "--yes", "legacy9-small.realm"])
    #expect(try scene.bytes("legacy9-small.format-9.backup.realm.2") == original)
  }

  @Test("a backup that is another name of the file, as killed runs leave it, is no more before a change")
  func backupOfKilledRun() throws {
    let scene = try WholeFileScene()
    let original = try scene.bytes("zoo.realm")
    let backups = ["zoo.schema-0.backup.realm", "zoo.format-9.backup.realm.12"]
    let others = ["zoo.other.realm", "zoo.backup.realm.x"]
    for name in backups + others { _ = try scene.shell("ln zoo.realm \(name)") }
    try scene.run(["-w", "zoo.realm", "update Person set age = 1"])
    let changed = try scene.bytes("zoo.realm")
    #expect(changed != original)
    for name in backups { #expect(try scene.bytes(name) == original, "\(name)") }
    for name in others { #expect(try scene.bytes(name) == changed, "\(name)") }
    #expect(try scene.shell("stat -c %h zoo.realm").outputText == "3\n")
    // Under a backup's own name nothing else is a backup of it.
    _ = try scene.shell("ln -f zoo.realm zoo.schema-0.backup.realm")
    try scene.run(["-w", "zoo.schema-0.backup.realm", "update Person set age = 2"])
    #expect(try scene.bytes("zoo.schema-0.backup.realm") != changed)
    #expect(try scene.bytes("zoo.schema-0.backup.realm") == (try scene.bytes("zoo.realm")))
  }

  @Test(
    "a file whose backup would change with it is not changed where the backup cannot become a file of its own",
    .enabled(if: geteuid() == 0, "only root can be several users"))
  func lastingBackup() throws {
    let scene = try WholeFileScene()
    let original = try scene.bytes("zoo.realm")
    _ = try scene.shell("chmod 1777 .; chmod 666 zoo.realm; ln zoo.realm zoo.schema-0.backup.realm")
    let names = scene.names
    let result = try scene.shell(
      "setpriv --reuid 65534 --regid 65534 --clear-groups \"$R\" -w zoo.realm 'update Person set age = 1'")
    if result.status == 127 || result.status == 126 { return }
    #expect(result.status == 10 && result.errorText.contains("another name of zoo.realm"), "\(result)")
    #expect(try scene.bytes("zoo.realm") == original)
    #expect(scene.names == names)
  }
}
