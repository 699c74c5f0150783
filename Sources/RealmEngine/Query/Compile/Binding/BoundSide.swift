// One side of a comparison while it is bound: looked up, but constants not yet fitted to the other side.
// Layer: Query, Compile, Binding.

import RealmQueryLanguage

/// An operand that depends on the row.
struct BoundSide {
  let operand: BoundOperand
  /// A list where it gives one for every row.
  let type: ExpressionType
  /// As it is written.
  let range: SourceRange

  /// What only the file can tell, which is not there.
  static func unknown(_ range: SourceRange) -> BoundSide {
    BoundSide(operand: .constant(.null), type: .unknown, range: range)
  }

  var kind: StaticType { type.kind }

  var isList: Bool { type.isList }

  /// As a computed value, which is one value or null where a condition has a list of one at most.
  var computedType: ExpressionType { reachesOneAtMost ? type.element.optional() : type }

  private var reachesOneAtMost: Bool {
    switch operand {
    case .path(let path): isList && path.reachesOneAtMost
    case .aggregate(let aggregate): isList && aggregate.hops.allSatisfy(\.reachesOneAtMost)
    default: false
    }
  }

  var quantifier: Quantifier? { operand.quantifier }

  var path: BoundPath? {
    guard case .path(let path) = operand else { return nil }
    return path
  }

  var directProperty: Property? { path?.directProperty }

  /// Whether these are the values of a list, set or dictionary, which no other such can be compared with.
  var isPrimitiveCollection: Bool {
    guard let path, path.conversion == nil else { return false }
    switch path.end {
    case .elements(let property, _), .dictionaryValues(let property), .dictionaryValue(let property, _):
      return !property.isLink
    default: return false
    }
  }

  /// Whether these are the keys of a dictionary.
  var isKeys: Bool {
    guard let path, case .dictionaryKeys = path.end else { return false }
    return true
  }
}

/// A constant whose type may still change towards the other side's.
struct ConstantTerm {
  enum Kind {
    case literal(Literal)
    /// The result of arithmetic on constants.
    case value(Value)
    /// An object that was named by its primary key; it need not exist.
    case object(ObjectLink)
  }

  let kind: Kind
  let range: SourceRange
  /// Whether a single argument stands there: what a program hands over should fit where a literal may be a slip.
  var isArgument = false
  /// How that was written, where it may be read otherwise.
  var spelling: [UInt8]?
}

/// Either side, looked up.
enum Side {
  case bound(BoundSide)
  case constant(ConstantTerm)
  case list([ConstantTerm], Quantifier?, SourceRange)
  case region(RealmQueryLanguage.GeoShape)

  var range: SourceRange {
    switch self {
    case .bound(let side): side.range
    case .constant(let term): term.range
    case .list(_, _, let range): range
    case .region(let shape): shape.range
    }
  }
}
