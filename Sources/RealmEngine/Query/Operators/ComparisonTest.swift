// How two values may have to relate. Layer: Query, Operators.

/// A comparison operator with its treatment of letters.
package struct ComparisonTest: Sendable, Hashable {
  package enum Kind: Sendable, Hashable {
    case compare(ComparisonOperator)
    /// The left value begins with the right one, and so on.
    case beginsWith, endsWith, contains, like, matches

    package static let equal = Kind.compare(.equal)
    package static let notEqual = Kind.compare(.notEqual)
  }

  package let kind: Kind
  /// Only for equality and the text operators.
  package let folding: TextFolding

  package init(_ kind: Kind, folding: TextFolding = .none) {
    self.kind = kind
    self.folding = folding
  }

  package static let equal = ComparisonTest(.equal)
  package static let notEqual = ComparisonTest(.notEqual)

  /// Of the operators that order values.
  package init(_ comparison: ComparisonOperator) { self.init(.compare(comparison)) }

  /// The comparison, however letters are treated; nil for text operators.
  package var comparison: ComparisonOperator? {
    if case .compare(let comparison) = kind { comparison } else { nil }
  }

  package var isTextOperator: Bool { comparison == nil }

  package var isEquality: Bool { kind == .equal || kind == .notEqual }

  package var isOrdering: Bool { !isTextOperator && !isEquality }

  /// The relation of the sides when they are exchanged; nil for text operators, whose sides differ in role.
  package var reversed: ComparisonTest? {
    comparison.map { ComparisonTest(.compare($0.mirrored), folding: folding) }
  }
}

/// Which differences between letters count.
package enum TextFolding: Sendable, Hashable {
  /// Bytes are compared.
  case none
  /// `[c]`: ASCII and Latin-1 letters match in either case, as in the reference engine.
  case latinCase
  /// `[d]`: combining marks of the canonical decomposition do not count.
  case diacritics
  /// `[cd]`: neither these marks nor case, in all scripts.
  case diacriticsAndCase
}
