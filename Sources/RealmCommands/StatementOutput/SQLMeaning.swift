// What is written in the form of SQL changes what SQL would find, or nothing. Layer: RealmCommands, StatementOutput.
// Invariant: a condition that SQL does not know is none of SQL.

import ByteText
import RealmEngine
import RealmQueryLanguage
import RealmSQL
import RealmSession

extension StatementRunner {
  /// Refuses `delete from Dog where …` and `update Dog set … where …` where their condition finds others here than in SQL.
  func requireMeaningOfSQL(_ statement: Statement, of source: [UInt8]) throws {
    guard let form = FormOfSQL(statement, of: source), form.mayDiffer else { return }
    let counts = try realm.read { realm -> (here: Int, inSQL: Int)? in
      guard let query = try? session.bind(form.selection, of: source, in: realm) else { return nil }
      let here = try QueryExecutor(query, in: realm).count()
      return (try? form.count(in: realm, invocation.sqlLimits)).map { (here, $0) }
    }
    guard let counts, counts.here != counts.inSQL else { return }
    let found = counted(counts.inSQL, "object")
    throw Diagnostic(
      QueryError(
        .unsupported,
        "SQL finds \(found) by this, and 'where' \(counts.here): null is a value here, and LIKE has * and ?",
        at: form.condition, hint: "for \(counted(counts.here, "object")) write \(form.ownForm)"),
      in: source)
  }
}

/// A change that is written as SQL writes it.
private struct FormOfSQL {
  let selection: Selection
  let condition: SourceRange
  /// Where this program's own form differs.
  let ownForm: String
  private let text: String

  init?(_ statement: Statement, of source: [UInt8]) {
    func condition(_ selection: Selection) -> SourceRange? {
      guard let predicate = selection.predicate, predicate.orderings.isEmpty, selection.key == nil else {
        return nil
      }
      return SourceRange(predicate.condition.range.offset..<selection.range.end)
    }
    switch statement.kind {
    case .delete(let selection):
      guard let range = condition(selection) else { return nil }
      let head = source.text(in: SourceRange(statement.range.offset..<selection.className.range.offset))
      guard head.lowercased().holds("from") else { return nil }
      self.condition = range
      self.selection = selection
      ownForm = "delete \(source.text(in: selection.className.range)) where …"
    case .update(let selection, let assignments):
      guard let range = condition(selection), let first = assignments.first,
        first.target.range.offset < range.offset
      else { return nil }
      self.condition = range
      self.selection = selection
      ownForm = "update \(source.text(in: selection.className.range)) where … set …"
    default: return nil
    }
    text = source.text(in: self.condition)
  }

  /// Values that are equal to one are the same in both; nulls, orders and patterns are not. `$0` is none of SQL.
  var mayDiffer: Bool {
    let text = text.lowercased()
    let signs = ["!", "<", ">", "not", "like", "null", "between"]
    return !text.holds("$") && signs.contains { text.holds($0) }
  }

  /// How many objects SQL finds.
  func count(in realm: ReadTransaction, _ limits: SQLLimits) throws -> Int {
    let session = try SQLSession([SQLSource(name: nil, .realm(realm))], limits)
    var query = ByteBuffer()
    query.append(literal: "select count(*) from ")
    query.append(sqlName: selection.className.text)
    query.append(text: " where \(text)")
    let (statement, _) = try session.prepare(Array(query.text.utf8), SQLParameters([], named: [:]))
    guard let statement else { return 0 }
    var rows = SQLRows(statement, of: session)
    guard try rows.next(), case .integer(let count) = rows.value(0) else { return 0 }
    return Int(count)
  }
}
