// What files and streams that no engine made may cost, and how the program ends with them.

import Foundation
import TestSupport
import Testing

@Suite("Bounds of memory, and statuses")
struct BoundsTests {
  /// A realm with a mixed value that is a list whose only element is that list.
  private static func cyclic() -> [UInt8] {
    func made(_ target: Int) -> (file: [UInt8], list: Int) {
      var bytes = RealmBytes()
      let kinds = bytes.integers([0x94])
      let children = bytes.integers([Int64(target)], width: 32, refs: true)
      let list = bytes.integers(
        [Int64(kinds), 0, 0, 0, Int64(children), 0], width: 32, refs: true)
      let key = RealmBytes.columnKey(0, type: 6, attributes: 16)
      let table = bytes.table(
        slot: 0, columns: [.init("m", key: key, leaf: list)],
        clusters: bytes.cluster(rowCount: 1, leaves: [list]))
      return (bytes.realm(["class_T"], tables: [table]), list)
    }
    return made(made(0).list).file
  }

  @Test("a list that contains itself is damage, of the file that it is in")
  func cycles() throws {
    let scene = try WholeFileScene()
    try Data(Self.cyclic()).write(to: scene.url("cyclic.realm"))
    let commands = [
      ["dump", "cyclic.realm"], ["hash", "cyclic.realm"], ["query", "cyclic.realm", "T"],
      ["export", "cyclic.realm", "--format", "json"], ["diff", "cyclic.realm", "bare.realm"],
      ["diff", "bare.realm", "cyclic.realm"], ["check", "cyclic.realm"],
    ]
    for command in commands {
      let run = try scene.run(command, status: command[0] == "check" ? 9 : 3)
      if command[0] != "check" {
        #expect(run.errorText.contains("cyclic.realm") && !run.errorText.contains("bare.realm"), "\(run)")
      }
    }
  }

  #if os(Linux)
    @Test("a stream is judged by its beginning, and refused where it is too long")
    func streams() throws {
      let scene = try WholeFileScene()
      let run = try scene.shell(
        """
        ulimit -v 700000
        for command in dump info hash check; do "$R" $command - </dev/zero 2>/dev/null; echo $?; done
        yes | "$R" dump - 2>/dev/null; echo $?
        head -c 100000 zoo.realm | "$R" recover -n - --max-input 50K 2>&1 >/dev/null | head -n 1
        "$R" dump zoo.realm >zoo.lines
        "$R" dump - --max-input 1G <zoo.realm | cmp - zoo.lines && echo same
        cat zoo.realm | "$R" dump - | cmp - zoo.lines && echo same
        cat zoo-encrypted.realm | "$R" hash - --key-file key.hex; "$R" hash zoo.realm
        cat zoo-encrypted.realm | "$R" hash - 2>/dev/null; echo $?
        """)
      let lines = run.outputText.split(separator: "\n")
      let digest = try scene.hash("zoo.realm", []).split(separator: "\n")
      let refusal =
        "realm-cli: standard input has more than 51200 bytes, which is the limit for a stream"
      #expect(
        lines == ["3", "3", "3", "3", "3", Substring(refusal), "same", "same"] + digest + digest + ["4"],
        "\(run)")
    }
  #endif

  @Test("what was recovered is complete where nobody can be told")
  func closedOutput() throws {
    let scene = try WholeFileScene()
    try FileManager.default.copyItem(
      at: RealmProcess.fixtures.appendingPathComponent("hostile/F-compact-damaged.realm"),
      to: scene.url("damaged.realm"))
    let run = try scene.shell(
      "\"$R\" recover zoo.realm a.realm >&-; echo $?; \"$R\" recover damaged.realm b.realm >&-; echo $?; \"$R\" recover -n zoo.realm >&-; echo $?"
    )
    #expect(run.outputText == "0\n9\n10\n", "\(run)")
    try scene.run(["check", "a.realm"])
    try scene.run(["check", "b.realm"])
  }

  #if os(Linux)
    @Test("an import with tens of thousands of columns takes about a kilobyte for each", .slow)
    func manyColumns() throws {
      let scene = try WholeFileScene(isEmpty: true)
      let names = (0..<60_000).map { "column_\($0)" }
      let values = names.indices.map(String.init)
      let csv = [names, values].map { $0.joined(separator: ",") }.joined(separator: "\n")
      let json = "{" + zip(names, values).map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}"
      try Data(csv.utf8).write(to: scene.url("wide.csv"))
      try Data(json.utf8).write(to: scene.url("wide.jsonl"))
      for source in ["wide.csv", "wide.jsonl"] {
        // 64 MiB beside the record and the 40 MiB of a small import; threads have stacks of 8 MiB.
        let run = try scene.shell(
          "ulimit -d $((98304 + 8192 * $(getconf _NPROCESSORS_ONLN))); \"$R\" import \(source).realm T \(source) --create >/dev/null"
        )
        #expect(run.status == 0, "\(run)")
      }
    }

    @Test("rows with thousands of long names are written some at a time, in every form", .slow)
    func wideRows() throws {
      let scene = try WholeFileScene(isEmpty: true)
      let names = (0..<2000).map { "p\($0)_" + String(repeating: "n", count: 57 - "\($0)".count) }
      let create = "create class W { " + names.map { "\($0): int?" }.joined(separator: ", ") + " }"
      let insert = "insert W [" + [String](repeating: "{}", count: 3072).joined(separator: ",") + "]"
      try Data("\(create)\n\(insert)\n".utf8).write(to: scene.url("script"))
      let run = try scene.shell(
        """
        set -e
        "$R" create wide.realm 2>/dev/null
        "$R" -w wide.realm <script >/dev/null 2>&1
        ulimit -v 500000
        "$R" dump wide.realm | tail -n 1 | grep -c p1999
        "$R" query wide.realm W --json | wc -l
        "$R" query wide.realm W --limit 512 --box | wc -l
        """)
      #expect(
        run.outputText == "1\n3074\n516\n", "\(run)")
    }
  #endif
}
