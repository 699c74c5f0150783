// SORT, DISTINCT, LIMIT and OFFSET on rows. Layer: Query, Evaluation.
// A null link on the way to a sort key is apart from a null value: last when ascending, first when descending.

extension RowEvaluator {
  func apply(_ ordering: BoundOrdering, to rows: [Row]) throws(EngineError) -> [Row] {
    switch ordering {
    case .limit(let count): return Array(rows.prefix(count))
    case .offset(let count): return Array(rows.dropFirst(count))
    case .sort(let keys): return try sorted(rows, keys)
    case .distinct(let paths): return try distinct(rows, paths)
    }
  }

  private func sorted(_ rows: [Row], _ keys: [BoundSortKey]) throws(EngineError) -> [Row] {
    let decorated = try rows.map { row throws(EngineError) in
      (row: row, values: try keys.map { key throws(EngineError) in try value(key.value, row) })
    }
    // The standard library's sort keeps the order of equals.
    let sorted = decorated.sorted { left, right in
      for (index, key) in keys.enumerated() {
        let order = SortValue.compare(left.values[index], right.values[index])
        if order != 0 { return (order < 0) == key.isAscending }
      }
      return false
    }
    return sorted.map(\.row)
  }

  /// The first row of each combination of values. Rows with a null link on the way to one of them have none.
  private func distinct(_ rows: [Row], _ paths: [BoundSortValue]) throws(EngineError) -> [Row] {
    var candidates: [(row: Row, values: [Value])] = []
    for row in rows {
      try Interruption.check()
      var values: [Value] = []
      for path in paths {
        if case .value(let value) = try value(path, row) { values.append(value) }
      }
      if values.count == paths.count { candidates.append((row, values)) }
    }
    // Equal combinations become neighbours, each run in the order of its rows.
    let order = candidates.indices.sorted { left, right in
      let order = Self.storedOrder(candidates[left].values, candidates[right].values)
      return order == 0 ? left < right : order < 0
    }
    var isFirst = [Bool](repeating: true, count: candidates.count)
    for (before, index) in zip(order, order.dropFirst())
    where Self.storedOrder(candidates[before].values, candidates[index].values) == 0 {
      isFirst[index] = false
    }
    return candidates.indices.filter { isFirst[$0] }.map { candidates[$0].row }
  }

  private static func storedOrder(_ left: [Value], _ right: [Value]) -> Int {
    for (left, right) in zip(left, right) {
      let order = left.storedOrder(right)
      if order != 0 { return order }
    }
    return 0
  }

  private func value(_ value: BoundSortValue, _ row: Row) throws(EngineError) -> SortValue {
    let path: BoundSortPath
    switch value {
    case .path(let found): path = found
    case .computed(let operand, _):
      return .value(try evaluate(.computed(operand), row).values.first ?? .null)
    }
    let hops = path.links.map { Hop.toOne($0.property, $0.target) }
    guard let end = try objects(hops, from: row).first else { return .nullLink }
    guard let key = path.dictionaryKey else { return .value(try end.value(path.property)) }
    return .value(try end.entry(path.property, key))
  }
}

/// What a row is sorted by.
private enum SortValue {
  case value(Value)
  /// There is no object that could have the value.
  case nullLink

  static func compare(_ left: SortValue, _ right: SortValue) -> Int {
    switch (left, right) {
    case (.value(let left), .value(let right)): left.storedOrder(right)
    case (.nullLink, .nullLink): 0
    case (.nullLink, .value): 1
    case (.value, .nullLink): -1
    }
  }
}
