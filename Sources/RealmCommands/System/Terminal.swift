// What the terminal is and what it can show. Layer: RealmCommands, System.

import CPlatform

/// Whether there is somebody to talk to, and how.
struct Terminal: Sendable {
  let inputIsTerminal: Bool
  let outputIsTerminal: Bool
  let errorIsTerminal: Bool

  init(inputIsTerminal: Bool, outputIsTerminal: Bool, errorIsTerminal: Bool) {
    self.inputIsTerminal = inputIsTerminal
    self.outputIsTerminal = outputIsTerminal
    self.errorIsTerminal = errorIsTerminal
  }

  /// The streams this process has.
  package static func current() -> Terminal {
    Terminal(
      inputIsTerminal: SystemCalls.isTerminal(StandardStreams.input),
      outputIsTerminal: SystemCalls.isTerminal(StandardStreams.output),
      errorIsTerminal: SystemCalls.isTerminal(StandardStreams.error))
  }

  /// The width of the terminal that standard output is; 80 where it does not say.
  var columnCount: Int {
    let count = Int(platform_terminal_column_count(StandardStreams.output))
    return count > 0 ? count : 80
  }

  /// Asks on the terminal and reads one line, which stays invisible when `isSecret`. Nil at the end of input.
  func ask(_ question: String, isSecret: Bool = false, sizeMax: Int = 4096) -> [UInt8]? {
    StandardStreams.writeError(question)
    if isSecret, platform_set_echo(0) != 0 { return nil }
    let answer = SystemCalls.read(
      from: StandardStreams.input, sizeMax: sizeMax, until: UInt8(ascii: "\n"))
    if isSecret {
      _ = platform_set_echo(1)
      StandardStreams.writeError("\n")
    }
    return answer
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
