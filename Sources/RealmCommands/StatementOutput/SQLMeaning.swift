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
    let found = try realm.read { realm -> (here: [ObjectKey], inSQL: [ObjectKey])? in
      guard let query = try? session.bind(form.selection, of: source, in: realm) else { return nil }
      let here = try QueryExecutor(query, in: realm).keys()
      return (try? form.keys(of: query.table.schema, in: realm, invocation.sqlLimits)).map { (here, $0) }
    }
    guard let (here, inSQL) = found, here.count != inSQL.count || here.sortedByValue != inSQL.sortedByValue
    else { return }
    let others = here.count == inSQL.count ? "others" : counted(inSQL.count, "object")
    throw Diagnostic(
      QueryError(
        .unsupported,
        "SQL finds \(others) by this, and 'where' \(here.count): null is a value here, and LIKE has * and ?",
        at: form.condition, hint: "for \(counted(here.count, "object")) write \(form.ownForm)"),
      in: source)
  }
}

/// A change that is written as SQL writes it.
private struct FormOfSQL {
  let selection: Selection
  let condition: SourceRange
  /// How this program writes it.
  let ownForm: String
  private let text: String

  init?(_ statement: Statement, of source: [UInt8]) {
    let (verb, end): (String, String)
    switch statement.kind {
    case .delete(let selection):
      self.selection = selection
      (verb, end) = ("delete", "")
    case .update(let selection, _):
      self.selection = selection
      (verb, end) = ("update", " set …")
    default: return nil
    }
    guard let predicate = selection.predicate, predicate.orderings.isEmpty, selection.key == nil else {
      return nil
    }
    // Parentheses before its first operand belong to it.
    var start = predicate.condition.range.offset
    let opener = UInt8(ascii: "(")
    for index in source[..<start].indices.reversed() {
      if source[index] == opener {
        start = index
      } else if !source[index].isBlankByte, source[index] != 0x0A {
        break
      }
    }
    condition = SourceRange(start..<selection.range.end)
    if case .update(_, let assignments) = statement.kind {
      guard let first = assignments.first, first.target.range.offset < condition.offset else { return nil }
    } else {
      let head = source.text(in: SourceRange(statement.range.offset..<selection.className.range.offset))
      guard head.lowercased().holds("from") else { return nil }
    }
    ownForm = "\(verb) \(source.text(in: selection.className.range)) where …\(end)"
    text = source.text(in: condition)
  }

  /// Values that are equal to one are the same in both; nulls, orders and patterns are not. `$0` is none of SQL.
  var mayDiffer: Bool {
    let text = text.lowercased()
    let signs = ["!", "<", ">", "not", "like", "null", "between"]
    return !text.holds("$") && signs.contains { text.holds($0) }
  }

  /// The objects that SQL finds.
  func keys(of schema: ClassSchema, in realm: ReadTransaction, _ limits: SQLLimits) throws -> [ObjectKey] {
    // The column of object keys gives way to a property of its name.
    let names = schema.properties.map { $0.name.lowercased() }
    var column = "_key"
    while names.contains(column) { column = "_" + column }
    let session = try SQLSession([SQLSource(name: nil, .realm(realm))], limits)
    var query = ByteBuffer()
    query.append(text: "select \(column) from ")
    query.append(sqlName: selection.className.text)
    query.append(text: " where \(text)")
    var keys: [ObjectKey] = []
    guard let statement = try session.prepare(Array(query.text.utf8), SQLParameters()).0 else { return keys }
    var rows = SQLRows(statement, of: session)
    while try rows.next() {
      if case .integer(let key) = rows.value(0) { keys.append(ObjectKey(key)) }
    }
    return keys
  }
}

extension [ObjectKey] {
  fileprivate var sortedByValue: [ObjectKey] { sorted { $0.value < $1.value } }
}
