// A whole query: a condition and what is done with the objects that meet it. Layer: Syntax.

/// A condition with its orderings, as it was written.
package struct Predicate: Hashable, Sendable {
  package let condition: Condition
  /// In the order written, which is the order they are applied in.
  package let orderings: [Ordering]
  /// What is legal but looks like a mistake.
  package let warnings: [QueryWarning]

  package init(condition: Condition, orderings: [Ordering] = [], warnings: [QueryWarning] = []) {
    self.condition = condition
    self.orderings = orderings
    self.warnings = warnings
  }
}

package typealias Condition = SyntaxNode<ConditionKind>

package indirect enum ConditionKind: Hashable, Sendable {
  /// TRUEPREDICATE, FALSEPREDICATE
  case constant(Bool)
  case comparison(Comparison)
  case not(Condition)
  /// At least two.
  case and([Condition])
  /// At least two.
  case or([Condition])
}

package struct Comparison: Hashable, Sendable {
  package let left: Operand
  package let symbol: ComparisonOperator
  /// The operator with its options.
  package let symbolRange: SourceRange
  package let options: StringOptions
  package let right: Operand

  package init(
    left: Operand, symbol: ComparisonOperator, symbolRange: SourceRange, options: StringOptions = [],
    right: Operand
  ) {
    self.left = left
    self.symbol = symbol
    self.symbolRange = symbolRange
    self.options = options
    self.right = right
  }
}

package enum ComparisonOperator: String, Hashable, Sendable, CaseIterable {
  case equal = "=="
  case notEqual = "!="
  case less = "<"
  case lessOrEqual = "<="
  case greater = ">"
  case greaterOrEqual = ">="
  case `in` = "IN"
  case beginsWith = "BEGINSWITH"
  case endsWith = "ENDSWITH"
  case contains = "CONTAINS"
  case like = "LIKE"
  case text = "TEXT"
  case between = "BETWEEN"
  case geoWithin = "GEOWITHIN"
}

/// `[c]`, `[d]`, `[cd]` behind an operator.
package struct StringOptions: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let caseInsensitive = StringOptions(rawValue: 1)
  package static let diacriticInsensitive = StringOptions(rawValue: 2)
}

/// One clause behind the condition.
package typealias Ordering = SyntaxNode<OrderingKind>

package enum OrderingKind: Hashable, Sendable {
  case sort([SortKey])
  case distinct([PropertyPath])
  /// Int64.max when more was written than fits.
  case limit(Int64)
  case limitArgument(ArgumentReference)
}

package struct SortKey: Hashable, Sendable {
  package let path: PropertyPath
  package let isAscending: Bool
  package let range: SourceRange

  package init(path: PropertyPath, isAscending: Bool, range: SourceRange) {
    self.path = path
    self.isAscending = isAscending
    self.range = range
  }
}
