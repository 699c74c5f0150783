// What a statement says about many objects at once: `count, avg age as mean of Person where … by city`. Layer: StatementSyntax.

/// A calculation over many objects.
package enum AggregateFunction: String, Hashable, Sendable, CaseIterable {
  case count, sum, avg, min, max, median, percentile, stddev
}

/// A column that is calculated: `avg age`, `count distinct city as cities`.
package struct AggregateItem: Hashable, Sendable {
  package let function: AggregateFunction
  /// Whether equal values count once; only of `count`.
  package let isDistinct: Bool
  /// How many of a hundred values are at most what is wanted; only of `percentile`.
  package let percent: Double?
  /// What it is of; nil: of the objects themselves, which can only be counted.
  package let operand: Expression?
  package let alias: Name?
  /// Without the alias.
  package let range: SourceRange

  package init(
    _ function: AggregateFunction, isDistinct: Bool = false, percent: Double? = nil,
    of operand: Expression? = nil,
    alias: Name? = nil, range: SourceRange
  ) {
    self.function = function
    self.isDistinct = isDistinct
    self.percent = percent
    self.operand = operand
    self.alias = alias
    self.range = range
  }

  /// What its column is called, which `source` says where there is no alias.
  package func name(in source: [UInt8]) -> String { alias?.text ?? source.text(in: range) }
}

extension AggregateItem {
  package var isCountOfObjects: Bool { function == .count && operand == nil }
}

/// What objects are grouped by, which groups are wanted and how they are ordered:
/// `by city having count > 10 sort(count desc) limit(3)`.
package struct Grouping: Hashable, Sendable {
  /// At least one.
  package let items: [SelectItem]
  /// A condition on the columns of the result.
  package let condition: Expression?
  package let orderings: [Ordering]
}
