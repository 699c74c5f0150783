// `explain <statement>`: what a statement would do, without doing it. Layer: RealmCommands, StatementOutput.

import ByteText
import RealmEngine
import RealmQueryLanguage
import RealmSession
import Rendering

extension StatementRunner {
  func explain(_ statement: Statement, of source: [UInt8], to out: inout OutputBuffer) throws {
    try realm.read(to: &out) { realm, out in
      out.text.append(text: try explanation(of: statement, source, in: realm))
    }
  }

  private func explanation(
    of statement: Statement, _ source: [UInt8], in realm: ReadTransaction
  ) throws -> String {
    switch statement.kind {
    case .select(let selection, _): return try plan(selection, source, in: realm)
    case .aggregate(let aggregation):
      return try plan(aggregation.selection, source, in: realm)
        + (aggregation.groups.map { steps($0, source) } ?? "")
    case .summarize(let selection):
      return try plan(selection, source, in: realm) + "then grouped by each property\n"
    case .update(let selection, let assignments):
      let names = assignments.map { "'\(source.text(in: $0.target.range))'" }.joined(separator: ", ")
      return try plan(selection, source, in: realm) + "then \(names) of each is set\n"
    case .delete(let selection): return try plan(selection, source, in: realm) + "then these are deleted\n"
    case .deleteKeys(let name, let keys):
      let table = try session.table(name, of: source, in: realm)
      return keys.count == 1
        ? "1 object of \(table.schema.name.visible) is looked up by its key, then deleted\n"
        : "\(keys.count) objects of \(table.schema.name.visible) are looked up by their keys, then deleted\n"
    case .insert(let insertion):
      let table = try session.table(insertion.className, of: source, in: realm)
      guard insertion.isUpsert, let primaryKey = table.schema.primaryKey else {
        return "objects of \(table.schema.name.visible) are created\n"
      }
      let names = (table.schema.name.visible, primaryKey.name.visible)
      return "objects of \(names.0) are looked up by \(names.1), then updated or inserted\n"
    case .createClass, .alterClass, .dropClass, .setSchemaVersion: return "the schema is changed\n"
    case .begin, .commit, .rollback, .explain, .shell: return "nothing is read or changed\n"
    }
  }

  private func steps(_ groups: Grouping, _ source: [UInt8]) -> String {
    let names = groups.items.map { "'\(source.text(in: $0.range))'" }.joined(separator: ", ")
    let condition =
      groups.condition.map { "then groups are kept where '\(source.text(in: $0.range))'\n" } ?? ""
    let orderings = groups.orderings.map { "then of the groups '\(source.text(in: $0.range))'\n" }
    return "then grouped by \(names)\n" + condition + orderings.joined()
  }

  private func plan(
    _ selection: Selection, _ source: [UInt8], in realm: ReadTransaction
  ) throws -> String {
    let startNanoseconds = SystemClock.nanoseconds
    let query = try session.bind(selection, of: source, in: realm)
    return try QueryReport(query, in: realm, startNanoseconds: startNanoseconds).text
  }
}
