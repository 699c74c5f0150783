// Errors in words, in JSON, and as an exit status.

import Arguments
import RealmCommands
import RealmEngine
import Testing

@Suite("Diagnostics")
struct DiagnosticTests {
  @Test("an engine error gets the file's name, its place, and its number")
  func engineError() {
    let error = EngineError(.damaged, "a ref points nowhere", at: "offset 24", hint: "try recover")
    let diagnostic = Diagnostic(error, file: FilePath("zoo.realm"))
    #expect(diagnostic.exit == .damaged)
    #expect(
      diagnostic.text()
        == "realm-cli: zoo.realm – a ref points nowhere – offset 24\nhint: try recover\n")
  }

  @Test("of a damaged file it names the command that examines it; advice of the engine goes first")
  func damage() {
    let damage = EngineError(.damaged, "a ref points nowhere")
    let hint = "to see what can be saved: realm-cli doctor --deep zoo.realm"
    #expect(Diagnostic(damage, file: FilePath("zoo.realm")).hint == hint)
    #expect(Diagnostic(damage).hint == nil)
    #expect(Diagnostic(EngineError(.busy, "in use"), file: FilePath("zoo.realm")).hint == nil)
  }

  @Test("a message that names the file is not given its name twice")
  func namedOnce() {
    let path = FilePath("a.realm")
    let missing = EngineError(.notFound, "cannot open a.realm – gone", naming: path.displayName)
    let diagnostic = Diagnostic(missing, file: path)
    #expect(diagnostic.message == "cannot open a.realm – gone")
    #expect(diagnostic.exit == .unavailable)
    #expect(Diagnostic(EngineError(.busy, of: path, "is in use"), file: path).message == "a.realm is in use")
    let lock = EngineError(.refused, of: path.appending(".lock"), "is not a lock file")
    #expect(Diagnostic(lock, file: path).message == "a.realm.lock is not a lock file")
  }

  @Test("a file whose name is a word of the message is named too")
  func namedByWord() {
    let damage = EngineError(damage: "a ref points nowhere")
    #expect(
      Diagnostic(damage, file: FilePath("file")).message == "file – the file is damaged: a ref points nowhere"
    )
  }

  @Test("the JSON form always has every key, and escapes what it must")
  func json() {
    var diagnostic = Diagnostic(.statement, code: "bad-query", "no \"x\" \\ here\u{7}")
    #expect(
      diagnostic.json
        == #"{"error":{"kind":"bad-query","message":"no \"x\" \\ here\u0007","file":null,"line":null,"column":null,"hint":null,"exit":7}}"#
        + "\n")
    diagnostic.file = FilePath([0x61, 0xFF])
    diagnostic.excerpt = SourceExcerpt("ab\ncd", 4..<5)
    #expect(diagnostic.json.contains("\"file\":\"a\u{FFFD}\",\"line\":2,\"column\":2,"))
  }

  @Test("carets stand under the place, also behind tabs and letters outside ASCII")
  func excerpt() {
    let text = "first\n\tstørre > 'x'\nlast"
    let start = text.utf8.count - "> 'x'\nlast".utf8.count
    let diagnostic = Diagnostic(
      .statement, code: "bad-query", "wrong", excerpt: SourceExcerpt(text, start..<(start + 5)))
    #expect(diagnostic.text() == "realm-cli: line 2: wrong\n  \tstørre > 'x'\n  \t       ^^^^^\n")
  }

  @Test("of a long line the part around the place is shown", arguments: [0, 39, 41, 500, 880, 999])
  func longLine(place: Int) {
    let text = String(repeating: "a", count: place) + "X" + String(repeating: "b", count: 999 - place)
    let diagnostic = Diagnostic(
      .statement, code: "bad-query", "wrong", excerpt: SourceExcerpt(text, place..<place + 1))
    let lines = diagnostic.text().split(separator: "\n").map(Array.init)
    #expect(lines[1].count <= 124 && lines[2].count <= lines[1].count)
    #expect(lines[2].firstIndex(of: "^") == lines[1].firstIndex(of: "X"))
  }

  @Test("a place outside the text is clamped to it", arguments: [-5..<(-1), 0..<100, 7..<7, 50..<60])
  func clamped(range: Range<Int>) {
    let excerpt = SourceExcerpt("one\ntwo", range)
    #expect((1...2).contains(excerpt.line))
    #expect((1...4).contains(excerpt.column))
    #expect((1...4).contains(excerpt.characterCount))
  }

  @Test("control characters never reach the terminal")
  func controlCharacters() {
    let diagnostic = Diagnostic(.failure, code: "other", "a\u{1B}[2Jb\nc", hint: "d\re")
    #expect(diagnostic.text() == "realm-cli: a\\u001b[2Jb\\nc\nhint: d\\re\n")
  }

  @Test(
    "colors: asked for, forbidden, or as the terminal allows",
    arguments: [
      (ColorChoice.auto, true, [:], true), (.auto, false, [:], false),
      (.auto, true, ["NO_COLOR": "1"], false),
      (.auto, true, ["NO_COLOR": ""], true), (.auto, true, ["TERM": "dumb"], false),
      (.always, false, ["NO_COLOR": "1"], true), (.never, true, [:], false),
    ] as [(ColorChoice, Bool, [String: String], Bool)])
  func color(choice: ColorChoice, isTerminal: Bool, environment: [String: String], expected: Bool) {
    #expect(
      choice.applies(isTerminal: isTerminal) { name in environment[name].map { Array($0.utf8) } } == expected)
  }
}
