import Foundation
import Testing

/// What works where a process may have two gigabytes of addresses or of data: a usual limit on shared machines.
@Suite("Little memory")
struct LimitedMemoryTests {
  private static let deeds = """
    set -e
    "$REALM_PROGRAM" dump zoo.realm >zoo.jsonl
    "$REALM_PROGRAM" load new.realm zoo.jsonl
    "$REALM_PROGRAM" update new.realm Dog 'age > 1' --set age=7
    "$REALM_PROGRAM" -w new.realm 'insert Dog {"name": "mira", "age": 2, "vaccinated": true}'
    "$REALM_PROGRAM" compact new.realm
    "$REALM_PROGRAM" encrypt new.realm --new-key-file key.hex
    "$REALM_PROGRAM" query new.realm Dog 'name LIKE "*r*"' --key-file key.hex --jsonl >dogs
    "$REALM_PROGRAM" check new.realm --key-file key.hex
    "$REALM_PROGRAM" new.realm 'Dog select name' --key-file key.hex >names
    """

  @Test("everything works under a limit of two gigabytes", arguments: ["-v", "-d"])
  func limit(option: String) throws {
    let folder = try ScratchFolder()
    try folder.addFixtures()
    let result = try RealmProcess.run(
      URL(fileURLWithPath: "/bin/sh"), ["-c", "ulimit \(option) 2097152\n" + Self.deeds],
      environment: ["REALM_PROGRAM": RealmProcess.executable.path], in: folder.url)
    #expect(result.status == 0, "\(result)")
  }
}
