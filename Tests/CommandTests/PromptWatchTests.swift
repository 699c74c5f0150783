// Watching at the prompt: changes are shown above what is typed, until control-C, the count or the time ends that.

import Foundation
import Testing

@Suite("Watching at the prompt")
struct PromptWatchTests {
  /// Commits to the realm that the session watches.
  private func commit(_ statement: String, in session: PromptSession) throws {
    let result = try RealmProcess.run(["-w", "--yes", "zoo.realm", statement], in: session.folder.url)
    #expect(result.status == 0, "\(result)")
  }

  @Test("changes come above what is typed, which can be gone on with")
  func above() throws {
    let session = try PromptSession(["zoo.realm"])
    #expect(session.shows("zoo.realm [ro]> "))
    session.type(".watch Dog 'age == 99'\r")
    #expect(session.shows("Dog: 0 objects"))
    #expect(session.shows("press Ctrl-C to stop"))
    #expect(session.shows("zoo.realm [ro]> "))
    session.type("count Dog where näme")
    #expect(session.shows("count Dog where näme"))
    session.type("\u{1B}[D\u{1B}[D\u{7F}a")
    // The keys have done their work before the news come.
    #expect(session.shows("a"))
    try commit("update Dog where name == 'Rex' and age == 0 set age = 99", in: session)
    #expect(session.shows("+ Dog "))
    #expect(session.shows("1 inserted, 0 deleted, 0 modified\n"))
    #expect(session.shows("zoo.realm [ro]> count Dog where name"))
    // The cursor stands where it stood.
    session.type("\u{5} == 'Rex' and age == 99\r")
    #expect(session.shows("\n1\n"))
    #expect(session.shows("zoo.realm [ro]> "))
    session.type("\u{3}")
    #expect(session.shows("^C"))
    #expect(session.shows("no longer showing changes"))
    #expect(session.shows("zoo.realm [ro]> "))
    try commit("delete Dog where age == 99", in: session)
    session.type("count Dog where age == 99\r")
    #expect(session.shows("\n0\n"))
    #expect(!session.rest.contains("deleted"))
    session.type("\u{4}")
    #expect(session.end() == 0)
  }

  @Test("a watch ends with the number of change sets that was wanted, and with the realm")
  func ends() throws {
    let session = try PromptSession(["-w", "zoo.realm"])
    #expect(session.shows("zoo.realm [write]> "))
    session.type(".watch Dog --properties owner.name --count 1\r")
    #expect(session.shows("press Ctrl-C to stop"))
    session.type("update Person set name = 'Eve'\r")
    #expect(session.shows("owner.name: "))
    #expect(session.shows("→ \"Eve\""))
    #expect(session.shows("no longer showing changes"))
    #expect(session.shows("zoo.realm [write]> "))
    session.type(".watch\r")
    #expect(session.shows("press Ctrl-C to stop"))
    #expect(session.shows("zoo.realm [write]> "))
    session.type(".open -w zoo.realm\rupdate Dog where age == 14 set age = 15\r")
    #expect(session.shows("updated"))
    #expect(!session.rest.contains("~ Dog"))
    session.type(".watch Nobody\r")
    #expect(session.shows("Nobody"))
    #expect(session.shows("zoo.realm [write]> "))
  }

  @Test("results that go elsewhere are waited for, and control-C ends that")
  func elsewhere() throws {
    let session = try PromptSession(["-w", "zoo.realm"])
    #expect(session.shows("zoo.realm [write]> "))
    session.type(".output seen\r.watch Dog\r")
    let seen = session.folder.url.appendingPathComponent("seen")
    #expect(awaited { !((try? Data(contentsOf: seen)) ?? Data()).isEmpty })
    session.type("\u{3}")
    #expect(session.shows("cancelled"))
    #expect(session.shows("zoo.realm [write]> "))
    session.type(".output\rcount Dog\r")
    #expect(session.shows("60\n"))
    #expect(try String(contentsOf: seen, encoding: .utf8).contains("Dog: 60 objects"))
  }
}
