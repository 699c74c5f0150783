// Statements that a program sends one by one, each answered before the next is read. Layer: RealmCommands, Shell.
// Invariants: what a statement shows has left when it is answered; no error ends the session.

import ByteText
import RealmEngine
import RealmQueryLanguage
import RealmSession
import Rendering
import TextFormats

extension Shell {
  private static let readSize = 1 << 16

  /// Answers `first`, then what comes from standard input until its end. The status is that of the first error.
  func answerStatements(behind first: [[UInt8]]) throws -> ExitStatus {
    keepHistory()
    var status = ExitStatus.success
    isDialog = true
    for statement in first { try answer(statement, SourceRange(statement.indices), &status) }
    isTyped = false
    defer { isTyped = true }
    var source: [UInt8] = []
    var scanner = StatementScanner()
    var isAtEnd = false
    while leaving == nil {
      if case .statement(let range) = scanner.next(in: source, isAtEnd: isAtEnd) {
        try answer(source, range, &status)
        continue
      }
      guard !isAtEnd else { break }
      // What was answered need not be kept.
      let answeredCount = min(scanner.consumedCount, source.count)
      if answeredCount > 0 {
        source.removeFirst(answeredCount)
        scanner.forget(answeredCount)
      }
      // What was answered may end now.
      EndSignals.release()
      do throws(SystemCallError) {
        isAtEnd = try source.append(readingFrom: StandardStreams.input, countMax: Self.readSize) == 0
      } catch {
        throw EngineError(.other, "cannot read standard input – \(error.message)")
      }
    }
    guard hasOpenTransaction, leaving == nil else { return leaving ?? status }
    try rollback()
    throw Diagnostic(
      .statement, code: "transaction", "standard input ended within a transaction, which was rolled back")
  }

  private func answer(_ source: [UInt8], _ range: SourceRange, _ status: inout ExitStatus) throws {
    let changedBefore = changedCount
    do {
      try run(in: source, range)
      try close(with: [
        DocumentEntry.flag("ok", true), .number("changed", max(0, changedCount - changedBefore)),
      ])
    } catch let error where !error.endsScripts {
      let diagnostic = Diagnostic(error)
      if status == .success { status = diagnostic.exit }
      guard spec.mode == .jsonl else { return invocation.report(diagnostic) }
      try close(with: [
        DocumentEntry.flag("ok", false), .text("code", diagnostic.code),
        .number("exit", Int(diagnostic.exit.code)), .text("message", diagnostic.message),
        .text("hint", diagnostic.hint),
      ])
    }
  }

  /// The line that ends an answer, where a program reads lines.
  private func close(with entries: [DocumentEntry]) throws {
    guard spec.mode == .jsonl else { return }
    try output.write(isPaged: false) { out in
      out.text.append(json: .mapping(entries))
      out.text.append(UInt8(ascii: "\n"))
    }
  }
}
