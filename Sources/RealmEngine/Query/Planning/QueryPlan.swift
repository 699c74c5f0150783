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
  private var indexUses: [QueryPlan.IndexUse] = []

  /// An index that names more than this share of a class is no better than a scan when more is to be asked.
  private static let keysShareMax = 16
  private static let alternativesMax = 100

  private init(_ table: Table, _ paths: PathPlanner) {
    self.table = table
    self.paths = paths
  }

  /// Cost: index look-ups, and for conditions across links a scan of the linked classes.
  package static func plan(
    _ predicate: BoundPredicate, on table: Table, in realm: ReadTransaction,
    makeRowTest: @escaping @Sendable () -> RowTest
  ) throws(EngineError) -> QueryPlan {
    var planner = Planner(table, PathPlanner(realm, on: table, makeRowTest: makeRowTest))
    let parts: [BoundPredicate] = if case .and(let parts) = predicate { parts } else { [predicate] }
    var best: (hits: IndexHits, part: Int)?
    for (index, part) in parts.enumerated() {
      guard let hits = try planner.indexHits(part) else { continue }
      if best == nil || hits.count < best?.hits.count ?? 0 { best = (hits, index) }
    }
    if let best, parts.count == 1 || best.hits.count * keysShareMax <= table.count {
      var rest = parts
      rest.remove(at: best.part)
      let remainder: BoundPredicate? = rest.isEmpty ? nil : rest.count == 1 ? rest[0] : .and(rest)
      return QueryPlan(
        access: .index(best.hits), condition: .constant(true), remainder: remainder,
        indexUses: planner.indexUses)
    }
    return QueryPlan(
      access: .scan, condition: try planner.condition(predicate), remainder: nil,
      indexUses: planner.indexUses.map { use in
        use.isUsed ? QueryPlan.IndexUse(property: use.property, outcome: .tooManyObjects) : use
      })
  }

  /// The objects that an index gives for `predicate`, exactly; nil where none can.
  private mutating func indexHits(_ predicate: BoundPredicate) throws(EngineError) -> IndexHits? {
    switch predicate {
    case .property(let condition): return try indexHits(condition)
    case .or(let parts):
      guard parts.count <= Self.alternativesMax else { return nil }
      var all: Set<ObjectKey> = []
      for part in parts {
        guard let hits = try indexHits(part) else { return nil }
        all.formUnion(try hits.keys())
      }
      return IndexHits(all.sorted())
    case .fullText(let condition): return try fullTextKeys(condition).map(IndexHits.init)
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
    guard let probe = IndexProbe(property, of: table), constants.allSatisfy(probe.knows),
      constants.count <= Self.alternativesMax
    else {
      note(property, .unknownValues)
      return nil
    }
    note(property, .valuesLookedUp(constants.count))
    if constants.count == 1 { return try probe.hits(constants[0]) }
    var all: Set<ObjectKey> = []
    for constant in constants { all.formUnion(try probe.hits(constant).keys()) }
    return IndexHits(all.sorted())
  }

  private mutating func fullTextKeys(_ condition: FullTextCondition) throws(EngineError) -> [ObjectKey]? {
    guard condition.path.directProperty != nil, let root = condition.property.indexRef,
      !condition.words.required.isEmpty
    else { return nil }
    let index = FullTextIndex(root, in: table.snapshot)
    var found: Set<ObjectKey>?
    for term in condition.words.required {
      let keys = Set(try term.isPrefix ? index.find(prefix: term.word) : index.find(word: term.word))
      found = found?.intersection(keys) ?? keys
    }
    for token in condition.words.excluded { found?.subtract(try index.find(word: token)) }
    note(condition.property, .wordsLookedUp)
    return found?.sorted()
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
    case .property(let property): return PropertyPlanner.plan(property) ?? .rows(predicate)
    case .comparison(let comparison): return try paths.plan(comparison) ?? .rows(predicate)
    case .between(let between): return try paths.plan(between) ?? .rows(predicate)
    case .fullText, .geoWithin: return .rows(predicate)
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
