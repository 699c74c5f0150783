// What a killed writer leaves behind.

import Foundation
import TestSupport
import Testing

@Suite("Killed writers")
struct KilledWriterTests {
  private static let kills = TestScale.cases(fast: 5, usual: 12, long: 50)

  private static func dump(rows: Int, mark: Int) -> String {
    var text = """
      {"realm":{"file_format":24,"schema_version":\(mark)}}
      {"class":"Row","kind":"object","primary_key":"_id","properties":[{"name":"_id","type":"int"},\
      {"name":"name","type":"string","indexed":true},{"name":"mark","type":"int"}],"count":\(rows)}

      """
    for row in 0..<rows {
      text +=
        "{\"object\":\"Row\",\"key\":\(row),\"values\":{\"_id\":\(row),\"name\":\"name \(row)\",\"mark\":\(mark)}}\n"
    }
    return text
  }

  private static func start(
    _ arguments: [String], in folder: URL, to output: Any = FileHandle.nullDevice
  ) throws -> Process {
    let process = Process()
    process.executableURL = RealmProcess.executable
    process.arguments = arguments
    process.currentDirectoryURL = folder
    process.standardOutput = output
    process.environment = ProcessInfo.processInfo.environment.merging(["TMPDIR": folder.path]) { $1 }
    process.standardError = FileHandle.nullDevice
    try process.run()
    return process
  }

  @Test("a file of SQLite that is killed on its way to standard output leaves nothing")
  func stream() throws {
    let scene = try WholeFileScene()
    let names = scene.names
    let output = Pipe()
    let process = try Self.start(
      ["export", "--format", "sqlite", "zoo.realm"], in: scene.folder.url, to: output)
    // More than a pipe takes is still to come.
    #expect(output.fileHandleForReading.readData(ofLength: 6) == Data("SQLite".utf8))
    Self.kill(process)
    process.waitUntilExit()
    #expect(scene.names == names)
  }

  @Test("a load that is killed at any moment leaves the old file or the new one, and nothing else")
  func load() throws {
    let scene = try WholeFileScene()
    for mark in [1, 2] {
      try Data(Self.dump(rows: 20_000, mark: mark).utf8).write(to: scene.url("\(mark).jsonl"))
    }
    try scene.run(["load", "rows.realm", "1.jsonl"])
    let hashes = [try scene.hash("rows.realm", [])]
    let start = DispatchTime.now()
    try scene.run(["load", "--force", "rows.realm", "2.jsonl"])
    let duration = DispatchTime.now().uptimeNanoseconds - start.uptimeNanoseconds
    let known = Set(hashes + [try scene.hash("rows.realm", [])])
    #expect(known.count == 2)
    let names = scene.names
    var random = SplitMix64(state: 17)
    for kill in 0..<Self.kills {
      let process = try Self.start(
        ["load", "--force", "rows.realm", "\(kill % 2 + 1).jsonl"], in: scene.folder.url)
      usleep(UInt32.random(in: 0...UInt32(clamping: duration / 1000), using: &random))
      kill == 0 ? process.terminate() : Self.kill(process)
      process.waitUntilExit()
      #expect(known.contains(try scene.hash("rows.realm", [])), "kill \(kill)")
    }
    // A lock file may be left by the last one; the next writer takes it away.
    try scene.run(["load", "--force", "rows.realm", "1.jsonl"])
    #expect(scene.names == names)
  }

  @Test(
    "a migration that is killed at any moment leaves the file as it was or complete",
    arguments: [[], ["--no-backup"], ["--in-place"]])
  func migration(options: [String]) throws {
    let scene = try WholeFileScene()
    try Data(Self.dump(rows: 4_000, mark: 1).utf8).write(to: scene.url("1.jsonl"))
    try FileManager.default.createDirectory(
      at: scene.url("migrations"), withIntermediateDirectories: false)
    try Self.migration.write(to: scene.url("migrations/v002.yaml"), atomically: true, encoding: .utf8)
    try scene.run(["load", "rows.realm", "1.jsonl"])
    let original = try scene.bytes("rows.realm")
    let names = scene.names
    let before = try scene.hash("rows.realm", [])
    let start = DispatchTime.now()
    try scene.run(["migrate", "apply", "rows.realm"] + options)
    let duration = DispatchTime.now().uptimeNanoseconds - start.uptimeNanoseconds
    let after = try scene.hash("rows.realm", [])
    #expect(before != after)
    var random = SplitMix64(state: 29)
    for kill in 0..<Self.kills {
      try original.write(to: scene.url("rows.realm"))
      let process = try Self.start(["migrate", "apply", "rows.realm"] + options, in: scene.folder.url)
      usleep(UInt32.random(in: 0...UInt32(clamping: duration / 1000), using: &random))
      Self.kill(process)
      process.waitUntilExit()
      if try scene.bytes("rows.realm") != original {
        #expect(try scene.hash("rows.realm", []) == after, "kill \(kill)")
      }
    }
    // What the dead have left is cleared away by the next run; backups stay.
    try original.write(to: scene.url("rows.realm"))
    try scene.run(["migrate", "apply", "rows.realm"] + options)
    #expect(try scene.hash("rows.realm", []) == after)
    let backups = scene.names.subtracting(names)
    #expect(backups.allSatisfy { $0.hasPrefix("rows.schema-1.backup") }, "\(backups)")
    #expect(backups.isEmpty == !options.isEmpty)
  }

  private static let migration = """
    realm_migration: 1
    from: 1
    to: 2
    up:
      - add_property: { class: Row, name: label, type: string, value: "name + ' of ' + string(mark)" }
      - drop_property: { class: Row, name: mark }
    """

  private static func kill(_ process: Process) {
    _ = Foundation.kill(process.processIdentifier, SIGKILL)
  }
}
