// Answers what is asked about many objects: threads find groups, runs of records are put together, and what is of
// single values (`median`, `count distinct`) is calculated from groups of these. Layer: Query, Aggregation.
// Invariant: the result does not depend on the number of threads, and is what `RowAggregation` says.

import RealmQueryLanguage
import Synchronization

extension AggregateQuery {
  /// The rows of the result. `limit`: bytes of groups that are kept in memory.
  package func result(
    _ executor: QueryExecutor, in realm: ReadTransaction, memoryLimit limit: Int = GroupSpace.defaultLimit
  ) throws(EngineError) -> AggregateResult {
    if let count = try indexedCount(executor) { return AggregateResult(self, [[.int(Int64(count))]]) }
    let space = GroupSpace(limit: limit)
    guard let compiled = try CompiledAggregation(self, in: realm) else {
      return try RowAggregation(self, in: realm).result(executor, memoryLimit: limit)
    }
    let engine = AggregateEngine(
      query: self, compiled: compiled, space: space, realm: realm, memoryLimit: limit)
    return try engine.result(executor)
  }

  /// The rows of a result of few groups; nil where there are more than a thread has at once, which is soon known, or where values
  /// are no words.
  package func resultOfFewGroups(
    _ executor: QueryExecutor, in realm: ReadTransaction
  ) throws(EngineError) -> AggregateResult? {
    guard let compiled = try CompiledAggregation(self, in: realm) else { return nil }
    let space = GroupSpace()
    do throws(EngineError) {
      return try AggregateEngine(
        query: self, compiled: compiled, space: space, realm: realm, memoryLimit: .max
      ).result(executor)
    } catch {
      if space.hasBeenOverfull { return nil }
      throw error
    }
  }
}

/// A query whose values are all words.
struct CompiledAggregation: Sendable {
  /// A calculation that is of the different values of its groups.
  struct Spread: Sendable {
    let column: SourceColumn
    /// Nil: how many different values there are.
    let quantile: Double?
    /// The operation that gets the result.
    let operation: Int
  }

  let plan: GroupPlan
  let cells: [GroupCell]
  let spreads: [Spread]

  /// Nil where some values have no words.
  init?(_ query: AggregateQuery, in realm: ReadTransaction) throws(EngineError) {
    var keys: [SourceColumn] = []
    for column in query.columns.prefix(query.keyCount) {
      switch column.content {
      case .key where column.isUnnested: return nil
      case .key(let operand):
        guard let key = try SourceColumn(operand, column.type, of: query.table, in: realm, now: query.now)
        else {
          return nil
        }
        keys.append(key)
      case .calculation: return nil
      }
    }
    var parts = Lowering()
    for (column, calculation) in zip(query.columns.dropFirst(query.keyCount), query.calculations) {
      guard try parts.add(calculation, named: column.name, query, realm) else { return nil }
    }
    plan = GroupPlan(
      keys: keys, arguments: parts.arguments, rowCounts: parts.rowCounts, operations: parts.operations)
    spreads = parts.spreads
    let (keyPlaces, places) = (plan.keyPlaces, plan.layout.places)
    cells =
      zip(keys, keyPlaces).map { GroupCell.key($0.kind, 1 + $1) }
      + parts.cells.enumerated().map { index, cell in cell(places[parts.cellOperations[index]]) }
  }

  /// What is gathered from calculation to calculation.
  private struct Lowering {
    var arguments: [GroupPlan.Argument] = []
    var rowCounts: [Int] = []
    var operations: [GroupOperation] = []
    var spreads: [Spread] = []
    var cells: [(Int) -> GroupCell] = []
    var cellOperations: [Int] = []

    /// False: some value has no words.
    mutating func add(
      _ calculation: AggregateQuery.Calculation, named name: String, _ query: AggregateQuery,
      _ realm: ReadTransaction
    ) throws(EngineError) -> Bool {
      cellOperations.append(operations.count)
      guard let operand = calculation.operand else {
        rowCounts.append(operations.count)
        operations.append(.count)
        cells.append { .count($0) }
        return true
      }
      let found = try SourceColumn(
        operand, calculation.operandType, of: query.table, in: realm, now: query.now)
      guard let column = found else { return false }
      if calculation.isDistinct || calculation.quantile != nil {
        return addSpread(calculation, column)
      }
      let isInt = column.kind.type == .int
      let (operation, cell) = Self.operation(calculation.function, column.kind, isInt, name)
      arguments.append(GroupPlan.Argument(column: column, operations: [operations.count]))
      operations.append(operation)
      cells.append(cell)
      return true
    }

    private mutating func addSpread(_ calculation: AggregateQuery.Calculation, _ column: SourceColumn) -> Bool
    {
      let isQuantile = calculation.quantile != nil
      guard !isQuantile || column.kind.isNumber else { return false }
      spreads.append(
        Spread(column: column, quantile: calculation.quantile, operation: operations.count))
      operations.append(isQuantile ? .extreme(isLeast: true, words: 1) : .count)
      cells.append { isQuantile ? .extreme(.double, $0) : .count($0) }
      return true
    }

    private static func operation(
      _ function: AggregateFunction, _ kind: KeyEncoding, _ isInt: Bool, _ name: String
    ) -> (GroupOperation, (Int) -> GroupCell) {
      switch function {
      case .count: return (.count, { .count($0) })
      case .sum: return isInt ? (.integerSum, { .integerSum($0, name: name) }) : (.sum, { .realSum($0) })
      case .avg: return isInt ? (.integerSum, { .integerMean($0) }) : (.sum, { .realMean($0) })
      case .stddev: return (.squares, { .deviation($0) })
      case .min, .max, .median, .percentile:
        let isLeast = function == .min
        if kind.isText { return (.extremeText(isLeast: isLeast), { .extreme(kind, $0) }) }
        // Numbers that are no keys need one word, null or not.
        let single = isInt ? .presentInt : kind
        return (.extreme(isLeast: isLeast, words: single.width), { .extreme(single, $0) })
      }
    }
  }
}

/// One run of a compiled query.
struct AggregateEngine {
  let query: AggregateQuery
  let compiled: CompiledAggregation
  let space: GroupSpace
  let realm: ReadTransaction
  let memoryLimit: Int

  private var workers: Int { ParallelWork.workerCount }

  func result(_ executor: QueryExecutor) throws(EngineError) -> AggregateResult {
    var builders = try found(compiled.plan, executor)
    var kept: [GroupBuilder] = builders
    for spread in compiled.spreads {
      let (groups, sources) = try spreadGroups(spread, executor)
      builders += groups
      kept += groups + sources
    }
    let finisher = GroupFinisher(
      query: query, cells: compiled.cells, space: space, isPart: builders.contains(where: \.hasRuns))
    return AggregateResult(
      query, cells: compiled.cells,
      try parts(of: builders, compiled.plan.layout) { table throws(EngineError) in
        try finisher.finished(table)
      }, space: space, keeping: kept)
  }

  /// The groups that threads find.
  private func found(_ plan: GroupPlan, _ executor: QueryExecutor) throws(EngineError) -> [GroupBuilder] {
    let made = Mutex<[GroupBuilder]>([])
    let (table, realm, space) = (query.table, realm, space)
    let makeWorker: @Sendable () -> Result<GroupWorker, EngineError> = {
      let builder = GroupBuilder(plan.layout, keepsTexts: plan.keepsTexts, space)
      made.withLock { $0.append(builder) }
      do throws(EngineError) {
        return .success(try GroupWorker(plan, builder, of: table, in: realm))
      } catch {
        return .failure(error)
      }
    }
    if !plan.keys.isEmpty || !plan.arguments.isEmpty || !plan.rowCounts.isEmpty {
      ProgressCounter.expect(executor.examinedCount)
      try executor.forEachFound(
        makingCost: plan.makingCost, makeWorker
      ) { rows, worker throws(EngineError) in
        try worker.get().add(rows)
        ProgressCounter.advance(rows.count)
      }
    }
    let builders = made.withLock { $0 }
    if builders.isEmpty { return [GroupBuilder(plan.layout, keepsTexts: false, space)] }
    return builders
  }

  /// Calls `finish` with tables that together have each group once, on several threads.
  private func parts<Part: Sendable>(
    of builders: [GroupBuilder], _ layout: GroupLayout,
    _ finish: @escaping @Sendable (GroupTable) throws(EngineError) -> Part
  ) throws(EngineError) -> [Part] {
    guard builders.contains(where: \.hasRuns) else {
      let table = builders[0].table
      for builder in builders.dropFirst() { table.merge(builder.table) }
      return [try finish(table)]
    }
    for builder in builders { try builder.deal() }
    ProgressCounter.expect(GroupBuilder.runCount)
    var parts: [Part] = []
    let space = space
    _ = try ParallelWork.forEachMade(of: 0..<GroupBuilder.runCount, workers: workers) {
      number throws(EngineError) in
      try Interruption.check()
      ProgressCounter.advance(1)
      let words = builders.reduce(0) { $0 + ($1.hasRuns ? $1.runs[number].wordCount : 0) }
      let table = GroupTable(layout, capacity: max(64, words / layout.recordWidth))
      for builder in builders where builder.hasRuns {
        try builder.runs[number].forEachPart(from: space) { table.merge($0) }
      }
      return try finish(table)
    } _: { part in
      parts.append(part)
      return true
    }
    return parts
  }

  // MARK: Different values

  /// Groups with nothing but what is of their different values, and what their texts stand in.
  private func spreadGroups(
    _ spread: CompiledAggregation.Spread, _ executor: QueryExecutor
  ) throws(EngineError) -> (groups: [GroupBuilder], sources: [GroupBuilder]) {
    let main = compiled.plan
    if main.keys.isEmpty, let quantile = spread.quantile {
      let group = GroupBuilder(main.layout, keepsTexts: false, space)
      let selection = QuantileSelection(
        quantile, of: spread.column, in: query.table, realm, memoryLimit: memoryLimit)
      DistinctAccumulator.addOnly(try selection.value(executor), spread.operation, to: group.table)
      return ([group], [])
    }
    let plan = GroupPlan(
      keys: main.keys + [spread.column], arguments: [], rowCounts: [0], operations: [.count],
      partitionKeyCount: spread.quantile != nil ? main.keys.count : nil)
    let sources = try found(plan, executor)
    let space = space
    let counter = DistinctAccumulator(
      spread, main: main, valuePlace: 1 + plan.keyPlaces[main.keys.count], countPlace: plan.layout.places[0])
    let groups = try parts(of: sources, plan.layout) { table throws(EngineError) in
      let group = GroupBuilder(main.layout, keepsTexts: false, space)
      try counter.add(table, to: group)
      return group
    }
    return (groups, sources)
  }
}

/// Calculates what is of the different values of groups, from groups of these.
struct DistinctAccumulator: Sendable {
  private let quantile: Double?
  private let operation: Int
  private let kind: KeyEncoding
  private let keyWidth: Int
  private let hash: SeededHash
  private let valuePlace: Int
  private let countPlace: Int
  private let keys: [(kind: KeyEncoding, place: Int)]

  init(_ spread: CompiledAggregation.Spread, main: GroupPlan, valuePlace: Int, countPlace: Int) {
    quantile = spread.quantile
    operation = spread.operation
    kind = spread.column.kind
    keyWidth = main.layout.keyWidth
    hash = main.layout.hash
    self.valuePlace = valuePlace
    self.countPlace = countPlace
    keys = zip(main.keys, main.keyPlaces).map { ($0.kind, $1) }
  }

  /// A value and how often it is there.
  struct Weight {
    let value: Double
    let count: UInt64
  }

  /// Groups that are looked at together.
  private static let blockLength = 256

  /// Adds the groups of `table`, each of which is a key with one value.
  func add(_ table: GroupTable, to groups: GroupBuilder) throws(EngineError) {
    quantile != nil ? try addQuantiles(table, to: groups) : try addCounts(table, to: groups)
  }

  private func addCounts(_ table: GroupTable, to groups: GroupBuilder) throws(EngineError) {
    let block = GroupKeyVector(width: keyWidth, hash: hash)
    var start = 0
    while start < table.count {
      let end = min(table.count, start + Self.blockLength)
      let present = (start..<end).filter { !isNull(table, $0) }
      block.begin(present.count)
      for (row, group) in present.enumerated() { put(table, group, to: block, row) }
      groups.table.find(block)
      groups.table.addRows(operation, count: present.count)
      try groups.dealIfLarge()
      start = end
    }
  }

  private func isNull(_ table: GroupTable, _ group: Int) -> Bool {
    kind.value { table.word(group, valuePlace + $0) } == .null
  }

  private func put(_ table: GroupTable, _ group: Int, to block: GroupKeyVector, _ row: Int) {
    for (kind, place) in keys {
      let words = (0..<kind.width).map { table.word(group, 1 + place + $0) }
      if kind.isText {
        block.set(row, place, textWords: words[0], words[1], words[2])
      } else {
        for (index, word) in words.enumerated() { block.set(row, place + index, word) }
      }
    }
  }

  // MARK: Quantiles

  /// Nil for null.
  private func weight(_ table: GroupTable, _ group: Int) -> Weight? {
    let value = kind.value { table.word(group, valuePlace + $0) }
    return value.doubleValue.map { Weight(value: $0, count: table.word(group, countPlace)) }
  }

  private func addQuantiles(_ table: GroupTable, to groups: GroupBuilder) throws(EngineError) {
    // First the groups, each with its number; then the values of each.
    let block = GroupKeyVector(width: keyWidth, hash: hash)
    let numbers = GroupTable(groups.table.layout)
    var weights: [[Weight]] = []
    for group in 0..<table.count {
      block.begin(1)
      put(table, group, to: block, 0)
      numbers.find(block)
      let number = numbers.foundGroup(0)
      if number == weights.count { weights.append([]) }
      if let weight = weight(table, group) { weights[number].append(weight) }
    }
    for number in weights.indices {
      block.begin(1)
      put(numbers, number, to: block, 0)
      groups.table.find(block)
      if let value = Self.quantile(quantile ?? 0.5, weights[number]) {
        Self.add(value, operation, to: groups.table)
      }
      try groups.dealIfLarge()
    }
  }

  /// Makes the only group where nothing tells groups apart, and gives it its value.
  static func addOnly(_ number: Double?, _ operation: Int, to table: GroupTable) {
    let key = GroupKeyVector(width: table.layout.keyWidth, hash: table.layout.hash)
    key.begin(1)
    table.find(key)
    if let number { add(number, operation, to: table) }
  }

  /// Gives the group that was found last its value.
  private static func add(_ number: Double, _ operation: Int, to table: GroupTable) {
    let value = GroupKeyVector(width: 1, hash: table.layout.hash)
    value.begin(1)
    value.set(0, 0, OrderedNumber.word(number))
    table.add(operation, value)
  }

  /// The value at this part of them, between two where none stands there. What is no number comes last.
  static func quantile(_ part: Double, _ weights: [Weight]) -> Double? {
    let total = weights.reduce(0) { $0 + $1.count }
    if total == 0 { return nil }
    let sorted = weights.sorted { left, right in
      left.value.isNaN ? false : right.value.isNaN || left.value < right.value
    }
    let place = QuantilePosition(part, of: Int(clamping: total))
    var (before, lower): (UInt64, Double?) = (0, nil)
    for weight in sorted {
      before += weight.count
      if lower == nil, before > place.low { lower = weight.value }
      if before > place.high, let lower { return place.between(lower, weight.value) }
    }
    return lower
  }
}

/// Where a quantile stands among sorted values.
package struct QuantilePosition {
  package let low: Int
  package let high: Int
  /// How far it is from the lower to the higher one.
  let share: Double

  package init(_ part: Double, of count: Int) {
    let place = part * Double(count - 1)
    low = Int(place)
    high = min(count - 1, Int(place.rounded(.up)))
    share = place - Double(low)
  }

  package func between(_ left: Double, _ right: Double) -> Double {
    if left == right || share == 0 { return left }
    if share != 0.5 { return left * (1 - share) + right * share }
    let sum = left + right
    return sum.isFinite || !left.isFinite || !right.isFinite ? sum / 2 : left / 2 + right / 2
  }
}
