// What the tests of commands on whole files share.

import Foundation
import TestSupport
import Testing

/// A folder with copies of the bundled realms, in which whole-file commands run.
struct WholeFileScene {
  let folder: ScratchFolder

  /// `isEmpty`: without the bundled realms.
  init(isEmpty: Bool = false) throws {
    folder = try ScratchFolder()
    if !isEmpty { try folder.addFixtures() }
  }

  /// The bundled realms, with the options that open them.
  static let realms: [(name: String, key: [String])] =
    ((try? FileManager.default.contentsOfDirectory(atPath: RealmProcess.fixtures.path)) ?? [])
    .filter { $0.hasSuffix(".realm") }.sorted()
    .map { ($0, $0.contains("encrypted") ? ["--key-file", "key.hex"] : []) }

  func url(_ name: String) -> URL { folder.url.appendingPathComponent(name) }

  func bytes(_ name: String) throws -> Data { try Data(contentsOf: url(name)) }

  /// All names in the folder.
  var names: Set<String> {
    Set((try? FileManager.default.contentsOfDirectory(atPath: folder.url.path)) ?? [])
  }

  @discardableResult
  func run(_ arguments: [String], status: Int32 = 0, _ location: SourceLocation = #_sourceLocation) throws
    -> ProcessResult
  {
    let result = try RealmProcess.run(RealmProcess.executable, arguments, in: folder.url)
    #expect(
      result.status == status, "\(arguments): \(result.status) \(result.errorText)", sourceLocation: location)
    return result
  }

  /// Runs a line of the shell in which `$R` is the program.
  func shell(_ line: String) throws -> ProcessResult {
    // A shell that starts with SIGCHLD held back, as here, hears of no end of what runs behind it until it has run a program.
    try RealmProcess.run(
      URL(fileURLWithPath: "/bin/sh"), ["-c", "sleep 0\n" + line],
      environment: ["R": RealmProcess.executable.path], in: folder.url)
  }

  func dump(_ name: String, _ key: [String]) throws -> String {
    let result = try RealmProcess.run(RealmProcess.executable, ["dump", name] + key, in: folder.url)
    #expect(result.status == 0, "dump \(name): \(result.errorText)")
    return result.outputText
  }

  func hash(_ name: String, _ key: [String]) throws -> String { try run(["hash", name] + key).outputText }
}
