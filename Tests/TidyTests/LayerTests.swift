// Inside the engine, folders are layers: a file names only types of its own folder and of folders above it in the
// list. What SwiftPM enforces between targets, this enforces between folders.

import Testing

@Suite("Layers of the engine")
struct LayerTests {
  private static let folders = [
    "Bytes", "Values", "Files", "Storage", "Nodes", "Leaves", "Trees", "Schema", "Legacy", "Columns",
    "Objects",
    "Transactions", "Query", "Migration", "Inspection",
  ]
  /// `check` and `recover` walk a file on their own, so that an engine bug cannot hide from them.
  private static let openToInspection: Set = ["Bytes", "Values", "Files"]
  /// `Database`, the face of the engine, is a file and its transaction.
  private static let layerOfFace = "Transactions"
  /// Beside all folders: everybody may throw it.
  private static let sharedFiles: Set = ["EngineError.swift"]

  private static let engineFiles = SourceTree.sources.filter { $0.path.hasPrefix("Sources/RealmEngine/") }

  private static func folder(_ file: SourceFile) -> String {
    let parts = file.path.split(separator: "/")
    return parts.count > 3 ? String(parts[2]) : layerOfFace
  }

  /// Types declared at the outermost level, with the folder they live in.
  private static let homes: [Substring: String] = {
    var homes: [Substring: String] = [:]
    for file in engineFiles where !sharedFiles.contains(file.name) {
      for type in outermostTypes(file) { homes[type] = folder(file) }
    }
    return homes
  }()

  private static let declarators: Set<Substring> = [
    "struct", "class", "enum", "protocol", "actor", "typealias",
  ]

  private static func outermostTypes(_ file: SourceFile) -> [Substring] {
    file.code.split(separator: "\n").compactMap { line in
      guard let first = line.first, first.isLetter || first == "@" else { return nil }
      let words = line.split { !($0.isLetter || $0.isNumber || $0 == "_") }
      guard !words.contains("extension"), !words.contains("private"),
        let index = words.firstIndex(where: declarators.contains), index + 1 < words.count
      else { return nil }
      return words[index + 1]
    }
  }

  /// Type parameters and nested types may bear the name of somebody else's type.
  private static func ownNames(_ file: SourceFile) -> Set<Substring> {
    var names: Set<Substring> = []
    let words = file.words
    for (declarator, name) in zip(words, words.dropFirst())
    where declarators.contains(declarator.word) || declarator.word == "case"
      || declarator.word == "associatedtype"
    {
      names.insert(name.word)
    }
    return names
  }

  @Test("every folder of the engine has its place in the order")
  func knownFolders() {
    for file in Self.engineFiles {
      let folder = Self.folder(file)
      #expect(Self.folders.contains(folder), "\(file.path) is in a folder without a layer")
    }
  }

  @Test("a file names only types of its own folder and of folders above it", arguments: engineFiles)
  func direction(file: SourceFile) throws {
    let folder = Self.folder(file)
    guard let layer = Self.folders.firstIndex(of: folder) else { return }
    let own = Self.ownNames(file)
    var reported: Set<Substring> = []
    for (word, line, before) in file.words where before != "." {
      guard let home = Self.homes[word], !own.contains(word), reported.insert(word).inserted else { continue }
      let isAllowed =
        folder == "Inspection"
        ? home == folder || Self.openToInspection.contains(home)
        : Self.folders.firstIndex(of: home).map { $0 <= layer } ?? true
      #expect(isAllowed, "\(file.path):\(line) in \(folder) names \(word), which lives in \(home)")
    }
  }
}
