// Runs every transcript under fixtures/transcripts against the real program, each in a folder of its own with copies
// of the bundled realms. REALM_CLI_RECORD=1 writes what happened into the files instead, REALM_CLI_RECORD=words.txt into
// that one alone; read the difference.

import Foundation
import TestSupport
import Testing

@Suite("Transcripts")
struct TranscriptTests {
  static let folder = RealmProcess.fixtures.appendingPathComponent("transcripts")
  static let names =
    (try? FileManager.default.contentsOfDirectory(atPath: folder.path))?
    .filter { $0.hasSuffix(".txt") }.sorted() ?? []
  /// Whether what happens is written into the file of that name.
  static func isRecording(_ name: String) -> Bool {
    ["1", name].contains(ProcessInfo.processInfo.environment["REALM_CLI_RECORD"])
  }

  /// Some steps look at a file from outside; a machine that only builds the program need not have what they use.
  private static func canRun(_ command: String) -> Bool {
    !command.contains("sqlite3 ") || FileManager.default.isExecutableFile(atPath: "/usr/bin/sqlite3")
  }

  @Test("there are transcripts")
  func exist() { #expect(!Self.names.isEmpty) }

  @Test("the program does what the transcript says", arguments: names)
  func replay(name: String) throws {
    let file = Self.folder.appendingPathComponent(name)
    let isRecording = Self.isRecording(name)
    var transcript = Transcript(try String(contentsOf: file, encoding: .utf8))
    let scratch = try ScratchFolder()
    try scratch.addFixtures()
    let bin = try ScratchFolder()
    try FileManager.default.createSymbolicLink(
      at: bin.url.appendingPathComponent("realm-cli"), withDestinationURL: RealmProcess.executable)
    for index in transcript.parts.indices {
      guard case .step(var step) = transcript.parts[index], Self.canRun(step.command) else { continue }
      let result = try RealmProcess.run(
        URL(fileURLWithPath: "/bin/sh"), ["-c", step.command],
        environment: ["PATH": "\(bin.url.path):/usr/bin:/bin", "HOME": scratch.url.path], in: scratch.url)
      let actual = Transcript.lines(result)
      guard isRecording else {
        #expect(actual == step.expected, "\(name):\(step.line): $ \(step.command)")
        continue
      }
      step.expected = actual
      transcript.parts[index] = .step(step)
    }
    if isRecording { try transcript.text.write(to: file, atomically: true, encoding: .utf8) }
  }
}
