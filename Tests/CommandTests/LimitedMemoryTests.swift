import Foundation
import TestSupport
import Testing

/// What works where a process may have two gigabytes of addresses or of data: a usual limit on shared machines.
@Suite("Little memory", .slow)
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

  private static let growing = #"""
    letters=$(printf '%020d' 0 | tr 0 a)
    grown=name
    for step in 1 2 3 4 5 6 7 8; do grown="replace($grown, 'a', '$letters')"; done
    "$REALM_PROGRAM" dump zoo.realm >before
    for statement in "count Dog where length($grown) > 0" "update Dog set name = $grown" \
      "Dog select length($grown)" "Dog SORT($grown ASC)"; do
      "$REALM_PROGRAM" -w zoo.realm "$statement" >output 2>error
      echo "$? $(grep -c 'replace would make a text' error) $(grep -c 'Fatal' error)"
    done
    "$REALM_PROGRAM" dump zoo.realm | cmp - before && echo unchanged
    """#

  @Test("texts that grow beyond what a property can hold are an error, and nothing changes")
  func growingTexts() throws {
    let folder = try ScratchFolder()
    try folder.addFixtures()
    let result = try RealmProcess.run(
      URL(fileURLWithPath: "/bin/sh"), ["-c", "ulimit -v 2000000\n" + Self.growing],
      environment: ["REALM_PROGRAM": RealmProcess.executable.path], in: folder.url)
    #expect(
      result.outputText == String(repeating: "1 1 0\n", count: 4) + "unchanged\n", "\(result)")
  }

  #if os(Linux)
    private static let large = """
      set -e
      { echo 'create class Big { text: string }'
        printf 'insert Big {"text": "%02000000d"}\\n' 7
        echo 'create class Row { n: int, text: string? }'
        printf 'insert Row [{"n":0}'
        seq -f ',{"n":%.0f}' 99 | tr -d '\\n'
        echo ']'
      } >script
      "$REALM_PROGRAM" create large.realm
      "$REALM_PROGRAM" -w large.realm <script
      mkdir migrations
      printf '%s\\n' 'realm_migration: 1' 'from: 0' 'to: 1' 'up:' '  - let: { long: "max(Big.text)" }' \\
        '  - update: { class: Row, set: { text: long } }' >migrations/v1__texts.yaml
      cp large.realm other.realm
      ulimit -d 131072
      "$REALM_PROGRAM" migrate apply large.realm --no-backup
      "$REALM_PROGRAM" migrate apply other.realm --in-place
      "$REALM_PROGRAM" update other.realm Row 'n < 100' --set 'text = null'
      ls -A
      """

    @Test("a transaction may be larger than memory, and leaves nothing beside the realm")
    func largeTransaction() throws {
      let folder = try ScratchFolder()
      let result = try RealmProcess.run(
        URL(fileURLWithPath: "/bin/sh"), ["-c", Self.large],
        environment: ["REALM_PROGRAM": RealmProcess.executable.path], in: folder.url)
      #expect(result.status == 0, "\(result)")
      #expect(
        result.outputText.split(separator: "\n").filter { !$0.contains("realm-cli") } == [
          "large.realm", "migrations", "other.realm", "script",
        ])
    }
  #endif

  private static let longLines = #"""
    printf '%s\n' 'create class Row { n: int, text: string }' 'insert Row {"n": 0, "text": "first"}' >script
    "$R" create rows.realm && "$R" -w rows.realm <script
    yes "{\"n\":1,\"text\":\"$(printf '%01000d' 7)\"}" | head -n 140000 >rows.jsonl
    "$R" import rows.realm Row rows.jsonl
    """#

  @Test("JSON Lines may be longer than the largest value where the class has objects already")
  func linesIntoUsedClass() throws {
    let scene = try WholeFileScene(isEmpty: true)
    let run = try scene.shell(Self.longLines)
    #expect(run.status == 0 && run.errorText.contains("created 140000 objects"), "\(run)")
  }

  @Test("classes with thousands of properties take memory for some of their objects at once")
  func wide() throws {
    let scene = try WholeFileScene(isEmpty: true)
    let count = 3000
    let lines = (0..<count).map { "{\"k\($0)\":1}" }
    try Data(lines.joined(separator: "\n").utf8).write(to: scene.url("wide.jsonl"))
    let header = (0..<count).map { "c\($0)" }.joined(separator: ",")
    let row = (0..<count).map(String.init).joined(separator: ",")
    try Data("\(header)\n\(row)\n".utf8).write(to: scene.url("wide.csv"))
    for source in ["wide.jsonl", "wide.csv"] {
      // All objects at once would take three times as much.
      let run = try scene.shell("ulimit -v 600000; \"$R\" import \(source).realm T \(source) --create")
      #expect(run.status == 0, "\(run)")
      try scene.run(["check", "\(source).realm"])
    }
  }
}
