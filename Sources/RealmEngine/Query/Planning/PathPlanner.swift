// Turns conditions across links and on lists into sets and kernels: the condition is answered once for the class at
// the path's end, and carried back link by link as the set of objects that meet it. Layer: Query.

import RealmQueryLanguage

/// Plans comparisons of a path with a constant.
struct PathPlanner {
  private let realm: ReadTransaction
  private let table: Table
  private let makeRowTest: @Sendable () -> RowTest

  /// A class so much larger than the queried one is not worth a scan for a set.
  private static let sizeRatioMax = 16

  init(_ realm: ReadTransaction, on table: Table, makeRowTest: @escaping @Sendable () -> RowTest) {
    self.realm = realm
    self.table = table
    self.makeRowTest = makeRowTest
  }

  /// The condition as kernels and sets; nil where it must be asked row by row.
  func plan(_ comparison: BoundComparison) throws(EngineError) -> PlannedCondition? {
    guard !comparison.comparesTypes else { return nil }
    if case .path(let path) = comparison.left, case .constant(let constant) = comparison.right {
      return try plan(path, comparison.relation, constant)
    }
    if case .constant(let constant) = comparison.left, case .path(let path) = comparison.right,
      let relation = comparison.relation.reversed
    {
      return try plan(path, relation, constant)
    }
    return nil
  }

  private func plan(
    _ path: BoundPath, _ relation: Relation, _ constant: Value
  ) throws(EngineError) -> PlannedCondition? {
    guard path.steps.isEmpty, path.conversion == nil else { return nil }
    if path.hops.isEmpty { return elements(path, relation, constant) }
    guard case .value(let property) = path.end, property.collection == nil, isWorthASet(path.hops) else {
      return nil
    }
    let isUnary = path.hops.allSatisfy(\.isToOne)
    guard isUnary || path.quantifier == nil || path.quantifier == .any || path.quantifier == .noneOf else {
      return nil
    }
    // Through a null link the path yields one null; through to-many links it yields nothing.
    guard let holdsForNull = Self.holdsForNull(relation, constant),
      let last = path.hops.last.flatMap({ realm.table($0.target) }),
      let condition = Self.strict(property, relation, constant)
    else { return nil }
    guard var keys = try matchingKeys(condition, of: last) else { return nil }
    for (index, hop) in path.hops.enumerated().reversed() {
      let origin = index == 0 ? table : realm.table(path.hops[index - 1].target)
      guard let origin, let step = Self.step(hop, keys, holdsForNull: isUnary && holdsForNull) else {
        return nil
      }
      if index == 0 { return path.quantifier == .noneOf ? .not(step) : step }
      guard let found = try matchingKeys(step, of: origin) else { return nil }
      keys = found
    }
    return nil
  }

  /// Conditions on the row's own list or set.
  private func elements(_ path: BoundPath, _ relation: Relation, _ constant: Value) -> PlannedCondition? {
    switch path.end {
    case .elements(let property, .all) where property.type != .object:
      guard let condition = Self.strict(property, relation, constant) else { return nil }
      switch path.quantifier {
      case nil, .any?: return .anyElement(property, condition)
      case .noneOf?: return .not(.anyElement(property, condition))
      case .all?: return nil
      }
    case .elementCount(let property) where property.collection == .list || property.collection == .set:
      return IntegerTest(relation.kind, constant).map { .elementCount(property, $0) }
    case .linkCount(.elements(let property, _, .all)):
      return IntegerTest(relation.kind, constant).map { .elementCount(property, $0) }
    default: return nil
    }
  }

  /// The kernel for values that are reached through a path, where null is less than nothing.
  private static func strict(
    _ property: Property, _ relation: Relation, _ constant: Value
  ) -> PlannedCondition? {
    // A text operator with null as its right side means something of its own on a property of the row.
    guard constant != .null || !relation.isTextOperator else { return nil }
    if property.type == .string, relation.isOrdering {
      guard constant != .null else { return nil }
      let plain = PropertyPlanner.plan(
        PropertyCondition(property: property, test: .compare(relation, constant)))
      guard case .texts(_, let test) = plain else { return nil }
      return .texts(property, TextTest(test.kind, test.needle, acceptsNull: false))
    }
    return PropertyPlanner.plan(PropertyCondition(property: property, test: .compare(relation, constant)))
  }

  /// What the comparison of null with `constant` gives; nil where that depends on more.
  private static func holdsForNull(_ relation: Relation, _ constant: Value) -> Bool? {
    switch relation.kind {
    case .equal: constant == .null
    case .notEqual: constant != .null
    case .less, .greater: false
    case .lessOrEqual, .greaterOrEqual: constant == .null ? nil : false
    case .beginsWith, .endsWith, .contains, .like: constant == .null ? nil : false
    }
  }

  private func isWorthASet(_ hops: [Hop]) -> Bool {
    hops.allSatisfy { hop in
      guard let target = realm.table(hop.target) else { return false }
      return target.count <= max(table.count, 1000) * Self.sizeRatioMax
    }
  }

  /// The condition on objects one hop before the set `keys`.
  private static func step(_ hop: Hop, _ keys: [ObjectKey], holdsForNull: Bool) -> PlannedCondition? {
    switch hop {
    case .toOne(let property, _): .links(property, KeySet(keys), acceptsNull: holdsForNull)
    case .elements(let property, _, .all): .anyLinked(property, KeySet(keys))
    case .incoming(let column, _, _): .anyIncoming(column, KeySet(keys))
    case .elements, .entries, .entry: nil
    }
  }

  private func matchingKeys(_ condition: PlannedCondition, of table: Table) throws(EngineError)
    -> [ObjectKey]?
  {
    var keys: [ObjectKey] = []
    try TableScan(condition, of: table, makeRowTest: makeRowTest).forEachHits { hits in
      for row in hits.rows { keys.append(hits.block.key(Int(row))) }
      return true
    }
    return keys
  }
}
