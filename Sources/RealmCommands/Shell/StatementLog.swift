// `.log`: what was run, when, and how long it took. Layer: RealmCommands, Shell.

import ByteText
import RealmEngine

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A file that statements are added to.
final class StatementLog {
  let path: FilePath
  private let handle: FileHandle

  init(_ path: FilePath) throws(EngineError) {
    self.path = path
    handle = try FileHandle.openTextTarget(path, O_APPEND, mode: 0o600)
  }

  /// `2020-01-31T12:00:00Z  12 ms  ok  count Dog`
  func add(_ statement: ArraySlice<UInt8>, milliseconds: Int, code: String) {
    guard HistoryFile.mayBeKept(Array(statement)) else { return }
    var line = ByteBuffer()
    _ = Timestamp(seconds: SystemClock.now.seconds, nanoseconds: 0).write(to: &line)
    let text = String(decoding: statement, as: UTF8.self).split(separator: "\n").joined(separator: " ")
    line.append(text: "  \(milliseconds) ms  \(code)  \(text.visible)\n")
    try? line.write(to: handle.descriptor)
  }
}

extension Shell {
  /// Nil: no more.
  func log(to path: FilePath?) throws {
    statementLog = try path.map { path throws(EngineError) in try StatementLog(path) }
  }
}
