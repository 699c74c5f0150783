// Comparisons of two values of a row, whatever their types, in the form in which they run. Layer: Query, Plan.

/// How two values of a row must relate.
package struct ValueComparison: Sendable {
  package enum Side: Sendable {
    case property(Property)
    case constant(Value)
  }

  package let left: Side
  package let relation: ComparisonTest
  package let right: Side

  /// Nil where a side is more than a property of the row or a constant.
  init?(_ comparison: BoundComparison) {
    guard !comparison.comparesTypes, let left = Side(comparison.left), let right = Side(comparison.right)
    else { return nil }
    self.left = left
    relation = comparison.relation
    self.right = right
  }

  /// NaN equals itself and is less than all numbers.
  var ordersNaN: Bool {
    guard case .property = left, case .property = right else { return false }
    return true
  }

  /// The columns that it reads.
  var properties: [Property] { [left.property, right.property].compactMap(\.self) }
}

extension ValueComparison.Side {
  fileprivate var property: Property? {
    if case .property(let property) = self { property } else { nil }
  }

  fileprivate init?(_ operand: BoundOperand) {
    switch operand {
    case .constant(let value): self = .constant(value)
    case .path(let path):
      guard let property = path.directProperty else { return nil }
      self = .property(property)
    default: return nil
    }
  }
}
