// A whole query: a condition and what is done with the objects that meet it. Layer: Syntax.

/// A condition with its orderings, as it was written.
package struct Predicate: Hashable, Sendable {
  package let condition: Expression
  /// In the order written, which is the order they are applied in.
  package let orderings: [Ordering]
  /// What is legal but looks like a mistake.
  package let warnings: [QueryWarning]

  /// Whether the reference engine's parser would be asked for its opinion: the text stands alone.
  package let isForReference: Bool

  package init(
    condition: Expression, orderings: [Ordering] = [], warnings: [QueryWarning] = [],
    isForReference: Bool = false
  ) {
    self.isForReference = isForReference
    self.condition = condition
    self.orderings = orderings
    self.warnings = warnings
  }
}

package struct Comparison: Hashable, Sendable {
  package let left: Expression
  package let symbol: ComparisonSymbol
  /// The operator with its options.
  package let symbolRange: SourceRange
  package let options: StringOptions
  package let right: Expression

  package init(
    left: Expression, symbol: ComparisonSymbol, symbolRange: SourceRange, options: StringOptions = [],
    right: Expression
  ) {
    self.left = left
    self.symbol = symbol
    self.symbolRange = symbolRange
    self.options = options
    self.right = right
  }
}

package enum ComparisonSymbol: String, Hashable, Sendable, CaseIterable {
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
  /// A regular expression.
  case matches = "MATCHES"
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
  case distinct([Expression])
  case limit(RowCount)
  /// In statements only.
  case offset(RowCount)
}

package enum RowCount: Hashable, Sendable {
  /// Int64.max when more was written than fits.
  case number(Int64)
  case argument(ArgumentReference)
}

package struct SortKey: Hashable, Sendable {
  package let value: Expression
  package let isAscending: Bool
  package let range: SourceRange

  package init(_ value: Expression, isAscending: Bool, range: SourceRange) {
    self.value = value
    self.isAscending = isAscending
    self.range = range
  }
}

extension [Ordering] {
  /// An offset next to a limit comes first, whichever is written first, as in SQL.
  package var withOffsetsFirst: [Ordering] {
    reduce(into: []) { orderings, ordering in
      let isSwapped = ordering.kind.isOffset && orderings.last?.kind.isLimit ?? false
      orderings.insert(ordering, at: orderings.count - (isSwapped ? 1 : 0))
    }
  }
}

extension OrderingKind {
  fileprivate var isOffset: Bool {
    if case .offset = self { true } else { false }
  }

  fileprivate var isLimit: Bool {
    if case .limit = self { true } else { false }
  }
}
