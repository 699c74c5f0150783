// `explain <statement>`: what a statement would do, without doing it. Layer: RealmCommands, StatementOutput.

import ByteText
import RealmEngine
import RealmQueryLanguage
import RealmSession
import Rendering
import TextFormats

extension StatementRunner {
  func explain(_ statement: Statement, of source: [UInt8], to out: inout OutputBuffer) throws {
    try realm.read(to: &out) { realm, out in
      let explanation = try explanation(of: statement, source, in: realm)
      guard JSONForm(render.mode) != nil else { return out.text.append(text: explanation.text) }
      out.text.append(json: explanation.document)
      out.text.append(UInt8(ascii: "\n"))
    }
  }

  private func explanation(
    of statement: Statement, _ source: [UInt8], in realm: ReadTransaction
  ) throws -> Explanation {
    switch statement.kind {
    case .select(let selection, _): return try plan(selection, source, in: realm)
    case .aggregate(let aggregation):
      return try plan(aggregation.selection, source, in: realm).then(
        aggregation.groups.map { steps($0, source) } ?? [])
    case .summarize(let selection):
      return try plan(selection, source, in: realm).then(["then grouped by each property"])
    case .update(let selection, let assignments):
      let names = assignments.map { "'\(source.text(in: $0.target.range))'" }.joined(separator: ", ")
      return try plan(selection, source, in: realm).then(["then \(names) of each is set"])
    case .delete(let selection):
      return try plan(selection, source, in: realm).then(["then these are deleted"])
    case .deleteKeys(let name, let keys):
      let table = try session.table(name, of: source, in: realm)
      return Explanation(
        keys.count == 1
          ? "1 object of \(table.schema.name.visible) is looked up by its key, then deleted"
          : "\(keys.count) objects of \(table.schema.name.visible) are looked up by their keys, then deleted"
      )
    case .insert(let insertion):
      let table = try session.table(insertion.className, of: source, in: realm)
      guard insertion.isUpsert, let primaryKey = table.schema.primaryKey else {
        return Explanation("objects of \(table.schema.name.visible) are created")
      }
      let names = (table.schema.name.visible, primaryKey.name.visible)
      return Explanation("objects of \(names.0) are looked up by \(names.1), then updated or inserted")
    case .createClass, .alterClass, .dropClass, .setSchemaVersion:
      return Explanation("the schema is changed")
    case .begin, .commit, .rollback, .explain, .shell, .sql: return Explanation("nothing is read or changed")
    }
  }

  private func steps(_ groups: Grouping, _ source: [UInt8]) -> [String] {
    let names = groups.items.map { "'\(source.text(in: $0.range))'" }.joined(separator: ", ")
    let condition = groups.condition.map { "then groups are kept where '\(source.text(in: $0.range))'" }
    let orderings = groups.orderings.map { "then of the groups '\(source.text(in: $0.range))'" }
    return ["then grouped by \(names)"] + (condition.map { [$0] } ?? []) + orderings
  }

  private func plan(
    _ selection: Selection, _ source: [UInt8], in realm: ReadTransaction
  ) throws -> Explanation {
    let startNanoseconds = SystemClock.nanoseconds
    let query = try session.bind(selection, of: source, in: realm)
    return Explanation(try QueryReport(query, in: realm, startNanoseconds: startNanoseconds))
  }
}

/// How a statement is carried out.
private struct Explanation {
  /// Nil where nothing is searched for.
  private let report: QueryReport?
  private var steps: [String] = []

  init(_ report: QueryReport) { self.report = report }

  init(_ sentence: String) {
    report = nil
    steps = [sentence]
  }

  func then(_ steps: [String]) -> Explanation {
    var explanation = self
    explanation.steps += steps
    return explanation
  }

  var text: String { (report?.text ?? "") + steps.map { $0 + "\n" }.joined() }

  var document: DocumentNode {
    .mapping((report?.entries ?? []) + [DocumentEntry.list("then", steps.map { .string($0) })])
  }
}
