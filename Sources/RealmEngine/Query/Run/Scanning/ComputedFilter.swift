// Comparisons of computed values, a block at a time. Layer: Query, Run, Scanning.
// Invariant: the same answers as the row-by-row evaluator's.

/// Answers one comparison; used by one thread.
final class ComputedFilter {
  private let comparison: BoundComparison
  private let table: Table
  private let rowEvaluator: RowEvaluator
  /// By the seed of their operand.
  private var evaluators: [UInt64: ExpressionEvaluator] = [:]

  init(_ comparison: BoundComparison, of table: Table, in realm: ReadTransaction) {
    self.comparison = comparison
    self.table = table
    rowEvaluator = RowEvaluator(realm)
  }

  /// Calls `body` for each of the rows with the answer.
  func mark(_ block: RowBlock, _ rows: [Int], _ body: (Int, Bool) -> Void) throws(EngineError) {
    if rows.isEmpty { return }
    let left = try values(comparison.left, block, rows)
    let right = try values(comparison.right, block, rows)
    for (index, row) in rows.enumerated() {
      body(row, RowEvaluator.holds(comparison, left[index], right[index]))
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
    case .arithmetic(let first, let rest):
      var results = try values(first, block, rows)
      for (operation, operand) in rest {
        let operands = try values(operand, block, rows)
        for index in rows.indices {
          results[index] = RowEvaluator.apply(operation, results[index], operands[index])
        }
      }
      return results
    default:
      let values = try (operand.isConstant ? Array(rows.prefix(1)) : rows).map { row throws(EngineError) in
        try rowEvaluator.evaluate(operand, in: table, at: ObjectPosition(block: block, row: row))
      }
      return operand.isConstant ? Array(repeating: values[0], count: rows.count) : values
    }
  }
}
