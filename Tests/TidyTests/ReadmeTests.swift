// The README's commands, and what runs them.

import Foundation
import Testing

@Suite("README")
struct ReadmeTests {
  /// The lines of the README's fenced blocks.
  private func commands() throws -> [String] {
    var isInside = false
    var commands: [String] = []
    for line in try SourceTree.text("README.md").split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") {
        isInside.toggle()
      } else if isInside {
        commands.append(String(line))
      }
    }
    return commands
  }

  @Test("the first lines say which realm-cli this is not")
  func disclaimer() throws {
    let beginning = try SourceTree.text("README.md").split(separator: "\n").prefix(8).joined(separator: " ")
    for name in ["MongoDB App Services", "Keycloak", "realmd"] { #expect(beginning.contains(name)) }
  }

  @Test("its two commands exist, and continuous integration runs the one for tests")
  func twoCommands() throws {
    #expect(Array(try commands().prefix(2)) == ["sh Tests/demo", "sh Tests/run"])
    for script in ["Tests/demo", "Tests/run", ".ci/run", ".ci/deps", ".ci/release"] {
      #expect(
        FileManager.default.isExecutableFile(atPath: SourceTree.root.appendingPathComponent(script).path))
    }
    #expect(try SourceTree.text(".ci/run").contains("\nsh Tests/run\n"))
  }

  @Test("every make target it names exists")
  func makeTargets() throws {
    let makefile = try SourceTree.text("Makefile")
    for line in try commands() where line.hasPrefix("make ") {
      let target = line.split(separator: " ")[1]
      #expect(makefile.contains("\n\(target):"), "make \(target)")
    }
  }
}
