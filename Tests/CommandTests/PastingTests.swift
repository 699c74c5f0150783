// What a terminal sends besides letters: pasted text, and keys that nobody bound.

import Foundation
import TestSupport
import Testing

@Suite("Pasting and keys at the prompt")
struct PastingTests {
  @Test("what is pasted arrives as it is: tabs, lines, a script")
  func paste() throws {
    let session = try PromptSession(["-w", "zoo.realm"])
    #expect(session.shows("zoo.realm [write]> "))
    #expect(session.raw.contains("\u{1B}[?2004h"))
    session.type("\u{1B}[200~update Dog @1 set name = \"a\tb\"\rcount Dog\r\ncount Per\u{1B}[201~")
    #expect(session.shows("updated 1 object"))
    #expect(session.shows("\n60\n"))
    #expect(session.shows("count Per"))
    session.type("son\r")
    #expect(session.shows("\n200\n"))
    session.type("count Dog where name == 'a\\tb'\r")
    #expect(session.shows("\n1\n"))
    session.type("\u{4}")
    #expect(session.end() == 0)
    #expect(session.raw.contains("\u{1B}[?2004l"))
  }

  @Test("a pasted line that begins with a clause goes on with the statement before it")
  func clauses() throws {
    let session = try PromptSession(["-w", "zoo.realm"])
    #expect(session.shows("zoo.realm [write]> "))
    session.type("\u{1B}[200~update Dog set age = 0\rwhere name == 'Rex'\r\u{1B}[201~")
    #expect(session.shows("updated 12 objects"))
    session.type("\u{1B}[200~count Dog\rwhere age > 3\rlimit(2)\u{1B}[201~")
    #expect(session.shows("limit(2)"))
    session.type("\r")
    #expect(session.shows("\n2\n"))
    session.type("\u{4}")
    #expect(session.end() == 0)
  }

  @Test("a pasted line that begins with a class of a clause's name is a statement of its own")
  func classNamedAsClause() throws {
    let session = try PromptSession(["-w", "zoo.realm"])
    #expect(session.shows("zoo.realm [write]> "))
    session.type("create class Order { id: int }\r")
    #expect(session.shows("created 1 class"))
    session.type("\u{1B}[200~count Dog\rOrder where id > 1\rcount Person\r\u{1B}[201~")
    #expect(session.shows("\n60\n"))
    #expect(session.shows("\n200\n"))
    session.type("\u{4}")
    #expect(session.end() == 0)
  }

  @Test("a signal that ends the program leaves a terminal that marks nothing", arguments: [SIGTERM, SIGHUP])
  func ended(number: Int32) throws {
    let session = try PromptSession(["zoo.realm"])
    #expect(session.shows("zoo.realm [ro]> "))
    session.signal(number)
    #expect(session.end() == 128 + number)
    #expect(session.raw.hasSuffix("\u{1B}[?2004l"))
  }

  @Test("a control-C ends a paste with its line")
  func interrupted() throws {
    let session = try PromptSession(["zoo.realm"])
    #expect(session.shows("zoo.realm [ro]> "))
    session.type("\u{1B}[200~count Dog where age ==")
    session.type("\u{3}")
    #expect(session.shows("^C"))
    #expect(session.shows("zoo.realm [ro]> "))
    session.type("count Dog\r")
    #expect(session.shows("\n60\n"))
    session.type("\u{4}")
    #expect(session.end() == 0)
  }

  @Test("keys that nobody bound insert nothing")
  func deafKeys() throws {
    let session = try PromptSession(["zoo.realm"])
    #expect(session.shows("zoo.realm [ro]> "))
    for key in ["[5~", "[6~", "[2~", "[15~", "[24;5~", "[1;2D", "OP"] { session.type("\u{1B}\(key)") }
    session.type("count Dog\r")
    #expect(session.shows("\n60\n"))
    session.type("\u{4}")
    #expect(session.end() == 0)
  }

  @Test("a dumb terminal is asked for nothing")
  func dumb() throws {
    let session = try PromptSession(["zoo.realm"], environment: ["TERM": "dumb"])
    #expect(session.shows("zoo.realm [ro]> "))
    session.type("count Dog\r")
    #expect(session.shows("60\n"))
    session.type("\u{4}")
    #expect(session.end() == 0)
    #expect(!session.raw.contains("\u{1B}["))
  }

  @Test(
    "a statement of several lines comes back whole on one, with an escape for the end of a line in a text")
  func history() throws {
    let session = try PromptSession(["-w", "zoo.realm"])
    #expect(session.shows("zoo.realm [write]> "))
    session.type("update Dog @1 set name = 'one\rtwo', \\\r age = 3 -- why\r")
    #expect(session.shows("updated 1 object"))
    #expect(session.shows("zoo.realm [write]> "))
    session.type("count Dog\r")
    #expect(session.shows("60\n"))
    #expect(session.shows("zoo.realm [write]> "))
    session.type("\u{1B}[A\u{1B}[A\r")
    #expect(session.shows("set name = 'one\\ntwo',") && session.shows("age = 3"))
    #expect(session.shows("updated 1 object"))
    #expect(session.shows("zoo.realm [write]> "))
    session.type("count Dog where name == 'one\\ntwo' and age == 3\r")
    #expect(session.shows("\n1\n"))
    #expect(session.shows("zoo.realm [write]> "))
    session.type("\u{4}")
    #expect(session.end() == 0)
  }

  @Test("a dry run says so, and saves nothing")
  func dryRun() throws {
    let session = try PromptSession(["-w", "-n", "zoo.realm"])
    #expect(session.shows("a dry run: nothing is saved"))
    #expect(session.shows("zoo.realm [dry run]> "))
    session.type("update Dog set age = 3\r")
    #expect(session.shows("would update 60 objects"))
    session.type("begin\rdelete Dog @1\rcommit\r")
    #expect(session.shows("would delete 1 object"))
    #expect(session.shows("not committed: this is a dry run"))
    session.type(".compact\r")
    #expect(session.shows("would shrink"))
    session.type("\u{4}")
    #expect(session.end() == 0)
    let answer = try RealmProcess.run(["zoo.realm", "count Dog where age == 3"], in: session.folder.url)
    #expect(answer.outputText == "4\n")
  }
}
