// Runs a plan: by scan or by the keys that an index named. Layer: Query.
// Invariant: whichever way the rows come, they are the same rows, in key order.

/// A plan that is ready to run, once or often.
package struct PlanRun: Sendable {
  package let plan: QueryPlan
  private let table: Table
  private let makeRowTest: @Sendable () -> RowTest
  private let scan: TableScan?

  package init(
    _ plan: QueryPlan, on table: Table, makeRowTest: @escaping @Sendable () -> RowTest
  ) throws(EngineError) {
    self.plan = plan
    self.table = table
    self.makeRowTest = makeRowTest
    if case .scan = plan.access {
      scan = try TableScan(plan.condition, of: table, makeRowTest: makeRowTest)
    } else {
      scan = nil
    }
  }

  /// Threads that a run takes.
  package var workerCount: Int { scan?.workerCount ?? 1 }

  /// Rows that a complete run examines.
  package var examinedCount: Int {
    if case .index(let hits) = plan.access { hits.count } else { table.count }
  }

  /// How many objects there are to find.
  package func count() throws(EngineError) -> Int {
    if let scan { return try scan.count() }
    if case .index(let hits) = plan.access, plan.remainder == nil { return hits.count }
    var count = 0
    try forEachHits { hits in
      count += hits.rows.count
      return true
    }
    return count
  }

  /// Calls `body` with the objects, block by block in key order, until it returns false.
  package func forEachHits(_ body: (BlockHits) throws(EngineError) -> Bool) throws(EngineError) {
    if let scan { return try scan.forEachHits(body) }
    guard case .index(let hits) = plan.access else { return }
    let test = plan.remainder.map { ($0, makeRowTest()) }
    var block: RowBlock?
    var rows: [Int32] = []
    for key in try hits.keys() {
      try Interruption.check()
      guard let position = try position(of: key, near: block) else { continue }
      if let (predicate, rowTest) = test, try !rowTest(predicate, position.block, position.row) { continue }
      if let last = block, !rows.isEmpty, last.key(0) != position.block.key(0) {
        guard try body(BlockHits(block: last, rows: rows)) else { return }
        rows.removeAll()
      }
      block = position.block
      rows.append(Int32(position.row))
    }
    if let block, !rows.isEmpty { _ = try body(BlockHits(block: block, rows: rows)) }
  }

  /// Calls `make` with runs of blocks that have objects, perhaps on several threads, and `body` with what was made,
  /// in key order, until it returns false. `startsSmall`: for a reader who may soon have enough.
  func forEachPart<Part: Sendable>(
    startsSmall: Bool, _ make: @escaping @Sendable (BlockRows) throws(EngineError) -> Part,
    _ body: (Part) throws(EngineError) -> Bool
  ) throws(EngineError) {
    if let scan { return try scan.forEachPart(startsSmall: startsSmall, make, body) }
    var found: BlockRows?
    var isWanted = true
    try forEachHits { hits throws(EngineError) in
      found = hits.block.chosen(hits.rows, after: found)
      if let part = found, part.blockCount == Self.partLength {
        found = nil
        isWanted = try body(try make(part))
      }
      return isWanted
    }
    if isWanted, let found { _ = try body(try make(found)) }
  }

  /// Blocks of an index's hits from which one part is made.
  private static let partLength = 64

  /// Keys ascend, so the next one is often in the block of the one before.
  private func position(of key: ObjectKey, near block: RowBlock?) throws(EngineError) -> ObjectPosition? {
    if let block, let row = block.row(of: key) { return ObjectPosition(block: block, row: row) }
    return try table.find(key)
  }
}
