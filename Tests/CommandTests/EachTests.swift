// `each`: thousands of files, runs that are killed, and what is said of files that fail.

import Foundation
import TestSupport
import Testing

@Suite("One statement on many files")
struct EachTests {
  /// `count` copies of a small realm, named by number.
  private func scene(_ count: Int) throws -> (scratch: ScratchFolder, names: [String]) {
    let scratch = try ScratchFolder()
    try scratch.addFixtures()
    let names = (0..<count).map { "n\($0).realm" }
    let source = scratch.url.appendingPathComponent("zoo.realm")
    for name in names {
      try FileManager.default.copyItem(at: source, to: scratch.url.appendingPathComponent(name))
    }
    try names.joined(separator: "\n").write(
      to: scratch.url.appendingPathComponent("list"), atomically: true, encoding: .utf8)
    return (scratch, names)
  }

  private func run(_ words: [String], in scratch: ScratchFolder) throws -> ProcessResult {
    try RealmProcess.run(["each"] + words, in: scratch.url)
  }

  @Test("rows come in the order of the files, whatever the number of threads", arguments: [1, 2, 7])
  func order(jobs: Int) throws {
    let (scratch, names) = try scene(40)
    let result = try run(["@list", "--jobs", "\(jobs)", "--noheader", "--", "count Dog"], in: scratch)
    #expect(result.outputText == names.map { "\($0)\t60\n" }.joined())
  }

  @Test("damaged and encrypted files are named, the others counted, and the worst decides the exit status")
  func failures() throws {
    let (scratch, names) = try scene(40)
    var bytes = try Data(contentsOf: scratch.url.appendingPathComponent("zoo.realm"))
    for index in 24..<bytes.count { bytes[index] = 0x55 }
    for name in names[10..<16] { try bytes.write(to: scratch.url.appendingPathComponent(name)) }
    let encrypted = try Data(contentsOf: scratch.url.appendingPathComponent("zoo-encrypted.realm"))
    try encrypted.write(to: scratch.url.appendingPathComponent(names[20]))
    let result = try run(["@list", "--noheader", "--", "count Dog"], in: scratch)
    #expect(result.status == 4)
    let failed = Set(names[10..<16] + [names[20]])
    #expect(result.outputText == names.filter { !failed.contains($0) }.map { "\($0)\t60\n" }.joined())
    for name in failed { #expect(result.errorText.contains(name)) }
  }

  @Test("totals are those of all objects together")
  func totals() throws {
    let (scratch, _) = try scene(7)
    let one = try RealmProcess.run(
      ["zoo.realm", "count, sum age, avg age, min name, max born of Dog by breed", "--json"], in: scratch.url)
    let all = try run(
      ["@list", "--total", "--json", "--", "count, sum age, avg age, min name, max born of Dog by breed"],
      in: scratch)
    func rows(_ result: ProcessResult) throws -> [[String: String]] {
      let list = try JSONSerialization.jsonObject(with: result.output) as? [[String: Any]] ?? []
      return list.map { $0.mapValues { "\($0)" } }
    }
    var expected = try rows(one)
    #expect(!expected.isEmpty)
    for index in expected.indices {
      for name in ["count", "sum age"] {
        expected[index][name] = expected[index][name].flatMap { Int($0) }.map { "\($0 * 7)" }
      }
    }
    #expect(try rows(all) == expected)
  }

  @Test("columns of different files are united by name, and null where a file lacks one")
  func unitedColumns() throws {
    let (scratch, _) = try scene(0)
    for (name, type) in [("a", "x: int"), ("b", "y: string, x: int")] {
      _ = try RealmProcess.run(["create", "\(name).realm"], in: scratch.url)
      _ = try RealmProcess.run(
        [
          "-w", "\(name).realm", "create class T { \(type) }",
          name == "a" ? "insert T {\"x\": 1}" : "insert T {\"x\": 2, \"y\": \"z\"}",
        ], in: scratch.url)
    }
    let files = ["a.realm", "b.realm"]
    #expect(
      try run(files + ["--csv", "--", "T"], in: scratch).outputText
        == "file,x,y\na.realm,1,\nb.realm,2,z\n")
    #expect(
      try run(files + ["--csv", "--", "select * from T"], in: scratch).outputText
        == "file,_key,x,y\na.realm,0,1,\nb.realm,0,2,z\n")
    #expect(
      try run(files + ["--jsonl", "--", "T"], in: scratch).outputText
        == #"{"file":"a.realm","x":1}"# + "\n" + #"{"file":"b.realm","y":"z","x":2}"# + "\n")
  }

  /// Starts `each` with `words` until a run comes to its end; the first `endedMax` are ended by `signal` after at most so many
  /// microseconds, and the later ones after more: where starting takes as long, none would get on. How many were.
  private func restart(
    _ words: String, in scratch: ScratchFolder, ending signal: Int32, endedMax: Int = .max,
    after microseconds: UInt64
  ) throws -> Int {
    var microseconds = microseconds
    var random = SplitMix64(state: testSeed())
    var ended = 0
    while true {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/bin/sh")
      process.arguments = ["-c", "exec '\(RealmProcess.executable.path)' each \(words)"]
      process.currentDirectoryURL = scratch.url
      process.standardError = FileHandle.nullDevice
      try process.run()
      usleep(UInt32(microseconds / 4 + random.next() % (microseconds * 3 / 4)))
      if process.isRunning, ended < endedMax {
        kill(process.processIdentifier, signal)
        ended += 1
        microseconds += microseconds / 16
      }
      process.waitUntilExit()
      if process.terminationReason == .exit {
        #expect(process.terminationStatus == 0)
        return ended
      }
    }
  }

  @Test("a run that is killed and started again changes each file once")
  func killed() throws {
    let (scratch, names) = try scene(24)
    let words = "-w @list --resume log -- 'update Dog set age = age + 100' >> rows"
    let kills = try restart(words, in: scratch, ending: SIGKILL, after: 160_000)
    let result = try run(["@list", "--noheader", "--", "min age, max age of Dog"], in: scratch)
    #expect(
      result.outputText == names.map { "\($0)\t100\t116\n" }.joined(), "after \(kills) kills")
  }

  @Test(
    "runs that change files and are interrupted change each once, and lose rows of those alone that were begun"
  )
  func interrupted() throws {
    let (scratch, names) = try scene(150)
    let words = "-w --yes @list --jobs 2 --resume log --csv -- 'update Dog set age = age + 100' >> rows"
    let interrupts = try restart(words, in: scratch, ending: SIGINT, endedMax: 5, after: 160_000)
    let ages = try run(["@list", "--noheader", "--", "min age, max age of Dog"], in: scratch)
    #expect(ages.outputText == names.map { "\($0)\t100\t116\n" }.joined(), "after \(interrupts) interrupts")
    let text = try String(contentsOf: scratch.url.appendingPathComponent("rows"), encoding: .utf8)
    let rows = text.split(separator: "\n").map(String.init)
    #expect(rows.first == "file,class,created,updated,deleted")
    let all = names.map { "\($0),Dog,0,60,0" }
    #expect(rows.dropFirst().elementsEqual(all.filter(Set(rows).contains)), "after \(interrupts) interrupts")
    #expect(rows.count > all.count - interrupts * 2 * 8)
  }

  @Test("the rows of a run that is killed and started again are those of one run")
  func killedReading() throws {
    let (scratch, names) = try scene(60)
    let words = "@list --resume log -- 'Dog limit 3' >> rows"
    // The first runs always end early.
    let kills = try restart(words, in: scratch, ending: SIGKILL, endedMax: 20, after: 80_000)
    let rows = try String(contentsOf: scratch.url.appendingPathComponent("rows"), encoding: .utf8)
    let files = rows.split(separator: "\n").dropFirst().compactMap { $0.split(separator: "\t").first }
    #expect(files.map(String.init) == names.flatMap { [$0, $0, $0] }, "after \(kills) kills")
  }
}
