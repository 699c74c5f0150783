// What the pages for people say of the code is true: files are where they are said to be, and hold what they are named for.

import Testing

@Suite("Pages about the code")
struct ArchitectureTests {
  private static let architecture = "Sources/RealmEngine/RealmEngine.docc/Architecture.md"

  /// What stands in code font in a line.
  private static func quoted(_ line: Substring) -> [Substring] {
    line.split(separator: "`", omittingEmptySubsequences: false).enumerated()
      .filter { $0.offset % 2 == 1 }.map(\.element)
  }

  /// The numbered lines below each heading of a walk.
  private static func walks() throws -> [(name: Substring, steps: [Substring])] {
    var walks: [(name: Substring, steps: [Substring])] = []
    var isInside = false
    for line in try SourceTree.text(architecture).split(separator: "\n") {
      if line.hasPrefix("## ") { isInside = line == "## Four walks" }
      guard isInside else { continue }
      if line.hasPrefix("### ") { walks.append((line.dropFirst(4), [])) }
      if line.first?.isNumber == true { walks[walks.count - 1].steps.append(line) }
    }
    return walks
  }

  @Test("a walk has at most 25 files, each of which is there and says the name beside it")
  func walksAreTrue() throws {
    let walks = try Self.walks()
    #expect(walks.count == 4)
    for (name, steps) in walks {
      #expect(!steps.isEmpty && steps.count <= 25, "\(name) has \(steps.count) files")
      for step in steps {
        let words = Self.quoted(step)
        guard words.count >= 2,
          let file = SourceTree.sources.first(where: { $0.path == "Sources/\(words[0])" })
        else {
          Issue.record("\(name): no such file: \(step)")
          continue
        }
        #expect(file.words.contains { $0.word == words[1] }, "\(words[0]) does not say \(words[1])")
      }
    }
  }

  @Test(
    "every file that a page names is there",
    arguments: ["CONTRIBUTING.md", "GLOSSARY.md", architecture])
  func namedFiles(page: String) throws {
    let known = SourceTree.sources + SourceTree.tests
    for line in try SourceTree.text(page).split(separator: "\n") {
      for word in Self.quoted(line)
      where word.hasSuffix(".swift") && !word.contains("<") && !word.contains("/*") {
        let isThere = known.contains { $0.path == word || $0.path.hasSuffix("/\(word)") }
        #expect(isThere, "\(page) names \(word)")
      }
    }
  }

  /// What the map says of each module: `- `Module`: Folder (what it holds), …`, which may go on in lines that are indented.
  private static func map() throws -> [Substring: String] {
    let text = try SourceTree.text(architecture)
    let section = text.split(separator: "\n## ").first { $0.hasPrefix("Folders\n") } ?? ""
    var entries: [Substring: String] = [:]
    for entry in section.split(separator: "\n\n").flatMap({ $0.split(separator: "\n- ") }) {
      guard let name = quoted(entry).first else { continue }
      entries[name] = entry.split(separator: "\n").map { $0.drop { $0 == " " } }.joined(separator: " ")
    }
    return entries
  }

  @Test("the map names the layers of every module in their order", arguments: LayeredTarget.all)
  func namedLayers(target: LayeredTarget) throws {
    let folders = target.folders.filter { folder in
      target.files.contains { $0.path.hasPrefix("Sources/\(target.name)/\(folder)/") }
    }
    let entry = try #require(try Self.map()[target.name[...]], "no line for \(target.name)")
    let named = entry.matches(of: #/([A-Za-z/]+) \(/#).map { String($0.1) }
    #expect(named == folders, "\(target.name)")
  }

  @Test("every folder of sources is in the line of its module")
  func namedFolders() throws {
    let map = try Self.map()
    for file in SourceTree.sources {
      let parts = file.path.split(separator: "/").dropFirst().dropLast()
      for folder in parts.dropFirst() {
        let isNamed = map[parts[1]]?.contains(folder) ?? false
        #expect(isNamed, "\(file.path) is in a folder that the map does not name")
      }
    }
  }
}
