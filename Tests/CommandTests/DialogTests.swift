// A program that keeps a session open: each statement is answered before the next one is sent.

import Foundation
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

@Suite("A session that a program talks to")
struct DialogTests {
  /// The program with pipes, read line by line.
  private final class Session {
    let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private var pending = Data()

    init(_ arguments: [String], in folder: URL) throws {
      process.executableURL = RealmProcess.executable
      process.arguments = arguments
      process.currentDirectoryURL = folder
      process.environment = RealmProcess.bareEnvironment
      process.standardInput = input
      process.standardOutput = output
      try process.run()
    }

    func send(_ text: String) { input.fileHandleForWriting.write(Data(text.utf8)) }

    func end() -> Int32 {
      input.fileHandleForWriting.closeFile()
      process.waitUntilExit()
      return process.terminationStatus
    }

    /// The next line, which must come while the input is open.
    func line() -> String? {
      while true {
        if let newline = pending.firstIndex(of: 0x0A) {
          let line = String(decoding: pending[..<newline], as: UTF8.self)
          pending = Data(pending[(newline + 1)...])
          return line
        }
        let more = output.fileHandleForReading.availableData
        if more.isEmpty { return nil }
        pending += more
      }
    }
  }

  @Test("statements are answered one by one, errors too, and what was changed is kept")
  func dialog() throws {
    let folder = try PromptSession.scene()
    let session = try Session(["-w", "--dialog", "--mode", "jsonl", "zoo.realm"], in: folder.url)
    session.send("Dog limit(1) select name\n")
    #expect(session.line() == "{\"name\":\"Rex\"}")
    #expect(session.line() == "{\"ok\":true,\"changed\":0}")
    session.send("count Dgo\n")
    #expect(session.line()?.hasPrefix("{\"ok\":false,\"code\":\"unknown-class\",\"exit\":7,") ?? false)
    session.send("update Dog where age > 13 set age = 99; count Dog\n")
    #expect(session.line() == "{\"ok\":true,\"changed\":9}")
    let other = try RealmProcess.run(["zoo.realm", "count Dog where age == 99"], in: folder.url)
    #expect(other.outputText == "9\n")
    #expect(session.line() == "{\"count\":60}")
    #expect(session.line() == "{\"ok\":true,\"changed\":0}")
    #expect(session.end() == 7)
  }

  @Test("who is told to end while it waits for a statement ends, also behind a change")
  func ended() throws {
    let folder = try PromptSession.scene()
    let session = try Session(["-w", "--dialog", "--mode", "jsonl", "zoo.realm"], in: folder.url)
    session.send("update Dog where age > 13 set age = 99\n")
    #expect(session.line() == "{\"ok\":true,\"changed\":9}")
    kill(session.process.processIdentifier, SIGTERM)
    #expect(awaited { !session.process.isRunning })
    #expect(session.end() == SIGTERM)
  }

  @Test("an input that ends inside a transaction has changed nothing")
  func openEnd() throws {
    let folder = try PromptSession.scene()
    let session = try Session(["-w", "--dialog", "zoo.realm"], in: folder.url)
    session.send("begin\nupdate Dog set age = 99\ncount Dog where age == 99\n")
    #expect(session.line() == "60")
    #expect(session.end() == 7)
    let count = try RealmProcess.run(["zoo.realm", "count Dog where age == 99"], in: folder.url)
    #expect(count.outputText == "0\n")
  }

  @Test("what is for the prompt is refused where there is none")
  func idleTimeout() throws {
    let scene = try WholeFileScene()
    let result = try scene.run(["--dialog", "-w", "--idle-timeout", "1", "zoo.realm"], status: 2)
    #expect(result.errorText.contains("--idle-timeout"), "\(result)")
  }
}
