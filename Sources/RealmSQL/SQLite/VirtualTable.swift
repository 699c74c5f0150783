// What a table must know to be one of SQLite's. Layer: RealmSQL, SQLite.

import CLibSQLite
package import RealmEngine

/// How a condition compares a column.
enum SQLComparison: Sendable, Hashable {
  /// `is`: an equality that null meets with null.
  case same
  case equal, less, lessOrEqual, greater, greaterOrEqual, notEqual, isNull, isNotNull, like, glob
  case limit, offset

  init?(_ code: UInt8) {
    switch Int32(code) {
    case SQLITE_INDEX_CONSTRAINT_EQ: self = .equal
    case SQLITE_INDEX_CONSTRAINT_IS: self = .same
    case SQLITE_INDEX_CONSTRAINT_LT: self = .less
    case SQLITE_INDEX_CONSTRAINT_LE: self = .lessOrEqual
    case SQLITE_INDEX_CONSTRAINT_GT: self = .greater
    case SQLITE_INDEX_CONSTRAINT_GE: self = .greaterOrEqual
    case SQLITE_INDEX_CONSTRAINT_NE: self = .notEqual
    case SQLITE_INDEX_CONSTRAINT_ISNULL: self = .isNull
    case SQLITE_INDEX_CONSTRAINT_ISNOTNULL: self = .isNotNull
    case SQLITE_INDEX_CONSTRAINT_LIKE: self = .like
    case SQLITE_INDEX_CONSTRAINT_GLOB: self = .glob
    case SQLITE_INDEX_CONSTRAINT_LIMIT: self = .limit
    case SQLITE_INDEX_CONSTRAINT_OFFSET: self = .offset
    default: return nil
    }
  }

  var isEquality: Bool { self == .equal || self == .same }
}

/// What SQLite asks a table for.
struct PlanRequest {
  struct Constraint {
    /// -1: the row's number.
    let column: Int
    /// Nil for what tables do not know.
    let comparison: SQLComparison?
    let isUsable: Bool
    /// Whether it is `IN`, and all values could be had at once.
    let isList: Bool
    /// The other side, where the statement says it.
    let constant: SQLValue?
    let comparesBytes: Bool
  }

  struct Ordering: Hashable {
    let column: Int
    let isDescending: Bool
  }

  let constraints: [Constraint]
  let orderings: [Ordering]
  /// Whether rows come in that order, and are not only grouped by it.
  let showsOrder: Bool
  /// A bit a column, the last one for all from 63 on.
  let usedColumns: UInt64

  /// The same where the row's number is the value of a column.
  func naming(rowNumber column: Int) -> PlanRequest {
    func named(_ other: Int) -> Int { other < 0 ? column : other }
    return PlanRequest(
      constraints: constraints.map {
        Constraint(
          column: named($0.column), comparison: $0.comparison, isUsable: $0.isUsable, isList: $0.isList,
          constant: $0.constant, comparesBytes: $0.comparesBytes)
      }, orderings: orderings.map { Ordering(column: named($0.column), isDescending: $0.isDescending) },
      showsOrder: showsOrder, usedColumns: usedColumns)
  }

  /// Columns of which it counts what is less.
  var orderedColumns: [Int] {
    let compared = constraints.filter {
      [.less, .lessOrEqual, .greater, .greaterOrEqual].contains($0.comparison)
    }
    return compared.map(\.column) + (showsOrder ? orderings.map(\.column) : [])
  }

  func uses(_ column: Int) -> Bool { usedColumns >> UInt64(min(column, 63)) & 1 == 1 }
}

/// What a table offers.
struct PlanAnswer {
  struct Use {
    /// Into the constraints of the request.
    let constraint: Int
    /// SQLite need not look at the condition again.
    var isExact = false
    var takesList = false
  }

  /// In the order of the values that the cursor will be given.
  var uses: [Use] = []
  var isOrdered = false
  var cost: Double
  var rowCount: Int64
  var isUnique = false
  /// The number by which the cursor will be told, and what `explain query plan` shows.
  var number: Int32 = 0
  var description = ""
}

/// A value that a cursor is given for a constraint.
enum PlanArgument {
  case one(SQLValue)
  case list([SQLValue])

  var isText: Bool { if case .one(.text) = self { true } else { false } }
}

protocol VirtualTable: AnyObject {
  /// `CREATE TABLE x(…)`.
  var definition: String { get }
  var columnCount: Int { get }
  var failure: SQLFailure { get }
  /// Nil: with these constraints the table cannot be read.
  func plan(_ request: PlanRequest) -> PlanAnswer?
  func makeCursor(_ batch: BatchMemory) -> any VirtualCursor
}

protocol VirtualCursor: AnyObject {
  /// Begins with the rows that a plan of the table finds with these values.
  func begin(_ plan: Int32, _ arguments: [PlanArgument]) throws(EngineError)
  /// Makes the next batch; without rows at the end.
  func refill() throws(EngineError)
  /// Reads a column of the batch.
  func read(_ column: Int) throws(EngineError)
  /// What names the row across all plans.
  func rowNumber(_ row: Int) throws(EngineError) -> Int64
}

/// The error of a realm that ended a statement, which SQLite has no place for.
package final class SQLFailure {
  package var error: EngineError?

  package init() {}

  func code(_ body: () throws(EngineError) -> Void) -> Int32 {
    do throws(EngineError) {
      try body()
      return SQLITE_OK
    } catch {
      self.error = error
      return error.kind == .cancelled ? SQLITE_INTERRUPT : SQLITE_ERROR
    }
  }
}

/// The batch of a cursor as SQLite's calls read it.
@safe final class BatchMemory {
  private let cursor: UnsafeMutablePointer<sql_cursor>
  private let columns: UnsafeMutablePointer<sql_column>
  private let columnCount: Int

  init(_ cursor: UnsafeMutablePointer<sql_cursor>, columnCount: Int) {
    unsafe self.cursor = cursor
    self.columnCount = columnCount
    unsafe columns = .allocate(capacity: max(1, columnCount))
    unsafe columns.initialize(repeating: sql_column(), count: max(1, columnCount))
    unsafe cursor.pointee.columns = columns
    unsafe cursor.pointee.column_count = Int32(columnCount)
  }

  deinit { unsafe columns.deallocate() }

  /// Begins a batch of which nothing is read yet.
  func begin(rowCount: Int) {
    unsafe cursor.pointee.row = 0
    unsafe cursor.pointee.row_count = Int64(rowCount)
    unsafe cursor.pointee.keyed = nil
    for index in 0..<columnCount { unsafe columns[index].kinds = nil }
  }

  /// From now on, value `value` of `plan` names the rows of the batch where it has the type of `example`. They are rows of an index
  /// of the values of `column`, nil for an index of something else, which must live as long as the batch.
  func find(in index: RowIndex, of column: Int?, by value: Int, like example: SQLValue, of plan: Int32) {
    unsafe cursor.pointee.keyed = UnsafePointer(index.rows)
    unsafe cursor.pointee.keyed_value = Int32(value)
    unsafe cursor.pointee.keyed_plan = plan
    unsafe cursor.pointee.keyed_column = Int32(column ?? -1)
    unsafe cursor.pointee.keyed_type =
      switch example {
      case .null: SQLITE_NULL
      case .text: SQLITE_TEXT
      default: SQLITE_INTEGER
      }
  }

  /// The row that SQLite is at, and how many the batch has.
  var place: (row: Int, rowCount: Int) {
    (Int(unsafe cursor.pointee.row), Int(unsafe cursor.pointee.row_count))
  }

  func show(_ buffer: CellBuffer, as column: Int) {
    precondition(column >= 0 && column < columnCount)
    unsafe columns[column] = buffer.column
  }
}
