// Sources that cannot be imported: fixtures/import. `broken.txt` names each file, its options, what is said of it, and what
// --rejects makes of it: how many rows came and how many did not, or nothing where it is not about rows.
// REALM_CLI_RECORD=1 writes what happened into it instead; read the difference.

import Foundation
import Testing

@Suite("Broken sources")
struct BrokenImportTests {
  private static let folder = RealmProcess.fixtures.appendingPathComponent("import")
  private static let list = folder.appendingPathComponent("broken.txt")

  private struct Case {
    let name: String
    let options: [String]
    var message = ""
    var rejects = ""

    init(line: Substring) {
      let parts = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      name = parts[0]
      options = parts[1].split(separator: " ").map(String.init)
      if parts.count > 2 { message = parts[2] }
      if parts.count > 3 { rejects = parts[3] }
    }

    var line: String { [name, options.joined(separator: " "), message, rejects].joined(separator: "\t") }
  }

  private static let schema = """
    create class Home embedded { street: string, zip: string? }
    create class Person {
      id: int primary key, name: string?, age: int? indexed, flag: bool?, score: double?, weight: float?, price: decimal128?,
      born: date?, token: uuid?, oid: objectId?, photo: data?, home: Home?, friend: Person?, friends: list<Person>,
      tags: list<string>, numbers: list<int>, notes: dictionary<string>
    }
    insert Person {"id": 7, "age": 1}
    """

  /// The first line of the complaint, less the program's name.
  private static func message(_ result: ProcessResult) -> String {
    let line = result.errorText.split(separator: "\n").first.map(String.init) ?? ""
    return line.hasPrefix("realm-cli: ") ? String(line.dropFirst("realm-cli: ".count)) : line
  }

  @Test(
    "each is told of by file, line, column, cell and what was wanted; nothing is written, or rejects as they came"
  )
  func broken() throws {
    let scene = try WholeFileScene(isEmpty: true)
    try Data(Self.schema.utf8).write(to: scene.url("make.sql"))
    #expect(try scene.shell("\"$R\" create p.realm && \"$R\" -w p.realm <make.sql").status == 0)
    var cases = try String(contentsOf: Self.list, encoding: .utf8).split(separator: "\n").map(Case.init)
    #expect(cases.count >= 60)
    for index in cases.indices {
      let text = cases[index]
      let source = try Data(contentsOf: Self.folder.appendingPathComponent("broken/\(text.name)"))
      try source.write(to: scene.url(text.name))
      let before = try scene.bytes("p.realm")
      let words = ["import", "p.realm", "Person", text.name] + text.options
      let result = try RealmProcess.run(RealmProcess.executable, words, in: scene.folder.url)
      #expect(result.status == 8 || result.status == 2, "\(text.name): \(result)")
      #expect(try scene.bytes("p.realm") == before, "\(text.name)")
      let rejects = try Self.rejects(of: text, words, source, scene)
      if TranscriptTests.isRecording(Self.list.lastPathComponent) {
        cases[index].message = Self.message(result)
        cases[index].rejects = rejects
      } else {
        #expect(Self.message(result) == text.message, "\(text.name)")
        #expect(rejects == text.rejects, "\(text.name)")
      }
    }
    guard TranscriptTests.isRecording(Self.list.lastPathComponent) else { return }
    try Data((cases.map(\.line).joined(separator: "\n") + "\n").utf8).write(to: Self.list)
  }

  /// What the closing line says, where rows were rejected: each stands as it came among the rejects.
  private static func rejects(
    of text: Case, _ words: [String], _ source: Data, _ scene: WholeFileScene
  ) throws -> String {
    try FileManager.default.copyItem(at: scene.url("p.realm"), to: scene.url("copy.realm"))
    defer {
      for name in ["copy.realm", "rejects"] { try? FileManager.default.removeItem(at: scene.url(name)) }
    }
    let before = try scene.bytes("copy.realm")
    var words = words
    words[1] = "copy.realm"
    let result = try RealmProcess.run(
      RealmProcess.executable, words + ["--rejects", "rejects"], in: scene.folder.url)
    guard scene.names.contains("rejects") else {
      #expect(result.status == 8 || result.status == 2, "\(text.name): \(result)")
      #expect(try scene.bytes("copy.realm") == before, "\(text.name)")
      return ""
    }
    #expect(result.status == 8, "\(text.name): \(result)")
    let isTable = !text.name.contains(".json")
    let rows = String(decoding: try scene.bytes("rejects"), as: UTF8.self)
    let sourceText = String(decoding: source, as: UTF8.self)
    if isTable, !text.name.contains("utf16") {
      // The reason is the last cell; rows may have several lines.
      let first = sourceText.split(separator: "\n").first.map(String.init) ?? ""
      #expect(rows.hasPrefix(first), "\(text.name): \(rows)")
    }
    return message(result).split(separator: "–").last.map { $0.drop { $0 == " " } }.map(String.init) ?? ""
  }
}
