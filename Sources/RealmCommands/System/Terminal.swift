// What the terminal is and what it can show. Layer: RealmCommands, System.

import ByteText
import CPlatform
import RealmEngine

/// Whether there is somebody to talk to, and how.
struct Terminal: Sendable {
  let inputIsTerminal: Bool
  let outputIsTerminal: Bool
  let errorIsTerminal: Bool

  /// The streams this process has.
  package static func current() -> Terminal {
    Terminal(
      inputIsTerminal: SystemCalls.isTerminal(StandardStreams.input),
      outputIsTerminal: SystemCalls.isTerminal(StandardStreams.output),
      errorIsTerminal: SystemCalls.isTerminal(StandardStreams.error))
  }

  /// The width of the terminal that standard output is; 80 where it does not say.
  var columnCount: Int { Self.columnCount(of: StandardStreams.output) ?? 80 }

  /// The width of the terminal behind a descriptor; nil where there is none, or it does not say.
  static func columnCount(of descriptor: Int32) -> Int? {
    let count = Int(platform_terminal_column_count(descriptor))
    return count > 0 ? count : nil
  }

  /// The height of the terminal that standard output is; 24 where it does not say.
  var rowCount: Int {
    let count = Int(platform_terminal_row_count(StandardStreams.output))
    return count > 0 ? count : 24
  }

  /// Asks on the terminal and reads one line, which stays invisible when `isSecret`. Nil at the end of input. Throws
  /// `.cancelled` where the user interrupts a session that goes on.
  func ask(_ question: String, isSecret: Bool = false) throws(EngineError) -> [UInt8]? {
    ActivityLine.pause()
    defer { ActivityLine.resume() }
    // Before the question: what is typed after it must not be seen.
    if isSecret, platform_set_echo(0) != 0 { return nil }
    StandardStreams.writeError(question)
    defer {
      if isSecret {
        _ = platform_set_echo(1)
        StandardStreams.writeError("\n")
      }
    }
    if platform_wait_for_answer(StandardStreams.input) == 0 {
      if !isSecret { StandardStreams.writeError("\n") }
      throw EngineError(.cancelled, "cancelled")
    }
    return Self.readLine()
  }

  private static let lineSizeMax = 4096

  /// A terminal hands out a line at a time.
  private static func readLine() -> [UInt8]? {
    var line: [UInt8] = []
    guard let count = try? line.append(readingFrom: StandardStreams.input, countMax: lineSizeMax), count > 0
    else {
      return nil
    }
    return line.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).first.map(
      Array.init)
  }
}

/// `--color`.
package enum ColorChoice: String, CaseIterable, Sendable {
  case auto
  case always
  case never

  /// Whether a stream gets colors: NO_COLOR and dumb terminals say no, an explicit choice counts more.
  package func applies(isTerminal: Bool, environment: (String) -> [UInt8]?) -> Bool {
    switch self {
    case .always: return true
    case .never: return false
    case .auto:
      let isForbidden = !(environment("NO_COLOR") ?? []).isEmpty
      return isTerminal && !isForbidden && environment("TERM") != Array("dumb".utf8)
    }
  }
}
