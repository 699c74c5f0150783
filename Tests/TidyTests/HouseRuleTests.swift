// Rules about all sources that no compiler checks.

import Foundation
import Testing

@Suite("House rules")
struct HouseRuleTests {
  /// `unsafe` stays where memory, the system and C libraries are met.
  private static func mayBeUnsafe(_ path: String) -> Bool {
    unsafeFolders.contains(where: path.hasPrefix) || bridges.contains(path)
  }

  private static let unsafeFolders = [
    "Sources/RealmValues/Bytes/", "Sources/RealmEngine/Kernels/", "Sources/RealmSQL/SQLite/",
  ]

  private static let bridges: Set = [
    "Sources/ByteText/ByteBuffer.swift",
    "Sources/ByteText/ByteSearch.swift",
    "Sources/ByteText/Descriptors.swift",
    "Sources/RealmFiles/EnvironmentSwitch.swift",
    "Sources/RealmFiles/FileHandle.swift",
    "Sources/RealmFiles/FileLock.swift",
    "Sources/RealmFiles/FileWriting.swift",
    "Sources/RealmFiles/FolderSignals.swift",
    "Sources/RealmFiles/LiveSession.swift",
    "Sources/RealmFiles/LiveSession+Writing.swift",
    "Sources/RealmFiles/Cryptography.swift",
    "Sources/RealmFiles/SystemClock.swift",
    "Sources/Parquet/Compressor.swift",
    "Sources/RealmCommands/Shell/Editing/LineEditor.swift",
    "Sources/RealmCommands/System/SystemCalls.swift",
    "Sources/RealmSQL/Mapping/RowHash.swift",
    "Sources/RealmServer/Transport/PageFiles.swift",
    "Sources/RealmServer/Transport/WebServer.swift",
    "Sources/TextFormats/YAML/YAMLEventSource.swift",
  ]

  /// Costs milliseconds at start, or hides what it does.
  private static let forbiddenImports: Set<Substring> = [
    "Foundation", "FoundationEssentials", "Dispatch", "_StringProcessing",
  ]
  private static let forbiddenWords: Set<Substring> = [
    "async", "await", "actor", "Regex", "public", "fatalError",
  ]

  @Test("what runs by hand left behind is not at the top: realms, dumps and texts belong into fixtures")
  func topLevel() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: SourceTree.root.path)
    for name in names where [".realm", ".jsonl", ".lock"].contains(where: name.hasSuffix) {
      Issue.record("\(name) lies at the top of the package")
    }
  }

  @Test("unsafe code stays in the bridges", arguments: SourceTree.sources)
  func unsafeCode(file: SourceFile) {
    guard !Self.mayBeUnsafe(file.path) else { return }
    let lines = file.words.filter { $0.word == "unsafe" }.map { "\($0.line)" }
    #expect(
      lines.isEmpty, "\(file.path) is unsafe outside the bridges, in lines \(lines.joined(separator: ", "))")
  }

  @Test("the list of bridges names files that exist", arguments: bridges.sorted())
  func bridgesExist(path: String) { #expect(SourceTree.sources.contains { $0.path == path }) }

  @Test("nothing imports Foundation or uses what costs at start", arguments: SourceTree.sources)
  func words(file: SourceFile) {
    let words = file.words
    for (index, (word, line, before)) in words.enumerated() {
      if word == "import", index + 1 < words.count {
        let module = words[index + 1].word
        #expect(!Self.forbiddenImports.contains(module), "\(file.path):\(line) imports \(module)")
      }
      if before != ".", before != "`", Self.forbiddenWords.contains(word) {
        Issue.record("\(file.path):\(line) uses \(word)")
      }
    }
  }

  @Test(
    "nothing asks for a character's name: the program is linked without them", arguments: SourceTree.sources)
  func characterNames(file: SourceFile) {
    let asks = file.code.contains(/[sS]calar(\(.*\))?[!?]?\.properties\.name\b/)
    #expect(!asks, "\(file.path)")
  }

  @Test("no error or wrong type is turned into a crash", arguments: SourceTree.sources)
  func errors(file: SourceFile) {
    for (number, line) in file.code.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      for operation in ["try!", "as!"] where line.contains(operation) {
        Issue.record("\(file.path):\(number + 1) uses \(operation)")
      }
    }
  }

  /// Ways to a realm that do not ask whether somebody changed it meanwhile.
  private static let unguardedOpenings = [
    "Database.open(", "RealmFile.open(", "try Database(", "try? Database(",
  ]

  /// What makes sessions and commands of the protocol, and what looks at a file that the protocol hands it.
  private static let openers: Set = [
    "Sources/RealmSession/Realm/SnapshotSource.swift", "Sources/RealmSession/Realm/RealmWatch.swift",
    "Sources/RealmCommands/Commands/CheckCommand.swift",
    // A file that cannot be opened is looked at all the same; it asks itself whether the file changed.
    "Sources/FirstAid/Examination.swift",
  ]

  /// The modules that the protocol is made of.
  private static let engine = [
    "Sources/RealmFiles/", "Sources/RealmInspection/", "Sources/RealmEngine/", "Sources/RealmRecovery/",
  ]

  @Test(
    "commands read realms by the protocol for files that others may write to", arguments: SourceTree.sources)
  func liveReading(file: SourceFile) {
    guard !Self.engine.contains(where: file.path.hasPrefix), !Self.openers.contains(file.path) else { return }
    let code = file.code.replacing("WritableDatabase", with: "")
    for opening in Self.unguardedOpenings where code.contains(opening) {
      Issue.record("\(file.path) opens a realm by \(opening)…) instead of LiveReading")
    }
  }

  @Test("a file opens with what it is for", arguments: SourceTree.sources)
  func header(file: SourceFile) {
    let opensWithComment = file.text.hasPrefix("// ")
    #expect(opensWithComment, "\(file.path) has no comment on its first line")
  }

  @Test("tests use what the package offers", arguments: SourceTree.tests)
  func testImports(file: SourceFile) {
    #expect(!file.words.contains { $0.word == "testable" }, "\(file.path)")
  }

  @Test("nothing is left to be done later", arguments: SourceTree.sources)
  func leftOvers(file: SourceFile) {
    for mark in ["TO" + "DO", "FIX" + "ME"] {
      let isLeft = file.text.contains(mark)
      #expect(!isLeft, "\(file.path) holds \(mark)")
    }
  }

  @Test(
    "a comment says what is done, not that it is the same", arguments: SourceTree.sources + SourceTree.tests)
  func comments(file: SourceFile) {
    for beginning in ["of", "for", "with"].map({ "// The " + "same \($0) " }) {
      let isThere = file.text.contains(beginning)
      #expect(!isThere, "\(file.path) has a comment that begins '\(beginning)…'")
    }
  }

  @Test(
    "no file holds more than one idea: 450 lines at most", arguments: SourceTree.sources + SourceTree.tests)
  func length(file: SourceFile) {
    let lineCount = file.text.count { $0 == "\n" }
    #expect(lineCount <= 450, "\(file.path)")
  }

  @Test("code, comments and literals are told apart")
  func codeOnly() {
    let source =
      "let a = \"unsafe \\(b(\"x\")) y\" // unsafe\n/* unsafe /* */ */ c #\"un\"safe\"# \"\"\"\nunsafe\"\"\" d"
    let words = SourceFile(path: "", text: source, code: CodeOnly.of(source)).words
    #expect(words.map(\.word) == ["let", "a", "c", "d"])
    #expect(words.last?.line == 3)
  }
}
