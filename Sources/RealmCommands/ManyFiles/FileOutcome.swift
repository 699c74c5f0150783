// What a statement gave for one of many files, and how those results become one table. Layer: RealmCommands, ManyFiles.

import ByteText
import RealmEngine
import RealmSession
import Rendering

/// The result of one file, apart from the file.
struct FileOutcome: Sendable {
  var part: ResultSegment
  /// Rows that were not written yet.
  var text: [UInt8] = []
  var exit = ExitStatus.success
  var failure: Diagnostic?
  /// Says that the file lacks the class that the statement is about.
  var lacking: Diagnostic?
  var messages: [MessageLog.Message] = []
  /// Ends the whole run: the user wants that, or the output is gone.
  var isFinal = false
}

/// Where rows go.
final class JoinedOutput {
  private var rows: JoinedRows
  private var out: OutputBuffer
  private var begun: ResultSegment?
  private var names: [String] = []

  init(_ render: RenderSpec, descriptor: Int32, named name: String) {
    rows = JoinedRows(render)
    out = OutputBuffer { bytes throws(EngineError) in
      try StandardStreams.write(bytes, to: descriptor, named: name)
    }
  }

  /// Where a part writes rows itself.
  func sink(of part: ResultSegment) -> OutputBuffer.Sink {
    { [self] bytes throws(EngineError) in
      begin(part)
      try out.append(whole: bytes)
    }
  }

  private func begin(_ part: ResultSegment) {
    if begun === part { return }
    begun = part
    rows.begin(part, to: &out)
  }

  /// Takes all that a file gave.
  func add(_ outcome: FileOutcome) throws(EngineError) {
    let part = outcome.part
    if names.isEmpty { names = part.names }
    if part.rowCount > 0 || begun === part { begin(part) }
    out.text.append(outcome.text)
    try rows.end(part, to: &out)
    try out.flushIfLarge()
  }

  /// Lets go of what was taken: the log of a run is behind the rows.
  func flush() throws(EngineError) { try out.flush() }

  func finish() throws(EngineError) {
    try rows.finish(names: names, to: &out)
    try out.flush()
  }
}

/// Warnings and complaints of many files, each text once.
struct FileMessages {
  let invocation: Invocation
  private var counts: [MessageLog.Message: Int] = [:]
  private var order: [MessageLog.Message] = []
  private var failureCounts: [String: Int] = [:]
  private(set) var lacking: (first: Diagnostic, names: [String], count: Int)?

  private static let namedMax = 5

  init(_ invocation: Invocation) { self.invocation = invocation }

  mutating func add(_ outcome: FileOutcome, of path: FilePath) {
    for message in outcome.messages {
      let count = counts[message, default: 0]
      counts[message] = count + 1
      if count > 0 { continue }
      order.append(message)
      let text = message.text
      invocation.tell(
        MessageLog.Message(
          text: text.hasPrefix(path.displayName) ? text : "\(path.displayName): \(text)",
          isWarning: message.isWarning))
    }
    if let failure = outcome.failure { report(failure, of: path) }
    guard let lack = outcome.lacking else { return }
    lacking = lacking ?? (lack, [], 0)
    lacking?.count += 1
    if (lacking?.names.count ?? 0) < Self.namedMax { lacking?.names.append(path.displayName) }
  }

  /// What is said of a statement is said in full for the first file, and then which others it holds for.
  private mutating func report(_ failure: Diagnostic, of path: FilePath) {
    let count = failureCounts[failure.message, default: 0]
    failureCounts[failure.message] = count + 1
    guard failure.excerpt != nil, !failure.names(path) else {
      return invocation.report(invocation.wantsJSON ? failure : failure.naming(path))
    }
    var told = failure.naming(path, " –")
    told.file = path
    if count > 0 { (told.hint, told.excerpt) = (nil, nil) }
    invocation.report(told)
  }

  func end() {
    for message in order {
      let others = (counts[message] ?? 1) - 1
      guard others > 0 else { continue }
      invocation.tell(
        MessageLog.Message(
          text: "\(counted(others, "other file")): \(message.text)",
          isWarning: message.isWarning))
    }
    guard let lacking else { return }
    let rest = lacking.count - lacking.names.count
    invocation.warn(
      "\(counted(lacking.count, "file gives", "files give")) no rows: \(lacking.first.message) (\(lacking.names.joined(separator: ", "))\(rest > 0 ? " and \(rest) more" : ""))"
    )
  }
}
