// What a plan asks of other classes before it runs: the objects that links are compared with, and the numbers behind
// them. Layer: Query, Run.

extension QueryPlan {
  /// The plan with these questions answered. Cost: scans the classes that they are about.
  func answered(in realm: ReadTransaction) throws(EngineError) -> QueryPlan {
    guard case .scan = access else { return self }
    return QueryPlan(
      access: access, condition: try condition.answered(in: realm), remainder: remainder, indexUses: indexUses
    )
  }
}

extension PlannedCondition {
  fileprivate func answered(in realm: ReadTransaction) throws(EngineError) -> PlannedCondition {
    switch self {
    case .and(let parts): .and(try parts.answered(in: realm))
    case .or(let parts): .or(try parts.answered(in: realm))
    case .not(let part): .not(try part.answered(in: realm))
    case .anyOf(let property, let parts): .anyOf(property, try parts.answered(in: realm))
    case .anyElement(let property, let choice, let part):
      .anyElement(property, choice, try part.answered(in: realm))
    case .links(let property, let keys, let acceptsNull):
      .links(property, .known(try keys.found(in: realm)), acceptsNull: acceptsNull)
    case .anyLinked(let property, let keys): .anyLinked(property, .known(try keys.found(in: realm)))
    case .anyIncoming(let column, let keys): .anyIncoming(column, .known(try keys.found(in: realm)))
    case .numbers(let comparison):
      .numbers(
        NumberComparison(
          left: try comparison.left.answered(in: realm), comparison: comparison.comparison,
          right: try comparison.right.answered(in: realm), ordersNaN: comparison.ordersNaN))
    default: self
    }
  }
}

extension [PlannedCondition] {
  fileprivate func answered(in realm: ReadTransaction) throws(EngineError) -> [PlannedCondition] {
    return try map { part throws(EngineError) in try part.answered(in: realm) }
  }
}

extension NumberExpression {
  func answered(in realm: ReadTransaction) throws(EngineError) -> NumberExpression {
    switch self {
    case .linkCount(let source, let keys): return .linkCount(source, .known(try keys.found(in: realm)))
    case .linked(let property, let numbers):
      return .linked(property, .known(try numbers.collected(in: realm)))
    case .linkAggregate(let function, let source, let numbers):
      return .linkAggregate(function, source, .known(try numbers.collected(in: realm)))
    case .arithmetic(let first, let rest):
      var steps: [(NumberVector.Operation, NumberExpression)] = []
      for (operation, operand) in rest { steps.append((operation, try operand.answered(in: realm))) }
      return .arithmetic(first: try first.answered(in: realm), rest: steps)
    default: return self
    }
  }
}

extension LinkedKeys {
  fileprivate func found(in realm: ReadTransaction) throws(EngineError) -> KeySet {
    switch self {
    case .known(let keys): keys
    case .meeting(let condition, let table):
      try TableScan(try condition.answered(in: realm), of: table, in: realm).keys()
    case .found(let plan, let table): try PlanRun(plan, on: table, in: realm).source().keys()
    }
  }
}

extension LinkedNumbers {
  fileprivate func collected(in realm: ReadTransaction) throws(EngineError) -> KeyedNumbers {
    switch self {
    case .known(let numbers): numbers
    case .given(let expression, let table, let absent):
      try KeyedNumbers(try expression.answered(in: realm), of: table, absent: absent)
    }
  }
}
