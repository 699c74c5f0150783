// Runs statements and shows their results: for scripts, arguments of the command line and the prompt.
// Layer: RealmCommands, StatementOutput. Each kind of statement that shows something stands in a file of its own.

import RealmEngine
import RealmQueryLanguage
import RealmSession
import Rendering

/// A session, and how its results are shown.
struct StatementRunner {
  let session: StatementSession
  let invocation: Invocation
  var render: RenderSpec
  /// For statements of SQL; those of others are the session's.
  var parameters = Parameters()

  var realm: SessionRealm { session.realm }

  /// Runs one statement, parsed from `source`, and says how many objects it changed.
  @discardableResult
  func run(
    _ statement: Statement, of source: [UInt8], to out: inout OutputBuffer
  ) throws -> ChangeCounts {
    switch statement.kind {
    case .select(let selection, let items): try select(selection, items, of: source, to: &out)
    case .aggregate(let aggregation): try aggregate(aggregation, of: source, to: &out)
    case .summarize(let selection): try summarize(selection, of: source, to: &out)
    case .sql: try runSQL(statement, of: source, to: &out)
    case .explain(let inner): try explain(readAsSQL(inner, of: source), of: source, to: &out)
    case .shell(let command):
      throw Diagnostic(
        QueryError(
          .unsupported, "commands that begin with a dot or backslash work only at the prompt and in scripts",
          at: command.name.range),
        in: source)
    default:
      if let counts = try session.run(readAsSQL(statement, of: source), of: source) { return counts }
    }
    return ChangeCounts()
  }
}
