// Control-C in a session: whatever runs or is asked ends, and the prompt comes back.

import Foundation
import TestSupport
import Testing

@Suite("Control-C at the prompt")
struct InterruptTests {
  /// A realm in memory with a class of many objects, so that changing them takes a while.
  private func session(objectCount: Int) throws -> PromptSession {
    let folder = try PromptSession.scene()
    let objects = (0..<objectCount).map { "{\"_id\":\($0),\"text\":\"number \($0)\"}" }
    let script = """
      create class Row { _id: int primary key, text: string, other: string? }
      insert Row [\(objects.joined(separator: ","))]

      """
    try script.write(
      to: folder.url.appendingPathComponent("rows.txt"), atomically: true, encoding: .utf8)
    let made = try RealmProcess.run(
      URL(fileURLWithPath: "/bin/sh"),
      [
        "-c",
        "\(RealmProcess.executable.path) create rows.realm --schema bare.json && \(RealmProcess.executable.path) -w rows.realm '.read rows.txt'",
      ],
      in: {
        try "{\"realm_schema\":1,\"classes\":{}}".write(
          to: folder.url.appendingPathComponent("bare.json"), atomically: true, encoding: .utf8)
        return folder.url
      }())
    #expect(made.status == 0, "\(made)")
    return try PromptSession(["-w", "rows.realm"], in: folder)
  }

  @Test("a question that is interrupted is answered by no, and what is typed next is a statement")
  func question() throws {
    let session = try PromptSession(["-w", "zoo.realm"])
    #expect(session.shows("[write]> "))
    session.type("delete Dog\r")
    #expect(session.shows("[y/N] "))
    session.type("\u{3}")
    #expect(session.shows("cancelled\n"))
    #expect(session.shows("[write]> "))
    session.type("count Dog\r")
    #expect(session.shows("60\n"))
  }

  @Test("the key of another realm need not be typed")
  func key() throws {
    let session = try PromptSession(["zoo.realm"])
    #expect(session.shows("zoo.realm [ro]> "))
    session.type(".open zoo-encrypted.realm\r")
    #expect(session.shows("(not shown): "))
    session.type("abc\u{3}")
    #expect(session.shows("cancelled\n"))
    #expect(session.shows("zoo.realm [ro]> "))
    session.type("count Dog\r")
    // It is echoed, and the realm that was open still is.
    #expect(session.shows("count Dog"))
    #expect(session.shows("60\n"))
  }

  @Test("an end of input answers a question by no")
  func endOfInput() throws {
    let session = try PromptSession(["-w", "zoo.realm"])
    #expect(session.shows("[write]> "))
    session.type("delete Dog\r")
    #expect(session.shows("[y/N] "))
    session.type("\u{4}")
    #expect(session.shows("nothing was deleted"))
    session.type("count Dog\r")
    #expect(session.shows("60\n"))
  }

  @Test(
    "changes of many objects end and have changed none, in a transaction that is open or in their own", .slow,
    arguments: [true, false])
  func change(isOpen: Bool) throws {
    let session = try session(objectCount: 100_000)
    // So many that it cannot be over before the interrupt is typed.
    let script = String(repeating: "update Row set other = text + text\n", count: 2000)
    try script.write(
      to: session.folder.url.appendingPathComponent("change.txt"), atomically: true, encoding: .utf8)
    #expect(session.shows("[write]> "))
    if isOpen {
      session.type("begin\r")
      #expect(session.shows("[write *]> "))
    }
    session.type(".read change.txt\r")
    #expect(session.shows(".read change.txt\n"))
    session.type("\u{3}")
    #expect(session.shows("cancelled"))
    // A statement that ends in the middle takes its transaction back; between two of them it stays open.
    #expect(session.shows("rows.realm [write"))
    if isOpen { session.type("rollback\r") }
    session.type("count Row where other != null\r")
    #expect(session.shows("\n0\n"))
  }
}
