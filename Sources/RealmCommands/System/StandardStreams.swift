// Writing to standard output and standard error. Layer: RealmCommands, System.
// Invariant: a failed write to standard output is never ignored; a closed pipe ends the process quietly.

import CPlatform

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

  /// Writes all bytes to standard output.
  package static func write(_ bytes: [UInt8]) throws(Diagnostic) {
    guard let code = SystemCalls.write(bytes, to: output) else { return }
    if code == EPIPE { platform_end_by_signal(SIGPIPE) }
    throw Diagnostic(
      .unavailable, code: "output-failed", "cannot write to standard output – \(SystemCalls.reason(code))")
  }

  package static func write(_ text: String) throws(Diagnostic) { try write(Array(text.utf8)) }

  /// Writes to standard error. Where that fails nobody is left to be told.
  package static func writeError(_ text: String) {
    _ = SystemCalls.write(Array(text.utf8), to: error)
  }
}
