// Groups of a table's rows as the query engine makes them, where it means the same as SQLite. Layer: RealmSQL, Tables.

import RealmEngine
import RealmQueryLanguage

/// One row for each group.
struct GroupedRows {
  /// By column, what SQLite sees.
  private var shown: [Int: CellBuffer] = [:]
  /// By group, then by calculation.
  private(set) var values: [[SQLValue]] = []

  /// More groups than that are SQLite's: they are not held in memory twice.
  private static let countMax = 1 << 18

  static let refusal = EngineError(.other, "SQLite makes these groups")

  /// The values of a key, or else the number of the column, which is what functions are given.
  mutating func cells(_ column: Int) -> CellBuffer {
    if let known = shown[column] { return known }
    let cells = CellBuffer()
    for _ in values { cells.append(.integer(Int64(column))) }
    shown[column] = cells
    return cells
  }

  /// Throws where only SQLite knows what comes out.
  init(
    _ loop: GroupedLoop, of table: SQLTable, _ executor: QueryExecutor, orders: [BoundSortKey],
    in realm: ReadTransaction
  ) throws(EngineError) {
    func property(_ column: Int) -> Property? {
      guard case .property(let property) = table.columns[column].source else { return nil }
      return property
    }
    let keyProperties = loop.keys.compactMap(property)
    let calculations = loop.calculations.map { ($0.function, $0.column.flatMap(property)) }
    guard keyProperties.count == loop.keys.count,
      keyProperties.allSatisfy({ $0.isKeyOfGroups || loop.isDistinct && $0.isOrdered }),
      zip(loop.calculations, calculations).allSatisfy({
        $0.column == nil || $1.1.map($1.0.meansTheSameInSQL) == true
      })
    else { throw Self.refusal }
    let query = AggregateQuery(calculations, by: keyProperties, of: table.table)
    // Without calculations SQLite takes no longer for many groups than the engine.
    let result =
      loop.calculations.isEmpty
      ? try query.resultOfFewGroups(executor, in: realm) : try query.result(executor, in: realm)
    guard let result, result.groupCount <= Self.countMax else { throw Self.refusal }
    var rows: [[SQLValue]] = []
    rows.reserveCapacity(result.groupCount)
    try result.forEachRow { row throws(EngineError) in
      let values = row.compactMap { SQLValue($0.owned()) }
      guard values.count == row.count else { throw Self.refusal }
      rows.append(values)
      return true
    }
    let order = orders.compactMap { key in
      keyProperties.firstIndex { key.isOf($0) }.map { (index: $0, isAscending: key.isAscending) }
    }
    guard order.count == orders.count else { throw Self.refusal }
    rows.sort { left, right in
      for (index, isAscending) in order {
        let (first, second) = isAscending ? (left[index], right[index]) : (right[index], left[index])
        if first.comesBefore(second) { return true }
        if second.comesBefore(first) { return false }
      }
      return false
    }
    for (index, column) in loop.keys.enumerated() {
      let cells = CellBuffer()
      for row in rows { cells.append(row[index]) }
      cells.setSubtype(of: keyProperties[index])
      shown[column] = cells
    }
    values = rows.map { Array($0.dropFirst(loop.keys.count)) }
  }
}

extension Property {
  /// Whether values are equal for SQLite where they are for the engine, and have an order in SQL.
  fileprivate var isKeyOfGroups: Bool { [.int, .bool, .string].contains(type) }
}

extension AggregateFunction {
  fileprivate func meansTheSameInSQL(of property: Property) -> Bool {
    switch self {
    case .count: property.hasOneFormOfAValue
    case .sum, .avg, .min, .max: property.type == .int || property.type == .double
    case .median, .percentile, .stddev: false
    }
  }
}

extension BoundSortKey {
  fileprivate func isOf(_ property: Property) -> Bool {
    if case .path(let path) = value { path.property === property } else { false }
  }
}

extension SQLValue {
  /// In SQLite's order of nulls, numbers and texts of one column.
  fileprivate func comesBefore(_ other: SQLValue) -> Bool {
    switch (self, other) {
    case (.null, .null): false
    case (.null, _): true
    case (.integer(let left), .integer(let right)): left < right
    case (.real(let left), .real(let right)): left < right
    case (.text(let left), .text(let right)): left.bytes.compare(right.bytes) < 0
    default: false
    }
  }
}
