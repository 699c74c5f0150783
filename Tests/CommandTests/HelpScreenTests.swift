// Help fits the screens that it is read on: the overview one of 80 columns and 48 rows, each command two of them.

import Arguments
import RealmCommands
import Testing

@Suite("Help on a screen")
struct HelpScreenTests {
  private let program = Registry.program

  private static let paths: [[String]] = Registry.program.listedCommands.flatMap { command in
    [[command.name]] + command.subcommands.map { [command.name, $0.name] }
  }

  @Test("the overview fits a screen, with a line to spare for the prompt, and lists all commands")
  func overview() {
    let lines = program.helpText.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    #expect(lines.count < 48, "\(lines.count) lines")
    for line in lines { #expect(line.count <= 80, "\(line)") }
    for command in program.listedCommands {
      #expect(command.brief.count <= 26, "\(command.name): give it a brief that fits half a line")
      #expect(program.helpText.contains("  \(command.name) "), "\(command.name)")
    }
  }

  @Test("a command's help fits two screens and begins with two examples", arguments: paths)
  func command(path: [String]) throws {
    let text = try RealmProcess.run(["help"] + path, in: RealmProcess.fixtures).outputText
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count <= 96, "\(path): \(lines.count) lines")
    for line in lines where !line.hasPrefix("  realm-cli") { #expect(line.count <= 80, "\(line)") }
    let found = text.range(of: "\nExamples:\n") ?? text.range(of: "\nSubcommands:\n")
    let examples = try #require(found, "\(path)")
    #expect(text[..<examples.lowerBound].split(separator: "\n").count <= 3)
    if text[examples] == "\nExamples:\n" {
      let shown = text[examples.upperBound...].split(separator: "\n\n").first ?? ""
      let lines = shown.split(separator: "\n")
      #expect(lines.count { $0.hasPrefix("  ") && !$0.hasPrefix("   ") } == 2, "\(path)")
    }
  }

  @Test(
    "topics explain what is no command",
    arguments: ["options", "statements", "predicates", "functions", "migrations", "errors"])
  func topic(name: String) throws {
    let result = try RealmProcess.run("help", name)
    #expect(result.status == 0 && result.outputText.split(separator: "\n").count > 10, "\(result)")
    for line in result.outputText.split(separator: "\n") where !line.hasPrefix("  ") {
      #expect(line.count <= 80, "\(line)")
    }
    #expect(program.helpText.contains(name))
  }
}
