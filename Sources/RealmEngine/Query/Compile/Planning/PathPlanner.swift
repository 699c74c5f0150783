// Turns conditions across links and on lists into sets and kernels: the condition is answered once for the class at
// the path's end, and carried back link by link as the set of objects that meet it. Layer: Query, Compile, Planning.

import RealmQueryLanguage

/// Plans conditions on what a path leads to.
struct PathPlanner {
  private let realm: ReadTransaction
  private let table: Table

  /// A class so much larger than the queried one is not worth a scan for a set.
  private static let sizeRatioMax = 16

  init(_ realm: ReadTransaction, on table: Table) {
    self.realm = realm
    self.table = table
  }

  /// What is asked of each object that a path's hops reach.
  private struct EndCondition {
    let condition: PlannedCondition
    /// The answer where a null link ends the path before; false where the path then has no value.
    let holdsForAbsent: Bool
  }

  /// The condition as kernels and sets; nil where it must be asked row by row.
  func plan(_ comparison: BoundComparison) throws(EngineError) -> PlannedCondition? {
    if comparison.comparesTypes { return try types(comparison) }
    switch (comparison.left, comparison.right) {
    case (.path(let path), .constant(let constant)):
      return try plan(path, .compare(comparison.relation, constant))
    case (.constant(let constant), .path(let path)):
      guard let relation = comparison.relation.reversed else { return nil }
      return try plan(path, .compare(relation, constant))
    case (.path(let path), .constants(let constants, let quantifier)):
      // Each element is asked alone only where the lists do not meet as wholes.
      let asksElements =
        quantifier == .any
        || quantifier == nil && (path.quantifier != nil || path.shape == .single)
        || quantifier == nil && comparison.pairing == .anyWithAny
      if !asksElements, quantifier == nil, comparison.pairing == .inOrder {
        return inOrder(path, constants, comparison)
      }
      guard asksElements, comparison.relation == .equal else { return nil }
      return try plan(path, .isOneOf(constants))
    default: return nil
    }
  }

  /// A list of the row beside a list of constants: only where they have as many elements, and the first ones meet, are
  /// all of these looked at.
  private func inOrder(
    _ path: BoundPath, _ constants: [Value], _ comparison: BoundComparison
  ) -> PlannedCondition? {
    guard path.hops.isEmpty, path.steps.isEmpty, path.conversion == nil, path.quantifier == nil,
      case .elements(let property, .all) = path.end, comparison.relation.kind != .notEqual
    else { return nil }
    var conditions = [PlannedCondition.elementCount(property, .equal(Int64(constants.count)))]
    var restCount = constants.count
    if let first = constants.first, property.type != .object,
      let condition = Self.strict(property, .compare(comparison.relation, first))
    {
      conditions.append(.anyElement(property, .first, condition))
      restCount -= 1
    }
    if restCount > 0 { conditions.append(.rows(.comparison(comparison))) }
    return .and(conditions)
  }

  func plan(_ condition: BetweenCondition) throws(EngineError) -> PlannedCondition? {
    guard case .path(let path) = condition.operand else { return nil }
    return try plan(path, .isBetween(condition.low, condition.high))
  }

  /// A condition on objects that two paths both lead to, over the same to-one links.
  func plan(
    _ condition: PlannedCondition, behind hops: [Hop], holdsForAbsent: Bool
  ) throws(EngineError) -> PlannedCondition? {
    carry(
      EndCondition(condition: condition, holdsForAbsent: holdsForAbsent),
      back: BoundPath(hops: hops, end: .object))
  }

  /// Nil also where the index cannot name the objects.
  func plan(_ condition: FullTextCondition, _ probe: FullTextProbe) throws(EngineError) -> PlannedCondition? {
    let path = condition.path
    guard path.steps.isEmpty, path.conversion == nil, case .value = path.end,
      let keys = try probe.keys(condition)
    else { return nil }
    let end = EndCondition(condition: .keys(KeySet(keys)), holdsForAbsent: false)
    return isWorthCarrying(end, path.hops) ? carry(end, back: path) : nil
  }

  private func plan(
    _ path: BoundPath, _ test: PropertyCondition.Test
  ) throws(EngineError) -> PlannedCondition? {
    guard path.steps.isEmpty, path.conversion == nil, let end = try endCondition(path, test),
      isWorthCarrying(end, path.hops)
    else { return nil }
    return carry(end, back: path)
  }

  private func endCondition(
    _ path: BoundPath, _ test: PropertyCondition.Test
  ) throws(EngineError) -> EndCondition? {
    let isUnary = path.hops.allSatisfy(\.isToOne)
    switch path.end {
    case .value(let property):
      // On the row itself this is no path. Among several objects, a link that leads nowhere counts for nothing.
      guard !path.hops.isEmpty, property.collection == nil, isUnary || !property.isLink else { return nil }
      // Through a null link the path yields one null; through to-many links it yields nothing.
      guard let holdsForNull = Self.holdsForNull(test), let condition = Self.strict(property, test) else {
        return nil
      }
      let keys = try indexedKeys(property, test, endTable(path)).map(KeySet.init)
      return EndCondition(
        condition: keys.map(PlannedCondition.keys) ?? condition, holdsForAbsent: isUnary && holdsForNull)
    case .elements(let property, let choice) where property.type != .object:
      guard let condition = Self.strict(property, test) else { return nil }
      let isAll = path.quantifier == .all
      let anyElement = PlannedCondition.anyElement(property, choice, isAll ? condition.negated : condition)
      return EndCondition(condition: isAll ? .not(anyElement) : anyElement, holdsForAbsent: false)
    case .elementCount(let property):
      guard let count = Self.count(test) else { return nil }
      return EndCondition(
        condition: .elementCount(property, count), holdsForAbsent: isUnary && count.accepts(0))
    case .dictionaryValue(let property, let key) where property.type != .object:
      let part = DictionaryCondition.Part.value(key: key, MixedTest(test))
      return EndCondition(
        condition: .entries(DictionaryCondition(property, part)), holdsForAbsent: false)
    case .dictionaryValues(let property) where property.type != .object:
      return anyEntry(property, .anyValue(MixedTest(test)), path)
    case .dictionaryKeys(let property): return anyEntry(property, .anyKey(test), path)
    case .linkCount(.elements(let property, _, .all)):
      guard let count = Self.count(test) else { return nil }
      return EndCondition(condition: .elementCount(property, count), holdsForAbsent: false)
    case .linkCount(.incoming(let column, _, _)):
      guard let count = Self.count(test) else { return nil }
      return EndCondition(condition: .incomingCount([column], count), holdsForAbsent: false)
    case .incomingCount:
      guard isUnary, let count = Self.count(test), let end = endTable(path) else { return nil }
      return EndCondition(
        condition: .incomingCount(end.schema.backlinks, count), holdsForAbsent: count.accepts(0))
    default: return nil
    }
  }

  /// Some entry that passes a test, or all of them.
  private func anyEntry(
    _ property: Property, _ part: DictionaryCondition.Part, _ path: BoundPath
  ) -> EndCondition {
    let isAll = path.quantifier == .all
    let any = PlannedCondition.entries(DictionaryCondition(property, part, isNegated: isAll))
    return EndCondition(condition: isAll ? .not(any) : any, holdsForAbsent: false)
  }

  /// A comparison of the types of values.
  private func types(_ comparison: BoundComparison) throws(EngineError) -> PlannedCondition? {
    let (path, constant): (BoundPath, Value)
    switch (comparison.left, comparison.right) {
    case (.path(let left), .constant(let right)): (path, constant) = (left, right)
    case (.constant(let left), .path(let right)): (path, constant) = (right, left)
    default: return nil
    }
    guard case .int(let types) = constant, path.conversion == .type, path.steps.isEmpty,
      isWorthASet(path.hops)
    else { return nil }
    let test = MixedTest(TypeNames(rawValue: types), isNegated: comparison.relation.kind == .notEqual)
    switch path.end {
    case .value(let property) where property.type == .mixed:
      let isUnary = path.hops.allSatisfy(\.isToOne)
      return carry(
        EndCondition(condition: .mixed(property, test), holdsForAbsent: isUnary && test.acceptsNull),
        back: path)
    case .dictionaryValue(let property, let key) where property.type != .object:
      let condition = DictionaryCondition(property, .value(key: key, test))
      return carry(EndCondition(condition: .entries(condition), holdsForAbsent: false), back: path)
    case .dictionaryValues(let property) where property.type != .object:
      return carry(anyEntry(property, .anyValue(test), path), back: path)
    default: return nil
    }
  }

  /// The objects of the path's last class that pass `test`, where an index names them.
  private func indexedKeys(
    _ property: Property, _ test: PropertyCondition.Test, _ table: Table?
  ) throws(EngineError) -> [ObjectKey]? {
    let constants: [Value]
    switch test {
    case .compare(ComparisonTest.equal, let constant): constants = [constant]
    case .isOneOf(let members): constants = members
    default: return nil
    }
    guard let table, let probe = IndexProbe(property, of: table), probe.knows(all: constants) else {
      return nil
    }
    return try probe.hits(anyOf: constants).keys()
  }

  /// The test as one of a number of elements.
  private static func count(_ test: PropertyCondition.Test) -> IntegerRange? {
    guard case .compare(let relation, let constant) = test, let comparison = relation.comparison else {
      return nil
    }
    return IntegerRange(comparison, constant)
  }

  /// The class that the path's hops lead to.
  private func endTable(_ path: BoundPath) -> Table? {
    guard let last = path.hops.last else { return table }
    return realm.table(last.target)
  }

  /// The condition on the queried objects: `end` carried back over the path's hops, under its quantifier.
  private func carry(_ end: EndCondition, back path: BoundPath) -> PlannedCondition? {
    // All of them meet it where none fails it.
    let isAll = path.quantifier == .all && path.shape != .single
    var condition = isAll ? .not(end.condition) : end.condition
    for hop in path.hops.reversed() {
      guard let reached = realm.table(hop.target) else { return nil }
      let keys = Self.linkedKeys(condition, of: reached)
      guard let step = Self.step(hop, keys, holdsForNull: !isAll && end.holdsForAbsent) else { return nil }
      condition = step
    }
    return isAll || path.quantifier == .noneOf ? .not(condition) : condition
  }

  /// The kernel for values that are reached through a path, where null is less than nothing.
  static func strict(_ property: Property, _ test: PropertyCondition.Test) -> PlannedCondition? {
    guard case .compare(let relation, let constant) = test else {
      return PropertyPlanner.plan(PropertyCondition(property: property, test: test))
    }
    // With null as the right side, text operators mean something of their own on a property of the row.
    guard constant != .null || !relation.isTextOperator else { return nil }
    let plain = PropertyPlanner.plan(PropertyCondition(property: property, test: test))
    guard property.type == .string, relation.isOrdering else { return plain }
    guard constant != .null, case .texts(_, let test) = plain else { return nil }
    return .texts(property, TextTest(test.kind, test.needle, acceptsNull: false))
  }

  /// What the test gives for null; nil where that depends on more.
  private static func holdsForNull(_ test: PropertyCondition.Test) -> Bool? {
    switch test {
    case .isOneOf(let constants): return constants.contains(.null)
    case .isBetween: return false
    case .compare(let relation, let constant):
      switch relation.kind {
      case .equal: return constant == .null
      case .notEqual: return constant != .null
      case .compare(.less), .compare(.greater): return false
      case .compare, .beginsWith, .endsWith, .contains, .like, .matches:
        return constant == .null ? nil : false
      }
    }
  }

  /// Objects that an index named need no scan of their class.
  private func isWorthCarrying(_ end: EndCondition, _ hops: [Hop]) -> Bool {
    if case .keys = end.condition { isWorthASet(hops.dropLast()) } else { isWorthASet(hops) }
  }

  func isWorthASet(_ hops: some Sequence<Hop>) -> Bool {
    hops.allSatisfy { hop in
      guard let target = realm.table(hop.target) else { return false }
      return target.count <= max(table.count, 1000) * Self.sizeRatioMax
    }
  }

  /// The condition on objects one hop before the set `keys`.
  private static func step(_ hop: Hop, _ keys: LinkedKeys, holdsForNull: Bool) -> PlannedCondition? {
    switch hop {
    case .toOne(let property, _): .links(property, keys, acceptsNull: holdsForNull)
    case .elements(let property, _, .all): .anyLinked(property, keys)
    case .incoming(let column, _, _): .anyIncoming(column, keys)
    case .elements, .entries, .entry: nil
    }
  }

  private static func linkedKeys(_ condition: PlannedCondition, of table: Table) -> LinkedKeys {
    if case .keys(let keys) = condition { .known(keys) } else { .meeting(condition, of: table) }
  }
}
