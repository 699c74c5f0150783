// The rows of a table of formats 2–9: columns side by side, objects named by their row. Layer: Legacy.
// Invariant: a run of rows that `rows(from:)` hands out lies within one leaf of every column, so that each column's
// values for it are one leaf view.

/// A table's columns, read by row.
package final class OldRows: Sendable {
  /// Objects in the table: the elements of its first column.
  package let count: Int
  package let snapshot: Snapshot
  /// By number, hidden columns included; nil for columns whose values are not here.
  package let columns: [OldColumn?]

  init(columns: [OldColumn?], in snapshot: Snapshot) {
    self.columns = columns
    self.snapshot = snapshot
    count = columns.lazy.compactMap { $0 }.first?.count ?? 0
  }

  /// The values that column number `column` has for `rows`.
  func leaf(_ column: Int, _ rows: Range<Int>, budget: TraversalBudget?) throws(EngineError) -> Leaf {
    guard column < columns.count, let column = columns[column] else {
      throw EngineError(damage: "a table has no column \(column)")
    }
    return try column.leaf(rows, budget: budget)
  }

  /// Walks the rows run by run.
  struct Cursor {
    private let table: OldRows
    private var row = 0
    /// For each column the end of the leaf that the last run was in.
    private var ends: [Int]
    /// Leaves that the data has room for: whoever meets more goes round in circles.
    private var leavesRemaining: Int

    init(_ table: OldRows) {
      self.table = table
      ends = Array(repeating: 0, count: table.columns.count)
      leavesRemaining =
        (table.snapshot.fileLimit + (table.snapshot.slabs?.usedSize ?? 0)) / NodeHeader.size
    }

    /// The next run; nil at the end.
    mutating func next() throws(EngineError) -> (table: OldRows, rows: Range<Int>)? {
      if row == 0 { try table.checkCounts() }
      guard row < table.count else { return nil }
      var end = table.count
      for (number, column) in table.columns.enumerated() {
        guard let column else { continue }
        if ends[number] <= row {
          leavesRemaining -= 1
          guard leavesRemaining >= 0 else {
            throw EngineError(damage: "its nodes are used over and over")
          }
          ends[number] = try column.rows(around: row).upperBound
        }
        end = min(end, ends[number])
      }
      defer { row = end }
      return (table, row..<end)
    }
  }

  /// Where the runs of rows begin, and after the last one where it ends.
  func runBounds() throws(EngineError) -> [Int] {
    var bounds = [0]
    var cursor = Cursor(self)
    while let (_, rows) = try cursor.next() { bounds.append(rows.upperBound) }
    return bounds
  }

  private func checkCounts() throws(EngineError) {
    for case let column? in columns where column.count != count {
      throw EngineError(damage: "columns of one table have \(count) and \(column.count) rows")
    }
  }
}
