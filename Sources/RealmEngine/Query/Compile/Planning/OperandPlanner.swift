// Plans comparisons whose sides give each row one value: numbers that are calculated from columns in blocks, else
// properties of the row, value by value. Layer: Query, Compile, Planning.

import RealmQueryLanguage

/// Plans what is compared without a list of the row's own.
struct OperandPlanner {
  let realm: ReadTransaction
  let table: Table
  let paths: PathPlanner

  /// So many constants are compared with one by one.
  private static let constantsMax = 64

  /// Nil where a side gives lists of the row's own, or anything but numbers and properties.
  func plan(_ comparison: BoundComparison) throws(EngineError) -> PlannedCondition? {
    guard !comparison.comparesTypes else { return nil }
    let (left, relation, right) = (comparison.left, comparison.relation, comparison.right)
    switch (left, right) {
    case (.constants(let constants, let quantifier), _):
      guard try isSingle(right) else { return nil }
      return try quantified(quantifier, constants) { constant throws(EngineError) in
        try plan(BoundComparison(.constant(constant), relation, right))
      }
    case (_, .constants(let constants, let quantifier)):
      guard try isSingle(left) else { return nil }
      return try quantified(quantifier, constants) { constant throws(EngineError) in
        try plan(BoundComparison(left, relation, .constant(constant)))
      }
    case (.path(let path), .constant(let constant)):
      if let property = path.directProperty,
        let condition = PathPlanner.strict(property, .compare(relation, constant))
      {
        return condition
      }
    case (.constant(let constant), .path(let path)):
      if let property = path.directProperty, let reversed = relation.reversed,
        let condition = PathPlanner.strict(property, .compare(reversed, constant))
      {
        return condition
      }
    default: break
    }
    if let condition = try behindLinks(comparison) { return condition }
    if let numbers = try numbers(comparison) { return numbers }
    if let values = ValueComparison(comparison) { return .values(values) }
    guard let values = JoinedComparison(comparison), values.tables.allSatisfy({ realm.table($0) != nil })
    else {
      return nil
    }
    return .linkedValues(values)
  }

  /// Two values of one object that links lead to are compared there, once for each object.
  private func behindLinks(_ comparison: BoundComparison) throws(EngineError) -> PlannedCondition? {
    guard case .path(let left) = comparison.left, case .path(let right) = comparison.right,
      let last = left.hops.last, left.hops.allSatisfy(\.isToOne), left.leads(where: right),
      let ownLeft = left.ownProperty, let ownRight = right.ownProperty, paths.isWorthASet(left.hops),
      let target = realm.table(last.target)
    else { return nil }
    let own = BoundComparison(.path(ownLeft), comparison.relation, .path(ownRight))
    let planner = OperandPlanner(realm: realm, table: target, paths: paths)
    guard let condition = try planner.plan(own) else { return nil }
    let holdsForAbsent = comparison.relation.holds(.null, .null, ordersNaN: true)
    return try paths.plan(condition, behind: left.hops, holdsForAbsent: holdsForAbsent)
  }

  func plan(_ condition: BetweenCondition) throws(EngineError) -> PlannedCondition? {
    guard try isSingle(condition.operand),
      let above = try plan(
        BoundComparison(condition.operand, ComparisonTest(.greaterOrEqual), .constant(condition.low))),
      let below = try plan(
        BoundComparison(condition.operand, ComparisonTest(.lessOrEqual), .constant(condition.high)))
    else { return nil }
    return .and([above, below])
  }

  private func isSingle(_ operand: BoundOperand) throws(EngineError) -> Bool {
    if case .path(let path) = operand, path.directProperty != nil { return true }
    return try number(operand) != nil
  }

  /// The condition with each of the constants, as the quantifier has it.
  private func quantified(
    _ quantifier: Quantifier?, _ constants: [Value],
    _ condition: (Value) throws(EngineError) -> PlannedCondition?
  ) throws(EngineError) -> PlannedCondition? {
    guard constants.count <= Self.constantsMax else { return nil }
    var conditions: [PlannedCondition] = []
    for constant in constants {
      guard let condition = try condition(constant) else { return nil }
      conditions.append(condition)
    }
    let isAll = quantifier == .all
    if conditions.isEmpty { return .constant(quantifier == .all || quantifier == .noneOf) }
    let combined = isAll ? PlannedCondition.and(conditions) : .or(conditions)
    return quantifier == .noneOf ? .not(combined) : combined
  }

  /// Nil where a side gives anything but a number that blocks hold.
  private func numbers(_ comparison: BoundComparison) throws(EngineError) -> PlannedCondition? {
    guard let relation = comparison.relation.comparison, let left = try number(comparison.left),
      let right = try number(comparison.right)
    else { return nil }
    let ordersNaN = !comparison.left.isConstant && !comparison.right.isConstant
    return .numbers(NumberComparison(left: left, comparison: relation, right: right, ordersNaN: ordersNaN))
  }

  /// What an operand gives, where that is a number of each row.
  func number(_ operand: BoundOperand) throws(EngineError) -> NumberExpression? {
    switch operand {
    case .constant(.null): return .null
    case .constant(.int(let value)): return .int(value)
    case .constant(.float(let value)): return .float(value)
    case .constant(.double(let value)): return .double(value)
    case .path(let path): return try number(path)
    case .aggregate(let aggregate): return try number(aggregate)
    case .subquery(let subquery): return try count(subquery)
    case .computed(let computed): return try number(computed.node)
    case .constant, .constants: return nil
    }
  }

  private func number(_ node: ExpressionNode) throws(EngineError) -> NumberExpression? {
    switch node {
    case .constant(let value): return try number(BoundOperand.constant(value))
    case .operand(let operand, isList: _): return try number(operand)
    case .calculated(let first, let rest):
      guard let first = try number(first), !first.isNull else { return nil }
      var steps: [(NumberVector.Operation, NumberExpression)] = []
      for (operation, operand) in rest {
        guard let number = try number(operand), !number.isNull else { return nil }
        steps.append((operation, number))
      }
      return .arithmetic(first: first, rest: steps)
    default: return nil
    }
  }

  private func number(_ aggregate: BoundAggregate) throws(EngineError) -> NumberExpression? {
    // Blocks add up as conditions do.
    if aggregate.isChecked, aggregate.function == .sum { return nil }
    // Of nothing.
    let absent: Int64? = aggregate.function == .sum ? 0 : nil
    switch aggregate.source {
    case .elements(let property):
      guard property.isNumberOfBlocks else { return nil }
      return try carry(.aggregate(aggregate.function, property), back: aggregate.hops, absent: absent)
    case .property(let property):
      guard property.isNumberOfBlocks, property.collection == nil, let last = aggregate.hops.last,
        paths.isWorthASet([last]), let reached = realm.table(last.target)
      else { return nil }
      let numbers = LinkedNumbers.given(by: .property(property), of: reached, absent: nil)
      guard let source = last.source else { return nil }
      return try carry(
        .linkAggregate(aggregate.function, source, numbers), back: aggregate.hops.dropLast(), absent: absent)
    }
  }

  private func number(_ path: BoundPath) throws(EngineError) -> NumberExpression? {
    guard path.steps.isEmpty, path.quantifier == nil else { return nil }
    let hops = path.hops
    switch (path.end, path.conversion) {
    case (.value(let property), nil) where property.isNumberOfBlocks:
      return try carry(.property(property), back: hops, absent: nil)
    case (.value(let property), .size?) where [.string, .data, .mixed].contains(property.type):
      return try carry(.size(property), back: hops, absent: nil)
    case (.elementCount(let property), nil) where property.collection != .dictionary:
      return try carry(.elementCount(property), back: hops, absent: 0)
    case (.linkCount(.elements(let property, _, .all)), nil) where hops.isEmpty:
      return .elementCount(property)
    case (.linkCount(.incoming(let column, _, _)), nil) where hops.isEmpty: return .incomingCount([column])
    case (.incomingCount, nil):
      guard let end = hops.isEmpty ? table : hops.last.flatMap({ realm.table($0.target) }) else { return nil }
      return try carry(.incomingCount(end.schema.backlinks), back: hops, absent: 0)
    default: return nil
    }
  }

  /// A number of the objects that to-one hops lead to, as one of those of the queried class. `absent` stands for it
  /// where a link leads nowhere.
  private func carry(
    _ number: NumberExpression, back hops: some BidirectionalCollection<Hop>, absent: Int64?
  ) throws(EngineError) -> NumberExpression? {
    guard hops.allSatisfy(\.isToOne), paths.isWorthASet(hops) else { return nil }
    var number = number
    for hop in hops.reversed() {
      guard case .toOne(let property, let target) = hop, let reached = realm.table(target) else { return nil }
      number = .linked(property, .given(by: number, of: reached, absent: absent))
    }
    return number
  }

  private func count(_ subquery: BoundSubquery) throws(EngineError) -> NumberExpression? {
    guard subquery.hops.count == 1, paths.isWorthASet(subquery.hops), let source = subquery.hops[0].source,
      let elements = realm.table(subquery.elementTable)
    else { return nil }
    let plan = try Planner.plan(subquery.predicate, on: elements, in: realm)
    return .linkCount(source, .found(by: plan, of: elements))
  }
}

extension Hop {
  /// The links that it follows, where those are several.
  fileprivate var source: LinkSource? {
    switch self {
    case .elements(let list, _, .all): .elements(list)
    case .incoming(let column, _, _): .incoming(column)
    case .toOne, .elements, .entries, .entry: nil
    }
  }
}

extension BoundPath {
  /// Whether both have the same hops, which are to-one.
  fileprivate func leads(where other: BoundPath) -> Bool {
    guard hops.count == other.hops.count else { return false }
    return zip(hops, other.hops).allSatisfy { hop, other in
      guard case .toOne(let link, _) = hop, case .toOne(let otherLink, _) = other else { return false }
      return link.columnKey == otherLink.columnKey
    }
  }

  /// What is left of the path behind its hops, if that is a property with one value.
  fileprivate var ownProperty: BoundPath? {
    let own = BoundPath(end: end, steps: steps, conversion: conversion, quantifier: quantifier)
    return own.directProperty == nil ? nil : own
  }
}

extension NumberExpression {
  fileprivate var isNull: Bool { if case .null = self { true } else { false } }
}

extension Property {
  /// Whether its values, or its elements, are numbers that blocks hold.
  fileprivate var isNumberOfBlocks: Bool { [.int, .float, .double].contains(type) }
}
