// `doctor`: each state gets its one verdict, the command that it names is run and does what was promised, and nothing changes.

import ByteText
import FirstAid
import Foundation
import RealmEngine
import TestSupport
import Testing

@Suite("Doctor")
struct DoctorTests {
  private func scene(_ state: DoctorState) throws -> WholeFileScene {
    let scene = try WholeFileScene(isEmpty: true)
    try Data(try state.bytes()).write(to: scene.url(state.file))
    try FileManager.default.copyItem(
      at: RealmProcess.fixtures.appendingPathComponent("key.hex"), to: scene.url("key.hex"))
    try Data(repeating: 9, count: 64).write(to: scene.url("other.key"))
    for name in ["key.hex", "other.key"] {
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: scene.url(name).path)
    }
    try state.beside(scene.folder.url)
    return scene
  }

  private func report(_ scene: WholeFileScene, _ arguments: [String]) throws -> (
    values: [String: Any], status: Int32
  ) {
    let result = try RealmProcess.run(["doctor", "--json"] + arguments, in: scene.folder.url)
    let documents = try JSONSerialization.jsonObject(with: result.output) as? [[String: Any]]
    return (try #require(documents?.first, "\(result)"), result.status)
  }

  @Test("every state has its verdict, whose command does what was promised", arguments: DoctorState.all)
  func states(state: DoctorState) throws {
    let scene = try scene(state)
    let (names, bytes) = (scene.names, try scene.bytes(state.file))
    let (report, status) = try report(scene, [state.file] + state.options)
    #expect(report["verdict"] as? String == state.verdict)
    let command = report["command"] as? String
    #expect(status == (command == nil ? 0 : 9))
    #expect(scene.names == names, "nothing is made")
    #expect(try scene.bytes(state.file) == bytes, "nothing is changed")
    let sentences = report["sentences"] as? [String] ?? []
    #expect((1...3).contains(sentences.count) && sentences.allSatisfy { $0.hasSuffix(".") })
    if let command { try run(command, state, scene) }
  }

  /// Types the command, and sees what comes of it.
  private func run(_ command: String, _ state: DoctorState, _ scene: WholeFileScene) throws {
    let before = scene.names
    let line = command.replacingOccurrences(of: "KEY_FILE", with: "key.hex")
    let words = line.split(separator: " ").map(String.init)
    let isInstalled = try scene.shell("command -v \(words[0]) >/dev/null").status == 0
    guard words[0] == "realm-cli" || isInstalled && words[0] != "git" else { return }
    let own = "realm-cli "
    let result = try scene.shell(line.hasPrefix(own) ? "\"$R\" \(line.dropFirst(own.count))" : line)
    let made = scene.names.subtracting(before).sorted()
    switch words.count > 1 ? words[1] : "" {
    case "recover":
      #expect(result.status == 0 || result.status == 9, "\(result)")
      let output = try #require(made.first { $0.contains(".recovered") })
      #expect(
        try self.report(scene, ["--deep", output] + state.options.filter { $0 != "--deep" }).status == 0)
    case "upgrade", "compact":
      #expect(result.status == 0, "\(result)")
      #expect(try self.report(scene, [state.file]).status == 0)
    case "copy":
      #expect(result.status == 0, "\(result)")
      #expect(try self.report(scene, [try #require(made.first { $0.hasSuffix(".realm") })]).status == 0)
    case "doctor" where line.contains("key.hex"):
      #expect(!result.outputText.contains("wrong key") && !result.outputText.contains("no key was given"))
    case "doctor": #expect([0, 9].contains(result.status), "\(result)")
    default:
      if words[0] != "unzip" { #expect(result.status == 0 && !result.output.isEmpty, "\(result)") }
    }
  }

  @Test("there are forty states and more, and each verdict that a file alone can have is one of them")
  func table() {
    #expect(DoctorState.all.count >= 40)
    let met = Set(DoctorState.all.map(\.verdict))
    let others: Set<VerdictKind> = [
      .unreadable, .readOnly, .folderReadOnly, .noRoom, .inUse, .lockFile, .compressed,
    ]
    #expect(VerdictKind.allCases.filter { !met.contains($0.rawValue) && !others.contains($0) } == [])
  }

  @Test("what each verdict says is at most three sentences", arguments: VerdictKind.allCases)
  func words(kind: VerdictKind) {
    var facts = FileFacts(FilePath("folder/it's -n.realm"))
    facts.failingPages = [1, 2]
    facts.recoverable = Recoverable(whole: 3, partial: 1, lost: 2, mayBeMore: true)
    let verdict = Verdict(facts, kind)
    #expect((1...3).contains(verdict.sentences.count))
    #expect(verdict.sentences.allSatisfy { $0.last == "." && !$0.dropLast().contains(". ") })
    #expect(!verdict.title.isEmpty)
    #expect([.inUse, .holdsNothing, .sound, .noDamageSeen].contains(kind) == (verdict.command == nil))
  }

  @Test("words come out of a shell as they went in")
  func quoting() throws {
    let scene = try WholeFileScene(isEmpty: true)
    for word in [
      "plain.realm", "it's", "a b", "$HOME `x`", "\u{e9}\u{1F980}", "a\u{1}b", "-n", "a\u{202E}b", "x$(y);",
    ] {
      let result = try scene.shell("printf %s \(shellWord(Array(word.utf8)))")
      #expect(result.output == Data(word.utf8))
    }
    let bytes: [UInt8] = [0x61, 0xFF, 0x27, 0x62]
    #expect(try scene.shell("printf %s \(shellWord(bytes))").output == Data(bytes))
  }

  @Test("a realm that a process has open is in use; its backups are told, the newest first")
  func neighbours() throws {
    let scene = try WholeFileScene(isEmpty: true)
    for (age, name) in ["app.realm", "app.format-9.backup.realm", "app.realm.backup-before-3"].enumerated() {
      try Data(try DoctorState.fixture("zoo")).write(to: scene.url(name))
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: 1e9 + Double(age))],
        ofItemAtPath: scene.url(name).path)
    }
    try ForeignPathTests.lockFile.write(to: scene.url("app.realm.lock"))
    let descriptor = open(scene.url("app.realm.lock").path, O_RDONLY | O_CLOEXEC)
    defer { close(descriptor) }
    #expect(flock(descriptor, LOCK_SH) == 0)
    let (values, status) = try report(scene, ["app.realm"])
    let siblings = (values["siblings"] as? [[String: Any]] ?? []).compactMap { $0["file"] as? String }
    #expect(siblings == ["app.realm.backup-before-3", "app.format-9.backup.realm"])
    #if os(Linux)
      #expect(values["verdict"] as? String == "in-use" && status == 0)
      let processes = values["processes"] as? [[String: Any]] ?? []
      #expect(processes.contains { $0["process"] as? Int == Int(getpid()) })
    #endif
  }

  @Test("a disk without room is told where a copy would be needed")
  func noRoom() throws {
    let scene = try WholeFileScene(isEmpty: true)
    try Data(try DoctorState.fixture("zoo")).write(to: scene.url("app.realm"))
    let path = FilePath(scene.url("app.realm").path)
    let facts = try Examination(key: nil, isDeep: false) { _ in 1000 }.facts(
      of: path, among: FolderNames(path.directory))
    #expect(Verdict(facts).kind == .noRoom)
  }

  @Test("realms of a folder are examined, with those below it where that is asked for")
  func folders() throws {
    let scene = try WholeFileScene()
    try FileManager.default.createDirectory(at: scene.url("below"), withIntermediateDirectories: false)
    try Data(try DoctorState.fixture("zoo")).write(to: scene.url("below/deep.bin"))
    try FileManager.default.createDirectory(at: scene.url("nothing"), withIntermediateDirectories: false)
    for (arguments, count) in [([], 0), (["--recursive"], 1)] {
      let result = try RealmProcess.run(["doctor", "--json", "."] + arguments, in: scene.folder.url)
      let files = try JSONSerialization.jsonObject(with: result.output) as? [[String: Any]] ?? []
      #expect(files.count == WholeFileScene.realms.count + count)
      #expect(result.status == 9)
    }
    #expect(try scene.shell("\"$R\" doctor nothing").status == 10)
    #expect(try scene.shell("\"$R\" doctor missing.realm").status == 10)
  }

  @Test("on a terminal its sentences are broken at blanks, and the command stays on one line")
  func narrowTerminal() throws {
    let session = try PromptSession(["doctor", "zoo-encrypted.realm"], columns: 40)
    #expect(session.end() == 9)
    let piped = try RealmProcess.run(["doctor", "zoo-encrypted.realm"], in: session.folder.url).outputText
    let (shown, lines) = (PromptSession.plain(session.raw), session.raw.split { $0.isNewline })
    #expect(lines.filter { $0.count > 40 }.map { String($0.prefix(8)) } == ["  next: "], "\(shown)")
    #expect(shown.split { $0.isWhitespace } == piped.split { $0.isWhitespace })
  }

  @Test("messages of SDKs are found by their words")
  func messages() throws {
    for words in [
      "hmac", "Top ref outside file", "bad_alloc on compact", "not a realm file", "MMAP() failed: cannot",
    ] {
      #expect(try RealmProcess.run("help", "errors", words).status == 0, "\(words)")
    }
    #expect(try RealmProcess.run("help", "errors", "no such thing").status == 10)
    let all = try RealmProcess.run("help", "errors").outputText
    #expect(all.contains("EXIT STATUS") && all.contains("failed the HMAC check"))
  }
}
