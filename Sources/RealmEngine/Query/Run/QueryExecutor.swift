// Answers a bound query the fast way: plan, run, order. Layer: Query, Run.
// Invariant: the same objects in the same order as `RowEvaluator` gives; property tests compare the two.

/// A query that is ready to be answered.
package struct QueryExecutor: Sendable {
  private let table: Table
  private let orderings: [BoundOrdering]
  private let realm: ReadTransaction
  private let run: PlanRun

  /// Cost: looks up indexes, and scans linked classes for conditions across links.
  package init(_ query: BoundQuery, in realm: ReadTransaction) throws(EngineError) {
    table = query.table
    orderings = query.orderings
    self.realm = realm
    run = try PlanRun(
      try Planner.plan(query.predicate, on: table, in: realm), on: table, in: realm)
  }

  package var plan: QueryPlan { run.plan }
  /// Threads that a run takes.
  package var workerCount: Int { run.workerCount }
  /// Rows that a complete run examines.
  package var examinedCount: Int { run.examinedCount }

  /// How many objects meet the condition, whatever the orderings leave of them.
  package func matchedCount() throws(EngineError) -> Int { try run.count() }

  /// How many objects the query gives. Orders are not made for it.
  package func count() throws(EngineError) -> Int {
    if orderings.contains(where: \.isDistinct) { return try keys().count }
    var count = try run.count()
    for ordering in orderings {
      switch ordering {
      case .limit(let limit): count = min(count, limit)
      case .offset(let offset): count = max(0, count - offset)
      case .sort, .distinct: break
      }
    }
    return count
  }

  /// Whether the objects come in key order, so that they can be handed on as they are found.
  package var isStreaming: Bool {
    orderings.allSatisfy {
      switch $0 {
      case .limit, .offset: true
      case .sort, .distinct: false
      }
    }
  }

  /// Calls `body` with the rows of a query that is streaming, until it returns false.
  package func forEachHits(_ body: (SelectedRows) throws(EngineError) -> Bool) throws(EngineError) {
    precondition(isStreaming, "rows in an order of their own are not blocks")
    var window = RowWindow(orderings)
    try run.source().forEachHits { hits throws(EngineError) in
      let rows = window.taken(of: hits.rows)
      if !rows.isEmpty, try !body(SelectedRows(block: hits.block, rows: rows)) { return false }
      return !window.isClosed
    }
  }

  /// Whether all objects that meet the condition are wanted, in key order.
  package var findsAll: Bool { orderings.isEmpty }

  /// Whether these are all objects of the class.
  var findsEverything: Bool {
    guard findsAll, case .scan = plan.access, case .constant(true) = plan.condition else { return false }
    return true
  }

  /// Rows that come when they are asked for, of a query that finds all.
  package func cursor() throws(EngineError) -> RowCursor {
    precondition(findsAll, "a cursor knows nothing of limits and orders")
    return RowCursor(try run.source())
  }

  /// Calls `make` with objects of a query that finds all, on the threads that found them, and `body` with what was made,
  /// in key order, until it returns false. What is made may be large: only a little of it is in memory at once.
  /// `makingCost`: of a row, as `QueryPlan.condition` tells costs.
  package func forEachPart<Part: Sendable>(
    makingCost: Double, _ make: @escaping @Sendable (BlockRows) throws(EngineError) -> Part,
    _ body: (Part) throws(EngineError) -> Bool
  ) throws(EngineError) {
    precondition(findsAll, "parts know nothing of limits and orders")
    try run.source().forEachPart(
      startsSmall: true, waveMax: 4 + 2 * ParallelWork.workerCount, makingCost: makingCost, make, body)
  }

  /// Calls `body` with the rows in the query's order, many at a time, as `OrderedRows.forEach` does. For queries that are
  /// not streaming. `memoryLimit`: bytes that sorting may take.
  package func forEachOrderedRows(
    memoryLimit: Int = .max, _ body: (OrderedRows) throws(EngineError) -> Int
  ) throws(EngineError) {
    let sizeMax = min(OrderedRows.defaultSizeMax, memoryLimit / 4)
    if let passes = try sortPasses(memoryLimit) {
      return try passes.forEachRange { keys throws(EngineError) in
        try OrderedRows.forEach(keys, in: table, sizeMax: sizeMax, body)
      }
    }
    try OrderedRows.forEach(try keys(), in: table, sizeMax: sizeMax, body)
  }

  /// The order of a query that is not streaming, whose keys are found range by range when they are asked for. Nil where all rows
  /// can be sorted at once, and where values have no order that tells ranges apart. `memoryLimit`: bytes that sorting may take.
  package func orderRanges(memoryLimit: Int) throws(EngineError) -> OrderRanges? {
    guard let passes = try sortPasses(memoryLimit) else { return nil }
    return OrderRanges(firstKeys: passes.boundKeys, counts: try passes.counts())
  }

  /// The keys of one of the ranges that the same query has in the same version.
  package func keys(ofRange number: Int, of ranges: OrderRanges) throws(EngineError) -> [ObjectKey] {
    guard let clauses = RowClauses(orderings, in: realm),
      let passes = try SortPasses(
        clauses, try run.source(), of: table, in: realm.snapshot, from: ranges.firstKeys)
    else { throw SortPasses.changed }
    return try passes.keys(ofRange: number)
  }

  /// Nil where all rows can be sorted at once.
  private func sortPasses(_ memoryLimit: Int) throws(EngineError) -> SortPasses? {
    let limit = memoryLimit / 2
    guard memoryLimit < .max, let clauses = RowClauses(orderings, in: realm),
      SortPasses.mayHelp(clauses, count: run.examinedCount, limit: limit)
    else { return nil }
    return try SortPasses(
      clauses, try run.source(), of: table, count: try run.count(), in: realm.snapshot, limit: limit)
  }

  /// Calls `body` with all rows block by block, whatever the query's order.
  func forEachHitsInAnyOrder(_ body: (SelectedRows) throws(EngineError) -> Void) throws(EngineError) {
    guard isStreaming else {
      return try forEachOrderedRows { rows throws(EngineError) in
        for piece in rows.pieces {
          for index in 0..<piece.blockCount { try body(SelectedRows(piece, index)) }
        }
        return 0
      }
    }
    try forEachHits { hits throws(EngineError) in
      try body(hits)
      return true
    }
  }

  /// Calls `body` with all rows of the query, on the threads that found them and with what is each thread's own, in any
  /// order.
  func forEachFound<Own>(
    makingCost: Double, _ makeOwn: @escaping @Sendable () -> Own,
    _ body: @escaping @Sendable (BlockRows, Own) throws(EngineError) -> Void
  ) throws(EngineError) {
    if findsAll {
      return try run.source().forEachFound(
        makingCost: makingCost, makeOwn, body)
    }
    let own = makeOwn()
    try forEachHitsInAnyOrder { hits throws(EngineError) in
      try Interruption.check()
      try body(hits.block.chosen(hits.rows, after: nil), own)
    }
  }

  /// Calls `body` with the objects in the query's order until it returns false.
  package func forEachObject(_ body: (ObjectPosition) throws(EngineError) -> Bool) throws(EngineError) {
    guard isStreaming else {
      for key in try keys() {
        guard let position = try table.find(key) else { continue }
        guard try body(position) else { return }
      }
      return
    }
    try forEachHits { hits throws(EngineError) in
      for row in hits.rows {
        if try !body(ObjectPosition(block: hits.block, row: Int(row))) { return false }
      }
      return true
    }
  }

  /// The keys of the objects in the query's order.
  package func keys() throws(EngineError) -> [ObjectKey] {
    if isStreaming {
      var keys: [ObjectKey] = []
      try forEachHits { hits in
        hits.block.appendKeys(of: hits.rows, to: &keys)
        return true
      }
      return keys
    }
    if let clauses = RowClauses(orderings, in: realm), let keys = try keys(ordered: clauses) { return keys }
    var rows: [Row] = []
    try run.source().forEachHits { hits in
      for row in hits.rows {
        rows.append(Row(table: table, position: ObjectPosition(block: hits.block, row: Int(row))))
      }
      return true
    }
    let evaluator = RowEvaluator(realm)
    for ordering in orderings { rows = try evaluator.apply(ordering, to: rows) }
    return rows.map(\.position.key)
  }

  /// The same in the order in which the objects stand, in few bits each.
  package func keyList() throws(EngineError) -> ObjectKeyList {
    guard isStreaming else { return ObjectKeyList(try keys()) }
    let keys = CompressedIntegers()
    try forEachHits { hits in
      for row in hits.rows { keys.append(hits.block.key(Int(row)).value) }
      return true
    }
    return ObjectKeyList(keys)
  }

  /// Nil where a value turns up that words put into no order.
  private func keys(ordered clauses: RowClauses) throws(EngineError) -> [ObjectKey]? {
    let snapshot = realm.snapshot
    var rows = RowCollector(clauses, of: table)
    ProgressCounter.expect(run.examinedCount)
    try run.source().forEachPart(
      startsSmall: clauses.mayEndEarly, makingCost: clauses.makingCost
    ) { found throws(EngineError) in
      ProgressCounter.advance(found.count)
      return try clauses.rows(of: found, in: snapshot)
    } _: { part throws(EngineError) in
      try rows.add(part)
      return !rows.isComplete
    }
    let keys = rows.keys()
    // Of what is not finished because the user wants it to end nothing is handed on.
    try Interruption.check()
    return keys
  }
}

extension BoundOrdering {
  fileprivate var isDistinct: Bool { if case .distinct = self { true } else { false } }
}
