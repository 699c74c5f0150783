// The rows of a statement. Layer: RealmSQL, Statements.
// SQLite hands on one value after the other. Where it would do nothing else with them, rows of a long result are taken from
// the table's batches without it; where these are values of objects as they are, they need not be made rows of SQL at all;
// where it would only count them, the query engine does.

import RealmEngine

/// Goes through the rows of a statement.
package struct SQLRows {
  private let session: SQLSession
  /// The one that runs: where the query engine makes its groups, another one than the user's.
  private var statement: SQLStatement
  private var steppedCount = 0
  private var batches: BatchRows?
  private var counted: SQLValue?
  /// Whether there is a row that was gone to already.
  private var pending: Bool?

  /// Rows after which it is worth a look what SQLite does with them.
  private static let steppedMax = 100

  package init(_ statement: SQLStatement, of session: SQLSession) {
    self.session = session
    self.statement = statement
  }

  /// Goes to the next row; false at the end.
  package mutating func next() throws -> Bool {
    if let known = pending {
      pending = nil
      return known
    }
    if batches != nil { return try batches?.next(in: session) ?? false }
    if steppedCount == 0 {
      if let hasRow = try session.beginGroups(statement), let grouped = statement.grouped {
        statement = grouped.statement
        steppedCount = 1
        return hasRow
      }
      session.begin(statement)
    }
    guard try session.step(statement) else { return false }
    if steppedCount == 0 { counted = session.countedRows }
    steppedCount += 1
    if steppedCount == Self.steppedMax, let loop = session.loop(of: statement) {
      batches = try BatchRows(loop.cursor, loop.columns)
    }
    return true
  }

  /// All rows as objects; nil where SQLite makes something of them, or where they are few. To be asked before the first
  /// row.
  package mutating func objects() throws -> SQLObjects? {
    pending = try next()
    guard pending == true, let loop = session.loop(of: statement),
      loop.cursor.place.rowCount >= Self.steppedMax
    else { return nil }
    return try SQLObjects(
      of: loop.cursor, loop.columns.enumerated().map { (statement.columnName($0), $1) })
  }

  /// Borrowed: valid until the next row.
  package func value(_ column: Int) -> SQLValue {
    batches?.value(column) ?? counted ?? statement.value(column)
  }
}

/// Rows of the batches of one table.
private struct BatchRows {
  private let cursor: RealmTableCursor
  private let columns: [Int]
  private var row: Int
  private var rowCount: Int
  private var cells: [CellBuffer]

  /// Begins with the row that SQLite is at.
  init(_ cursor: RealmTableCursor, _ columns: [Int]) throws(EngineError) {
    self.cursor = cursor
    self.columns = columns
    (row, rowCount) = cursor.place
    cells = try cursor.cells(of: columns)
  }

  mutating func next(in session: SQLSession) throws -> Bool {
    row += 1
    if row < rowCount { return true }
    try session.checkEnd()
    try cursor.refill()
    (row, rowCount) = cursor.place
    guard rowCount > 0 else { return false }
    cells = try cursor.cells(of: columns)
    return true
  }

  func value(_ column: Int) -> SQLValue { cells[column].value(row) }
}
