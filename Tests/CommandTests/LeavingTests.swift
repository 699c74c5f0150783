// Leaving a session, or its realm, while changes wait for `commit`.

import Foundation
import Testing

@Suite("Leaving with changes that wait")
struct LeavingTests {
  private func session() throws -> PromptSession {
    let session = try PromptSession(["-w", "zoo.realm"])
    #expect(session.shows("[write]> "))
    session.type("begin\rupdate Dog set age = 99\r")
    #expect(session.shows("updated 60 objects"))
    #expect(session.shows("[write *]> "))
    return session
  }

  @Test("leaving is asked about", arguments: [".quit", ".exit", "\\q", "quit"])
  func quit(command: String) throws {
    let session = try session()
    session.type("\(command)\r")
    #expect(session.shows("discard the uncommitted changes and quit? [y/N] "))
    session.type("n\r")
    #expect(session.shows("[write *]> "))
    session.type("\(command)\r")
    #expect(session.shows("[y/N] "))
    session.type("y\r")
    #expect(session.end() == 0)
  }

  @Test("so is closing the realm")
  func close() throws {
    let session = try session()
    session.type(".close\r")
    #expect(session.shows("discard the uncommitted changes and close the realm? [y/N] "))
    session.type("\r")
    #expect(session.shows("[write *]> "))
    session.type("commit\r.close\r")
    #expect(session.shows("realm-cli> "))
  }

  @Test("a transaction without changes is nothing to ask about")
  func nothing() throws {
    let session = try PromptSession(["-w", "zoo.realm"])
    #expect(session.shows("[write]> "))
    session.type("begin\r")
    #expect(session.shows("[write *]> "))
    session.type(".quit\r")
    #expect(session.end() == 0)
  }

  @Test(
    "a script that ends inside a transaction is an error, and so is leaving from there",
    arguments: [
      ["begin", "update Dog set age = 99"], ["begin", "update Dog set age = 99", ".quit"],
      ["begin", "update Dog set age = 99", ".close"], ["update Dog set age = 99", ".close"],
    ])
  func script(statements: [String]) throws {
    let folder = try PromptSession.scene()
    let result = try RealmProcess.run(["-w", "zoo.realm"] + statements, in: folder.url)
    #expect(result.status == 7, "\(result)")
    let count = try RealmProcess.run(["zoo.realm", "count Dog where age == 99"], in: folder.url)
    #expect(count.outputText == "0\n")
  }

  @Test("a script that is one transaction keeps what it did before .quit")
  func implicit() throws {
    let folder = try PromptSession.scene()
    let statements = ["update Dog set age = 99", ".quit", "update Dog set age = 1"]
    #expect(try RealmProcess.run(["-w", "zoo.realm"] + statements, in: folder.url).status == 0)
    let count = try RealmProcess.run(["zoo.realm", "count Dog where age == 99"], in: folder.url)
    #expect(count.outputText == "60\n")
  }
}
