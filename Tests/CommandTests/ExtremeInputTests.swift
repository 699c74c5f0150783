// Input beyond all measure: paths of thousands of steps, numbers at the end of their range, more properties than a class can
// have. It is refused at once, with a word.

import Foundation
import TestSupport
import Testing

@Suite("Input beyond all measure")
struct ExtremeInputTests {
  @Test("a path has so many steps and no more, wherever it stands", arguments: [400, 600, 40_000])
  func longPaths(count: Int) throws {
    let owners = "owner." + String(repeating: "bestFriend.", count: count) + "age"
    let links = String(repeating: "@links.Person.bestFriend.", count: count) + "age"
    for statement in [
      "count Dog where \(owners) == 1", "count Person where \(links) == 1", "count Dog by \(owners)",
      "sum \(owners) of Dog", "Dog sort(\(owners) asc) select \(owners) limit(1)",
    ] {
      let result = try RealmProcess.run("zoo.realm", input: statement)
      #expect(result.status == (count > 512 ? 7 : 0), "\(statement.prefix(80)): \(result)")
      #expect(count <= 512 || result.errorText.contains("nested too deeply"), "\(statement.prefix(80))")
    }
  }

  @Test("a new migration cannot start at the last schema version", arguments: [Int64.max, Int64.max - 1])
  func lastVersion(version: Int64) throws {
    let scene = try WholeFileScene()
    try Data("{\"realm\":{\"file_format\":24,\"schema_version\":\(version)}}\n".utf8)
      .write(to: scene.url("dump.jsonl"))
    try scene.run(["load", "last.realm", "dump.jsonl"])
    let status: Int32 = version == .max ? 2 : 0
    for words in [
      ["--for", "last.realm", "a"], ["--from", "\(version)", "b"],
      ["--from-diff", "c", "last.realm", "bare.realm"],
    ] {
      let result = try RealmProcess.run(
        ["migrate", "new", "--dir", "steps-\(words[0])"] + words, in: scene.folder.url)
      #expect(result.status == status, "\(words): \(result)")
    }
    #expect(try RealmProcess.run(["migrate", "status", "last.realm"], in: scene.folder.url).status < 128)
  }

  @Test("more lines than there are can be passed over")
  func skippedLines() throws {
    let result = try RealmProcess.run(
      "import", "zoo.realm", "Dog", "-", "--dry-run", "--skip", "\(Int.max)", input: "name\nRex\n")
    #expect(result.status == 8 && result.errorText.contains("is empty"), "\(result)")
  }

  @Test("a class has at most 65535 properties")
  func columns() throws {
    let scene = try WholeFileScene()
    let names = (0..<65_536).map { "p\($0)" }
    try names.joined(separator: ",").write(to: scene.url("wide.csv"), atomically: false, encoding: .utf8)
    let table = try RealmProcess.run(
      ["import", "new.realm", "Wide", "wide.csv", "--create"], in: scene.folder.url)
    #expect(table.errorText.contains("at most 65535 properties"), "\(table.errorText.prefix(300))")
    let properties = names.map { "\"\($0)\":\"int\"" }.joined(separator: ",")
    try "{\"realm_schema\":1,\"classes\":{\"Wide\":{\"properties\":{\(properties)}}}}"
      .write(to: scene.url("wide.json"), atomically: false, encoding: .utf8)
    let document = try RealmProcess.run(
      ["create", "new.realm", "--schema", "wide.json"], in: scene.folder.url)
    #expect(document.errorText.contains("at most 65535 properties"), "\(document.errorText.prefix(300))")
    #expect(!scene.names.contains("new.realm"))
  }

  @Test("a script that has no end is refused", .slow, arguments: ["'.read /dev/zero'", "< /dev/zero"])
  func endlessScript(script: String) throws {
    let scene = try WholeFileScene()
    let result = try scene.shell("timeout 600 \"$R\" zoo.realm \(script)")
    #expect(result.status == 1 && result.errorText.contains("no end at all"), "\(result)")
  }

  @Test("one word of many megabytes is an error like any other", .slow, arguments: [[], ["--dialog"]])
  func longWord(options: [String]) throws {
    let scene = try WholeFileScene()
    try Data(repeating: UInt8(ascii: "a"), count: 20_000_000).write(to: scene.url("word"))
    // A look at all that came before, each time that more comes, takes a minute of the processor.
    let result = try scene.shell(
      "ulimit -t 20; exec \"$R\" \(options.joined(separator: " ")) zoo.realm <word")
    #expect(result.status == 7 && result.errorText.contains("there is no class 'aaa"), "\(result)")
    #expect(result.errorText.utf8.count < 1000)
  }
}
