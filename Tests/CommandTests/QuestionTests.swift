// While a question waits for its answer, or a prompt for its user, others can use the file; what was asked about is looked
// at again before it is done.

import Foundation
import Testing

@Suite("Questions keep nobody out")
struct QuestionTests {
  /// What another process does meanwhile; it must not find the file in use.
  private func change(_ session: PromptSession, _ arguments: [String], status: Int32 = 0) throws {
    let result = try RealmProcess.run(arguments, in: session.folder.url)
    #expect(result.status == status, "\(result)")
  }

  private func count(_ session: PromptSession, _ what: String) throws -> String {
    try RealmProcess.run(["zoo.realm", "count \(what)"], in: session.folder.url).outputText
  }

  @Test(
    "a deletion is asked anew where another number of objects meets the condition by then",
    arguments: [
      ["delete", "zoo.realm", "Dog", "age > 13"], ["-w", "zoo.realm", "delete Dog where age > 13"],
      ["-w", "zoo.realm"],
    ])
  func deletion(arguments: [String]) throws {
    let session = try PromptSession(arguments)
    if arguments.count == 2 {
      #expect(session.shows("> "))
      session.type("delete Dog where age > 13\r")
    }
    #expect(session.shows("objects of Dog in zoo.realm? [y/N]"))
    try change(session, ["-w", "zoo.realm", "update Dog where age > 14 set age = 1"])
    session.type("y\n")
    #expect(session.shows("objects of Dog in zoo.realm? [y/N]"))
    try change(session, ["-w", "zoo.realm", "update Person where _id == 1 set age = 1"])
    session.type("y\n")
    #expect(session.shows("deleted"))
    if arguments.count == 2 { session.type(".quit\r") }
    #expect(session.end() == 0)
    #expect(try count(session, "Dog where age > 13") == "0\n")
  }

  @Test("a no leaves everything, though the file is in use by then")
  func refusal() throws {
    let session = try PromptSession(["delete", "zoo.realm", "Dog", "TRUEPREDICATE"])
    #expect(session.shows("[y/N]"))
    session.type("n\n")
    #expect(session.shows("nothing was deleted"))
    #expect(session.end() == 1)
    #expect(try count(session, "Dog") == "60\n")
  }

  @Test(
    "a question that is answered by no, by nothing or by the end of input ends with 1, and nothing is done",
    arguments: [
      ["rm", "zoo.realm"], ["upgrade", "legacy9-small.realm"],
      ["delete", "zoo.realm", "Dog", "TRUEPREDICATE"],
      ["-w", "zoo.realm", "drop class Dog"], ["-w", "zoo.realm", "-c", "delete Dog"],
    ], ["n\n", "\n", "maybe\n", "\u{4}"])
  func declined(arguments: [String], answer: String) throws {
    let session = try PromptSession(arguments)
    #expect(session.shows("[y/N]"))
    session.type(answer)
    #expect(session.end() == 1)
    let file = arguments.first { $0.hasSuffix(".realm") } ?? ""
    #expect(
      try Data(contentsOf: session.folder.url.appendingPathComponent(file))
        == Data(contentsOf: RealmProcess.fixtures.appendingPathComponent(file)))
  }

  @Test("a script asks for what it removes before it begins")
  func script() throws {
    let session = try PromptSession([
      "-w", "zoo.realm", "update Dog set age = 2", "delete Dog where age == 2", "drop class Dog",
    ])
    #expect(session.shows("run 'delete Dog where age == 2' on zoo.realm? [y/N]"))
    try change(session, ["-w", "zoo.realm", "update Person where _id == 1 set age = 1"])
    session.type("y\n")
    #expect(session.shows("run 'drop class Dog' on zoo.realm? [y/N]"))
    session.type("n\n")
    #expect(session.shows("nothing was done"))
    #expect(session.end() == 1)
    #expect(try count(session, "Dog where age == 2") != "60\n")
  }

  @Test("rm and upgrade ask before they lock")
  func wholeFiles() throws {
    for arguments in [["rm", "zoo.realm"], ["upgrade", "legacy9-small.realm"]] {
      let session = try PromptSession(arguments)
      #expect(session.shows("[y/N]"))
      try change(session, ["compact", arguments[1]])
      session.type("y\n")
      #expect(session.shows(arguments[0] == "rm" ? "removed" : "upgraded"))
      #expect(session.end() == 0)
    }
  }

  @Test("an open transaction says that it keeps others out, and asks nothing")
  func openTransaction() throws {
    let session = try PromptSession(["-w", "zoo.realm"])
    #expect(session.shows("> "))
    session.type("begin\r")
    #expect(session.shows("no other program can change zoo.realm"))
    #expect(session.shows("--idle-timeout"))
    try change(session, ["compact", "zoo.realm"], status: 6)
    session.type("delete Dog where age > 13\r")
    #expect(session.shows("deleted"))
    session.type("rollback\r")
    #expect(session.shows("rolled back: 9 object deletions"))
    session.type(".quit\r")
    #expect(session.end() == 0)
  }

  @Test("an idle transaction ends by itself where that was asked for")
  func idleTransaction() throws {
    let session = try PromptSession(["-w", "--idle-timeout", "1", "zoo.realm"])
    #expect(session.shows("[write]> "))
    // What is typed ahead is there before the time begins.
    session.type("begin\rdelete Dog where")
    #expect(session.shows("[write * 1 s]> "))
    #expect(session.shows("rolled back, other programs can open zoo.realm again"))
    #expect(session.shows("[write]> "))
    try change(session, ["compact", "zoo.realm"])
    session.type("count Dog\r")
    #expect(session.shows("60\n"))
    session.type(".quit\r")
    #expect(session.end() == 0)
  }

  @Test("a history file that is a link or another name of a file is left alone", arguments: ["ln -s", "ln"])
  func history(linking: String) throws {
    let folder = try PromptSession.scene()
    let making = """
      mkdir -p .local/state/realm-cli; echo precious > victim; chmod 644 victim
      \(linking) "$PWD/victim" .local/state/realm-cli/history
      """
    _ = try RealmProcess.run(URL(fileURLWithPath: "/bin/sh"), ["-c", making], in: folder.url)
    let session = try PromptSession(["zoo.realm"], in: folder)
    #expect(session.shows("> "))
    session.type("count Dog\r")
    #expect(session.shows("60\n"))
    session.type(".quit\r")
    #expect(session.end() == 0)
    let victim = folder.url.appendingPathComponent("victim")
    #expect(try String(contentsOf: victim, encoding: .utf8) == "precious\n")
    let mode = try FileManager.default.attributesOfItem(atPath: victim.path)[.posixPermissions] as? Int
    #expect(mode == 0o644)
  }

  @Test("what is written is read before the file is locked")
  func slowInput() throws {
    let scene = try WholeFileScene()
    let line = """
      # More than a pipe holds has gone when somebody reads.
      { printf '%200000s'; touch begun; until [ -e go ]; do sleep 0.02; done; echo '{}'; } \
        | $R insert bare.realm Thing --data - &
      until [ -e begun ]; do sleep 0.02; done
      $R compact zoo.realm; $R compact bare.realm; s=$?; touch go; wait; exit $s
      """
    #expect(try scene.shell(line).status == 0)
  }
}
