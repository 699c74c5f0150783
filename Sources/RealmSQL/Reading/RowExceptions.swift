// What SQLite does not hold as it is, by the rows of an exported file. Layer: RealmSQL, Reading.

import ByteText
import RealmEngine

/// Finds the exceptions that the table `_realm` has of a row.
struct RowExceptions {
  /// A value that SQLite does not hold as it is; `cell` stands in its place.
  typealias Exception = (place: SQLValue, cell: SQLValue, text: ByteString)

  private let statement: SQLStatement
  /// Those that have any.
  private let classes: Set<String>

  init(_ connection: SQLConnection) throws(SQLError) {
    let notes = SQLText.quoted(name: RealmNotes.name)
    statement = try connection.prepare(
      "SELECT property, place, cell, value FROM \(notes) WHERE class = ? AND key IS ?")
    classes = Set(try connection.texts("SELECT DISTINCT class FROM \(notes) WHERE class IS NOT NULL"))
  }

  /// By property.
  func of(_ className: String, _ key: SQLValue) throws(SQLError) -> [String: [Exception]] {
    guard classes.contains(className) else { return [:] }
    statement.reset()
    try statement.bind(1, .text(ByteString(className)))
    try statement.bind(2, key)
    var found: [String: [Exception]] = [:]
    while try statement.step() {
      guard case .text(let text) = statement.value(3) else { continue }
      found[statement.value(0).words, default: []].append(
        (statement.value(1).owned, statement.value(2).owned, text.owned()))
    }
    return found
  }
}
