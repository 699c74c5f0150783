// How a query will be answered, decided from its bound form, the indexes and the number of objects. Layer: Query.

/// Where the rows come from and what is still asked of them.
package struct QueryPlan: Sendable {
  package enum Access: Sendable {
    /// Every block of the table, by kernels.
    case scan
    /// The objects that an index named.
    case index(IndexHits)
  }

  /// What an index was, or was not, used for; for `--explain`.
  package struct IndexUse: Sendable {
    package enum Outcome: Sendable, Hashable {
      case valuesLookedUp(Int)
      case wordsLookedUp
      case noIndex, notAnEquality, unknownValues
      /// It would have named more objects than a scan is worth.
      case tooManyObjects
    }

    package let property: Property
    package let outcome: Outcome

    package var isUsed: Bool {
      switch outcome {
      case .valuesLookedUp, .wordsLookedUp: true
      case .noIndex, .notAnEquality, .unknownValues, .tooManyObjects: false
      }
    }
  }

  package let access: Access
  /// What a scan asks of every row.
  package let condition: PlannedCondition
  /// What is asked of each object that an index named; nil: nothing more.
  package let remainder: BoundPredicate?
  package let indexUses: [IndexUse]
}

/// Makes plans.
package struct Planner {
  private let table: Table
  private let paths: PathPlanner
  private let operands: OperandPlanner
  private let fullText: FullTextProbe
  private var indexUses: [QueryPlan.IndexUse] = []

  /// What it costs to look up an object by its key and ask the rest about it, in the units of conditions.
  private static let costOfAnObject = 500.0
  /// So few objects are looked up without a thought.
  private static let fewObjects = 64

  private init(_ table: Table, in realm: ReadTransaction, _ paths: PathPlanner) {
    self.table = table
    self.paths = paths
    operands = OperandPlanner(realm: realm, table: table, paths: paths)
    fullText = FullTextProbe(table.snapshot)
  }

  /// Cost: index look-ups, and for conditions across links a scan of the linked classes.
  package static func plan(
    _ predicate: BoundPredicate, on table: Table, in realm: ReadTransaction,
    makeRowTest: @escaping @Sendable () -> RowTest
  ) throws(EngineError) -> QueryPlan {
    var planner = Planner(table, in: realm, PathPlanner(realm, on: table, makeRowTest: makeRowTest))
    let parts: [BoundPredicate] = if case .and(let parts) = predicate { parts } else { [predicate] }
    var best: (hits: IndexHits, part: Int)?
    for (index, part) in parts.enumerated() {
      guard let hits = try planner.indexHits(part) else { continue }
      if best == nil || hits.count < best?.hits.count ?? 0 { best = (hits, index) }
    }
    var condition = PlannedCondition.constant(true)
    if let best {
      var rest = parts
      rest.remove(at: best.part)
      let remainder: BoundPredicate? = rest.isEmpty ? nil : rest.count == 1 ? rest[0] : .and(rest)
      var isWorthIt = remainder == nil || best.hits.count <= fewObjects
      if !isWorthIt {
        condition = try planner.condition(predicate)
        isWorthIt = Double(best.hits.count) * costOfAnObject <= Double(table.count) * condition.cost
      }
      if isWorthIt {
        return QueryPlan(
          access: .index(best.hits), condition: .constant(true), remainder: remainder,
          indexUses: planner.indexUses)
      }
    } else {
      condition = try planner.condition(predicate)
    }
    return QueryPlan(
      access: .scan, condition: condition, remainder: nil,
      indexUses: planner.indexUses.map { use in
        // The words of a full-text index serve a scan too.
        if case .valuesLookedUp = use.outcome {
          return QueryPlan.IndexUse(property: use.property, outcome: .tooManyObjects)
        }
        return use
      })
  }

  /// The objects that an index gives for `predicate`, exactly; nil where none can.
  private mutating func indexHits(_ predicate: BoundPredicate) throws(EngineError) -> IndexHits? {
    switch predicate {
    case .property(let condition): return try indexHits(condition)
    case .or(let parts):
      guard parts.count <= IndexProbe.alternativesMax else { return nil }
      var alternatives: [IndexHits] = []
      for part in parts {
        guard let hits = try indexHits(part) else { return nil }
        alternatives.append(hits)
      }
      return try IndexHits(anyOf: alternatives)
    case .fullText(let condition):
      guard condition.path.directProperty != nil, let keys = try fullText.keys(condition) else { return nil }
      note(condition.property, .wordsLookedUp)
      return IndexHits(keys)
    default: return nil
    }
  }

  private mutating func indexHits(_ condition: PropertyCondition) throws(EngineError) -> IndexHits? {
    let property = condition.property
    guard property.index == .general else {
      note(property, .noIndex)
      return nil
    }
    let constants: [Value]
    switch condition.test {
    case .compare(Relation.equal, let constant): constants = [constant]
    case .isOneOf(let members): constants = members
    default:
      note(property, .notAnEquality)
      return nil
    }
    guard let probe = IndexProbe(property, of: table), probe.knows(all: constants) else {
      note(property, .unknownValues)
      return nil
    }
    note(property, .valuesLookedUp(constants.count))
    return try probe.hits(anyOf: constants)
  }

  private mutating func note(_ property: Property, _ outcome: QueryPlan.IndexUse.Outcome) {
    indexUses.append(QueryPlan.IndexUse(property: property, outcome: outcome))
  }

  /// The form in which a scan asks `predicate`.
  private func condition(_ predicate: BoundPredicate) throws(EngineError) -> PlannedCondition {
    switch predicate {
    case .constant(let isTrue): return .constant(isTrue)
    case .and(let parts): return .and(try cheapestFirst(parts))
    case .or(let parts): return .or(try cheapestFirst(parts))
    case .not(let part): return .not(try condition(part))
    case .property(let property): return PropertyPlanner.plan(property)
    case .comparison(let comparison):
      if let condition = try paths.plan(comparison) { return condition }
      return try operands.plan(comparison) ?? .rows(predicate)
    case .between(let between):
      if let condition = try paths.plan(between) { return condition }
      return try operands.plan(between) ?? .rows(predicate)
    case .fullText(let condition): return try paths.plan(condition, fullText) ?? .rows(predicate)
    case .geoWithin: return .rows(predicate)
    }
  }

  private func cheapestFirst(_ parts: [BoundPredicate]) throws(EngineError) -> [PlannedCondition] {
    var planned: [PlannedCondition] = []
    for part in parts { planned.append(try condition(part)) }
    return planned.enumerated()
      .sorted { left, right in
        left.element.cost != right.element.cost
          ? left.element.cost < right.element.cost : left.offset < right.offset
      }
      .map(\.element)
  }
}
