// A session at a prompt for the tests: the real program on a pseudo-terminal that is its own, so that control
// characters become signals.

import CPlatform
import Foundation
import TestSupport
import Testing

/// The program with a prompt, and what its screen has shown.
final class PromptSession {
  let folder: ScratchFolder
  private var master: Int32 = -1
  private let process: Int32
  /// Everything that came, with escape sequences.
  private(set) var raw = ""
  private var readOffset = 0

  init(
    _ arguments: [String], rows: Int32 = 24, columns: Int32 = 100, environment: [String: String] = [:],
    in folder: ScratchFolder? = nil
  ) throws {
    let folder = try folder ?? Self.scene()
    self.folder = folder
    let fixed = RealmProcess.bareEnvironment.merging([
      "TERM": "xterm", "LANG": "C.UTF-8", "HOME": folder.url.path, "PATH": "/usr/bin:/bin",
      "PAGER": "",
    ]) { $1 }
    let words = [RealmProcess.executable.path] + arguments
    let variables = fixed.merging(environment) { $1 }.map { "\($0.key)=\($0.value)" }
    var end: Int32 = -1
    process = Self.withPointers(words) { words in
      Self.withPointers(variables) { variables in
        platform_start_on_terminal(
          RealmProcess.executable.path, words, variables, folder.url.path, rows, columns, &end)
      }
    }
    master = end
    try #require(process > 0)
  }

  deinit {
    if !hasEnded {
      kill(process, SIGKILL)
      _ = platform_wait_for_process(process)
    }
    close(master)
  }

  static func scene() throws -> ScratchFolder {
    let folder = try ScratchFolder()
    try folder.addFixtures()
    return folder
  }

  private static func withPointers<Result>(
    _ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
  ) -> Result {
    let pointers = texts.map { strdup($0) }
    defer { for pointer in pointers { free(pointer) } }
    return body(pointers + [nil])
  }

  // MARK: Typing and looking

  func type(_ text: String) { _ = text.withCString { write(master, $0, strlen($0)) } }

  func signal(_ number: Int32) { kill(process, number) }

  func resize(rows: Int32, columns: Int32) { platform_resize_terminal(master, rows, columns) }

  /// Seconds after which a session counts as hanging; a busy machine may need many for what takes milliseconds.
  private static let patience = 120.0

  /// Whether something was waited for in vain.
  private var hangs = false

  /// Waits until `text` is shown behind what earlier calls found; false when the session hangs or has ended. One that hangs is
  /// not waited for again.
  func shows(_ text: String) -> Bool {
    let deadline = Date().addingTimeInterval(hangs ? 0 : Self.patience)
    while true {
      let seen = Self.plain(raw)
      let fresh = seen.dropFirst(min(readOffset, seen.count))
      if let found = fresh.range(of: text) {
        readOffset = seen.distance(from: seen.startIndex, to: found.upperBound)
        return true
      }
      guard Date() < deadline, readSome() else {
        if !hangs { Issue.record("\(text) is not shown, but \(rest.debugDescription)") }
        hangs = true
        return false
      }
    }
  }

  /// What was shown since the last call that found something.
  var rest: String {
    let seen = Self.plain(raw)
    return String(seen.dropFirst(min(readOffset, seen.count)))
  }

  private var pending: [UInt8] = []

  private func readSome() -> Bool {
    var request = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
    guard poll(&request, 1, 100) > 0 else { return true }
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = read(master, &buffer, buffer.count)
    guard count > 0 else { return false }
    pending += buffer[..<count]
    // A character may be torn by the end of what was read.
    if let text = String(validating: pending, as: UTF8.self) {
      raw += text
      pending = []
    }
    return true
  }

  private var hasEnded = false

  /// Reads until the program has gone, or hangs; its exit status, 128+n after a signal.
  func end() -> Int32 {
    let deadline = Date().addingTimeInterval(hangs ? 1 : Self.patience)
    while Date() < deadline, readSome() {}
    // One that closed its terminal is about to go.
    if Date() >= deadline { kill(process, SIGKILL) }
    hasEnded = true
    return platform_wait_for_process(process)
  }

  /// The text without what only moves the cursor or colours.
  static func plain(_ raw: String) -> String {
    var text = String.UnicodeScalarView()
    var scalars = raw.unicodeScalars.makeIterator()
    while let scalar = scalars.next() {
      guard scalar == "\u{1B}" else {
        if scalar != "\r" && scalar != "\u{7}" { text.append(scalar) }
        continue
      }
      guard let next = scalars.next(), next == "[" else { continue }
      while let parameter = scalars.next(), !("@"..."~").contains(parameter) {}
    }
    return String(text)
  }
}
