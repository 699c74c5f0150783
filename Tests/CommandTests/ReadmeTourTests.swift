// The examples in the README are what the program prints. REALM_CLI_RECORD=1 writes what happened into it instead.

import Foundation
import TestSupport
import Testing

@Suite("The README's tour")
struct ReadmeTourTests {
  @Test("every example shows what its command prints")
  func examples() throws {
    let readme = RealmProcess.packageRoot.appendingPathComponent("README.md")
    let text = try String(contentsOf: readme, encoding: .utf8)
    var pieces = text.components(separatedBy: "```console\n")
    #expect(pieces.count > 3)
    let scratch = try ScratchFolder()
    try scratch.addFixtures()
    let bin = try ScratchFolder()
    try FileManager.default.createSymbolicLink(
      at: bin.url.appendingPathComponent("realm-cli"), withDestinationURL: RealmProcess.executable)
    for index in pieces.indices.dropFirst() {
      let end = try #require(pieces[index].range(of: "```"))
      let block = pieces[index][..<end.lowerBound]
      var shown = ""
      for line in block.split(separator: "\n") where line.hasPrefix("$ ") {
        let command = line.dropFirst(2)
        let result = try RealmProcess.run(
          URL(fileURLWithPath: "/bin/sh"), ["-c", "{ \(command)\n} 2>&1"],
          environment: ["PATH": "\(bin.url.path):/usr/bin:/bin", "HOME": scratch.url.path], in: scratch.url)
        shown += "$ \(command)\n" + result.outputText
      }
      if !TranscriptTests.isRecording("README.md") { #expect(String(block) == shown) }
      pieces[index].replaceSubrange(..<end.lowerBound, with: shown)
    }
    if TranscriptTests.isRecording("README.md") {
      try pieces.joined(separator: "```console\n").write(to: readme, atomically: true, encoding: .utf8)
    }
  }

  @Test("each job that the README names is done by the command beside it")
  func jobs() throws {
    let readme = RealmProcess.packageRoot.appendingPathComponent("README.md")
    let text = try String(contentsOf: readme, encoding: .utf8)
    let chapters = text.components(separatedBy: "\n## ")
    let chapter = try #require(chapters.first { $0.hasPrefix("What do I do when") })
    let commands = chapter.split(separator: "\n").compactMap { line -> String? in
      guard line.hasPrefix("| "), let start = line.range(of: "| `realm-cli "), line.hasSuffix("` |") else {
        return nil
      }
      return String(line[line.index(start.lowerBound, offsetBy: 3)...].dropLast(3))
    }
    #expect(commands.count >= 30)
    let scratch = try ScratchFolder()
    try scratch.addFixtures()
    try FileManager.default.createSymbolicLink(
      at: scratch.url.appendingPathComponent("realm-cli"), withDestinationURL: RealmProcess.executable)
    for command in commands {
      let result = try RealmProcess.run(
        URL(fileURLWithPath: "/bin/sh"), ["-c", command],
        environment: ["PATH": "\(scratch.url.path):/usr/bin:/bin", "HOME": scratch.url.path], in: scratch.url)
      #expect(result.status == 0, "\(command): \(result)")
    }
  }
}
