// Decides how a predicate will be answered: by an index where that names few enough objects, else by a scan.
// Layer: Query, Compile, Planning.

/// Makes plans.
package struct Planner {
  private let table: Table
  private let realm: ReadTransaction

  /// Cost: index look-ups. What must be found in linked classes first is a part of the plan.
  package static func plan(
    _ predicate: BoundPredicate, on table: Table, in realm: ReadTransaction
  ) throws(EngineError) -> QueryPlan {
    try Planner(table: table, realm: realm).plan(predicate)
  }

  private func plan(_ predicate: BoundPredicate) throws(EngineError) -> QueryPlan {
    var search = IndexSearch(table, in: realm)
    let found = try search.best(of: predicate)
    if let found, found.remainder == nil || found.hits.count <= LookupCost.fewObjects {
      return Self.plan(found, search)
    }
    let paths = PathPlanner(realm, on: table)
    let operands = OperandPlanner(realm: realm, table: table, paths: paths)
    let condition = try ConditionPlanner(paths: paths, operands: operands, fullText: search.fullText)
      .plan(predicate)
    if let found,
      LookupCost.isLess(forObjects: found.hits.count, than: Double(table.count) * condition.cost)
    {
      return Self.plan(found, search)
    }
    return QueryPlan(
      access: .scan, condition: condition, remainder: nil, indexUses: search.uses.map(\.ofAScan))
  }

  private static func plan(_ found: IndexSearch.Answer, _ search: IndexSearch) -> QueryPlan {
    QueryPlan(
      access: .index(found.hits), condition: .constant(true), remainder: found.remainder,
      indexUses: search.uses.map(\.besideALookup))
  }
}

/// What it costs to look up objects by their keys, which lie scattered over the file, in the units of conditions.
enum LookupCost {
  /// So few objects are looked up without a thought.
  static let fewObjects = 64
  private static let ofAnObject = 500.0

  /// Whether it is better to look up so many objects than to scan at a cost of `costOfAScan`.
  static func isLess(forObjects count: Int, than costOfAScan: Double) -> Bool {
    count <= fewObjects || Double(count) * ofAnObject <= costOfAScan
  }
}

extension QueryPlan.IndexUse {
  /// The same where another index names the rows: then links are not compared with sets.
  fileprivate var besideALookup: QueryPlan.IndexUse {
    if case .linkedObjectsNamed = outcome {
      QueryPlan.IndexUse(property: property, outcome: .tooManyObjects)
    } else {
      self
    }
  }

  /// The same where the rows are scanned after all; the words of a full-text index serve a scan too.
  fileprivate var ofAScan: QueryPlan.IndexUse {
    switch outcome {
    case .valuesLookedUp, .linksFollowedBack:
      QueryPlan.IndexUse(property: property, outcome: .tooManyObjects)
    default: self
    }
  }
}

/// Plans what a scan asks of every row.
private struct ConditionPlanner {
  let paths: PathPlanner
  let operands: OperandPlanner
  let fullText: FullTextProbe

  func plan(_ predicate: BoundPredicate) throws(EngineError) -> PlannedCondition {
    switch predicate {
    case .constant(let isTrue): return .constant(isTrue)
    case .and(let parts): return .and(try cheapestFirst(parts))
    case .or(let parts): return .or(try cheapestFirst(parts))
    case .not(let part): return .not(try plan(part))
    case .property(let property): return PropertyPlanner.plan(property)
    case .comparison(let comparison):
      if let condition = try paths.plan(comparison) { return condition }
      return try operands.plan(comparison)
        ?? (comparison.isComputed ? .computed(comparison) : .rows(predicate))
    case .between(let between):
      if let condition = try paths.plan(between) { return condition }
      return try operands.plan(between) ?? .rows(predicate)
    case .fullText(let condition): return try paths.plan(condition, fullText) ?? .rows(predicate)
    case .geoWithin: return .rows(predicate)
    }
  }

  private func cheapestFirst(_ parts: [BoundPredicate]) throws(EngineError) -> [PlannedCondition] {
    let planned = try parts.map { part throws(EngineError) in try plan(part) }
    return planned.enumerated()
      .sorted { left, right in
        left.element.cost != right.element.cost
          ? left.element.cost < right.element.cost : left.offset < right.offset
      }
      .map(\.element)
  }
}
