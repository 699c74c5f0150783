// What somebody meets at the prompt who has read nothing but the first screen of help.

import Foundation
import Testing

@Suite("A new user at the prompt")
struct NewUserTests {
  private func key(_ session: PromptSession) throws -> String {
    try String(contentsOf: session.folder.url.appendingPathComponent("key.hex"), encoding: .utf8)
      .trimmingCharacters(in: .newlines)
  }

  @Test("the first screen of help fits on a small screen")
  func help() throws {
    let result = try RealmProcess.run(":memory:", ".help")
    let lines = result.outputText.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    // The prompt stands below it.
    #expect(lines.count <= 23)
    for line in lines { #expect(line.count <= 80, "\(line)") }
  }

  @Test("what is open stands in the prompt of the next line")
  func continuation() throws {
    let session = try PromptSession(["zoo.realm"])
    #expect(session.shows("zoo.realm [ro]> "))
    session.type("count Dog where (age > 14 or {\r")
    #expect(session.shows("{…> "))
    session.type("}\r")
    #expect(session.shows("(…> "))
    session.type("name == 'Rex\r")
    #expect(session.shows("'…> "))
    session.type("\u{3}")
    #expect(session.shows("zoo.realm [ro]> "))
    session.type("count Dog \\\r")
    #expect(session.shows(" …> "))
    session.type("\r")
    #expect(session.shows("60\n"))
  }

  @Test("control-C ends a query that runs, and the session goes on")
  func cancelling() throws {
    let session = try PromptSession([":memory:"], columns: 200)
    #expect(session.shows(":memory: [write]> "))
    let keys = (0..<40).map(String.init).joined(separator: ",")
    let objects = (0..<40).map { "{\"_id\":\($0)}" }.joined(separator: ",")
    let linked = (0..<40).map { "{\"_id\":\($0),\"next\":[\(keys)]}" }.joined(separator: ",")
    let script = """
      create class Node { _id: int primary key, next: list<Node> }
      insert Node [\(objects)]
      upsert Node [\(linked)]

      """
    try script.write(
      to: session.folder.url.appendingPathComponent("nodes.txt"), atomically: true, encoding: .utf8)
    session.type(".read nodes.txt\rcount Node\r")
    #expect(session.shows("40\n"))
    #expect(session.shows("> "))
    // Each object leads to millions, one path after the other.
    session.type("count Node where SUBQUERY(next.next.next.next, $n, $n._id == -1).@count > 0\r")
    #expect(session.shows("@count > 0\n"))
    // Whether it comes while the statement is read, planned or answered, the answer never appears.
    usleep(200_000)
    session.type("\u{3}")
    #expect(session.shows("cancelled"))
    #expect(session.shows(":memory: [write]> "))
    session.type("count Node where _id < 3\r")
    #expect(session.shows("3\n"))
  }

  @Test("a key that was typed is not asked for again")
  func typedKey() throws {
    let session = try PromptSession(["zoo-encrypted.realm"])
    #expect(session.shows("(not shown): "))
    session.type(try key(session) + "\r")
    #expect(session.shows("zoo-encrypted.realm [ro]> "))
    session.type(".info\r")
    #expect(session.shows("encrypted       yes"))
    session.type(".copy other.realm\r")
    #expect(session.shows("copied to other.realm"))
    session.type(".compact\r.open -w\r")
    #expect(session.shows("[write]> "))
    session.type("update Dog where age == 16 set age = 17\r")
    #expect(session.shows("updated 3 objects"))
    session.type(".versions\r")
    #expect(session.shows("current: 3 classes, 360 objects"))
    session.type(".open ./zoo-encrypted.realm\rcount Dog where age == 17\r")
    #expect(session.shows("3\n"))
    #expect(!session.raw.dropFirst(200).contains("not shown"))
    session.type(".open other.realm\r")
    #expect(session.shows("key of other.realm (not shown): "))
  }

  @Test("a key that is none or the wrong one may be typed again, twice")
  func wrongKeys() throws {
    let session = try PromptSession(["zoo-encrypted.realm"])
    #expect(session.shows("(not shown): "))
    session.type("no key\r")
    #expect(session.shows("is neither 64 bytes nor"))
    #expect(session.shows("(not shown): "))
    session.type(String(repeating: "ff", count: 64) + "\r")
    #expect(session.shows("wrong"))
    #expect(session.shows("(not shown): "))
    session.type(try key(session) + "\r")
    #expect(session.shows("zoo-encrypted.realm [ro]> "))
    session.type(".open zoo-encrypted.realm\rcount Dog\r")
    #expect(session.shows("60\n"))
  }

  @Test("three wrong keys are enough, and no answer is one", arguments: [3, 1])
  func givenUp(count: Int) throws {
    let session = try PromptSession(["zoo-encrypted.realm"])
    for _ in 0..<count {
      #expect(session.shows("(not shown): "))
      session.type((count == 1 ? "" : "no key") + "\r")
    }
    #expect(session.end() == 4)
  }

  @Test("a change is taken back, and the prompt tells what became of it")
  func undoing() throws {
    let session = try PromptSession(["zoo.realm"])
    #expect(session.shows("zoo.realm [ro]> "))
    session.type("update Person where _id == 18 set name = 'Ada'\r")
    #expect(session.shows("'.open -w' opens it for writing"))
    session.type(".open -w\rupdate Person where _id == 18 set name = 'Ada'\r")
    #expect(session.shows("updated 1 object\n(saved immediately"))
    session.type("undo\r")
    #expect(session.shows("'rollback' undoes the changes since 'begin'"))
    session.type("rollback\r")
    #expect(session.shows("without it every change is saved immediately"))
    session.type("begin\rupdate Person where _id == 18 set name = 'Bea'\rrollback\r")
    #expect(session.shows("rolled back: 1 object update"))
    session.type("count Person where _id == 18 and name == 'Ada'\r")
    #expect(session.shows("1\n"))
    session.type("begin\rupdate Person where _id < 2 set age = 5\rdelete Dog where age == 16\r")
    // It can be taken back, and nobody else may wait for an answer: so it is not asked.
    #expect(session.shows("deleted 3 objects"))
    session.type("commit\r")
    #expect(session.shows("committed: 2 object updates, 3 object deletions"))
    session.type("update Person where _id == 18 set name = 'Cleo'\r.print end\r")
    #expect(session.shows("updated 1 object\n"))
    #expect(session.shows("end\n"))
    #expect(!session.rest.contains("saved immediately"))
  }

  @Test("a file of an old format tells how it may be changed, and then is")
  func oldFormat() throws {
    let session = try PromptSession(["-w", "legacy9-small.realm"])
    #expect(session.shows("[write]> "))
    session.type("update Person set city = 'Paris'\r")
    #expect(session.shows("after '.open -w --upgrade' the first change upgrades it"))
    session.type(".open -w --upgrade\rupdate Person set city = 'Paris'\r")
    #expect(session.shows("upgraded from file format 9"))
    #expect(session.shows("updated 12 objects"))
  }

  @Test("help and another word are understood without the dot")
  func helpWithWord() throws {
    let session = try PromptSession(["zoo.realm"])
    #expect(session.shows("zoo.realm [ro]> "))
    session.type("help export\r")
    #expect(session.shows(".export Person -o people.csv"))
    session.type("help undo\r")
    #expect(session.shows(".undo – undo the last change"))
    session.type("help rollback\r")
    #expect(session.shows("discard the changes"))
    session.type(".help all\r")
    #expect(session.shows(".quit [STATUS]"))
  }

  /// What is shown between two marks that are typed around it, without the echo of what was typed.
  private func lines(of command: String, in session: PromptSession) -> [Substring] {
    let prompt = "zoo.realm [ro]> "
    // What is typed while something is printed, the terminal shows in the midst of it.
    session.type(".print begin of it\r")
    #expect(session.shows("\nbegin of it\n") && session.shows(prompt))
    session.type(command + "\r")
    #expect(session.shows(command + "\n") && session.shows(prompt))
    session.type(".print end of it\r")
    #expect(session.shows("\nend of it\n") && session.shows(prompt))
    let text = PromptSession.plain(session.raw)
    guard let end = text.range(of: prompt + ".print end of it", options: .backwards),
      let start = text.range(
        of: prompt + command + "\n", options: .backwards, range: text.startIndex..<end.lowerBound)
    else { return [] }
    return text[start.upperBound..<end.lowerBound].split(separator: "\n")
  }

  @Test("help, facts and complaints are broken at blanks on a narrow screen", arguments: [60, 80])
  func narrowScreen(columns: Int) throws {
    let session = try PromptSession(["zoo.realm"], rows: 50, columns: Int32(columns))
    #expect(session.shows("zoo.realm [ro]> "))
    for command in [".help", ".info", "Person where city == 'x'", ".help export"] {
      let lines = lines(of: command, in: session)
      #expect(lines.count > 2, "\(command)")
      for line in lines { #expect(line.count <= columns, "\(line)") }
      if command == ".help" {
        #expect(lines.contains { $0.hasPrefix("  update Dog set age = age + 1  change objects;") })
      }
      // No word is cut in two: what was broken goes on below the text.
      if columns == 60, command == ".info" {
        #expect(lines.contains { $0.hasPrefix("                ") && $0.contains("versions") })
      }
    }
    session.type("Person where city == 'x'\r")
    #expect(session.shows(columns == 60 ? "(did\nyou mean" : "(did you mean\n'address.city'?)"))
  }

  @Test("results are never broken")
  func wideResults() throws {
    let session = try PromptSession(["zoo.realm"], columns: 60)
    #expect(session.shows("zoo.realm [ro]> "))
    session.type(".mode json\rPerson where _id == 2 select name, address\r")
    #expect(session.shows("{\"street\":\"2 Main St\",\"city\":\"København\",\"zip\":\"0"))
  }

  @Test("words and signs of other programs are explained")
  func otherPrograms() throws {
    let session = try PromptSession(["zoo.realm"])
    #expect(session.shows("zoo.realm [ro]> "))
    session.type(".describe\r")
    #expect(session.shows("hint: write .schema CLASS"))
    session.type(".export Dog > dogs.csv\r")
    #expect(session.shows("to write to a file: -o FILE"))
    session.type(".export Dog -o dogs.csv\r")
    #expect(session.shows("written to dogs.csv\n"))
    session.type("Person where _id == 18 select @links\r")
    #expect(session.shows("hint: write @links.Dog.owner or @links.Person.bestFriend"))
    session.type("Dog select @links.Person.nothing\r")
    #expect(session.shows("hint: write @links.Person.dogs"))
    session.type("Person where age > 90\r")
    #expect(session.shows("'.all' shows all, 'select NAME, …' only some properties"))
  }
}
