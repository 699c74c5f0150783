// The values in the middle, or at another part, of all numbers of a column, without an order of them: a run over the rows counts
// them by bits of their words, and the next one looks at those alone that have the bits of the wanted one.
// Layer: Query, Aggregation. Invariant: memory does not grow with the rows, where they can be found again quickly.

import Synchronization

/// Finds a quantile of a column over the rows of a query.
struct QuantileSelection: Sendable {
  private let column: SourceColumn
  private let part: Double
  private let table: Table
  private let realm: ReadTransaction
  /// Words that are sorted rather than counted once more.
  private let wordsMax: Int

  /// Conditions that cost more are asked only once.
  private static let conditionCostMax = 8.0
  private static let allWords = UInt64.min...UInt64.max

  /// `memoryLimit`: bytes that groups may take.
  init(
    _ part: Double, of column: SourceColumn, in table: Table, _ realm: ReadTransaction, memoryLimit: Int
  ) {
    self.part = part
    self.column = column
    self.table = table
    self.realm = realm
    wordsMax = min(1 << 20, memoryLimit / 64)
  }

  /// Nil where there are no numbers.
  func value(_ executor: QueryExecutor) throws(EngineError) -> Double? {
    guard isQuick(executor) else {
      let words = try words(in: Self.allWords, executor)
      return try value(of: words.count) { (words[$0], words[$1]) }
    }
    let workers = try workers(in: Self.allWords, counts: true, executor)
    let counted = Counted(workers, Self.allWords, before: 0)
    return try value(of: counted.count) { low, high throws(EngineError) in
      try self.words(low, high, of: counted, executor)
    }
  }

  private func isQuick(_ executor: QueryExecutor) -> Bool {
    guard executor.findsAll, case .scan = executor.plan.access else { return false }
    return executor.plan.condition.cost <= Self.conditionCostMax
  }

  private func value(
    of count: Int, _ words: (Int, Int) throws(EngineError) -> (UInt64, UInt64)
  ) throws(EngineError) -> Double? {
    guard count > 0 else { return nil }
    let place = QuantilePosition(part, of: count)
    let (low, high) = try words(place.low, place.high)
    return place.between(OrderedNumber.number(low), OrderedNumber.number(high))
  }

  /// The words at two places of the order, of which `counted` holds the range.
  private func words(
    _ low: Int, _ high: Int, of counted: Counted, _ executor: QueryExecutor
  ) throws(EngineError) -> (UInt64, UInt64) {
    if counted.least == counted.greatest { return (counted.least, counted.least) }
    let bucket = counted.bucket(of: low)
    guard high < bucket.before + bucket.count else {
      let other = counted.bucket(of: high)
      return (try words(low, low, in: bucket, executor).0, try words(high, high, in: other, executor).0)
    }
    return try words(low, high, in: bucket, executor)
  }

  private func words(
    _ low: Int, _ high: Int, in bucket: Counted.Bucket, _ executor: QueryExecutor
  ) throws(EngineError) -> (UInt64, UInt64) {
    let range = bucket.range
    if range.lowerBound == range.upperBound { return (range.lowerBound, range.lowerBound) }
    if bucket.count <= wordsMax {
      let words = try words(in: range, executor)
      guard words.count == bucket.count else { throw table.hasTooManyRows }
      return (words[low - bucket.before], words[high - bucket.before])
    }
    let counted = Counted(
      try workers(in: range, counts: true, executor), range, before: bucket.before)
    return try words(low, high, of: counted, executor)
  }

  // MARK: Runs over the rows

  /// The words of a range in their order.
  private func words(
    in range: ClosedRange<UInt64>, _ executor: QueryExecutor
  ) throws(EngineError) -> [UInt64] {
    var words: [UInt64] = []
    for worker in try workers(in: range, counts: false, executor) { words += worker.words }
    words.sort()
    return words
  }

  private func workers(
    in range: ClosedRange<UInt64>, counts: Bool, _ executor: QueryExecutor
  ) throws(EngineError) -> [QuantileWorker] {
    let made = Mutex<[QuantileWorker]>([])
    let (column, table, realm) = (column, table, realm)
    let plan = GroupPlan(
      keys: [], arguments: [GroupPlan.Argument(column: column, operations: [])], rowCounts: [],
      operations: [])
    let makeWorker: @Sendable () -> QuantileWorker = {
      let worker = QuantileWorker(column, range, counts: counts, of: table, in: realm)
      made.withLock { $0.append(worker) }
      return worker
    }
    ProgressCounter.expect(executor.examinedCount)
    try executor.forEachFound(makingCost: plan.makingCost, makeWorker) {
      rows, worker throws(EngineError) in
      try worker.add(rows)
      ProgressCounter.advance(rows.count)
    }
    return made.withLock { $0 }
  }
}

/// How many words of a range there are, by their bits.
private struct Counted {
  struct Bucket {
    let range: ClosedRange<UInt64>
    /// Words below it.
    let before: Int
    let count: Int
  }

  private let range: ClosedRange<UInt64>
  private let before: Int
  private var counts = [Int](repeating: 0, count: QuantileWorker.bucketCount)
  private(set) var least = UInt64.max
  private(set) var greatest = UInt64.min
  private(set) var count = 0

  /// `before`: words below the range.
  init(_ workers: [QuantileWorker], _ range: ClosedRange<UInt64>, before: Int) {
    self.range = range
    self.before = before
    for worker in workers {
      least = min(least, worker.least)
      greatest = max(greatest, worker.greatest)
      for (bucket, number) in worker.counts.enumerated() {
        counts[bucket] += number
        count += number
      }
    }
  }

  /// The bucket that holds the word at a place of the order.
  func bucket(of place: Int) -> Bucket {
    let shift = QuantileWorker.shift(range)
    var before = before
    var number = 0
    while number < counts.count - 1, place >= before + counts[number] {
      before += counts[number]
      number += 1
    }
    let start = range.lowerBound + UInt64(number) << UInt64(shift)
    let length = min(range.upperBound - start, 1 << UInt64(shift) - 1)
    return Bucket(range: start...(start + length), before: before, count: counts[number])
  }
}

/// Counts or keeps the words that one thread finds.
private final class QuantileWorker: @unchecked Sendable {
  // Made and used by one thread, then read by another.
  private let makeReader: () throws(EngineError) -> GroupColumnReader
  private var reader: GroupColumnReader?
  private let properties: [Property]
  private let range: ClosedRange<UInt64>
  private(set) var counts: [Int]
  private(set) var words: [UInt64] = []
  private(set) var least = UInt64.max
  private(set) var greatest = UInt64.min

  static let bucketCount = 1 << 16

  /// The bits of a word in `range` below those that it is counted by.
  static func shift(_ range: ClosedRange<UInt64>) -> Int {
    max(0, UInt64.bitWidth - (range.upperBound - range.lowerBound).leadingZeroBitCount - 16)
  }

  init(
    _ column: SourceColumn, _ range: ClosedRange<UInt64>, counts: Bool, of table: Table,
    in realm: ReadTransaction
  ) {
    makeReader = { () throws(EngineError) in
      try GroupColumnReader(column, of: table, in: realm, realm.snapshot.forOneThread())
    }
    properties = column.form.properties.map { $0.forOneThread() }
    self.range = range
    self.counts = counts ? [Int](repeating: 0, count: Self.bucketCount) : []
  }

  func add(_ rows: BlockRows) throws(EngineError) {
    let reader = if let known = self.reader { known } else { try makeReader() }
    self.reader = reader
    try rows.forEachBlock(reading: properties) { block, rows throws(EngineError) in
      try Interruption.check()
      add(try reader.numbers(block, rows), rows, areInts: reader.areInts)
    }
  }

  private func add(_ numbers: NumberVector, _ rows: borrowing Span<Int32>, areInts: Bool) {
    let (low, high) = (range.lowerBound, range.upperBound)
    let shift = UInt64(Self.shift(range))
    var (least, greatest) = (least, greatest)
    // A span of a local array: that of a property of a class does not outlive one statement.
    var counts: [Int] = []
    swap(&counts, &self.counts)
    let isCounting = !counts.isEmpty
    var places = counts.mutableSpan
    for index in rows.indices {
      let row = Int(rows[index])
      if numbers.isNull(row) { continue }
      let number = areInts ? Double(numbers.int(row)) : numbers.double(row)
      // What is no number comes last.
      let word = number.isNaN ? .max : OrderedNumber.word(number)
      guard word >= low, word <= high else { continue }
      if isCounting {
        least = min(least, word)
        greatest = max(greatest, word)
        places[Int((word - low) >> shift)] += 1
      } else {
        words.append(word)
      }
    }
    (self.least, self.greatest) = (least, greatest)
    swap(&counts, &self.counts)
  }
}
