// Inside a target, folders are layers: a file names only types of its own folder and of folders above it in the list, and calls
// only functions that live there. What SwiftPM enforces between targets, this enforces between folders.

import Testing

/// A target whose folders have an order.
struct LayeredTarget: CustomTestStringConvertible {
  let name: String
  let folders: [String]
  /// Where files beside the folders belong.
  let faceFolder: String
  /// Folders whose own folders are no layers.
  var wholeFolders: Set<String> = []
  /// Files beside all folders: everybody may use them.
  var sharedFiles: Set<String> = []
  /// Functions below that end in a look from above, which tests ask for.
  var openFunctions: Set<Substring> = []

  var testDescription: String { name }

  static let all = [
    LayeredTarget(
      name: "RealmValues", folders: ["Bytes", "Values"], faceFolder: "Bytes",
      sharedFiles: ["EngineError.swift"]),
    LayeredTarget(
      name: "RealmEngine",
      folders: [
        "Kernels", "Storage", "Nodes", "Leaves", "Trees", "Schema", "Legacy", "Columns", "Objects",
        "Upgrades", "Transactions", "Changes", "Commit", "Jobs", "Query/Types", "Query/Operators",
        "Query/Functions", "Query/Plan", "Query/Evaluation", "Query/Compile/Binding",
        "Query/Compile/Planning", "Query/Run/SortKeys", "Query/Run/Scanning", "Query/Run/Sorting",
        "Query/Run", "Query/Aggregation", "Filling", "Comparison",
      ],
      // `Database`, the face of the engine, is a file, its transactions and their commit.
      faceFolder: "Commit",
    ),
    LayeredTarget(name: "RealmRecovery", folders: ["Salvage", "Writing"], faceFolder: "Salvage"),
    LayeredTarget(
      name: "RealmSession",
      folders: [
        "Shared", "Realm", "Schema", "Documents", "Loading", "Operations", "Importing", "Statements",
      ],
      faceFolder: "Shared"),
    LayeredTarget(
      name: "RealmParts", folders: ["Numbers", "Masks", "Choice", "Samples"], faceFolder: "Numbers"),
    LayeredTarget(
      name: "Migrations", folders: ["Schema", "Documents", "Chain", "Running"], faceFolder: "Schema"),
    LayeredTarget(
      name: "RealmQueryLanguage",
      folders: ["Source", "Lexing", "Syntax", "Parsing", "StatementSyntax", "Printing"], faceFolder: "Source",
      // A condition on groups is an expression that names a column as statements write it.
      openFunctions: ["calculatedColumn"]),
    LayeredTarget(
      name: "TextFormats", folders: ["Input", "Document", "JSON", "CSV", "YAML", "SQL"], faceFolder: "Input"),
    LayeredTarget(
      name: "Rendering", folders: ["Shared", "JSON", "Cells", "Schema", "Rows"], faceFolder: "Shared"),
    LayeredTarget(
      name: "RealmServer", folders: ["Transport", "Values", "Realms", "API"], faceFolder: "Transport"),
    LayeredTarget(
      name: "RealmSQL",
      folders: ["Mapping", "SQLite", "Tables", "Statements", "Exporting", "Reading"], faceFolder: "Mapping"),
    LayeredTarget(
      name: "RealmModels", folders: ["Naming", "Languages", "Libraries", "Formats"], faceFolder: "Naming"),
    LayeredTarget(
      name: "RealmCommands",
      folders: [
        "System", "Program", "Keys", "Querying", "Reading", "Info", "WholeFiles", "NewFiles", "Parts",
        "Migrations", "Importing", "Differences", "StatementOutput", "ManyFiles", "Shell", "Commands",
        "Manual",
      ],
      faceFolder: "Program", wholeFolders: ["Shell"]),
  ]

  var files: [SourceFile] { SourceTree.sources.filter { $0.path.hasPrefix("Sources/\(name)/") } }

  /// The rooms of a large folder are layers too: `Query/Plan`.
  func folder(_ file: SourceFile) -> String {
    let parts = file.path.split(separator: "/").dropFirst(2).dropLast()
    guard let first = parts.first else { return faceFolder }
    return wholeFolders.contains(String(first)) ? String(first) : parts.joined(separator: "/")
  }

  /// Whether a file of one folder may use what lives in another.
  func allows(_ folder: String, _ home: String) -> Bool {
    if folder == home { return true }
    guard let from = folders.firstIndex(of: folder), let to = folders.firstIndex(of: home) else {
      return true
    }
    return to < from
  }
}

@Suite("Layers inside targets")
struct LayerTests {
  private static let declarators: Set<Substring> = [
    "struct", "class", "enum", "protocol", "actor", "typealias",
  ]

  /// The words of a line of code.
  private static func words(_ line: Substring) -> [Substring] {
    line.split { !($0.isLetter || $0.isNumber || $0 == "_") }
  }

  /// Types declared at the outermost level.
  private static func outermostTypes(_ file: SourceFile) -> [Substring] {
    file.code.split(separator: "\n").compactMap { line in
      guard let first = line.first, first.isLetter || first == "@" else { return nil }
      let words = words(line)
      guard !words.contains("extension"), !words.contains("private"),
        let index = words.firstIndex(where: declarators.contains), index + 1 < words.count
      else { return nil }
      return words[index + 1]
    }
  }

  /// Functions declared anywhere, and other names that calls could mean.
  private typealias Members = (functions: Set<Substring>, others: Set<Substring>)

  private static let allMembers: [(file: SourceFile, members: Members)] =
    SourceTree.sources.map { ($0, members($0)) }

  private static func members(_ file: SourceFile) -> Members {
    var functions: Set<Substring> = []
    var others: Set<Substring> = []
    for line in file.code.split(separator: "\n") {
      let words = words(line)
      for (declarator, name) in zip(words, words.dropFirst()) {
        switch declarator {
        case "func" where words.contains("private"): others.insert(name)
        case "func": functions.insert(name)
        case "var", "let", "case": others.insert(name)
        default: break
        }
      }
      // Parameters may be functions too.
      for part in line.split(separator: ":").dropLast() {
        if let name = Self.words(part).last, part.hasSuffix(name) { others.insert(name) }
      }
    }
    return (functions, others)
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

  @Test("every folder has its place in the order", arguments: LayeredTarget.all)
  func knownFolders(target: LayeredTarget) {
    #expect(!target.files.isEmpty)
    for file in target.files {
      let folder = target.folder(file)
      #expect(target.folders.contains(folder), "\(file.path) is in a folder without a layer")
    }
  }

  @Test("a file names only types of its own folder and of folders above it", arguments: LayeredTarget.all)
  func types(target: LayeredTarget) {
    var homes: [Substring: String] = [:]
    for file in target.files where !target.sharedFiles.contains(file.name) {
      for type in Self.outermostTypes(file) { homes[type] = target.folder(file) }
    }
    for file in target.files {
      let folder = target.folder(file)
      let own = Self.ownNames(file)
      var reported: Set<Substring> = []
      for (word, line, before) in file.words where before != "." {
        guard let home = homes[word], !own.contains(word), reported.insert(word).inserted,
          !target.allows(folder, home)
        else { continue }
        Issue.record("\(file.path):\(line) in \(folder) names \(word), which lives in \(home)")
      }
    }
  }

  /// Only names that mean one thing are followed: those of functions that one folder declares and nothing else bears.
  @Test("a file calls only functions of its own folder and of folders above it", arguments: LayeredTarget.all)
  func functions(target: LayeredTarget) {
    var homes: [Substring: Set<String>] = [:]
    var ambiguous = target.openFunctions
    let paths = Set(target.files.map(\.path))
    for (file, members) in Self.allMembers {
      guard paths.contains(file.path) else {
        ambiguous.formUnion(members.functions)
        continue
      }
      for function in members.functions { homes[function, default: []].insert(target.folder(file)) }
      ambiguous.formUnion(members.others)
    }
    var followedCount = 0
    for file in target.files {
      let folder = target.folder(file)
      var reported: Set<Substring> = []
      for (word, line) in file.calls {
        guard !ambiguous.contains(word), let found = homes[word], found.count == 1, let home = found.first
        else { continue }
        followedCount += 1
        guard !target.allows(folder, home), reported.insert(word).inserted else { continue }
        Issue.record("\(file.path):\(line) in \(folder) calls \(word), which lives in \(home)")
      }
    }
    #expect(followedCount > 0, "functions are seen")
  }
}
