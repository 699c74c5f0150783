// Transcripts: what a user types and what comes back, as text files under fixtures/transcripts.
//
//   # a remark, kept when the file is recorded again
//   $ realm-cli count zoo.realm <<END     a command for sh; lines with "> " continue it
//   > Dog
//   > END
//   60                                    expected standard output
//   2> realm-cli: …                       expected standard error
//   [exit 7]                              expected exit status, where it is not 0
//
// An output line that could be taken for one of these, or is empty, stands behind a backslash; output whose last
// line has no newline ends with a line "\%". An empty line ends a command's output.

struct Transcript {
  enum Part {
    /// Remarks and empty lines, as they stand.
    case verbatim(String)
    case step(Step)
  }

  struct Step {
    var command: String
    /// The lines behind the command, as they stand.
    var expected: [String]
    var line: Int
  }

  var parts: [Part] = []

  init(_ text: String) {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    if lines.last == "" { lines.removeLast() }
    var index = 0
    while index < lines.count {
      guard lines[index].hasPrefix("$ ") else {
        parts.append(.verbatim(lines[index]))
        index += 1
        continue
      }
      var step = Step(command: String(lines[index].dropFirst(2)), expected: [], line: index + 1)
      index += 1
      while index < lines.count, lines[index].hasPrefix("> ") {
        step.command += "\n" + lines[index].dropFirst(2)
        index += 1
      }
      while index < lines.count, !lines[index].isEmpty, !lines[index].hasPrefix("$ ") {
        step.expected.append(lines[index])
        index += 1
      }
      parts.append(.step(step))
    }
  }

  var text: String {
    parts.map { part in
      switch part {
      case .verbatim(let line): line + "\n"
      case .step(let step):
        "$ " + step.command.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\n> ")
          + "\n" + step.expected.map { $0 + "\n" }.joined()
      }
    }.joined()
  }

  /// The lines that stand for what a process did.
  static func lines(_ result: ProcessResult) -> [String] {
    var lines = outputLines(result.outputText).map(escaped)
    lines += outputLines(result.errorText).map { "2> " + $0 }
    if result.status != 0 { lines.append("[exit \(result.status)]") }
    return lines
  }

  private static func outputLines(_ text: String) -> [String] {
    guard !text.isEmpty else { return [] }
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    if lines.last == "" {
      lines.removeLast()
    } else {
      lines.append("\\%")
    }
    return lines
  }

  private static func escaped(_ line: String) -> String {
    guard line != "\\%" else { return line }
    let marks = ["$ ", "> ", "2> ", "[exit ", "# ", "\\"]
    return line.isEmpty || marks.contains(where: line.hasPrefix) ? "\\" + line : line
  }
}
