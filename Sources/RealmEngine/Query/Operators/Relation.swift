// How two values may have to relate. Layer: Query.

/// A comparison operator with its treatment of letters.
package struct Relation: Sendable, Hashable {
  package enum Kind: Sendable, Hashable {
    case equal, notEqual
    case less, lessOrEqual, greater, greaterOrEqual
    /// The left value begins with the right one, and so on.
    case beginsWith, endsWith, contains, like
  }

  package let kind: Kind
  /// Only for equality and the text operators.
  package let folding: TextFolding

  package init(_ kind: Kind, folding: TextFolding = .none) {
    self.kind = kind
    self.folding = folding
  }

  package static let equal = Relation(.equal)
  package static let notEqual = Relation(.notEqual)

  package var isOrdering: Bool {
    switch kind {
    case .less, .lessOrEqual, .greater, .greaterOrEqual: true
    default: false
    }
  }

  package var isEquality: Bool { kind == .equal || kind == .notEqual }

  package var isTextOperator: Bool { !isOrdering && !isEquality }

  /// The relation of the sides when they are exchanged; nil for text operators, whose sides differ in role.
  package var reversed: Relation? {
    switch kind {
    case .equal, .notEqual: self
    case .less: Relation(.greater, folding: folding)
    case .lessOrEqual: Relation(.greaterOrEqual, folding: folding)
    case .greater: Relation(.less, folding: folding)
    case .greaterOrEqual: Relation(.lessOrEqual, folding: folding)
    case .beginsWith, .endsWith, .contains, .like: nil
    }
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
