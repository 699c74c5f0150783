// How two values of one order may relate. Layer: Kernels.

/// The six ways to compare.
package enum ComparisonOperator: Sendable, Hashable {
  case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual

  /// The operator that gives the same answer with the operands exchanged.
  package var mirrored: ComparisonOperator {
    switch self {
    case .equal, .notEqual: self
    case .less: .greater
    case .lessOrEqual: .greaterOrEqual
    case .greater: .less
    case .greaterOrEqual: .lessOrEqual
    }
  }

  /// Whether two values relate so of which the first is less than, equal to or greater than the second as `order` is
  /// negative, zero or positive.
  @inline(__always)
  package func holds(order: Int) -> Bool {
    switch self {
    case .equal: order == 0
    case .notEqual: order != 0
    case .less: order < 0
    case .lessOrEqual: order <= 0
    case .greater: order > 0
    case .greaterOrEqual: order >= 0
    }
  }

  /// Whether null relates so to null, or else to a value: null equals null, and is in no order with anything.
  @inline(__always)
  package func holds(areBothNull: Bool) -> Bool {
    switch self {
    case .equal, .lessOrEqual, .greaterOrEqual: areBothNull
    case .notEqual: !areBothNull
    case .less, .greater: false
    }
  }
}
