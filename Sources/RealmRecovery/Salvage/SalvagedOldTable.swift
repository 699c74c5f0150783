// A table of formats 2–9 whose columns are read each for itself. Layer: RealmRecovery, Salvage.

import RealmEngine

/// Columns side by side, some of them lost.
final class SalvagedOldTable {
  private let rows: OldRows
  /// What most columns have.
  let count: Int

  init(_ rows: OldRows) {
    self.rows = rows
    var votes: [Int: Int] = [:]
    for case let column? in rows.columns { votes[column.count, default: 0] += 1 }
    // Of two equally many the larger: rows that a column does not have are lost there, not made up.
    let best = votes.max { ($0.value, $0.key) < ($1.value, $1.key) }
    count = best.map { min($0.key, rows.snapshot.fileLimit * Self.rowsPerByte) } ?? 0
  }

  /// Elements of width 0 take no bytes of their own.
  private static let rowsPerByte = 128

  /// All rows, in runs that are read at once.
  var salvagedRows: SalvagedRows {
    var result = SalvagedRows()
    result.statedCount = count
    for first in stride(from: 0, to: count, by: Self.runSize) {
      result.blocks.append(SalvagedBlock(place: .rows(self), rows: first..<min(count, first + Self.runSize)))
    }
    return result
  }

  private static let runSize = 1000

  /// The leaves of a column that have some of `wanted`, as far as they can be read.
  func pieces(
    _ property: Property, _ wanted: Range<Int>, budget: TraversalBudget, note: (EngineError) -> Void
  ) throws(EngineError) -> [(rows: Range<Int>, leaf: Leaf)] {
    let number = property.columnKey.leafIndex
    guard number < rows.columns.count, let column = rows.columns[number] else {
      note(EngineError(.damaged, "the column cannot be found"))
      return []
    }
    var pieces: [(rows: Range<Int>, leaf: Leaf)] = []
    var row = wanted.lowerBound
    let end = min(wanted.upperBound, column.count)
    while row < end {
      var run = row..<row + 1
      do throws(EngineError) {
        run = row..<max(row + 1, min(try column.rows(around: row).upperBound, end))
        pieces.append((run, try column.leaf(run, budget: nil)))
        try budget.charge(run.count, at: 0)
      } catch {
        guard error.isLoss else { throw error }
        note(error)
      }
      row = run.upperBound
    }
    return pieces
  }
}

extension OldSpec {
  /// The spec around the parts of it that are lost, which `note` gets. A column whose name is lost gets one, and one that lacks more
  /// is what its type alone says. One that is converted has no parts to spare.
  init(
    salvaging ref: Ref, in snapshot: Snapshot, budget: TraversalBudget, note: @escaping (EngineError) -> Void
  ) throws(EngineError) {
    guard try snapshot.refsNode(ref).count != Self.convertedSize else {
      self = try OldSpec(ref, in: snapshot, budget: budget)
      return
    }
    try self.init(
      ref, in: snapshot, budget: budget, faults: Faults { error throws(EngineError) in note(error) }
    ) {
      leaf throws(EngineError) in
      try TableNames.texts(leaf, in: snapshot)
    }
  }
}
