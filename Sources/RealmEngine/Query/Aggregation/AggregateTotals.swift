// One result over several realms, added up from that of each. Layer: Query, Aggregation.
// Invariant: a total is what the query would give over one realm with the objects of all, but for the last digit of sums
// and means of numbers with fractions.

import RealmQueryLanguage

/// Adds up what one query says of several realms.
package struct AggregateTotals: Sendable {
  /// As it was bound in the first realm: names, clauses and calculations are the same in all.
  private var query: AggregateQuery?
  private var groups: [[Value]: Group] = [:]

  private struct Group {
    /// For each column of the parts what is not added up yet.
    var values: [[Value]]
  }

  /// Values of a column that wait to be added up.
  private static let waitingMax = 64

  package init() {}

  /// The groups of one realm with all that totals need of them. Nothing of them borrows from the realm.
  package static func parts(
    of query: AggregateQuery, _ executor: QueryExecutor, in realm: ReadTransaction, memoryLimit: Int
  ) throws(EngineError) -> [[Value]] {
    var rows: [[Value]] = []
    let result = try query.partial().result(executor, in: realm, memoryLimit: memoryLimit)
    try result.forEachRowInAnyOrder { row throws(EngineError) in
      let row = try row.map { value throws(EngineError) in try value.outlivingRealm() }
      rows.append(row.prefix(query.keyCount) + query.addable(row.dropFirst(query.keyCount)))
    }
    return rows
  }

  /// Adds what `parts` gave for the query in another realm.
  package mutating func add(_ rows: [[Value]], of query: AggregateQuery) throws(EngineError) {
    let known = self.query ?? query
    self.query = known
    let keyCount = known.keyCount
    for row in rows {
      let keys = Array(row.prefix(keyCount))
      var group = groups.removeValue(forKey: keys) ?? Group(values: row.dropFirst(keyCount).map { _ in [] })
      for (index, value) in row.dropFirst(keyCount).enumerated() {
        group.values[index].append(value)
        guard group.values[index].count >= Self.waitingMax else { continue }
        group.values[index] = [try known.partFunctions[index].total(group.values[index])]
      }
      groups[keys] = group
    }
  }

  /// Nil: there was no realm.
  package func result() throws(EngineError) -> (rows: AggregateResult, isSingleValue: Bool)? {
    guard let query else { return nil }
    let joined = AggregateQuery.joined(Array(groups)) {
      $0.key
    } join: { group, other in
      for (index, values) in other.value.values.enumerated() { group.value.values[index] += values }
    }
    var rows: [[Value]] = []
    for (keys, group) in joined {
      var totals: [Value] = []
      for (function, values) in zip(query.partFunctions, group.values) {
        totals.append(try function.total(values))
      }
      rows.append(keys + query.finished(totals))
    }
    return (try query.result(ofGroups: rows), query.isSingleValue)
  }
}

extension AggregateQuery {
  /// The query with these columns, whose keys are the same.
  fileprivate init(partsOf query: AggregateQuery, _ columns: [Column]) {
    self.columns = columns
    keyCount = query.keyCount
    condition = nil
    orderings = []
    table = query.table
    source = query.source
    arguments = query.arguments
    now = query.now
  }
}

extension AggregateQuery.Calculation {
  fileprivate var isAddable: Bool {
    !isDistinct && quantile == nil && [.count, .sum, .avg, .min, .max].contains(function)
  }
}

extension AggregateQuery.Column {
  fileprivate func calculating(
    _ function: AggregateFunction, _ calculation: AggregateQuery.Calculation
  ) -> AggregateQuery.Column {
    AggregateQuery.Column(
      name: name,
      content: .calculation(
        AggregateQuery.Calculation(
          function: function, isDistinct: false, quantile: nil, operand: calculation.operand,
          operandType: calculation.operandType)),
      type: function == .count ? .value(.int) : type, shortName: nil)
  }
}

extension AggregateFunction {
  /// The whole of a calculation from its parts.
  fileprivate func total(_ parts: [Value]) throws(EngineError) -> Value {
    try result(over: parts, isDistinct: false, quantile: nil, named: "sum")
  }
}

extension AggregateQuery {
  /// The same groups with parts that can be added up, in the order of `partFunctions`, and without clauses.
  fileprivate func partial() throws(EngineError) -> AggregateQuery {
    var parts = Array(columns.prefix(keyCount))
    for column in columns.dropFirst(keyCount) {
      guard case .calculation(let calculation) = column.content else { continue }
      guard calculation.isAddable else {
        throw EngineError(
          .badQuery, "'\(column.name)' cannot be added up over files",
          hint: "count, sum, avg, min and max can; leave out --total to see it by file")
      }
      let functions: [AggregateFunction] =
        calculation.function == .avg ? [.sum, .count, .avg] : [calculation.function]
      for function in functions { parts.append(column.calculating(function, calculation)) }
    }
    return AggregateQuery(partsOf: self, parts)
  }

  /// What adds up each part of the calculations.
  fileprivate var partFunctions: [AggregateFunction] {
    calculations.flatMap { calculation -> [AggregateFunction] in
      switch calculation.function {
      case .min, .max: [calculation.function]
      case .avg: [.sum, .sum]
      default: [.sum]
      }
    }
  }

  /// The calculations of a group whose parts were added up.
  fileprivate func finished(_ totals: [Value]) -> [Value] {
    var rest = totals[...]
    return calculations.map { calculation in
      let part = rest.removeFirst()
      guard calculation.function == .avg else { return part }
      return Self.mean(part, rest.removeFirst())
    }
  }

  /// The parts of a group as they are added up. A mean passes over NaN, which a count does not: it tells how many numbers it is of.
  fileprivate func addable(_ parts: ArraySlice<Value>) -> [Value] {
    var rest = parts
    return calculations.flatMap { calculation -> [Value] in
      let part = rest.removeFirst()
      guard calculation.function == .avg else { return [part] }
      let (count, mean) = (rest.removeFirst(), rest.removeFirst())
      guard case .double(let sum) = part, case .double(let mean) = mean, mean != 0,
        let exact = Int64(exactly: (sum / mean).rounded())
      else { return [part, count] }
      return [part, .int(exact)]
    }
  }

  private static func mean(_ sum: Value, _ count: Value) -> Value {
    guard case .int(let count) = count, count > 0 else { return .null }
    return switch sum {
    case .null: .null
    case .decimal: ArithmeticOperation.divide(sum, .int(count))
    default: sum.doubleValue.map { .double($0 / Double(count)) } ?? .null
    }
  }
}

extension Value {
  /// A copy. Links mean nothing outside of their realm.
  fileprivate func outlivingRealm() throws(EngineError) -> Value {
    switch self {
    case .string(let bytes): .string(bytes.owned())
    case .data(let bytes): .data(bytes.owned())
    case .link, .list, .dictionary:
      throw EngineError(
        .badQuery, "links, lists and dictionaries cannot be added up over files",
        hint: "group by a property of the objects that links lead to")
    default: self
    }
  }
}
