// Man page, completions and the README's list of commands are what the option table makes.

import Foundation
import RealmCommands
import RealmQueryLanguage
import Testing

@Suite("Generated files")
struct GeneratedFileTests {
  @Test(
    "the checked-in file is what the program prints ('make generate' writes it)",
    arguments: Registry.manualPageNames.map { ("man/\($0)", ["__man", $0]) } + [
      ("completions/realm-cli.bash", ["completion", "bash"]),
      ("completions/_realm-cli", ["completion", "zsh"]),
      ("completions/realm-cli.fish", ["completion", "fish"]),
    ])
  func same(path: String, arguments: [String]) throws {
    let root = RealmProcess.packageRoot
    let printed = try RealmProcess.run(RealmProcess.executable, arguments, in: root)
    #expect(printed.status == 0)
    #expect(
      printed.outputText == (try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)))
  }

  @Test("the README lists the commands that exist ('make generate' writes the list)")
  func readme() throws {
    let root = RealmProcess.packageRoot
    let table = try RealmProcess.run("__commands").outputText
    let readme = try String(contentsOf: root.appendingPathComponent("README.md"), encoding: .utf8)
    let lists = readme.contains(
      "<!-- commands: made by 'make generate' -->\n\(table)<!-- end of commands -->\n")
    #expect(lists)
  }

  @Test("the page of the program is short: what is about one subject has a page of its own")
  func short() throws {
    let page = try RealmProcess.run("__man", "realm-cli.1").outputText
    #expect(page.split(separator: "\n").count < 300)
    for chapter in ["STATEMENTS", "CLASSES", "PROMPT", "JSON", "SAFETY"] {
      #expect(!page.contains(".SH \(chapter)\n"), "\(chapter)")
    }
    // Each page that it sends readers to is there.
    let named = page.matches(of: /(realm\\-[a-z\\-]+)\(([157])\)/).map {
      "\($0.1.replacing("\\", with: "")).\($0.2)"
    }
    #expect(named.count > 5)
    #expect(Set(named).isSubset(of: Registry.manualPageNames), "\(named)")
  }

  private static let lintPath = "/usr/bin/mandoc"

  @Test(
    "man pages are clean", .enabled(if: FileManager.default.isExecutableFile(atPath: lintPath)),
    arguments: Registry.manualPageNames)
  func clean(page: String) throws {
    let result = try RealmProcess.run(
      URL(fileURLWithPath: Self.lintPath), ["-Tlint", "-Wwarning", "man/\(page)"],
      in: RealmProcess.packageRoot)
    #expect(result.outputText.isEmpty, "\(result)")
  }

  @Test("each man page is one of the program's")
  func noOthers() throws {
    let folder = RealmProcess.packageRoot.appendingPathComponent("man").path
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        == Registry.manualPageNames.sorted())
  }

  @Test("the conditions that manuals show are conditions")
  func conditions() throws {
    let examples = Registry.manualPages.flatMap(\.chapters).flatMap(\.examples)
    #expect(!examples.isEmpty)
    for example in examples {
      #expect(throws: Never.self, "\(example.line)") { try Predicate(parsing: Array(example.line.utf8)) }
    }
  }
}
