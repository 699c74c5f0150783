// Runs a planned condition over all blocks of a table, on as many threads as the work is worth.
// Layer: Query, Run, Scanning.

import Synchronization

/// A scan that is ready to run.
package struct TableScan: RowSource {
  private let table: Table
  private let directory: BlockDirectory
  private let condition: PlannedCondition
  /// The columns that a block's leaves are asked for ahead of time.
  private let reads: [ColumnRead]
  private let realm: ReadTransaction

  /// Blocks that a thread takes at a time.
  private static let segmentLength = 64
  /// Columns whose leaves are worth asking for ahead of time: processors follow so many requests at once.
  private static let readsMax = 3
  /// Rows times their cost above which a second thread is worth starting.
  private static let costOfAThread = 400_000.0

  package init(
    _ condition: PlannedCondition, of table: Table, in realm: ReadTransaction
  ) throws(EngineError) {
    self.table = table
    self.condition = condition
    reads = condition.properties.prefix(Self.readsMax).map(ColumnRead.init)
    self.realm = realm
    directory = try table.directory()
  }

  package var workerCount: Int { workerCount(makingCost: 0) }

  func workerCount(makingCost: Double) -> Int {
    let cost = Double(table.count) * (max(1, condition.cost) + makingCost)
    return min(ParallelWork.workerCount, 1 + Int(cost / Self.costOfAThread), max(1, pieceCount))
  }

  var pieceCount: Int { (directory.count + Self.segmentLength - 1) / Self.segmentLength }

  /// How many rows meet the condition.
  package func count() throws(EngineError) -> Int {
    if case .constant(let isTrue) = condition { return isTrue ? table.count : 0 }
    let total = Total()
    try ParallelWork.forEach(
      0..<pieceCount, workers: workerCount, { makeFinder() },
      { segment, worker throws(EngineError) in
        var sum = 0
        try worker.evaluate(blocks(of: segment)) { _, mask in sum += mask.population }
        total.value.wrappingAdd(sum, ordering: .relaxed)
      })
    let count = total.value.load(ordering: .relaxed)
    guard count <= table.count else { throw table.hasTooManyRows }
    return count
  }

  /// What threads add to.
  private final class Total: Sendable {
    let value = Atomic<Int>(0)
  }

  func rows(ofPiece piece: Int, _ finder: Worker) throws(EngineError) -> BlockRows? {
    let blocks = blocks(of: piece)
    var rows = finder.directory.noRows(blockCount: blocks.count)
    try finder.evaluate(blocks) { place, mask in rows.append(place, mask) }
    return rows.count == 0 ? nil : rows
  }

  /// What one thread has for itself.
  final class Worker {
    fileprivate let directory: BlockDirectory
    private let reader: BlockReader
    private let evaluator: BlockEvaluator
    private let mask = SelectionMask()

    fileprivate init(
      _ directory: BlockDirectory, _ reader: BlockReader, _ evaluator: BlockEvaluator
    ) {
      self.directory = directory
      self.reader = reader
      self.evaluator = evaluator
    }

    /// Calls `body` with each block of `range` and what was found there.
    @inline(__always)
    fileprivate func evaluate(_ range: Range<Int>, _ body: (BlockPlace, SelectionMask) -> Void)
      throws(EngineError)
    {
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

  func makeFinder() -> Worker {
    let directory = directory.forOneThread()
    let evaluator = BlockEvaluator(condition, over: directory, of: table, in: realm)
    return Worker(directory, BlockReader(directory, reads), evaluator)
  }
}
