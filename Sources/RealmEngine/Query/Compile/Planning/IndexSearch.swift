// Finds the part of a predicate that an index answers best. Layer: Query, Compile, Planning.

/// What the indexes of a table know of a predicate.
struct IndexSearch {
  /// The objects that an index names, and what is still to be asked of each; nil: nothing.
  typealias Answer = (hits: IndexHits, remainder: BoundPredicate?)

  private let table: Table
  private let realm: ReadTransaction
  /// How each index was used, or why not, in the order of the predicate.
  private(set) var uses: [QueryPlan.IndexUse] = []
  private var madeFullText: FullTextProbe?

  init(_ table: Table, in realm: ReadTransaction) {
    self.table = table
    self.realm = realm
  }

  /// Shared by all TEXT conditions of a query, made when the first is met.
  var fullText: FullTextProbe {
    mutating get {
      if let madeFullText { return madeFullText }
      let probe = FullTextProbe(table.snapshot)
      madeFullText = probe
      return probe
    }
  }

  /// By the index that names the fewest objects for `predicate`, or for a part of it that all must meet; nil where
  /// none does. Cost: index look-ups.
  mutating func best(of predicate: BoundPredicate) throws(EngineError) -> Answer? {
    guard case .and(let parts) = predicate else { return try hits(predicate).map { ($0, nil) } }
    var best: (hits: IndexHits, part: Int)?
    for (index, part) in parts.enumerated() {
      guard let hits = try hits(part), best.map({ hits.count < $0.hits.count }) ?? true else { continue }
      best = (hits, index)
    }
    guard let best else { return nil }
    var rest = parts
    rest.remove(at: best.part)
    return (best.hits, .conjunction(of: rest))
  }

  /// The objects that an index gives for `predicate`, exactly; nil where none can.
  private mutating func hits(_ predicate: BoundPredicate) throws(EngineError) -> IndexHits? {
    switch predicate {
    case .property(let condition): return try hits(condition)
    case .or(let parts):
      guard parts.count <= IndexProbe.alternativesMax else { return nil }
      var alternatives: [IndexHits] = []
      for part in parts {
        guard let hits = try hits(part) else { return nil }
        alternatives.append(hits)
      }
      return try IndexHits(anyOf: alternatives)
    case .fullText(let condition):
      guard condition.path.directProperty != nil, let keys = try fullText.keys(condition) else { return nil }
      note(condition.property, .wordsLookedUp)
      return IndexHits(keys)
    case .comparison(let comparison): return try hits(comparison)
    default: return nil
    }
  }

  /// A value of an object that to-one links lead to: an index of its class names the objects that have it, and their
  /// incoming links those that are asked for; nil where they are found sooner by a scan of the links.
  private mutating func hits(_ comparison: BoundComparison) throws(EngineError) -> IndexHits? {
    let (path, constant): (BoundPath, Value)
    switch (comparison.left, comparison.right) {
    case (.path(let side), .constant(let value)), (.constant(let value), .path(let side)):
      (path, constant) = (side, value)
    default: return nil
    }
    guard comparison.relation == .equal, !comparison.comparesTypes, constant != .null,
      let last = path.hops.last, path.quantifier == nil, path.steps.isEmpty, path.conversion == nil,
      case .value(let property) = path.end, let target = realm.table(last.target),
      let probe = IndexProbe(property, of: target), probe.knows(constant)
    else { return nil }
    guard let keys = try origins(of: try probe.hits(constant), over: path.hops) else {
      note(property, .linkedObjectsNamed)
      return nil
    }
    note(property, .valuesLookedUp(1))
    return IndexHits(keys)
  }

  /// The objects that lead to `hits` over all of `hops`; nil where a scan finds them sooner.
  private func origins(of hits: IndexHits, over hops: [Hop]) throws(EngineError) -> [ObjectKey]? {
    var hits = hits
    for index in hops.indices.reversed() {
      guard let origins = try origins(of: hits, over: hops, index) else { return nil }
      hits = IndexHits(origins)
    }
    return try hits.keys()
  }

  /// The objects that link to `hits` by hop number `index`, ascending; nil where a scan finds them sooner.
  private func origins(
    of hits: IndexHits, over hops: [Hop], _ index: Int
  ) throws(EngineError) -> [ObjectKey]? {
    let originTable = index == 0 ? table : realm.table(hops[index - 1].target)
    guard case .toOne(let link, let target) = hops[index], let originTable else { return nil }
    return try origins(of: hits, in: target, by: link, of: originTable)
  }

  /// The objects of `originTable` that link to `hits` by `link`, ascending; nil where there are so many on either side
  /// that a scan of the links is worth more, or where they are not recorded.
  private func origins(
    of hits: IndexHits, in target: TableKey, by link: Property, of originTable: Table
  ) throws(EngineError) -> [ObjectKey]? {
    guard let reached = realm.table(target),
      let column = reached.schema.backlinks.first(where: {
        $0.originTable == originTable.schema.tableKey && $0.originColumn == link.columnKey
      })
    else { return nil }
    let costOfAScan = Double(originTable.count)
    guard LookupCost.isLess(forObjects: hits.count, than: costOfAScan) else { return nil }
    var origins: [ObjectKey] = []
    for key in try hits.keys() {
      guard let position = try reached.find(key) else { continue }
      try reached.snapshot.forEachOrigin(try position.block.backlinks(column)[position.row]) { origin in
        origins.append(origin)
        return LookupCost.isLess(forObjects: origins.count, than: costOfAScan)
      }
      guard LookupCost.isLess(forObjects: origins.count, than: costOfAScan) else { return nil }
    }
    origins = origins.ascending
    origins.removeRepetitions()
    return origins
  }

  private mutating func hits(_ condition: PropertyCondition) throws(EngineError) -> IndexHits? {
    let property = condition.property
    if let target = property.target, let linked = condition.test.linkedKeys(in: target),
      let keys = try origins(of: IndexHits(linked), in: target, by: property, of: table)
    {
      note(property, .linksFollowedBack)
      return IndexHits(keys)
    }
    guard property.index == .general else {
      note(property, .noIndex)
      return nil
    }
    switch condition.test {
    case .compare(ComparisonTest.equal, let constant):
      guard let probe = IndexProbe(property, of: table), probe.knows(constant) else { break }
      note(property, .valuesLookedUp(1))
      return try probe.hits(constant)
    case .compare(ComparisonTest(.equal, folding: .latinCase), .string(let text)):
      guard property.type == .string, text.bytes.isUTF8, let probe = IndexProbe(property, of: table) else {
        break
      }
      note(property, .valuesLookedUp(1))
      return try probe.hits(inAnyCase: SearchTerm(text, isCaseInsensitive: true))
    case .isOneOf(let constants):
      guard let probe = IndexProbe(property, of: table), probe.knows(all: constants) else { break }
      note(property, .valuesLookedUp(constants.count))
      return try probe.hits(anyOf: constants)
    default:
      note(property, .notAnEquality)
      return nil
    }
    note(property, .unknownValues)
    return nil
  }

  private mutating func note(_ property: Property, _ outcome: QueryPlan.IndexUse.Outcome) {
    uses.append(QueryPlan.IndexUse(property: property, outcome: outcome))
  }
}

extension PropertyCondition.Test {
  /// The objects of the class `target` that a link must lead to one of, ascending; nil for what is no such test.
  fileprivate func linkedKeys(in target: TableKey) -> [ObjectKey]? {
    let values: [Value]
    switch self {
    case .compare(.equal, let value): values = [value]
    case .isOneOf(let constants): values = constants
    default: return nil
    }
    var keys: [ObjectKey] = []
    for value in values {
      guard case .link(let link) = value, link.table == target else { return nil }
      keys.append(link.key)
    }
    return keys.ascending
  }
}
