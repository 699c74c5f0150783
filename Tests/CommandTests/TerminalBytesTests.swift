// What of a file's bytes reaches a terminal: text alone. Every mode and command writes there through one place; here a
// pseudo-terminal listens.

import CPlatform
import Foundation
import TestSupport
import Testing

@Suite("Bytes that reach a terminal")
struct TerminalBytesTests {
  private static let modes = [
    "box", "table", "column", "line", "list", "csv", "tsv", "json", "jsonl", "markdown", "html", "quote",
  ]

  /// What a terminal would obey, or would show in another order; a terminal itself puts the carriage returns there.
  private static func steering(_ text: String) -> [String] {
    text.unicodeScalars.filter { scalar in
      switch scalar.value {
      case 0x09, 0x0A, 0x0D: false
      case 0x00...0x1F, 0x7F...0x9F, 0x61C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
      default: false
      }
    }.map { "U+" + String($0.value, radix: 16) }
  }

  /// Everything that a command writes to a terminal.
  private func shown(_ arguments: [String], in folder: ScratchFolder) throws -> (text: String, status: Int32)
  {
    let session = try PromptSession(arguments, environment: ["TERM": "dumb"], in: folder)
    let status = session.end()
    return (session.raw, status)
  }

  private func nasty() throws -> (ScratchFolder, UInt64, [NastyRealm.Class]) {
    let seed = testSeed()
    var random = SplitMix64(state: seed)
    let scene = try WholeFileScene()
    let realm = NastyRealm(&random)
    try Data(realm.dump(hasObjects: true).utf8).write(to: scene.url("dump.jsonl"))
    try scene.run(["load", "nasty.realm", "dump.jsonl"])
    try FileManager.default.copyItem(
      at: RealmProcess.fixtures.appendingPathComponent("hostile/terminal.realm"),
      to: scene.url("terminal.realm"))
    return (scene.folder, seed, realm.classes)
  }

  @Test("no mode shows anything but text", arguments: modes)
  func everyMode(mode: String) throws {
    let (folder, seed, _) = try nasty()
    for (file, name) in [("terminal.realm", "Ok"), ("nasty.realm", nil)] {
      var line = ["-m", mode, "--header", file]
      let commands = name.map { [$0] } ?? [".classes", ".schema", ".indexes", ".dump"]
      line += commands
      let (text, status) = try shown(line, in: folder)
      #expect(status == 0 && !text.isEmpty, "seed \(seed): \(text)")
      #expect(Self.steering(text).isEmpty, "seed \(seed), \(file): \(Self.steering(text))")
    }
  }

  @Test("no command shows anything but text")
  func commands() throws {
    let (folder, seed, classes) = try nasty()
    let strange = "Ok where \u{202E}'\u{9B}31m"
    for line in [
      ["info", "nasty.realm"], ["info", "-v", "terminal.realm"], ["schema", "nasty.realm"],
      ["schema", "--format=yaml", "nasty.realm"], ["schema", "--format=mermaid", "nasty.realm"],
      ["schema", "--format=dot", "nasty.realm"], ["dump", "nasty.realm"], ["check", "nasty.realm"],
      ["export", "nasty.realm", classes[0].name], ["query", "nasty.realm", classes[1].name, "TRUEPREDICATE"],
      ["get", "nasty.realm", classes[2].name, "--key", "1"], ["diff", "nasty.realm", "terminal.realm"],
      ["query", "terminal.realm", classes[3].name + "\u{1B}[2J"], ["terminal.realm", strange],
      ["terminal.realm", ".\u{1B}[2J"], ["--\u{1B}]0;t\u{7}"], ["info", "\u{1B}[2J\u{202E}.realm"],
      ["--json", "info", "\u{1B}[2J\u{202E}.realm"],
      ["-m", "list", "terminal.realm", ".print \u{9B}2J\u{202E}"],
      ["explain", "nasty.realm"], ["nasty.realm", "explain Ok where s == '\u{1B}\u{202E}'"],
    ] {
      let (text, _) = try shown(line, in: folder)
      #expect(!text.isEmpty)
      #expect(Self.steering(text).isEmpty, "seed \(seed), \(line): \(Self.steering(text)) \(text)")
    }
  }

  @Test("what goes through the pager is text too")
  func pager() throws {
    let (folder, _, _) = try nasty()
    let session = try PromptSession(
      ["-m", "list", "terminal.realm", "Ok"], rows: 1, environment: ["TERM": "dumb", "PAGER": "cat"],
      in: folder)
    #expect(session.end() == 0)
    #expect(!session.raw.isEmpty && Self.steering(session.raw).isEmpty, "\(session.raw)")
  }

  @Test("pipes and files get the bytes as they are")
  func pipes() throws {
    let (folder, _, _) = try nasty()
    let result = try RealmProcess.run(
      ["-m", "list", "--noheader", "terminal.realm", "Ok select s"], in: folder.url)
    #expect(result.outputText.hasPrefix("a\u{1B}[31mRED\u{1B}]0;title\u{7}"))
    #expect(
      result.outputText.unicodeScalars.contains("\u{202E}")
        && result.outputText.unicodeScalars.contains("\u{9B}"))
  }

  @Test("names stand on their line where statements are explained, in pipes too")
  func explained() throws {
    let name = #"`A\nexamined  0 objects\u202e`"#
    let property = #"`p\u001b\n`"#
    let result = try RealmProcess.run(
      [
        ":memory:", "create class \(name) { \(property): string }",
        "explain \(name) where \(property) == 'x' sort(\(property))", "explain insert \(name) {\"p\": \"x\"}",
      ], in: RealmProcess.fixtures)
    #expect(result.status == 0, "\(result)")
    #expect(result.outputText.contains(#"A\nexamined  0 objects\u202e"#), "\(result)")
    let lines = result.outputText.split(separator: "\n")
    #expect(lines.filter { $0.hasPrefix("examined") }.count == 1, "\(result)")
    #expect(!result.outputText.unicodeScalars.contains { "\u{1B}\u{202E}".unicodeScalars.contains($0) })
  }

  @Test("the prompt, its completions and its history show nothing but text")
  func prompt() throws {
    let (folder, _, _) = try nasty()
    let name = "p\u{1B}]0;t\u{7}\u{9B}\u{202E}.realm"
    try FileManager.default.copyItem(
      at: folder.url.appendingPathComponent("terminal.realm"), to: folder.url.appendingPathComponent(name))
    let state = folder.url.appendingPathComponent(".local/state/realm-cli")
    try FileManager.default.createDirectory(at: state, withIntermediateDirectories: true)
    try Data("Ok where s == '\u{1B}]0;h\u{7}\u{9B}\u{202E}'\n".utf8).write(
      to: state.appendingPathComponent("history"))
    let session = try PromptSession([name], in: folder)
    #expect(session.shows("> "))
    // Each time the fresh prompt is waited for, because a terminal drops what was typed before it obeys ctrl-C.
    func cancel() {
      session.type("\u{3}")
      #expect(session.shows("^C") && session.shows("> "))
    }
    session.type("C\t\t")
    #expect(session.shows("C"))
    cancel()
    session.type("\u{1B}[A")
    #expect(session.shows("Ok where"))
    cancel()
    session.type(".open p\t")
    #expect(session.shows("u001b]0;t"))
    cancel()
    session.type("\u{4}")
    _ = session.end()
    for text in ["\u{1B}]0;t", "\u{1B}]0;h", "\u{1B}[2J\u{9B}", "\u{9B}", "\u{202E}"] {
      #expect(!session.raw.contains(text), "\(text.unicodeScalars.map { $0.value })")
    }
    #expect(
      !session.raw.unicodeScalars.contains("\u{202E}") && !session.raw.unicodeScalars.contains("\u{9B}"))
  }
}
