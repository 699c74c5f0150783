// Arithmetic: what is constant is calculated at once, literals are fitted to what they are calculated with.
// Layer: Query, Compile, Binding.

import RealmQueryLanguage

extension Binder {
  func bindArithmetic(
    _ first: Expression, _ rest: [ArithmeticStep], at range: SourceRange
  ) throws(BindingFailure) -> Side {
    var result = try side(first)
    // A chain is one node, so that a long sum is no deep tree: behind what depends on the row, the rest is collected.
    var boundRest: [(ArithmeticOperation, ExpressionNode)] = []
    var quantifier: Quantifier?
    for step in rest {
      let calculation = Calculation(step: step, context: context)
      switch try calculation.bind(result, try side(step.operand)) {
      case .constants(let side): result = side
      case .dependent(let left, let right):
        boundRest.append((calculation.operation, right.node))
        quantifier = quantifier ?? left.quantifier ?? right.quantifier
        result = .bound(left)
      }
    }
    switch result {
    case .bound(let side):
      let operand = ComputedOperand(
        node: .calculated(first: side.operand.node, rest: boundRest), table: schema.tableKey,
        isList: side.isList, now: context.now, isLenient: true, quantifier: quantifier)
      return .bound(BoundSide(operand: .computed(operand), type: side.type, range: range))
    case .constant(let term): return .constant(ConstantTerm(kind: term.kind, range: range))
    case .list(let terms, let quantifier, _): return .list(terms, quantifier, range)
    case .region: return result
    }
  }
}

extension BoundOperand {
  /// What is calculated with it.
  fileprivate var node: ExpressionNode {
    switch self {
    case .constant(let value): .constant(value)
    case .constants(let values, _): .constants(values)
    // What may have no value counts as a list.
    case .path(let path): .operand(self, isList: path.shape != .single)
    case .aggregate(let aggregate): .operand(self, isList: aggregate.isList)
    case .subquery: .operand(self, isList: false)
    case .computed(let operand): operand.node
    }
  }
}

/// One operator between what stands to its left and its right.
private struct Calculation {
  let step: ArithmeticStep
  let context: BindingContext

  /// What an operator makes of its two sides.
  enum Result {
    case constants(Side)
    /// The left side with the type of the result, and the operand to its right.
    case dependent(BoundSide, BoundOperand)
  }

  var operation: ArithmeticOperation {
    guard let operation = ArithmeticOperation(step.symbol) else {
      preconditionFailure("remainders are computed values")
    }
    return operation
  }

  func bind(_ left: Side, _ right: Side) throws(BindingFailure) -> Result {
    switch (left, right) {
    case (.bound(let left), .bound(let right)):
      try requireNumber(left.kind, left.range)
      try requireNumber(right.kind, right.range)
      if left.isList, right.isList { throw twoLists }
      return combined(left, right.operand, right.kind, isList: right.isList)
    case (.bound(let left), .constant(let term)):
      try requireNumber(left.kind, left.range)
      let value = try value(term, left.kind)
      return combined(left, .constant(value), StaticType(of: value), isList: false)
    case (.constant(let term), .bound(let right)):
      try requireNumber(right.kind, right.range)
      let value = try value(term, right.kind)
      let constant = BoundSide(operand: .constant(value), type: ExpressionType(of: value), range: term.range)
      return combined(constant, right.operand, right.kind, isList: right.isList)
    case (.bound(let left), .list(let terms, let quantifier, _)):
      try requireNumber(left.kind, left.range)
      if left.isList { throw twoLists }
      let values = try values(terms, left.kind)
      return combined(left, .constants(values, quantifier), left.kind, isList: true)
    case (.list(let terms, let quantifier, let range), .bound(let right)):
      try requireNumber(right.kind, right.range)
      if right.isList { throw twoLists }
      let list = BoundSide(
        operand: .constants(try values(terms, right.kind), quantifier),
        type: ExpressionType(right.kind, isList: true), range: range)
      return combined(list, right.operand, right.kind, isList: false)
    case (.constant(let left), .constant(let right)):
      return .constants(.constant(try folded(left, right)))
    case (.list(let terms, let quantifier, let range), .constant(let term)):
      let results = try terms.map { element throws(BindingFailure) in try folded(element, term) }
      return .constants(.list(results, quantifier, range))
    case (.constant(let term), .list(let terms, let quantifier, let range)):
      let results = try terms.map { element throws(BindingFailure) in try folded(term, element) }
      return .constants(.list(results, quantifier, range))
    case (.list, .list): throw twoLists
    case (.region, _), (_, .region): throw needsNumbers("a region", left.range.joined(with: right.range))
    }
  }

  private func combined(
    _ left: BoundSide, _ right: BoundOperand, _ rightType: StaticType, isList: Bool
  ) -> Result {
    let side = BoundSide(
      operand: left.operand,
      type: ExpressionType(left.kind.wider(rightType), isList: left.isList || isList, isOptional: true),
      range: left.range)
    return .dependent(side, right)
  }

  private func folded(_ left: ConstantTerm, _ right: ConstantTerm) throws(BindingFailure) -> ConstantTerm {
    let (a, b) = (try value(left, nil), try value(right, nil))
    return ConstantTerm(kind: .value(operation(a, b)), range: left.range.joined(with: right.range))
  }

  private func values(_ terms: [ConstantTerm], _ type: StaticType) throws(BindingFailure) -> [Value] {
    return try terms.map { term throws(BindingFailure) in try value(term, type) }
  }

  /// The constant beside numbers of `type`. A fraction beside integers stays one.
  private func value(_ term: ConstantTerm, _ type: StaticType?) throws(BindingFailure) -> Value {
    if type == .int, term.isInfinite {
      throw BindingFailure(
        .arithmetic, "'\(step.symbol.rawValue)' calculates with integers here, not with infinity",
        at: term.range)
    }
    let plain = term.plainValue
    if plain?.isNumber == true, type == nil || type == .int || type?.isOpen == true, let plain {
      return plain
    }
    if let type, let value = term.fitted(to: type), value.isNumber { return value }
    throw needsNumbers(context.source.text(in: term.range), term.range)
  }

  private func requireNumber(_ type: StaticType, _ range: SourceRange) throws(BindingFailure) {
    guard type.isNumber || type.isOpen else {
      throw BindingFailure(
        .arithmetic,
        "'\(step.symbol.rawValue)' needs numbers; \(context.quoted(range)) is \(type.name)", at: range)
    }
  }

  private func needsNumbers(_ what: String, _ range: SourceRange) -> BindingFailure {
    BindingFailure(.arithmetic, "'\(step.symbol.rawValue)' needs numbers, not \(what)", at: range)
  }

  private var twoLists: BindingFailure {
    BindingFailure(
      .lists, "'\(step.symbol.rawValue)' cannot calculate with two lists", at: step.symbolRange)
  }
}
