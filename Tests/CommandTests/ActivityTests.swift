// What a terminal shows while something runs for longer than a second.

import Testing

@Suite("Something that takes long")
struct ActivityTests {
  /// A session whose open transaction keeps everybody else waiting.
  private func holder() throws -> PromptSession {
    let session = try PromptSession(["-w", "zoo.realm"])
    #expect(session.shows("[write]> "))
    session.type("begin\r")
    #expect(session.shows("no other program can change"))
    return session
  }

  @Test("a statement at the prompt says that it runs and how it is stopped, until it is done")
  func statement() throws {
    let holder = try holder()
    let waiting = try PromptSession(["-w", "zoo.realm", "--lock-timeout", "100"], in: holder.folder)
    #expect(waiting.shows("[write]> "))
    waiting.type("update Dog set age = 3\r")
    // A busy machine may leave a second out.
    #expect(waiting.shows("running; press Ctrl-C to stop: ") && waiting.shows(" s"))
    #expect(waiting.shows("running; press Ctrl-C to stop: ") && waiting.shows(" s"))
    holder.type("rollback\r")
    #expect(waiting.shows("updated 60 objects"))
    #expect(waiting.raw.contains("\r\u{1B}[Kupdated") || waiting.raw.contains("\r\u{1B}[K"))
  }

  @Test("a command says its name and the file's")
  func command() throws {
    let holder = try holder()
    let waiting = try PromptSession(
      ["compact", "zoo.realm", "--lock-timeout", "100"], in: holder.folder)
    #expect(waiting.shows("compact zoo.realm: ") && waiting.shows(" s"))
    holder.type("rollback\r")
    #expect(waiting.end() == 0)
  }

  @Test("who asked for quiet sees none of it")
  func quiet() throws {
    let holder = try holder()
    let waiting = try PromptSession(
      ["compact", "zoo.realm", "--quiet", "--lock-timeout", "2"], in: holder.folder)
    #expect(waiting.end() == 6)
    #expect(!waiting.raw.contains("compact zoo.realm:"))
  }
}
