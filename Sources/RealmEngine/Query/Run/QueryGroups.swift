// The objects of a query by their values: `count Person where … by address.city`. Layer: Query.
// Invariant: two objects are in one group if and only if their values have the same places in the stored order. Lists
// and dictionaries inside of mixed values have no such place; each is a group of its own.

package import RealmQueryLanguage

/// What objects are grouped by, what is calculated for each group, and which groups come in which order.
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
  private let orderings: [GroupOrdering]
  private let table: Table

  /// Counts objects where there is no aggregate. `grouping` was parsed from `source`; each of its items must have one value
  /// an object. Groups are sorted by the names of their columns and by `name`, what is calculated.
  package init(
    by grouping: Grouping, _ aggregate: QueryAggregate?, named name: String, source: [UInt8],
    of query: BoundQuery, in realm: ReadTransaction, arguments: QueryArguments = QueryArguments()
  ) throws(BindingFailure) {
    let items = grouping.items
    columns = try SelectedColumn.bind(
      items, source: source, of: query.table, in: realm, arguments: arguments)
    self.aggregate = aggregate
    orderings = try GroupOrdering.bind(
      grouping.orderings, columns: columns.map(\.name), result: name, source: source, arguments)
    table = query.table
    for (column, item) in zip(columns, items) where column.source.isList {
      throw BindingFailure(
        .sorting,
        "cannot group by '\(source.text(in: item.range))': each object must have one value there",
        at: item.range)
    }
  }

  /// The groups by their values, ascending, where nothing else was asked for. Cost: holds the values of each group,
  /// and all that an aggregate is of.
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
    var rows = Self.joined(gathered).map { group in
      GroupRow(
        values: group.values, representative: group.representative,
        result: aggregate?.result(over: group.aggregated) ?? .int(Int64(group.count)))
    }
    for ordering in orderings { ordering.apply(to: &rows) }
    return rows.map { Group(representative: $0.representative, result: $0.result) }
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
  fileprivate static func compare(_ left: Value, _ right: Value) -> Int {
    switch (left, right) {
    case (.list(let left), .list(let right)), (.dictionary(let left), .dictionary(let right)):
      left.rootOffset < right.rootOffset ? -1 : left.rootOffset == right.rootOffset ? 0 : 1
    default: left.storedOrder(right)
    }
  }
}

/// A group that is whole.
private struct GroupRow {
  let values: [Value]
  let representative: ObjectKey
  let result: Value
}

/// SORT and LIMIT of groups.
private enum GroupOrdering: Sendable {
  /// By the numbers of columns; nil for what is calculated.
  case sort([(column: Int?, isAscending: Bool)])
  case limit(Int)

  static func bind(
    _ orderings: [Ordering], columns: [String], result: String, source: [UInt8], _ arguments: QueryArguments
  ) throws(BindingFailure) -> [GroupOrdering] {
    var bound: [GroupOrdering] = []
    for ordering in orderings {
      switch ordering.kind {
      case .sort(let keys):
        var columnKeys: [(column: Int?, isAscending: Bool)] = []
        for key in keys {
          let name = source.text(in: key.value.range)
          let column = columns.firstIndex(of: name)
          guard column != nil || name == result else {
            let names = (columns + [result]).map { "'\($0)'" }.joined(separator: ", ")
            throw BindingFailure(
              .sorting, "groups have no '\(name)'", at: key.value.range, hint: "they have \(names)")
          }
          columnKeys.append((column, key.isAscending))
        }
        bound.append(.sort(columnKeys))
      case .distinct: throw BindingFailure(.sorting, "groups are distinct already", at: ordering.range)
      case .limit(let count): bound.append(.limit(Int(clamping: count)))
      case .limitArgument(let reference):
        bound.append(.limit(try arguments.count(reference, at: ordering.range)))
      }
    }
    return bound
  }

  /// Equal groups keep their order.
  func apply(to rows: inout [GroupRow]) {
    switch self {
    case .limit(let count): rows.removeLast(max(0, rows.count - count))
    case .sort(let keys):
      rows.sort { left, right in
        for (column, isAscending) in keys {
          let order =
            column.map { QueryGroups.compare(left.values[$0], right.values[$0]) }
            ?? QueryGroups.compare(left.result, right.result)
          if order != 0 { return isAscending ? order < 0 : order > 0 }
        }
        return false
      }
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
    case .operand(.computed(let operand), _): operand.isList
    case .operand: false
    }
  }

  /// The property of the row itself that this is.
  fileprivate var ownProperty: Property? {
    guard case .property(let hops, let property) = self, hops.isEmpty else { return nil }
    return property
  }
}
