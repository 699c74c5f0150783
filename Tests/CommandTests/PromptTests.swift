// The prompt as its user meets it: typing, history, completion, interrupts, windows, long and wide results.

import Foundation
import TestSupport
import Testing

@Suite("At the prompt")
struct PromptTests {
  @Test("a statement is answered, and control-D leaves")
  func statement() throws {
    let session = try PromptSession(["zoo.realm"])
    #expect(session.shows("zoo.realm [ro]> "))
    session.type("count Dog\r")
    #expect(session.shows("60\n"))
    #expect(session.shows("zoo.realm [ro]> "))
    session.type("\u{4}")
    #expect(session.end() == 0)
  }

  @Test("what links to an object is counted, also where nothing does")
  func links() throws {
    let session = try PromptSession(["zoo.realm"])
    session.type(".links Dog @11\r")
    #expect(session.shows("8 objects"))
    session.type(".links Person 7\r")
    #expect(session.shows("no objects link to it\n"))
    session.type("\u{4}")
    #expect(session.end() == 0)
  }

  @Test("the prompt tells what may be changed and whether changes wait")
  func states() throws {
    let session = try PromptSession(["-w", "zoo.realm"])
    #expect(session.shows("zoo.realm [write]> "))
    session.type("begin\r")
    #expect(session.shows("zoo.realm [write *]> "))
    session.type("\u{4}")
    #expect(session.shows("a transaction is open"))
    session.type("rollback\r")
    #expect(session.shows("zoo.realm [write]> "))
    session.type(".quit 3\r")
    #expect(session.end() == 3)
  }

  @Test("control-D leaves an open transaction behind when it is typed again")
  func leaving() throws {
    let session = try PromptSession([":memory:"])
    #expect(session.shows(":memory: [write]> "))
    session.type("begin\r")
    #expect(session.shows("[write *]> "))
    session.type("\u{4}")
    #expect(session.shows("Ctrl-D again"))
    #expect(session.shows("[write *]> "))
    session.type("\u{4}")
    #expect(session.end() == 0)
  }

  @Test("control-D that was typed while a statement ran counts when it has ended")
  func typedAhead() throws {
    let session = try PromptSession(["zoo.realm"])
    #expect(session.shows("zoo.realm [ro]> "))
    session.type(".shell echo beg''un; sleep 0.5\r")
    #expect(session.shows("begun\n"))
    session.type("\u{4}")
    #expect(session.end() == 0)
  }

  @Test("an open bracket or quote goes on in the next line")
  func continuation() throws {
    let session = try PromptSession(["zoo.realm"])
    #expect(session.shows("zoo.realm [ro]> "))
    session.type("count Dog where (age > 14\r")
    #expect(session.shows("…> "))
    session.type("or age < 0)\r")
    #expect(session.shows("6\n"))
    session.type("\u{10}")
    #expect(session.shows("count Dog where (age > 14 or age < 0)"))
  }

  @Test("control-R finds what was typed by any part of it")
  func search() throws {
    let session = try PromptSession(["zoo.realm"])
    for statement in ["count Dog where age > 14", "count Person", "count Cat"] {
      #expect(session.shows("zoo.realm [ro]> "))
      session.type(statement + "\r")
    }
    #expect(session.shows("zoo.realm [ro]> "))
    session.type("\u{12}e > 1")
    #expect(session.shows("bck"))
    session.type("\u{5}\r")
    #expect(session.shows("6\n"))
  }

  @Test("control-C clears the line and what stands above it")
  func clearing() throws {
    let session = try PromptSession(["zoo.realm"])
    #expect(session.shows("zoo.realm [ro]> "))
    session.type("Dog where (\r")
    #expect(session.shows("…> "))
    session.type("age\u{3}")
    #expect(session.shows("^C"))
    #expect(session.shows("zoo.realm [ro]> "))
    session.type("count Dog\r")
    #expect(session.shows("60\n"))
  }

  @Test("the tab key completes classes, properties through links, operators and commands")
  func completion() throws {
    let session = try PromptSession(["zoo.realm"])
    #expect(session.shows("zoo.realm [ro]> "))
    session.type("Do\twh\town\t.nam\tbegi\t'A'\r")
    #expect(session.shows("Dog where owner.name beginswith 'A'"))
    #expect(session.shows("┌"))
    #expect(session.shows("zoo.realm [ro]> "))
    session.type("Dog where breed \t")
    for name in ["==", "contains", "like"] { #expect(session.shows(name)) }
    session.type("\u{3}")
    #expect(session.shows("^C"))
    #expect(session.shows("zoo.realm [ro]> "))
    session.type(".mo\tjsonl\rDog limit(1) select name\r")
    #expect(session.shows("{\"name\":\"Rex\"}"))
    session.type(".read key\t")
    #expect(session.shows(".read key.hex"))
  }

  @Test("a word that is completed before a blank has one blank behind it")
  func completionBeforeBlank() throws {
    let folder = try PromptSession.scene()
    let session = try PromptSession(["zoo.realm"], in: folder)
    #expect(session.shows("zoo.realm [ro]> "))
    let back = String(repeating: "\u{1B}[D", count: " > 15".count)
    session.type("count Dog where ag > 15\(back)\t0 + \r")
    #expect(session.shows("zoo.realm [ro]> "))
    session.type("\u{4}")
    #expect(session.end() == 0)
    let file = folder.url.appendingPathComponent(".local/state/realm-cli/history")
    #expect(try String(contentsOf: file, encoding: .utf8) == "count Dog where age 0 + > 15\n")
  }

  @Test("what was typed is remembered for the next session, in a file for its user alone, without keys")
  func history() throws {
    let folder = try PromptSession.scene()
    let key = String(repeating: "0f", count: 64)
    let first = try PromptSession(["zoo.realm"], in: folder)
    #expect(first.shows("zoo.realm [ro]> "))
    for line in ["count Person", ".print \(key)", " count Address"] { first.type(line + "\r") }
    #expect(first.shows("100\n"))
    #expect(first.shows("zoo.realm [ro]> "))
    first.type("\u{4}")
    #expect(first.end() == 0)
    let file = folder.url.appendingPathComponent(".local/state/realm-cli/history")
    #expect(try String(contentsOf: file, encoding: .utf8) == "count Person\n")
    let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    let second = try PromptSession(["zoo.realm"], in: folder)
    #expect(second.shows("zoo.realm [ro]> "))
    second.type("\u{1B}[A\r")
    #expect(second.shows("200\n"))
  }

  @Test(
    "an object whose edit is refused comes back as it was edited, and what was saved as a whole statement")
  func refusedEdit() throws {
    let folder = try PromptSession.scene()
    let editor = folder.url.appendingPathComponent("editor")
    let script =
      "cat $1; sed -i 's/\"no\"/78/; s/: 77/: 79/; s/\"age\": 1,/\"age\": \"no\",/' $1\n"
    try script.write(to: editor, atomically: true, encoding: .utf8)
    // Read, not run itself: a process that another test begins at this moment may still hold it open for writing.
    let session = try PromptSession(["-w", "zoo.realm"], environment: ["EDITOR": "sh ./editor"], in: folder)
    #expect(session.shows("zoo.realm [write]> "))
    session.type(".edit Dog @1\r")
    #expect(session.shows("Dog.age is int, not") && session.shows("zoo.realm [write]> "))
    session.type(".edit\r")
    #expect(session.shows("\"age\": \"no\"") && session.shows("updated 1 object"))
    #expect(session.shows("zoo.realm [write]> "))
    session.type(".edit\r")
    #expect(session.shows("upsert Dog @1 {\"age\":78}") && session.shows("updated 1 object"))
    #expect(session.shows("zoo.realm [write]> "))
  }

  @Test("a value that is missing is asked for as it is given at the prompt")
  func missingValue() throws {
    let session = try PromptSession(["zoo.realm"])
    #expect(session.shows("zoo.realm [ro]> "))
    for (name, place) in [("$0", "0"), ("$name", "name")] {
      session.type("Dog where name == \(name)\r")
      #expect(session.shows("hint: give it with .param set \(place) VALUE"))
      #expect(session.shows("zoo.realm [ro]> "))
    }
  }

  @Test("wide characters are typed and shown, whatever the locale", arguments: ["C.UTF-8", "C"])
  func wideCharacters(language: String) throws {
    let session = try PromptSession(["zoo.realm"], columns: 140, environment: ["LANG": language])
    #expect(session.shows("zoo.realm [ro]> "))
    session.type("Person where name beginswith '李雷é' or name == '李雷 7' limit(1) select name\r")
    #expect(session.shows("李雷é' or name == '李雷 7'"))
    #expect(session.shows("│ 李雷 7 │"))
  }

  @Test("a result longer than the screen is cut, and .all shows it whole")
  func longResult() throws {
    let session = try PromptSession(["zoo.realm"])
    #expect(session.shows("zoo.realm [ro]> "))
    session.type("Dog select name, age\r")
    #expect(session.shows("the first 18 of 60 objects – '.all' shows all"))
    session.type(".all\r")
    #expect(session.shows("└"))
    #expect(!session.rest.contains("of 60"))
    session.type(".mode csv\rDog select age\r.print end\r")
    #expect(session.shows("end\n"))
    #expect(!session.rest.contains("of 60"))
  }

  @Test("a result longer than the screen goes to the pager that its user names")
  func pager() throws {
    let session = try PromptSession(
      ["zoo.realm"], environment: ["REALM_CLI_PAGER": "sed 's/^/paged: /' | tail -n 2"])
    #expect(session.shows("zoo.realm [ro]> "))
    session.type("Dog select name, age\r")
    #expect(session.shows("paged: └"))
    session.type("Dog limit(2) select name\r")
    #expect(session.shows("\n└"))
  }

  @Test(
    "less is told to show colours and to leave out what fits, where its user says nothing else",
    arguments: [([:], "FRSX"), (["LESS": "-i"], "-i"), (["LESS": ""], "")])
  func pagerOptions(own: [String: String], options: String) throws {
    let pager = ["PAGER": "cat >/dev/null; echo \"options<$LESS>\""]
    let session = try PromptSession(["zoo.realm"], environment: pager.merging(own) { $1 })
    #expect(session.shows("zoo.realm [ro]> "))
    session.type("Dog select name, age\r")
    #expect(session.shows("options<\(options)>"))
  }

  @Test("of a row wider than the screen some columns are shown, and a resized window counts")
  func wideResult() throws {
    let session = try PromptSession(["zoo.realm"], rows: 50, columns: 40)
    #expect(session.shows("zoo.realm [ro]> "))
    session.type("Dog limit(1)\r")
    #expect(session.shows("not shown: vaccinat…"))
    session.resize(rows: 50, columns: 120)
    session.type("Dog limit(1)\r")
    #expect(session.shows("│ vaccinated │"))
  }

  @Test("words that people try first do what they mean", arguments: ["exit", "quit", "QUIT;", "\\q"])
  func firstWords(word: String) throws {
    let session = try PromptSession(["zoo.realm"])
    #expect(session.shows("zoo.realm [ro]> "))
    session.type("help\r")
    #expect(session.shows("Statements"))
    #expect(session.shows("zoo.realm [ro]> "))
    session.type("\\x\rDog limit(1) select name\r")
    #expect(session.shows("name = Rex"))
    session.type(word + "\r")
    #expect(session.end() == 0)
  }

  @Test("an error has its place under it, and the session goes on")
  func errors() throws {
    let session = try PromptSession(["zoo.realm"])
    #expect(session.shows("zoo.realm [ro]> "))
    session.type("count Dgo\r")
    #expect(session.shows("      ^^^"))
    #expect(session.shows("did you mean 'Dog'?"))
    session.type(".hlp\r")
    #expect(session.shows("did you mean '.help'?"))
    session.type("begin\r")
    #expect(session.shows("zoo.realm is open read-only"))
    #expect(session.shows(".open -w"))
  }

  @Test(
    "there are no colours with NO_COLOR or on a dumb terminal",
    arguments: [["NO_COLOR": "1"], ["TERM": "dumb"]])
  func colors(environment: [String: String]) throws {
    let session = try PromptSession(["-w", "zoo.realm"], environment: environment)
    #expect(session.shows("[write]> "))
    session.type("Dog limit(1)\rcount Dgo\r")
    #expect(session.shows("did you mean"))
    for code in ["1", "2", "33", "1;31"] { #expect(!session.raw.contains("\u{1B}[\(code)m")) }
  }

  @Test("colours show what counts on a terminal that has them")
  func colored() throws {
    let session = try PromptSession(["-w", "zoo.realm"])
    #expect(session.shows("[write]> "))
    session.type("Dog limit(1)\r")
    #expect(session.shows("└"))
    #expect(session.raw.contains("\u{1B}[33m[write]"))
    #expect(session.raw.contains("\u{1B}[1mname"))
  }

  /// A folder in which the user's own init file stands, and another script.
  private func sceneWithInitFile() throws -> ScratchFolder {
    let folder = try PromptSession.scene()
    let configuration = folder.url.appendingPathComponent(".config/realm-cli")
    try FileManager.default.createDirectory(at: configuration, withIntermediateDirectories: true)
    try ".mode csv\n.nonsense\n".write(
      to: configuration.appendingPathComponent("init"), atomically: true, encoding: .utf8)
    try ".mode jsonl\n".write(
      to: folder.url.appendingPathComponent("first.rql"), atomically: true, encoding: .utf8)
    return folder
  }

  @Test("the user's init file is run before the first prompt")
  func initFile() throws {
    // Messages are folded at the width of the terminal, and the path is as long as that of temporary folders.
    let session = try PromptSession(["zoo.realm"], columns: 500, in: sceneWithInitFile())
    #expect(session.shows("init, line 2: "))
    #expect(session.shows("zoo.realm [ro]> "))
    session.type("Dog limit(1) select name, age\r")
    #expect(session.shows("name,age\nRex,0\n"))
  }

  @Test("a script that fails in an open transaction says that its changes stay")
  func failedScript() throws {
    let folder = try PromptSession.scene()
    try "update Dog @2 set age = 88\nfoo\n".write(
      to: folder.url.appendingPathComponent("half.rql"), atomically: true, encoding: .utf8)
    let session = try PromptSession(["-w", "zoo.realm"], columns: 500, in: folder)
    #expect(session.shows("[write]> "))
    session.type("begin\r.read half.rql\r")
    #expect(session.shows("stays in the open transaction; 'rollback' takes it back"))
    session.type("rollback\rcount Dog where age == 88\r")
    #expect(session.shows("rolled back"))
  }

  @Test(
    "another file is run in its place, or none",
    arguments: [(["--init", "first.rql"], "{\"name\":\"Rex\",\"age\":0}\n"), (["--no-init"], "┌")])
  func otherInitFile(options: [String], output: String) throws {
    let session = try PromptSession(options + ["zoo.realm"], in: sceneWithInitFile())
    #expect(session.shows("zoo.realm [ro]> "))
    #expect(!session.raw.contains("nonsense"))
    session.type("Dog limit(1) select name, age\r")
    #expect(session.shows(output))
  }

  @Test("an init file that is a pipe is not waited for")
  func pipeAsInitFile() throws {
    let folder = try sceneWithInitFile()
    let path = folder.url.appendingPathComponent(".config/realm-cli/init").path
    try #require(unlink(path) == 0 && mkfifo(path, 0o600) == 0)
    let session = try PromptSession(["zoo.realm"], columns: 500, in: folder)
    #expect(session.shows("is not a file"))
    #expect(session.shows("zoo.realm [ro]> "))
    session.type(".quit\r")
    #expect(session.end() == 0)
  }

  @Test("an init file that is named and missing is told of, and the prompt comes")
  func missingInitFile() throws {
    let session = try PromptSession(["--init", "none.rql", "zoo.realm"], in: sceneWithInitFile())
    #expect(session.shows("none.rql"))
    #expect(session.shows("zoo.realm [ro]> "))
    session.type(".quit\r")
    #expect(session.end() == 0)
  }

  @Test("a prompt can have a text of its own, and the file's name again")
  func ownPrompt() throws {
    let session = try PromptSession(["-w", "zoo.realm"])
    #expect(session.shows("zoo.realm [write]> "))
    session.type(".prompt 'my zoo> '\r")
    #expect(session.shows("\nmy zoo> "))
    session.type("begin\r")
    #expect(session.shows("\nmy zoo> "))
    session.type("rollback\r.prompt\r")
    #expect(session.shows("\nzoo.realm [write]> "))
  }

  @Test("a session that a signal ends leaves the terminal as it was")
  func terminated() throws {
    let session = try PromptSession(["zoo.realm"])
    #expect(session.shows("zoo.realm [ro]> "))
    session.type(".shell kill -TERM $PPID\r")
    #expect(session.end() == 128 + SIGTERM)
  }
}
