// SORT, DISTINCT, LIMIT and OFFSET on rows. Layer: Query.
// A null link on the way to a sort key is apart from a null value: last when ascending, first when descending.

extension ReferenceEvaluator {
  func apply(_ ordering: BoundOrdering, to rows: [Row]) throws(EngineError) -> [Row] {
    switch ordering {
    case .limit(let count): return Array(rows.prefix(count))
    case .offset(let count): return Array(rows.dropFirst(count))
    case .sort(let keys): return try sorted(rows, keys)
    case .distinct(let paths): return try distinct(rows, paths)
    }
  }

  private func sorted(_ rows: [Row], _ keys: [BoundSortKey]) throws(EngineError) -> [Row] {
    let decorated = try map(rows) { row throws(EngineError) in
      (row: row, values: try map(keys) { key throws(EngineError) in try value(key.path, row) })
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

  private func distinct(_ rows: [Row], _ paths: [BoundSortPath]) throws(EngineError) -> [Row] {
    var kept: [(row: Row, values: [Value])] = []
    for row in rows {
      try Interruption.check()
      var values: [Value] = []
      for path in paths {
        if case .value(let value) = try value(path, row) { values.append(value) }
      }
      guard values.count == paths.count else { continue }
      let isKnown = kept.contains { other in
        zip(other.values, values).allSatisfy { $0.storedOrder($1) == 0 }
      }
      if !isKnown { kept.append((row, values)) }
    }
    return kept.map(\.row)
  }

  private func value(_ path: BoundSortPath, _ row: Row) throws(EngineError) -> SortValue {
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
