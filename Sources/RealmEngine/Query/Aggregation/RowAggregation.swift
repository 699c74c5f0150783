// Groups and calculations object by object, over values of any type: what answers where values are no words, and the
// judge of the columns in property tests. Layer: Query, Aggregation.
// Invariant: two objects are in one group if and only if their values have the same places in the stored order. Lists
// and dictionaries inside of mixed values have no such place; each is a group of its own.

import RealmQueryLanguage

/// Answers a query by looking at one object after the other. Cost: holds the numbers of all sums, averages and quantiles, and
/// all values that are counted as different ones.
package struct RowAggregation {
  private let query: AggregateQuery
  private let evaluator: RowEvaluator

  /// A group while objects are still coming.
  private struct Group {
    let keys: [Value]
    var count = 0
    /// What each calculation is over.
    var operands: [Operands]

    init(keys: [Value], _ calculations: [AggregateQuery.Calculation]) {
      self.keys = keys
      operands = calculations.map { _ in Operands() }
    }
  }

  /// The values of one calculation, of which only those are kept that it needs.
  private struct Operands {
    private var count = 0
    private var values: [Value] = []
    var keptCount: Int { values.count }
    /// So many candidates for a minimum or maximum wait for each other.
    private static let candidatesMax = 1024

    mutating func add(_ added: [Value], to calculation: AggregateQuery.Calculation) {
      switch calculation.function {
      case .count where !calculation.isDistinct: count += added.count { $0 != .null }
      case .count: values += added.filter { $0 != .null }
      case .sum, .avg, .median, .percentile, .stddev: values += added.filter(\.isNumber)
      case .min: reduce(with: added, .min)
      case .max: reduce(with: added, .max)
      }
    }

    private mutating func reduce(with added: [Value], _ aggregate: Aggregate) {
      // Here, unlike in a list of mixed values, NaN is passed over whatever it is the value of.
      values += added.filter { $0 != .null && !$0.isNaN }
      if values.count > Self.candidatesMax { values = [aggregate.result(over: values, of: .mixed)] }
    }

    mutating func add(_ other: Operands, to calculation: AggregateQuery.Calculation) {
      count += other.count
      add(other.values, to: calculation)
    }

    func result(of calculation: AggregateQuery.Calculation, named name: String) throws(EngineError) -> Value {
      if calculation.function == .count, !calculation.isDistinct { return .int(Int64(count)) }
      return try calculation.function.result(
        over: values, isDistinct: calculation.isDistinct, quantile: calculation.quantile, named: name)
    }
  }

  package init(_ query: AggregateQuery, in realm: ReadTransaction) throws(EngineError) {
    self.query = query
    evaluator = RowEvaluator(realm)
  }

  /// Less is not worth a refusal.
  private static let memoryLimitMin = 1 << 26
  /// Bytes that a value takes while the array that holds it grows by doubling.
  private static let valueSize = 2 * MemoryLayout<Value>.stride

  /// `limit`: bytes that values may take. Lists of many objects may be the same bytes of a damaged file, so that these are no
  /// bound.
  package func result(
    _ executor: QueryExecutor, memoryLimit limit: Int = GroupSpace.defaultLimit
  ) throws(EngineError) -> AggregateResult {
    let keptMax = max(limit, Self.memoryLimitMin) / Self.valueSize
    var keptCount = 0
    let calculations = query.calculations
    var groups: [Group] = []
    var indexes: [[Value]: Int] = [:]
    if query.keyCount == 0 {
      groups = [Group(keys: [], calculations)]
      indexes[[]] = 0
    }
    try executor.forEachObject { position throws(EngineError) in
      for keys in try keys(of: position) {
        let index = indexes[keys] ?? groups.count
        if index == groups.count {
          indexes[keys] = index
          groups.append(Group(keys: keys, calculations))
        }
        groups[index].count += 1
        for (number, calculation) in calculations.enumerated() {
          guard let operand = calculation.operand else { continue }
          let values = try evaluator.evaluate(operand, in: query.table, at: position).values
          keptCount -= groups[index].operands[number].keptCount
          groups[index].operands[number].add(values, to: calculation)
          keptCount += groups[index].operands[number].keptCount
          guard keptCount <= keptMax else { throw Self.tooManyValues(keptMax) }
        }
      }
      return true
    }
    let joined = AggregateQuery.joined(groups) {
      $0.keys
    } join: { group, other in
      group.count += other.count
      for (number, calculation) in calculations.enumerated() {
        group.operands[number].add(other.operands[number], to: calculation)
      }
    }
    var rows: [[Value]] = []
    for group in joined {
      var row = group.keys
      for (number, calculation) in calculations.enumerated() {
        row.append(
          calculation.operand == nil
            ? .int(Int64(group.count))
            : try group.operands[number].result(
              of: calculation, named: query.columns[query.keyCount + number].name))
      }
      rows.append(row)
    }
    return try query.result(ofGroups: rows)
  }

  private static func tooManyValues(_ count: Int) -> EngineError {
    EngineError(
      .refused, "more than \(count) values would have to be kept in memory",
      hint: "--memory allows more; a condition chooses fewer objects")
  }

  /// Of all groups that an object is in: more than one where it has several values, none where it has none of them.
  private func keys(of position: ObjectPosition) throws(EngineError) -> [[Value]] {
    var keys: [[Value]] = [[]]
    for column in query.columns.prefix(query.keyCount) {
      guard case .key(let operand) = column.content else {
        preconditionFailure("calculations stand behind the keys")
      }
      let values = try evaluator.evaluate(operand, in: query.table, at: position).values
      guard column.isUnnested else {
        for index in keys.indices { keys[index].append(values.first ?? .null) }
        continue
      }
      try ComputedSize.check(elementCount: keys.count * values.count)
      keys = keys.flatMap { begun in values.map { begun + [$0] } }
    }
    return keys
  }
}

extension AggregateQuery {
  /// The result whose groups have these rows: those that meet the condition, in their order.
  func result(ofGroups rows: [[Value]]) throws(EngineError) -> AggregateResult {
    var kept = rows
    if condition != nil { kept = try self.kept(rows.count) { rows[$0] }.map { rows[$0] } }
    let keys = sortKeys
    return AggregateResult(
      self,
      kept.sorted { left, right in
        keys.order(keys.map { left[$0.column] }, keys.map { right[$0.column] }) < 0
      })
  }
}

extension AggregateFunction {
  static func overflow(_ name: String) -> EngineError {
    EngineError(
      .constraint, "'\(name)' is too large for an int", hint: "add up double(…) or decimal(…) of it")
  }

  /// The calculation over values, of which nulls are passed over.
  func result(
    over all: [Value], isDistinct: Bool, quantile: Double?, named name: String
  ) throws(EngineError) -> Value {
    let values = all.filter { $0 != .null }
    switch self {
    case .count: return .int(Int64(isDistinct ? Self.distinctCount(values) : values.count))
    // Here, unlike in a list of mixed values, NaN is passed over whatever it is the value of.
    case .min: return Aggregate.min.result(over: values.filter { !$0.isNaN }, of: .mixed)
    case .max: return Aggregate.max.result(over: values.filter { !$0.isNaN }, of: .mixed)
    case .sum, .avg, .median, .percentile, .stddev:
      let numbers = values.filter { $0.isNumber && (quantile != nil || !$0.isNaN) }
      if numbers.isEmpty { return .null }
      if let quantile { return try Self.quantile(quantile, numbers) }
      return try result(overNumbers: numbers, named: name)
    }
  }

  private static func distinctCount(_ values: [Value]) -> Int {
    let sorted = values.sorted { AggregateQuery.order($0, $1) < 0 }
    return zip(sorted, sorted.dropFirst()).reduce(sorted.isEmpty ? 0 : 1) {
      $0 + (AggregateQuery.order($1.0, $1.1) == 0 ? 0 : 1)
    }
  }

  private func result(overNumbers numbers: [Value], named name: String) throws(EngineError) -> Value {
    if self == .stddev {
      var spread = NumberSpread()
      for number in numbers { spread.add(number.doubleValue ?? 0) }
      return spread.deviation.map(Value.double) ?? .null
    }
    let hasDecimals = numbers.contains { if case .decimal = $0 { true } else { false } }
    if hasDecimals {
      let sum = numbers.reduce(Decimal128.zero) { $0 + ($1.decimalValue ?? .zero) }
      return self == .sum
        ? .decimal(sum) : ArithmeticOperation.divide(.decimal(sum), .int(Int64(numbers.count)))
    }
    let ints = numbers.compactMap { if case .int(let number) = $0 { number } else { nil } }
    if ints.count == numbers.count {
      let (low, high) = ints.reduce((UInt64(0), Int64(0))) {
        ($0.0 &+ UInt64(bitPattern: $1 & 0xFFFF_FFFF), $0.1 &+ $1 >> 32)
      }
      if self == .avg { return .double(GroupSums.mean(UInt64(ints.count), low, UInt64(bitPattern: high))) }
      guard let sum = GroupSums.integer(low, UInt64(bitPattern: high)) else { throw Self.overflow(name) }
      return .int(sum)
    }
    var sum = CompensatedSum()
    for number in numbers { sum.add(number.doubleValue ?? 0) }
    return .double(self == .sum ? sum.value : sum.value / Double(numbers.count))
  }

  private static func quantile(_ part: Double, _ numbers: [Value]) throws(EngineError) -> Value {
    if numbers.contains(where: { if case .decimal = $0 { true } else { false } }) {
      let sorted = numbers.compactMap(\.decimalValue).sorted {
        // What is no number comes last, as among doubles.
        $0.isNaN ? false : $1.isNaN || Value.decimal($0).storedOrder(.decimal($1)) < 0
      }
      let place = QuantilePosition(part, of: sorted.count)
      let (low, high) = (sorted[place.low], sorted[place.high])
      if place.share == 0.5 { return ArithmeticOperation.divide(.decimal(low + high), .int(2)) }
      // In decimals from the start: the digits of a double would be told to the 34th.
      let numbers = ["\(part)", "\(sorted.count - 1)", "\(place.low)"].map {
        Decimal128(literal: $0) ?? .zero
      }
      return .decimal(low + (high - low) * (numbers[0] * numbers[1] - numbers[2]))
    }
    let weights = numbers.map { DistinctAccumulator.Weight(value: $0.doubleValue ?? 0, count: 1) }
    return DistinctAccumulator.quantile(part, weights).map(Value.double) ?? .null
  }
}
