// Runs a planned condition over all blocks of a table, on as many threads as the work is worth. Layer: Query.
// Invariant: results come in key order whatever the number of threads, which take runs of blocks in turn.

import Synchronization

/// Rows of one block that meet a condition, ascending.
package struct BlockHits: Sendable {
  package let block: RowBlock
  package let rows: [Int32]

  package init(block: RowBlock, rows: [Int32]) {
    self.block = block
    self.rows = rows
  }
}

/// The row numbers of whole blocks, which are mostly as long as each other.
package struct RowNumbers {
  private var rows: [Int32] = []

  package init() {}

  /// All rows of `block`.
  package mutating func all(of block: RowBlock) -> [Int32] {
    if rows.count != block.count { rows = (0..<Int32(block.count)).map(\.self) }
    return rows
  }
}

/// Answers one condition, row by row, for what no kernel knows. One is made for each thread.
package typealias RowTest = (BoundPredicate, RowBlock, Int) throws(EngineError) -> Bool

/// A scan that is ready to run.
package struct TableScan: Sendable {
  private let table: Table
  private let directory: BlockDirectory
  private let condition: PlannedCondition
  /// The columns that a block's leaves are asked for ahead of time.
  private let reads: [ColumnRead]
  private let makeRowTest: @Sendable () -> RowTest

  /// Blocks that a thread takes at a time.
  private static let segmentLength = 64
  /// Runs of blocks between two calls with what was found.
  private static let waveMax = 64
  /// Columns whose leaves are worth asking for ahead of time: processors follow so many requests at once.
  private static let readsMax = 3
  /// Rows times their cost above which a second thread is worth starting.
  private static let costOfAThread = 400_000.0

  package init(
    _ condition: PlannedCondition, of table: Table, makeRowTest: @escaping @Sendable () -> RowTest
  ) throws(EngineError) {
    self.table = table
    self.condition = condition
    reads = condition.properties.prefix(Self.readsMax).map(ColumnRead.init)
    self.makeRowTest = makeRowTest
    directory = try table.directory()
  }

  package var workerCount: Int {
    let cost = Double(table.count) * max(1, condition.cost)
    return min(ParallelWork.workerCount, 1 + Int(cost / Self.costOfAThread), max(1, segmentCount))
  }

  private var segmentCount: Int { (directory.count + Self.segmentLength - 1) / Self.segmentLength }

  /// How many rows meet the condition.
  package func count() throws(EngineError) -> Int {
    if case .constant(let isTrue) = condition { return isTrue ? table.count : 0 }
    let shared = Shared()
    try inSegments(0..<segmentCount, workers: workerCount) { segment, worker throws(EngineError) in
      var sum = 0
      try worker.evaluate(blocks(of: segment)) { _, mask in sum += mask.population }
      shared.total.wrappingAdd(sum, ordering: .relaxed)
    }
    return shared.total.load(ordering: .relaxed)
  }

  /// Calls `body` with the blocks that have hits, in key order, until it returns false. With one thread the first
  /// hits arrive at once; with several, a wave of blocks at a time.
  package func forEachHits(_ body: (BlockHits) throws(EngineError) -> Bool) throws(EngineError) {
    let asFound: @Sendable (BlockRows) throws(EngineError) -> BlockRows = { $0 }
    try forEachPart(startsSmall: true, asFound) { rows throws(EngineError) in
      for index in 0..<rows.blockCount {
        try Interruption.check()
        guard try body(BlockHits(block: rows.block(index), rows: Array(rows.rows(index)))) else {
          return false
        }
      }
      return true
    }
  }

  /// Calls `make` with the hits of each run of blocks that has some, on the thread that found them, and `body` with
  /// what was made, in key order, until it returns false. `startsSmall`: for a reader who may soon have enough.
  func forEachPart<Part: Sendable>(
    startsSmall: Bool, _ make: @escaping @Sendable (BlockRows) throws(EngineError) -> Part,
    _ body: (Part) throws(EngineError) -> Bool
  ) throws(EngineError) {
    let workers = workerCount
    var segment = 0
    var wave = startsSmall ? 1 : Self.waveMax
    while segment < segmentCount {
      let range = segment..<min(segmentCount, segment + wave)
      for part in try parts(of: range, workers: workers, make) {
        guard try body(part) else { return }
      }
      segment = range.upperBound
      wave = min(wave * 2, Self.waveMax)
    }
  }

  private func parts<Part: Sendable>(
    of segments: Range<Int>, workers: Int,
    _ make: @escaping @Sendable (BlockRows) throws(EngineError) -> Part
  ) throws(EngineError) -> [Part] {
    let found = Mutex<[Int: Part]>([:])
    try inSegments(segments, workers: min(workers, segments.count)) {
      segment, worker throws(EngineError) in
      var rows = directory.noRows()
      try worker.evaluate(blocks(of: segment)) { place, mask in rows.append(place, mask) }
      if rows.count == 0 { return }
      let part = try make(rows)
      found.withLock { $0[segment] = part }
    }
    let all = found.withLock { $0 }
    return segments.compactMap { all[$0] }
  }

  /// What one thread has for itself.
  private final class Worker {
    private let reader: BlockReader
    private let evaluator: BlockEvaluator
    private let mask = RowMask()

    init(_ reader: BlockReader, _ evaluator: BlockEvaluator) {
      self.reader = reader
      self.evaluator = evaluator
    }

    /// Calls `body` with each block of `range` and what was found there.
    @inline(__always)
    func evaluate(_ range: Range<Int>, _ body: (BlockPlace, RowMask) -> Void) throws(EngineError) {
      let (evaluator, mask) = (evaluator, mask)
      try reader.forEach(range) { place throws(EngineError) in
        try Interruption.check()
        try evaluator.evaluate(place, into: mask)
        body(place, mask)
      }
    }
  }

  /// The blocks of a segment.
  private func blocks(of segment: Int) -> Range<Int> {
    let first = segment * Self.segmentLength
    return first..<min(directory.count, first + Self.segmentLength)
  }

  /// What threads of one run share.
  private final class Shared: Sendable {
    let nextSegment = Atomic<Int>(0)
    let failure = Mutex<EngineError?>(nil)
    let total = Atomic<Int>(0)
  }

  private func inSegments(
    _ segments: Range<Int>, workers: Int,
    _ body: @escaping @Sendable (Int, Worker) throws(EngineError) -> Void
  ) throws(EngineError) {
    if workers <= 1 {
      let worker = makeWorker()
      for segment in segments { try body(segment, worker) }
      return
    }
    let shared = Shared()
    ParallelWork.run(workers: workers) { _ in
      let worker = makeWorker()
      while true {
        let segment = segments.lowerBound + shared.nextSegment.wrappingAdd(1, ordering: .relaxed).oldValue
        guard segment < segments.upperBound, shared.failure.withLock({ $0 == nil }) else { return }
        do throws(EngineError) {
          try body(segment, worker)
        } catch {
          shared.failure.withLock { $0 = $0 ?? error }
        }
      }
    }
    if let error = shared.failure.withLock({ $0 }) { throw error }
  }

  private func makeWorker() -> Worker {
    let directory = directory.forOneThread()
    return Worker(
      BlockReader(directory, reads), BlockEvaluator(condition, over: directory, rowTest: makeRowTest()))
  }
}
