// Comparisons of computed values, a block at a time. Layer: Query. Invariant: the same answers as the row-by-row
// evaluator's.

/// Answers one comparison; used by one thread.
final class ComputedFilter {
  /// What one side gives for the rows that were asked about.
  private indirect enum Side {
    case constant(Evaluated)
    case computed(ExpressionEvaluator)
    case arithmetic(first: Side, rest: [(ArithmeticOperation, Side)])
    /// What is evaluated row by row.
    case other(BoundOperand)
  }

  private let comparison: BoundComparison
  private let left: Side
  private let right: Side
  private let table: Table
  private let rowEvaluator: RowEvaluator

  init(_ comparison: BoundComparison, of table: Table, in realm: ReadTransaction) throws(EngineError) {
    self.comparison = comparison
    self.table = table
    rowEvaluator = RowEvaluator(realm)
    left = try Self.side(comparison.left, table, realm)
    right = try Self.side(comparison.right, table, realm)
  }

  private static func side(
    _ operand: BoundOperand, _ table: Table, _ realm: ReadTransaction
  ) throws(EngineError) -> Side {
    switch operand {
    case .constant(let value): return .constant(.single(value))
    case .constants(let values, _): return .constant(.list(values))
    case .computed(let operand): return .computed(try ExpressionEvaluator(operand, of: table, in: realm))
    case .arithmetic(let first, let rest):
      var steps: [(ArithmeticOperation, Side)] = []
      for (operation, operand) in rest { steps.append((operation, try side(operand, table, realm))) }
      return .arithmetic(first: try side(first, table, realm), rest: steps)
    case .path, .aggregate, .subquery: return .other(operand)
    }
  }

  /// Calls `body` for each of the rows with the answer.
  func mark(_ block: RowBlock, _ rows: [Int], _ body: (Int, Bool) -> Void) throws(EngineError) {
    if rows.isEmpty { return }
    let left = try values(left, block, rows)
    let right = try values(right, block, rows)
    for (index, row) in rows.enumerated() {
      body(row, RowEvaluator.holds(comparison, left[index], right[index]))
    }
  }

  private func values(_ side: Side, _ block: RowBlock, _ rows: [Int]) throws(EngineError) -> [Evaluated] {
    switch side {
    case .constant(let value): return Array(repeating: value, count: rows.count)
    case .computed(let evaluator):
      let column = try evaluator.column(block, rows: rows)
      return try map(Array(rows.indices)) { index throws(EngineError) in try column.result(index) }
    case .arithmetic(let first, let rest):
      var results = try values(first, block, rows)
      for (operation, side) in rest {
        let operands = try values(side, block, rows)
        for index in rows.indices {
          results[index] = RowEvaluator.apply(operation, results[index], operands[index])
        }
      }
      return results
    case .other(let operand):
      return try map(rows) { row throws(EngineError) in
        try rowEvaluator.evaluate(operand, in: table, at: ObjectPosition(block: block, row: row))
      }
    }
  }
}
