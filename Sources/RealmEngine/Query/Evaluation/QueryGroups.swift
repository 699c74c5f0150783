// The objects of a query by their values: `count Person where … by address.city`. Layer: Query.
// Invariant: two objects are in one group if and only if their values have the same places in the stored order. Lists
// and dictionaries inside of mixed values have no such place; each is a group of its own.

package import RealmQueryLanguage

/// What objects are grouped by, and what is calculated for each group.
package struct QueryGroups: Sendable {
  /// Some objects with equal values.
  package struct Group: Sendable {
    /// The first of them that the query gives.
    package let representative: ObjectKey
    /// How many they are, or the aggregate over them.
    package let result: Value
  }

  /// The values that tell groups apart, as columns of the representatives.
  package let columns: [SelectedColumn]
  private let aggregate: QueryAggregate?
  private let table: Table

  /// Counts objects where there is no aggregate. `items` were parsed from `source`; each must have one value an object.
  package init(
    by items: [SelectItem], _ aggregate: QueryAggregate?, source: [UInt8], of query: BoundQuery,
    in realm: ReadTransaction
  ) throws(BindingFailure) {
    columns = try SelectedColumn.bind(items, source: source, of: query.table, in: realm)
    self.aggregate = aggregate
    table = query.table
    for (column, item) in zip(columns, items) where column.source.isList {
      throw BindingFailure(
        .sorting,
        "cannot group by '\(source.text(in: item.range))': each object must have one value there",
        at: item.range)
    }
  }

  /// The groups by their values, ascending. Cost: holds the values of each group, and all that an aggregate is of.
  package func groups(_ executor: QueryExecutor, in realm: ReadTransaction) throws(EngineError) -> [Group] {
    let evaluator = ReferenceEvaluator(realm)
    var gathered: [Gathered] = []
    var indexes: [[Value]: Int] = [:]
    try executor.forEachHitsInAnyOrder { hits throws(EngineError) in
      let leaves = try map(columns) { column throws(EngineError) in
        try column.source.ownProperty.map { property throws(EngineError) in
          (try hits.block.leaf(property), property)
        }
      }
      for row in hits.rows {
        let position = ObjectPosition(block: hits.block, row: Int(row))
        var values: [Value] = []
        for (column, leaf) in zip(columns, leaves) {
          if let (leaf, property) = leaf {
            values.append(try leaf.value(Int(row), in: realm.snapshot, target: property.target))
          } else {
            values.append(try value(of: column, position, evaluator))
          }
        }
        let index = indexes[values] ?? gathered.count
        if index == gathered.count {
          indexes[values] = index
          gathered.append(Gathered(values: values, representative: position.key))
        }
        gathered[index].count += 1
        if let aggregate { gathered[index].aggregated += try aggregate.contribution(of: position, evaluator) }
      }
    }
    return Self.joined(gathered).map { group in
      Group(
        representative: group.representative,
        result: aggregate?.result(over: group.aggregated) ?? .int(Int64(group.count)))
    }
  }

  private func value(
    of column: SelectedColumn, _ position: ObjectPosition, _ evaluator: ReferenceEvaluator
  ) throws(EngineError) -> Value {
    switch try evaluator.cell(column, of: table, at: position) {
    case .objectKey(let key): return .int(key.value)
    case .stored(let property, let end, of: let table):
      return try end.block.leaf(property).value(end.row, in: table.snapshot, target: property.target)
    case .value(let value, _): return value
    case .list: preconditionFailure("columns with several values are refused")
    }
  }

  /// In order, with what hashing keeps apart and the stored order does not: 0.0 and -0.0, NaN, 1.0 and 1.00.
  private static func joined(_ gathered: [Gathered]) -> [Gathered] {
    // The standard library's sort keeps the order of equals, so that the first stays the representative.
    let sorted = gathered.sorted { compare($0.values, $1.values) < 0 }
    var joined: [Gathered] = []
    for group in sorted {
      if let last = joined.last, compare(last.values, group.values) == 0 {
        joined[joined.count - 1].count += group.count
        joined[joined.count - 1].aggregated += group.aggregated
      } else {
        joined.append(group)
      }
    }
    return joined
  }

  private static func compare(_ left: [Value], _ right: [Value]) -> Int {
    for (left, right) in zip(left, right) {
      let order = compare(left, right)
      if order != 0 { return order }
    }
    return 0
  }
}

extension QueryGroups {
  private static func compare(_ left: Value, _ right: Value) -> Int {
    switch (left, right) {
    case (.list(let left), .list(let right)), (.dictionary(let left), .dictionary(let right)):
      left.rootOffset < right.rootOffset ? -1 : left.rootOffset == right.rootOffset ? 0 : 1
    default: left.storedOrder(right)
    }
  }
}

/// A group while objects are still coming.
private struct Gathered {
  let values: [Value]
  let representative: ObjectKey
  var count = 0
  var aggregated: [Value] = []
}

extension SelectedColumn.Source {
  /// Whether a cell may hold several values.
  fileprivate var isList: Bool {
    switch self {
    case .objectKey, .calculated: false
    case .property(_, let property): property.collection != nil
    case .operand(.path(let path), _): path.shape == .list
    case .operand(.aggregate(let aggregate), _): aggregate.isList
    case .operand: false
    }
  }

  /// The property of the row itself that this is.
  fileprivate var ownProperty: Property? {
    guard case .property(let hops, let property) = self, hops.isEmpty else { return nil }
    return property
  }
}
