// Calculating with blocks of numbers and comparing them, made to be vectorised. Layer: Kernels.
// Integers wrap and are divided towards zero; dividing one by zero gives null, as does anything with null.

extension NumberVector {
  /// The four operations.
  package enum Operation: Sendable, Hashable { case add, subtract, multiply, divide }

  /// Both hold integers.
  package func apply(_ operation: Operation, ints right: NumberVector) {
    addNulls(of: right)
    let (rows, others) = unsafe (ints, right.ints)
    switch operation {
    case .add: for row in 0..<count { unsafe rows[row] &+= others[row] }
    case .subtract: for row in 0..<count { unsafe rows[row] &-= others[row] }
    case .multiply: for row in 0..<count { unsafe rows[row] &*= others[row] }
    case .divide:
      for row in 0..<count {
        let divisor = unsafe others[row]
        if divisor == 0 {
          setNull(row)
        } else {
          unsafe rows[row] = rows[row].dividedReportingOverflow(by: divisor).partialValue
        }
      }
    }
  }

  /// Both hold doubles. `asFloats`: they are floats, and so is the result. A double has more than twice the digits of
  /// a float, so that rounding its result gives what calculating with floats gives.
  package func apply(_ operation: Operation, doubles right: NumberVector, asFloats: Bool) {
    addNulls(of: right)
    let (rows, others) = unsafe (doubles, right.doubles)
    switch operation {
    case .add: for row in 0..<count { unsafe rows[row] += others[row] }
    case .subtract: for row in 0..<count { unsafe rows[row] -= others[row] }
    case .multiply: for row in 0..<count { unsafe rows[row] *= others[row] }
    case .divide: for row in 0..<count { unsafe rows[row] /= others[row] }
    }
    if asFloats { for row in 0..<count { unsafe rows[row] = Double(Float(rows[row])) } }
  }

  // MARK: Comparisons

  /// Marks the rows whose integers relate so to those of `right`.
  package func mark(_ comparison: ComparisonOperator, ints right: NumberVector, into mask: SelectionMask) {
    let (rows, others) = unsafe (ints, right.ints)
    switch comparison {
    case .equal: mark(right, mask) { unsafe rows[$0] == others[$0] }
    case .notEqual: mark(right, mask) { unsafe rows[$0] != others[$0] }
    case .less: mark(right, mask) { unsafe rows[$0] < others[$0] }
    case .lessOrEqual: mark(right, mask) { unsafe rows[$0] <= others[$0] }
    case .greater: mark(right, mask) { unsafe rows[$0] > others[$0] }
    case .greaterOrEqual: mark(right, mask) { unsafe rows[$0] >= others[$0] }
    }
    correctNulls(comparison, right, mask)
  }

  /// Marks the rows whose doubles relate so to those of `right`. `ordersNaN`: it equals itself and is less than all
  /// numbers; else only "not equal" is true of it.
  package func mark(
    _ comparison: ComparisonOperator, doubles right: NumberVector, ordersNaN: Bool, into mask: SelectionMask
  ) {
    let (rows, others) = unsafe (doubles, right.doubles)
    switch (comparison, ordersNaN) {
    case (.equal, false): mark(right, mask) { unsafe rows[$0] == others[$0] }
    case (.notEqual, false): mark(right, mask) { unsafe rows[$0] != others[$0] }
    case (.less, false): mark(right, mask) { unsafe rows[$0] < others[$0] }
    case (.lessOrEqual, false): mark(right, mask) { unsafe rows[$0] <= others[$0] }
    case (.greater, false): mark(right, mask) { unsafe rows[$0] > others[$0] }
    case (.greaterOrEqual, false): mark(right, mask) { unsafe rows[$0] >= others[$0] }
    case (.equal, true): mark(right, mask) { unsafe Self.isEqual(rows[$0], others[$0]) }
    case (.notEqual, true): mark(right, mask) { unsafe !Self.isEqual(rows[$0], others[$0]) }
    case (.less, true): mark(right, mask) { unsafe !Self.isAtMost(others[$0], rows[$0]) }
    case (.lessOrEqual, true): mark(right, mask) { unsafe Self.isAtMost(rows[$0], others[$0]) }
    case (.greater, true): mark(right, mask) { unsafe !Self.isAtMost(rows[$0], others[$0]) }
    case (.greaterOrEqual, true): mark(right, mask) { unsafe Self.isAtMost(others[$0], rows[$0]) }
    }
    correctNulls(comparison, right, mask)
  }

  /// Marks the rows for which `order` says so; it is asked where neither side is null.
  package func mark(
    _ comparison: ComparisonOperator, _ right: NumberVector, into mask: SelectionMask, order: (Int) -> Int?
  ) {
    mark(right, mask) { row in
      guard !isNull(row), !right.isNull(row) else { return false }
      guard let order = order(row) else { return comparison == .notEqual }
      return comparison.holds(order: order)
    }
    correctNulls(comparison, right, mask)
  }

  @inline(__always)
  private static func isEqual(_ left: Double, _ right: Double) -> Bool {
    left == right || left != left && right != right
  }

  @inline(__always)
  private static func isAtMost(_ left: Double, _ right: Double) -> Bool { left <= right || left != left }

  @inline(__always)
  private func mark(_ right: NumberVector, _ mask: SelectionMask, _ test: (Int) -> Bool) {
    precondition(right.count == count)
    mask.resize(count)
    let isIn = unsafe mask.rows
    for row in 0..<count { unsafe isIn[row] = test(row) ? 1 : 0 }
  }

  func correctNulls(_ comparison: ComparisonOperator, _ right: NumberVector, _ mask: SelectionMask) {
    guard hasNulls || right.hasNulls else { return }
    for row in 0..<count {
      let (isNull, isOtherNull) = (self.isNull(row), right.isNull(row))
      guard isNull || isOtherNull else { continue }
      mask[row] = comparison.holds(areBothNull: isNull && isOtherNull)
    }
  }
}
