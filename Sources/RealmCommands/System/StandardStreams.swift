// Writing to standard output and standard error. Layer: RealmCommands, System.
// Invariant: a failed write to standard output is never ignored; a closed pipe ends the process quietly.

import ByteText
import CPlatform
import RealmEngine

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

  /// Writes all bytes; `name` is for messages. Where nobody reads them any more the process ends quietly.
  static func write(
    _ bytes: borrowing ByteBuffer, to descriptor: Int32, named name: String
  ) throws(EngineError) {
    do throws(SystemCallError) {
      try bytes.write(to: descriptor)
    } catch {
      if error.isBrokenPipe { platform_end_by_signal(SIGPIPE) }
      throw EngineError(.outputFailed, "cannot write to \(name) – \(error.message)")
    }
  }

  /// Writes to standard output.
  static func write(_ text: String) throws(EngineError) {
    var bytes = ByteBuffer()
    bytes.append(text: text)
    try write(bytes, to: output, named: "standard output")
  }

  /// Everything that comes from standard input. The handle closes a copy: a file that is opened later must not
  /// become standard input.
  static func readInput() throws(EngineError) -> [UInt8] {
    try FileHandle(adopting: dup(input), path: FilePath("standard input")).readToEnd()
  }

  /// Writes to standard error. Where that fails nobody is left to be told.
  static func writeError(_ text: String) {
    var bytes = ByteBuffer()
    bytes.append(text: text)
    try? bytes.write(to: error)
  }
}

extension [UInt8] {
  /// Everything that `descriptor` has, and at most one byte more than `sizeMax`, which shows that there is more.
  static func content(of descriptor: Int32, sizeMax: Int) throws(SystemCallError) -> [UInt8] {
    var content: [UInt8] = []
    while content.count <= sizeMax {
      if try content.append(readingFrom: descriptor, countMax: sizeMax + 1 - content.count) == 0 { break }
    }
    return content
  }
}
