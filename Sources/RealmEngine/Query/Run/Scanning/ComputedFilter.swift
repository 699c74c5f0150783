// Comparisons of computed values, a block at a time. Layer: Query, Run, Scanning.
// Invariant: the same answers as the row-by-row evaluator's.

/// Answers one comparison; used by one thread.
final class ComputedFilter {
  private let comparison: BoundComparison
  private let table: Table
  private let rowEvaluator: RowEvaluator
  /// By the seed of their operand.
  private var evaluators: [UInt64: ExpressionEvaluator] = [:]
  /// So many rows are computed together: few where their lists are long, as these are in memory together.
  private var rowsAtOnce = 4

  private static let rowsAtOnceMax = 64
  private static let sizeWanted = 1 << 17

  init(_ comparison: BoundComparison, of table: Table, in realm: ReadTransaction) {
    self.comparison = comparison
    self.table = table
    rowEvaluator = RowEvaluator(realm)
  }

  /// Calls `body` for each of the rows with the answer.
  func mark(_ block: RowBlock, _ rows: [Int], _ body: (Int, Bool) -> Void) throws(EngineError) {
    var start = 0
    while start < rows.count {
      let next = Array(rows[start...].prefix(rowsAtOnce))
      let left: [Evaluated]
      let right: [Evaluated]
      do throws(EngineError) {
        left = try values(comparison.left, block, next)
        right = try values(comparison.right, block, next)
      } catch {
        guard next.count > 1, error.kind == .tooLarge else { throw error }
        rowsAtOnce = 1
        continue
      }
      var size = 0
      for (index, row) in next.enumerated() {
        size += left[index].values.count + right[index].values.count
        body(row, RowEvaluator.holds(comparison, left[index], right[index]))
      }
      start += next.count
      rowsAtOnce = size > Self.sizeWanted ? max(1, rowsAtOnce / 4) : min(2 * rowsAtOnce, Self.rowsAtOnceMax)
    }
  }

  /// What an operand gives for the rows, of which there are some.
  private func values(
    _ operand: BoundOperand, _ block: RowBlock, _ rows: [Int]
  ) throws(EngineError) -> [Evaluated] {
    switch operand {
    case .computed(let operand):
      let evaluator =
        if let known = evaluators[operand.seed] {
          known
        } else {
          try ExpressionEvaluator(operand, of: table, in: rowEvaluator.realm)
        }
      evaluators[operand.seed] = evaluator
      let column = try evaluator.column(block, rows: rows)
      return try rows.indices.map { index throws(EngineError) in try column.result(index) }
    default:
      let values = try (operand.isConstant ? Array(rows.prefix(1)) : rows).map { row throws(EngineError) in
        try rowEvaluator.evaluate(operand, in: table, at: ObjectPosition(block: block, row: row))
      }
      return operand.isConstant ? Array(repeating: values[0], count: rows.count) : values
    }
  }
}
