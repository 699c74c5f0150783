// Names and expressions of a statement as operations take them, and the way back from a refusal to its place.
// Layer: RealmSession, Statements.

import RealmEngine
import RealmQueryLanguage
import TextFormats

/// The text that statements stand in.
struct StatementText {
  let source: [UInt8]

  init(_ source: [UInt8]) { self.source = source }

  func name(_ name: Name) -> Located<String> { Located(name.text, node(name.range)) }

  func expression(_ syntax: RealmQueryLanguage.Expression) -> ExpressionText {
    ExpressionText(syntax: syntax, source: source, node: node(syntax.range))
  }

  /// A part of the text; only its offset is looked at.
  func node(_ range: SourceRange) -> DocumentNode {
    DocumentNode(
      .scalar(text: source.text(in: range), isQuoted: false),
      at: TextLocation(line: 1, column: 1, offset: range.offset))
  }

  /// Where a node that was made here stands.
  func range(of node: DocumentNode) -> SourceRange {
    SourceRange(offset: node.location.offset, length: max(1, node.text?.utf8.count ?? 1))
  }
}

extension StatementSession {
  func operationRun(on transaction: WriteTransaction) -> OperationRun {
    OperationRun(
      transaction, ExpressionEnvironment(now: SystemClock.now, seed: .random(in: .min ... .max)),
      as: .statement, arguments: settings.arguments)
  }

  /// Runs operations of a statement; what they refuse gets its place, `subject` where they know no better one.
  func locating(_ subject: Name, of source: [UInt8], _ body: () throws -> Void) throws {
    do {
      try body()
    } catch let error as EngineError {
      throw refusal(error, at: subject.range, in: source)
    } catch let failure as OperationFailure {
      switch failure.cause {
      case .query(let error): throw SessionError(error, in: source)
      case .engine(let error):
        throw refusal(error, at: StatementText(source).range(of: failure.node), in: source)
      }
    }
  }

  private func refusal(_ error: EngineError, at range: SourceRange, in source: [UInt8]) -> SessionError {
    SessionError(.refused(error), hint: error.hint, file: realm.path).located(at: range, in: source)
  }
}
