// What is written in the form of SQL changes what SQL would find, or nothing. Layer: RealmCommands, StatementOutput.
// Invariant: a condition that SQL does not know is none of SQL.

import ByteText
import RealmEngine
import RealmQueryLanguage
import RealmSQL
import RealmSession

extension StatementRunner {
  /// `delete from Dog where …` and `update Dog set … where …`, in whose condition `"age"` is the property where a text can
  /// not be meant. Refused where it finds others here than in SQL.
  func readAsSQL(_ statement: Statement, of source: [UInt8]) throws -> Statement {
    guard let form = FormOfSQL(statement, of: source), form.mayDiffer else { return statement }
    return try realm.read { realm in
      guard let table = try? session.table(form.selection.className, of: source, in: realm) else {
        return statement
      }
      let schema = table.schema
      if let name = form.values.lazy.flatMap({ form.quotedNames(of: schema, in: $0) }).first {
        throw Diagnostic(form.doubt(about: name), in: source)
      }
      let names = form.quotedNames(of: schema, in: form.condition)
      var meant = statement
      var query = try? session.bind(form.selection, of: source, in: realm)
      if query == nil, !names.isEmpty, let other = form.statement(naming: names) {
        query = try? session.bind(other.selection, of: source, in: realm)
        if query != nil { meant = other.statement }
      }
      guard let query else { return statement }
      let here = try QueryExecutor(query, in: realm).keys()
      let inSQL = try? form.keys(of: schema, in: realm, invocation.sqlLimits)
      if let inSQL, here.count == inSQL.count, here.sortedByValue == inSQL.sortedByValue { return meant }
      // What holds for one reading of quotes says nothing of the other.
      if let name = names.first, inSQL == nil || meant == statement {
        throw Diagnostic(form.doubt(about: name), in: source)
      }
      guard let inSQL else { return meant }
      let others = here.count == inSQL.count ? "others" : counted(inSQL.count, "object")
      throw Diagnostic(
        QueryError(
          .unsupported,
          "SQL finds \(others) by this, and 'where' \(here.count): null is a value here, and LIKE has * and ?",
          at: form.condition, hint: "for \(counted(here.count, "object")) write \(form.ownForm)"),
        in: source)
    }
  }
}

/// A change that is written as SQL writes it.
private struct FormOfSQL {
  let selection: Selection
  let condition: SourceRange
  /// What is set.
  let values: [SourceRange]
  /// How this program writes it.
  let ownForm: String
  private let statement: Statement
  private let source: [UInt8]
  private let text: String

  init?(_ statement: Statement, of source: [UInt8]) {
    self.statement = statement
    self.source = source
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
      values = assignments.map(\.value.range)
    } else {
      values = []
      let head = source.text(in: SourceRange(statement.range.offset..<selection.className.range.offset))
      guard head.lowercased().holds("from") else { return nil }
    }
    ownForm = "\(verb) \(spelledName(selection.className.text, as: .className)) where …\(end)"
    text = source.text(in: condition)
  }

  /// Values that are equal to one are the same in both; nulls, orders, patterns and what is in double quotes are not.
  var mayDiffer: Bool {
    let text = text.lowercased()
    let signs = ["!", "<", ">", "not", "like", "null", "between"]
    return hasDoubleQuotes || !holdsArguments && signs.contains { text.holds($0) }
  }

  private var hasDoubleQuotes: Bool {
    ([condition] + values).contains { source[$0.bounds].contains(quote) }
  }

  /// `$0` is none of SQL.
  private var holdsArguments: Bool { text.holds("$") }

  /// What stands in double quotes in `range` and is called as a property, which it is in SQL.
  func quotedNames(of schema: ClassSchema, in range: SourceRange) -> [Name] {
    let part = Array(source[range.bounds])
    return tokens(of: part, isStatement: true).compactMap { token in
      guard token.kind == .string, part[token.range.offset] == quote else { return nil }
      let text = part.text(in: SourceRange(token.range.bounds.dropFirst().dropLast()))
      guard !text.holds("`"), !text.holds("\\"),
        let property = schema.properties.first(where: { $0.name.lowercased() == text.lowercased() }),
        property.name.utf8.count == text.utf8.count
      else { return nil }
      let place = SourceRange(offset: range.offset + token.range.offset, length: token.range.length)
      return Name(property.name, range: place)
    }
  }

  private var quote: UInt8 { UInt8(ascii: "\"") }

  /// The statement with these names in backquotes, which are as long, so that all places stay where they are.
  func statement(naming names: [Name]) -> (statement: Statement, selection: Selection)? {
    var text = source
    for name in names { text.replaceSubrange(name.range.bounds, with: Array("`\(name.text)`".utf8)) }
    guard let other = try? Statement(parsing: text, in: statement.range) else { return nil }
    switch other.kind {
    case .delete(let selection), .update(let selection, _): return (other, selection)
    default: return nil
    }
  }

  func doubt(about name: Name) -> QueryError {
    let text = name.text
    return QueryError(
      .unsupported, "in SQL \(source.text(in: name.range)) is the property, and a text in double quotes here",
      at: name.range, hint: "write `\(text)` for the property, '\(text)' for the text")
  }

  /// The objects that SQL finds.
  func keys(of schema: ClassSchema, in realm: ReadTransaction, _ limits: SQLLimits) throws -> [ObjectKey]? {
    if holdsArguments { return nil }
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
