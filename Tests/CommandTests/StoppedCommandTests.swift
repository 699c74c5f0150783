// What commands say when a signal ends them: how far they were, and what was kept.

import Foundation
import Testing

@Suite("Commands that are stopped")
struct StoppedCommandTests {
  /// What a process that is ended by Ctrl-C after it has read or said so much, or waits for a lock, says on standard error; nil
  /// where it was done before.
  private func stopped(
    _ scene: WholeFileScene, _ arguments: [String], input: [String] = [], afterLines lineCount: Int = 0,
    milliseconds: UInt32 = 0, atLock: Bool = false
  ) throws -> String? {
    let process = Process()
    let (source, output, errors) = (Pipe(), Pipe(), Pipe())
    process.executableURL = RealmProcess.executable
    process.arguments = arguments
    process.currentDirectoryURL = scene.folder.url
    process.environment = RealmProcess.fixedEnvironment
    (process.standardInput, process.standardOutput, process.standardError) = (source, output, errors)
    try process.run()
    for piece in input { source.fileHandleForWriting.write(Data(piece.utf8)) }
    usleep(milliseconds * 1000)
    if atLock { _ = awaited { process.waitsForLock || !process.isRunning } }
    var lines = 0
    while lines < lineCount {
      let data = output.fileHandleForReading.availableData
      if data.isEmpty { break }
      lines += data.count { $0 == UInt8(ascii: "\n") }
    }
    kill(process.processIdentifier, SIGINT)
    process.waitUntilExit()
    if process.terminationReason == .exit, process.terminationStatus == 0 { return nil }
    #expect(process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGINT)
    return String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
  }

  private func count(_ text: String, _ pattern: Regex<(Substring, Substring)>) throws -> Int {
    let match = try #require(try pattern.wholeMatch(in: text), "\(text)")
    return try #require(Int(match.1))
  }

  @Test("an import tells how many objects it had read, and that nothing was written")
  func imports() throws {
    let scene = try WholeFileScene()
    try scene.run(["zoo.realm", "-w", "create class Row { id: int, name: string }"])
    let before = try scene.bytes("zoo.realm")
    let names = scene.names
    let rowCount = 1_000_000
    let rows = (0..<rowCount).map { "\($0),name\n" }.joined()
    try Data("id,name\n\(rows)".utf8).write(to: scene.url("rows.csv"))
    let arguments = ["import", "-w", "zoo.realm", "Row", "rows.csv"]
    // The moment is looked for: a busy machine takes longer to its first rows than another one to its last.
    var (tooEarly, milliseconds, tooLate) = (0.0, 150.0, 60_000.0)
    var told = 0
    for _ in 0..<40 where !(1001..<rowCount).contains(told) {
      if let text = try stopped(scene, arguments, milliseconds: UInt32(milliseconds)) {
        // At its very beginning it does not know yet what it counts.
        let isImporting = text.contains("objects")
        told =
          isImporting
          ? try count(text, /realm-cli: stopped after ([0-9]+) objects; nothing was written\n/) : 0
        #expect(try scene.bytes("zoo.realm") == before)
      } else {
        told = rowCount
        try before.write(to: scene.url("zoo.realm"))
      }
      if told <= 1000 {
        tooEarly = milliseconds
        milliseconds = min(milliseconds * 1.7, (milliseconds + tooLate) / 2)
      } else if told >= rowCount {
        tooLate = milliseconds
        milliseconds = (tooEarly + milliseconds) / 2
      }
      // One and the same moment may be early once and late another time.
      if tooLate - tooEarly < 2 { (tooEarly, tooLate) = (0, 60_000) }
    }
    #expect((1001..<rowCount).contains(told))
    var json: String?
    for _ in 0..<20 where json?.isEmpty ?? true {
      json = try stopped(scene, arguments + ["--json"], milliseconds: UInt32(milliseconds))
      if json == nil { try before.write(to: scene.url("zoo.realm")) }
      milliseconds *= json == nil ? 0.7 : 1.2
    }
    let document = try JSONSerialization.jsonObject(with: Data((json ?? "").utf8)) as? [String: [String: Any]]
    #expect(
      document?["error"]?["kind"] as? String == "cancelled" && document?["error"]?["exit"] as? Int == 130)
    #expect(try scene.bytes("zoo.realm") == before)
    #expect(scene.names == names.union(["rows.csv"]))
  }

  @Test("so does a load")
  func load() throws {
    let scene = try WholeFileScene()
    let names = scene.names
    let head = """
      {"realm":{"file_format":24,"schema_version":1}}
      {"class":"Row","kind":"object","primary_key":null,"properties":[{"name":"id","type":"int"}],"count":20000}

      """
    let rows = (0..<20).map { piece in
      (0..<1000).map { row in
        "{\"object\":\"Row\",\"key\":\(piece * 1000 + row),\"values\":{\"id\":\(row)}}\n"
      }.joined()
    }
    // It waits for the rest; a busy machine takes longer to what is there.
    var told = 0
    for milliseconds: UInt32 in [500, 3000, 20_000] where told == 0 {
      let text = try stopped(
        scene, ["load", "new.realm", "-"], input: [head] + rows.dropLast(), milliseconds: milliseconds)
      told = try count(
        #require(text), /realm-cli: stopped after ([0-9]+) objects; nothing was written\n/)
    }
    #expect(told > 0 && told < 20_000)
    #expect(scene.names == names)
  }

  @Test(
    "a script tells in which statement it was, and what is kept of those before",
    arguments: [
      ([], [], "nothing was written", "60"),
      ([], ["begin", "delete Dog where age > 10", "commit"], "what was finished before is kept", "42"),
      (["--keep-going"], ["delete Dog where age > 10"], "what was finished before is kept", "42"),
    ])
  func script(options: [String], first: [String], end: String, left: String) throws {
    let scene = try WholeFileScene()
    let statements = first + (0..<4000).map { _ in "update Person set age = age + 1" }
    try Data(statements.joined(separator: "\n").utf8).write(to: scene.url("script.txt"))
    let said = try stopped(
      scene, ["-w", "--yes", "-echo", "zoo.realm", "--file", "script.txt"] + options,
      afterLines: first.count + 3)
    let text = try #require(said)
    let number = try #require(text.firstMatch(of: /stopped in statement ([0-9]+); (.*)\n/), "\(text)")
    #expect(number.2 == end && Int(number.1) ?? 0 > first.count)
    #expect(try scene.run(["zoo.realm", "count Dog"]).outputText == "\(left)\n")
  }

  @Test("a change of many objects, and a new file in the place of an old one")
  func others() throws {
    let scene = try WholeFileScene()
    for arguments in [
      ["update", "-w", "--yes", "zoo.realm", "Dog", "age > 3", "--set", "age = 1", "--lock-timeout", "30"],
      ["compact", "--lock-timeout", "30", "zoo.realm"],
    ] {
      let holder = try PromptSession(["-w", scene.url("zoo.realm").path])
      #expect(holder.shows("[write]> "))
      holder.type("begin\r")
      #expect(holder.shows("[write *]> "))
      holder.type("update Dog set age = 3\r")
      #expect(holder.shows("[write *]> "))
      let text = try #require(try stopped(scene, arguments, atLock: true))
      #expect(text.hasSuffix("realm-cli: stopped; nothing was written\n"), "\(text)")
    }
  }
}
