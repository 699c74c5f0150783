// Writing to standard output and standard error. Layer: RealmCommands, System.
// Invariants: a failed write to standard output is never ignored; a closed pipe ends the process quietly; nothing that steers
// a terminal gets to one but marks of our own.

import ByteText
import CPlatform
import RealmEngine
import TextFormats

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The three streams that a process starts with.
enum StandardStreams {
  static let input: Int32 = 0
  static let output: Int32 = 1
  static let error: Int32 = 2

  /// Writes all bytes, to a terminal as `append(forTerminal:)` makes them; `name` is for messages. Where nobody reads them
  /// any more the process ends quietly.
  static func write(
    _ bytes: borrowing ByteBuffer, to descriptor: Int32, named name: String
  ) throws(EngineError) {
    do throws(SystemCallError) {
      try put(bytes, on: descriptor)
    } catch {
      if error.isBrokenPipe { platform_end_by_signal(SIGPIPE) }
      throw EngineError(.outputFailed, "cannot write to \(name) – \(error.message)")
    }
  }

  /// Writes all bytes; a terminal gets them as `append(forTerminal:)` makes them.
  static func put(_ bytes: borrowing ByteBuffer, on descriptor: Int32) throws(SystemCallError) {
    if SystemCalls.isTerminal(descriptor) {
      // What is shown may end in the middle of a line.
      ActivityLine.end()
      try bytes.forTerminal.write(to: descriptor)
    } else {
      try bytes.write(to: descriptor)
    }
  }

  /// Writes to standard output.
  static func write(_ text: String) throws(EngineError) {
    var bytes = ByteBuffer()
    bytes.append(text: text)
    try write(bytes, to: output, named: "standard output")
  }

  /// Reads standard input as text that somebody wrote.
  static func readText() throws(EngineError) -> [UInt8] { try inputHandle().readText() }

  /// Standard input as a file. The handle closes a copy: a file that is opened later must not become standard input.
  static func inputHandle() -> FileHandle {
    FileHandle(adopting: dup(input), path: .standardInput)
  }

  /// Writes to standard error. Where that fails nobody is left to be told.
  static func writeError(_ text: String) {
    var bytes = ByteBuffer()
    bytes.append(text: text)
    writeError(marked: bytes)
  }

  /// Writes to standard error for programs: one object on a line.
  static func writeError(json document: DocumentNode) {
    var text = ByteBuffer()
    text.append(json: document)
    writeError(text.text + "\n")
  }

  /// Writes text with marks of our own, which become sequences wherever it goes.
  static func writeError(marked bytes: borrowing ByteBuffer) {
    if SystemCalls.isTerminal(error) {
      ActivityLine.hide()
      try? bytes.forTerminal.write(to: error)
    } else {
      var plain = ByteBuffer(capacity: bytes.count + 1)
      plain.append(marked: bytes.span)
      try? plain.write(to: error)
    }
  }

  /// Writes a line over the one that the cursor is in.
  static func rewriteErrorLine(_ text: String) {
    ActivityLine.end()
    var bytes = ByteBuffer()
    bytes.append(.lineStart)
    bytes.append(text: text)
    writeError(marked: bytes)
  }
}

extension ByteBuffer {
  /// The same text as a terminal gets it.
  var forTerminal: ByteBuffer {
    borrowing get {
      var shown = ByteBuffer(capacity: count + 1)
      shown.append(forTerminal: span)
      return shown
    }
  }
}

extension [UInt8] {
  /// Everything that `descriptor` has, and at most one byte more than `sizeMax`, which shows that there is more. Throws
  /// ETIMEDOUT where the end has not come at `deadline`, in milliseconds of `SystemClock`.
  static func content(
    of descriptor: Int32, sizeMax: Int, until deadline: Int? = nil
  ) throws(SystemCallError) -> [UInt8] {
    var content: [UInt8] = []
    while content.count <= sizeMax {
      if let deadline {
        let left = deadline - SystemClock.milliseconds
        guard left > 0 else { throw SystemCallError(code: ETIMEDOUT) }
        guard awaitInput(descriptor, milliseconds: Int32(clamping: left)) else { continue }
      }
      if try content.append(readingFrom: descriptor, countMax: sizeMax + 1 - content.count) == 0 { break }
    }
    return content
  }
}
