// Whether two values relate as a condition asks: the meaning of each comparison operator. Layer: Query, Operators.
// Transcribes the two-valued rules: null equals null only, orderings with one null are false, `!=` is the negation of `==`.

extension ComparisonTest {
  /// Whether `left` and `right` relate so, where either may be any value a row can give. Values of different types
  /// are unequal and in no order.
  ///
  /// `ordersNaN`: NaN equals itself and is less than all numbers, as where two values of rows are compared; a constant
  /// meets NaN as IEEE 754 has it, where only `!=` is true.
  package func holds(_ left: Value, _ right: Value, ordersNaN: Bool = false) -> Bool {
    let order = ordersNaN ? left.compareOrderingNaN(to: right) : left.compare(to: right)
    let areNull = left == .null && right == .null
    return switch kind {
    case .equal: areNull || isEqual(left, right, order)
    case .notEqual: !(areNull || isEqual(left, right, order))
    case .compare(let comparison):
      order.map(comparison.holds(order:)) ?? comparison.holds(areBothNull: areNull)
    case .beginsWith, .endsWith, .contains, .like, .matches: matches(left, right)
    }
  }

  private func isEqual(_ left: Value, _ right: Value, _ order: Int?) -> Bool {
    switch (left, right) {
    case (.string, .string), (.data, .data):
      folding == .none ? order == 0 : ComparisonTest(.equal, folding: folding).matches(left, right)
    default: order == 0
    }
  }

  /// Two texts or two binaries; else only what is said of null: everything but null contains null, and null is like
  /// null.
  private func matches(_ left: Value, _ right: Value) -> Bool {
    switch (left, right) {
    case (.string(let text), .string(let other)), (.data(let text), .data(let other)):
      TextMatcher(self, other.bytes).matches(text.bytes)
    case (_, .null): kind == .contains ? left != .null : kind == .like && left == .null
    default: false
    }
  }
}
