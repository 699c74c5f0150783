// Two sides that meet in a comparison: whether their types allow it, and what it becomes.
// Layer: Query, Compile, Binding.

import ByteText
import RealmQueryLanguage

/// A comparison whose sides are looked up.
struct ComparedPair {
  let relation: ComparisonTest
  let symbol: ComparisonSymbol
  let symbolRange: SourceRange
  let context: BindingContext

  /// Both depend on the row.
  func bind(_ left: BoundSide, _ right: BoundSide) throws(BindingFailure) -> BoundPredicate {
    if left.isPrimitiveCollection, right.isPrimitiveCollection {
      throw BindingFailure(
        .lists, "cannot compare two collections, \(name(left)) and \(name(right))", at: symbolRange)
    }
    try checkOrder(left.kind)
    try checkOrder(right.kind)
    if left.isFixedType { try requireQuestion(left, beside: right) }
    if right.isFixedType { try requireQuestion(right, beside: left) }
    if relation.isTextOperator {
      try requireText(right.kind, name(right), right.range)
      try requireText(left.kind, name(left), left.range)
    } else if !left.kind.isComparable(to: right.kind) {
      throw BindingFailure(
        .type, "cannot compare \(left.kind.name) \(name(left)) with \(right.kind.name) \(name(right))",
        at: right.range)
    }
    if relation.folding != .none { try requireText(right.kind, name(right), right.range) }
    return .comparison(
      BoundComparison(
        left.operand, relation, right.operand, pairing: pairing(left, right),
        comparesTypes: left.kind == .typeNames))
  }

  /// A row's values and a constant.
  func bind(_ left: BoundSide, _ term: ConstantTerm) throws(BindingFailure) -> BoundPredicate {
    if left.isFixedType { try requireQuestion(left, beside: nil) }
    let value = try value(term, for: left, isRight: true)
    let relation = try foldingRelation(left, value)
    guard let property = left.directProperty else {
      return comparison(left.operand, relation, .constant(value), left, nil)
    }
    if value == .null, [.beginsWith, .endsWith, .contains].contains(relation.kind) {
      // As the reference engine has it: everything, null too, contains nothing.
      return .constant(true)
    }
    if relation.folding != .none, case .data(let bytes) = value,
      firstInvalidUTF8Index(in: bytes.bytes.span) != nil
    {
      return .constant(relation.kind == .notEqual)
    }
    return .property(PropertyCondition(property: property, test: .compare(relation, value)))
  }

  /// A constant and a row's values.
  func bind(_ term: ConstantTerm, _ right: BoundSide) throws(BindingFailure) -> BoundPredicate {
    if right.isFixedType { try requireQuestion(right, beside: nil) }
    let value = try value(term, for: right, isRight: false)
    try requireFoldable(right)
    // Only behind the property does a constant make null the smallest text.
    if let property = right.directProperty, let reversed = relation.reversed,
      !(relation.isOrdering && property.type == .string)
    {
      return .property(PropertyCondition(property: property, test: .compare(reversed, value)))
    }
    return comparison(.constant(value), relation, right.operand, nil, right)
  }

  /// A row's values and a list of constants.
  func bind(
    _ left: BoundSide, _ terms: [ConstantTerm], _ quantifier: Quantifier?
  ) throws(BindingFailure) -> BoundPredicate {
    if left.isFixedType { try requireQuestion(left, beside: nil) }
    let (values, comparable) = try values(terms, for: left)
    if let property = left.directProperty,
      let membership = membership(of: property, in: comparable, quantifier)
    {
      return membership
    }
    let relation = left.kind.isText ? relation : relation.withoutFolding
    return comparison(left.operand, relation, .constants(values, quantifier), left, nil)
  }

  /// A list of constants and a row's values.
  func bind(
    _ terms: [ConstantTerm], _ quantifier: Quantifier?, _ right: BoundSide
  ) throws(BindingFailure) -> BoundPredicate {
    if right.isFixedType { try requireQuestion(right, beside: nil) }
    let (values, comparable) = try values(terms, for: right)
    try requireFoldable(right)
    if relation.isTextOperator { try requireText(right.kind, name(right), right.range) }
    if let property = right.directProperty,
      let membership = membership(of: property, in: comparable, quantifier)
    {
      return membership
    }
    return comparison(.constants(values, quantifier), relation, right.operand, nil, right)
  }
}

extension ComparedPair {
  /// Equality with any, or none, of the constants.
  private func membership(
    of property: Property, in values: [Value], _ quantifier: Quantifier?
  ) -> BoundPredicate? {
    guard relation.folding == .none || !context.view.type(of: property).isText else { return nil }
    let isOneOf = BoundPredicate.property(PropertyCondition(property: property, test: .isOneOf(values)))
    switch (relation.kind, quantifier ?? .any) {
    case (.equal, .any): return isOneOf
    case (.equal, .noneOf), (.notEqual, .all): return .not(isOneOf)
    default: return nil
    }
  }

  private func comparison(
    _ left: BoundOperand, _ relation: ComparisonTest, _ right: BoundOperand, _ leftSide: BoundSide?,
    _ rightSide: BoundSide?
  ) -> BoundPredicate {
    .comparison(
      BoundComparison(
        left, relation, right, pairing: pairing(leftSide, rightSide),
        comparesTypes: leftSide?.kind == .typeNames || rightSide?.kind == .typeNames))
  }

  private func pairing(_ left: BoundSide?, _ right: BoundSide?) -> ListPairing {
    if symbol == .in { return .anyWithAny }
    // Objects that are listed are sought one by one, whatever holds the links.
    if left?.isLinkCollection == true || right?.isLinkCollection == true, left == nil || right == nil {
      return .anyWithAny
    }
    return relation.isEquality && (left?.isSet == true || right?.isSet == true) ? .asSets : .inOrder
  }

  /// Letters are only folded in texts: elsewhere `[c]` behind a property says nothing, and is wrong on anything else.
  private func foldingRelation(_ side: BoundSide, _ value: Value) throws(BindingFailure) -> ComparisonTest {
    guard relation.folding != .none else { return relation }
    let isText = StaticType(of: value).isText || value == .null && side.kind.isText
    if side.kind.isText, isText || side.directProperty != nil { return relation }
    // Null says nothing of texts, but links are compared with it so.
    let isNullBesideValue = value == .null && !side.kind.isLink
    if side.directProperty == nil || isNullBesideValue { throw unfoldable(side) }
    context.warn("letters are only disregarded in texts", at: symbolRange)
    return relation.withoutFolding
  }

  func name(_ side: BoundSide) -> String { context.quoted(side.range) }
}

extension ComparisonTest {
  var withoutFolding: ComparisonTest { ComparisonTest(kind) }
}

extension ComparedPair {
  /// The `@type` of a property that has one type is asked for beside one that may be any.
  private func requireQuestion(_ side: BoundSide, beside other: BoundSide?) throws(BindingFailure) {
    if let other, other.kind == .typeNames, !other.isFixedType { return }
    guard case .constant(.int(let type)) = side.operand else { return }
    let path = context.source.text(in: side.range).split(separator: ".").dropLast().joined(separator: ".")
    let word = TypeNames(rawValue: type).firstWord ?? "typed"
    throw BindingFailure(
      .operation, "@type is for mixed values; '\(path)' is \(word), always", at: side.range)
  }
}

extension BoundSide {
  /// Whether it is the `@type` of a property that has one type.
  fileprivate var isFixedType: Bool { kind == .typeNames && operand.isConstant }

  /// Whether these are the objects of a list, set or dictionary.
  fileprivate var isLinkCollection: Bool { kind.isLink && isList }

  fileprivate var isSet: Bool {
    // The lengths of its elements are a list: two may be as long as each other.
    guard let path, path.conversion != .length, case .elements(let property, .all) = path.end else {
      return false
    }
    return property.collection == .set
  }

  /// Whether it can lead to more than one object.
  var mayBeSeveral: Bool {
    guard let path else { return false }
    let endsInSeveral =
      switch path.end {
      case .elements(_, .all), .dictionaryValues: true
      default: false
      }
    return endsInSeveral || path.hops.contains(where: \.mayBeSeveral)
  }
}

extension Hop {
  fileprivate var mayBeSeveral: Bool {
    switch self {
    case .elements(_, _, .all), .entries, .incoming: true
    case .toOne, .elements, .entry: false
    }
  }
}
