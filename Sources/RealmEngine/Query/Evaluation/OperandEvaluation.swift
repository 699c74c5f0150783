// What the sides of a comparison give for a row, and how they meet. Layer: Query, Evaluation.

package import RealmQueryLanguage

extension RowEvaluator {
  func evaluate(_ operand: BoundOperand, _ row: Row) throws(EngineError) -> Evaluated {
    switch operand {
    case .constant(let value): return .single(value)
    case .constants(let values, _): return .list(values)
    case .path(let path): return try evaluate(path, row)
    case .aggregate(let aggregate): return try evaluate(aggregate, row)
    case .subquery(let subquery): return .single(.int(try count(subquery, row)))
    case .computed(let operand):
      return try evaluator(operand, for: row).column(row.position.block, rows: [row.position.row]).result(0)
    }
  }

  private func evaluator(_ operand: ComputedOperand, for row: Row) -> ExpressionEvaluator {
    if let known = kept.all[operand.seed] { return known }
    let evaluator = ExpressionEvaluator(operand, for: row, RowEvaluator(realm))
    // What is made anew depends on the object that it is made for.
    if !operand.node.makesIdentifiers { kept.all[operand.seed] = evaluator }
    return evaluator
  }

  private func count(_ subquery: BoundSubquery, _ row: Row) throws(EngineError) -> Int64 {
    var count: Int64 = 0
    for element in try objects(subquery.hops, from: row) where try matches(subquery.predicate, element) {
      count += 1
    }
    return count
  }

  func holds(_ comparison: BoundComparison, _ row: Row) throws(EngineError) -> Bool {
    Self.holds(comparison, try evaluate(comparison.left, row), try evaluate(comparison.right, row))
  }

  /// Whether what its sides give relates as the comparison asks.
  static func holds(_ comparison: BoundComparison, _ left: Evaluated, _ right: Evaluated) -> Bool {
    let relation = comparison.relation
    let ordersNaN = !comparison.left.isConstant && !comparison.right.isConstant
    let holds = { (left: Value, right: Value) in
      comparison.comparesTypes
        ? Self.holds(relation, types: left, right) : relation.holds(left, right, ordersNaN: ordersNaN)
    }
    let (leftQuantifier, rightQuantifier) = (comparison.left.quantifier, comparison.right.quantifier)
    let areLists =
      (left.isList || comparison.left.leadsIntoValues) && (right.isList || comparison.right.leadsIntoValues)
    if areLists, leftQuantifier == nil, rightQuantifier == nil {
      switch comparison.pairing {
      case .inOrder: return Self.holdsInOrder(relation, left.values, right.values, holds)
      case .asSets: return Self.holdsAsSets(relation, left.values, right.values)
      case .anyWithAny: break
      }
    }
    return (leftQuantifier ?? .any).holds(over: left.values) { value in
      (rightQuantifier ?? .any).holds(over: right.values) { holds(value, $0) }
    }
  }

  func holds(_ condition: BetweenCondition, _ row: Row) throws(EngineError) -> Bool {
    let values = try evaluate(condition.operand, row).values
    return (condition.operand.quantifier ?? .any).holds(over: values) { value in
      ComparisonTest(.greaterOrEqual).holds(value, condition.low)
        && ComparisonTest(.lessOrEqual).holds(value, condition.high)
    }
  }

  private static func holds(_ relation: ComparisonTest, types left: Value, _ right: Value) -> Bool {
    guard case .int(let left) = left, case .int(let right) = right else { return false }
    return (left & right != 0) == (relation.kind == .equal)
  }

  private static func holdsInOrder(
    _ relation: ComparisonTest, _ left: [Value], _ right: [Value], _ holds: (Value, Value) -> Bool
  ) -> Bool {
    if relation.kind == .notEqual {
      return left.count != right.count || zip(left, right).contains { holds($0, $1) }
    }
    return left.count == right.count && zip(left, right).allSatisfy { holds($0, $1) }
  }

  private static func holdsAsSets(_ relation: ComparisonTest, _ left: [Value], _ right: [Value]) -> Bool {
    let equal = ComparisonTest(.equal, folding: relation.folding)
    let isEqual =
      left.allSatisfy { value in right.contains { equal.holds(value, $0) } }
      && right.allSatisfy { value in left.contains { equal.holds($0, value) } }
    return isEqual == (relation.kind == .equal)
  }
}

extension BoundOperand {
  package var isConstant: Bool {
    switch self {
    case .constant, .constants: true
    case .path, .aggregate, .subquery, .computed: false
    }
  }

  /// Whether it leads into a mixed value. Beside a list, what it finds there is a list of its own, of one element or
  /// none.
  fileprivate var leadsIntoValues: Bool {
    guard case .path(let path) = self else { return false }
    return !path.steps.isEmpty
  }

  /// The quantifier that was written before it; that of a list in arithmetic counts for the result.
  package var quantifier: Quantifier? {
    switch self {
    case .constants(_, let quantifier): quantifier
    case .path(let path): path.quantifier
    case .computed(let operand): operand.quantifier
    case .constant, .aggregate, .subquery: nil
    }
  }
}

extension Quantifier {
  func holds(over values: [Value], _ isTrue: (Value) -> Bool) -> Bool {
    switch self {
    case .any: values.contains(where: isTrue)
    case .all: values.allSatisfy(isTrue)
    case .noneOf: !values.contains(where: isTrue)
    }
  }
}
