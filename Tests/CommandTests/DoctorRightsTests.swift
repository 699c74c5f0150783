// `doctor` where the user may not read or write: each state has its verdict, and the command that it prints does what it says.

import Foundation
import TestSupport
import Testing

/// A user without rights over other users' files. Root, whom nothing is refused, becomes one.
private enum Visitor {
  static let isRoot = geteuid() == 0
  static let number = "65534"
  static let prefix = isRoot ? "setpriv --reuid=\(number) --regid=\(number) --clear-groups " : ""
  static let canRun: Bool = {
    let scene = try? WholeFileScene(isEmpty: true)
    return (try? scene?.shell("\(prefix)\"$R\" --version"))??.status == 0
  }()
}

/// A realm `app.realm` in the folder `at`, of the visitor or of somebody else.
private struct RightsCase: CustomTestStringConvertible {
  let testDescription: String
  let isOwn: Bool
  /// Of the folder and of the file.
  let modes: (folder: String, file: String)
  let verdict: String
  let command: String
  /// What is examined after the command was run, and the verdict then.
  let after: (file: String, verdict: String)?
  var fixture = "zoo.realm"
  var size: Int?
  var examined = "at/app.realm"

  static let all = [
    RightsCase(
      testDescription: "own file, not to be read", isOwn: true, modes: ("755", "0"), verdict: "unreadable",
      command: "chmod u+r at/app.realm", after: ("at/app.realm", "read-only")),
    RightsCase(
      testDescription: "another's file, not to be read", isOwn: false, modes: ("755", "600"),
      verdict: "unreadable", command: "ls -ld at/app.realm", after: nil),
    RightsCase(
      testDescription: "own folder, closed", isOwn: true, modes: ("0", "644"), verdict: "unreadable",
      command: "chmod u+rx at", after: ("at/app.realm", "folder-read-only")),
    RightsCase(
      testDescription: "another's folder, closed", isOwn: false, modes: ("700", "644"), verdict: "unreadable",
      command: "ls -ld at", after: nil),
    RightsCase(
      testDescription: "own folder whose names cannot be read", isOwn: true, modes: ("300", "644"),
      verdict: "unreadable", command: "chmod u+rx at", after: ("at/app.realm", "no-damage-seen"),
      examined: "at"),
    RightsCase(
      testDescription: "another's folder, closed, met on the way", isOwn: false, modes: ("700", "644"),
      verdict: "unreadable", command: "ls -ld ./at", after: nil, examined: "--recursive ."),
    RightsCase(
      testDescription: "own file, not to be written", isOwn: true, modes: ("755", "444"),
      verdict: "read-only", command: "chmod u+w at/app.realm", after: ("at/app.realm", "no-damage-seen")),
    RightsCase(
      testDescription: "another's file, not to be written", isOwn: false, modes: ("777", "444"),
      verdict: "read-only",
      command: "realm-cli copy at/app.realm at/app.copy.realm && chmod u+w at/app.copy.realm",
      after: ("at/app.copy.realm", "no-damage-seen")),
    RightsCase(
      testDescription: "own folder, not to be written", isOwn: true, modes: ("555", "644"),
      verdict: "folder-read-only", command: "chmod u+w at", after: ("at/app.realm", "no-damage-seen")),
    RightsCase(
      testDescription: "another's folder, not to be written", isOwn: false, modes: ("755", "666"),
      verdict: "folder-read-only", command: "realm-cli copy at/app.realm ./app.copy.realm",
      after: ("app.copy.realm", "no-damage-seen")),
    RightsCase(
      testDescription: "an old format that cannot be upgraded in place", isOwn: false, modes: ("755", "644"),
      verdict: "format-too-old",
      command: "realm-cli copy at/app.realm ./app.copy.realm && chmod u+w ./app.copy.realm",
      after: ("app.copy.realm", "format-too-old"), fixture: "legacy9-small.realm"),
    RightsCase(
      testDescription: "a damaged file in another's folder", isOwn: false, modes: ("755", "644"),
      verdict: "cut-off", command: "realm-cli recover at/app.realm ./app.recovered.realm",
      after: ("app.recovered.realm", "no-damage-seen"), size: 65536),
  ]
}

@Suite("Doctor without rights", .enabled(if: Visitor.canRun, "needs a user other than root, or setpriv"))
struct DoctorRightsTests {
  private func report(_ scene: WholeFileScene, _ words: String) throws -> [String: Any] {
    let result = try scene.shell("\(Visitor.prefix)\"$R\" doctor --json \(words)")
    let documents = try JSONSerialization.jsonObject(with: result.output) as? [[String: Any]]
    return try #require(documents?.last, "\(result)")
  }

  @Test(
    "each state has its verdict, whose command does what was promised",
    arguments: RightsCase.all.filter { Visitor.isRoot || $0.isOwn })
  fileprivate func states(of rights: RightsCase) throws {
    let scene = try WholeFileScene(isEmpty: true)
    try FileManager.default.createDirectory(at: scene.url("at"), withIntermediateDirectories: false)
    let bytes = try DoctorState.fixture(rights.fixture.replacing(".realm", with: ""))
    try Data(bytes.prefix(rights.size ?? .max)).write(to: scene.url("at/app.realm"))
    let owner = Visitor.isRoot ? "chown -R \(rights.isOwn ? Visitor.number : "0") at; " : ""
    _ = try scene.shell(
      "\(owner)chmod \(rights.modes.file) at/app.realm; chmod \(rights.modes.folder) at; chmod 777 .")
    defer { _ = try? scene.shell("chmod 755 at") }

    let found = try report(scene, rights.examined)
    #expect(found["verdict"] as? String == rights.verdict)
    #expect(found["command"] as? String == rights.command)
    #expect(found["exit"] as? Int == 9)
    let line = rights.command.replacing("realm-cli ", with: "\"$R\" ")
    let result = try scene.shell("\(Visitor.prefix)sh -c '\(line)'")
    // A recovery tells by 9 that something is lost.
    #expect([0, line.contains("recover") ? 9 : 0].contains(result.status), "\(result)")
    guard let after = rights.after else { return }
    #expect(try report(scene, after.file)["verdict"] as? String == after.verdict)
  }
}
