// The program on a terminal: questions and hidden answers.

import CPlatform
import Foundation
import TestSupport
import Testing

/// A process whose standard streams are a pseudo-terminal.
private final class TerminalSession {
  private var master: Int32 = -1
  private var slave: Int32 = -1
  let process = Process()
  private(set) var screen = ""

  init(_ arguments: [String], in folder: URL) throws {
    try #require(platform_open_pseudo_terminal(&master, &slave) == 0)
    process.executableURL = RealmProcess.executable
    process.arguments = arguments
    process.currentDirectoryURL = folder
    process.environment = RealmProcess.bareEnvironment.merging(["TERM": "dumb", "LANG": "C.UTF-8"]) { $1 }
    let stream = FileHandle(fileDescriptor: slave)
    process.standardInput = stream
    process.standardOutput = stream
    process.standardError = stream
    try process.run()
  }

  deinit {
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    close(slave)
    close(master)
  }

  var isEchoing: Bool {
    var settings = termios()
    return tcgetattr(slave, &settings) == 0 && settings.c_lflag & tcflag_t(ECHO) != 0
  }

  func type(_ text: String) { _ = text.withCString { write(master, $0, strlen($0)) } }

  /// Reads until the screen shows `text`; false where it never does.
  func shows(_ text: String) -> Bool {
    awaited {
      var request = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
      if poll(&request, 1, 0) > 0 {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = read(master, &buffer, buffer.count)
        if count > 0 { screen += String(decoding: buffer[..<count], as: UTF8.self) }
      }
      return screen.contains(text)
    }
  }
}

extension Process {
  /// A process that does not end is ended for good: a hanging program must not hang the tests.
  func waitForExit() {
    if !awaited({ !isRunning }) { kill(processIdentifier, SIGKILL) }
    waitUntilExit()
  }
}

@Suite("On a terminal")
struct TerminalTests {
  private func scene() throws -> ScratchFolder {
    let folder = try ScratchFolder()
    try folder.addFixtures()
    return folder
  }

  @Test("the key of an encrypted realm is asked for and not shown")
  func prompt() throws {
    let folder = try scene()
    let session = try TerminalSession(["__names", "classes", "zoo-encrypted.realm"], in: folder.url)
    #expect(session.shows("key of zoo-encrypted.realm (not shown): "))
    #expect(!session.isEchoing)
    let key = try String(contentsOf: folder.url.appendingPathComponent("key.hex"), encoding: .utf8)
    session.type(key.hasSuffix("\n") ? key : key + "\n")
    #expect(session.shows("Person"))
    session.process.waitForExit()
    #expect(session.process.terminationStatus == 0)
    #expect(!session.screen.contains("000102"))
    #expect(session.isEchoing)
  }

  @Test("a signal at the question ends the program by that signal, and typing is visible again")
  func interruptedPrompt() throws {
    let folder = try scene()
    let session = try TerminalSession(["__names", "classes", "zoo-encrypted.realm"], in: folder.url)
    #expect(session.shows("(not shown): "))
    kill(session.process.processIdentifier, SIGINT)
    session.process.waitForExit()
    #expect(session.process.terminationReason == .uncaughtSignal)
    #expect(session.process.terminationStatus == SIGINT)
    #expect(session.isEchoing)
  }

  @Test("nobody is asked with --batch or --no-input", arguments: ["--batch", "-batch", "--no-input"])
  func batch(option: String) throws {
    let folder = try scene()
    let session = try TerminalSession(["__names", option, "classes", "zoo-encrypted.realm"], in: folder.url)
    #expect(session.shows("a key is required"))
    session.process.waitForExit()
    #expect(session.process.terminationStatus == 4)
  }

  @Test(
    "before objects are erased the user is asked, and only a yes counts",
    arguments: ["y\n", "n\n", "\n"])
  func erasing(answer: String) throws {
    let folder = try scene()
    let session = try TerminalSession(["delete", "bare.realm", "Thing", "n >= 0"], in: folder.url)
    let before = try RealmProcess.run("query", "bare.realm", "Thing", "n >= 0", "--count", in: folder.url)
    #expect(session.shows("delete \(before.outputText.dropLast()) objects of Thing in bare.realm? [y/N] "))
    session.type(answer)
    session.process.waitForExit()
    #expect(session.process.terminationStatus == (answer == "y\n" ? 0 : 1))
    let after = try RealmProcess.run("query", "bare.realm", "Thing", "n >= 0", "--count", in: folder.url)
    #expect(after.outputText == (answer == "y\n" ? "0\n" : before.outputText))
  }
}
