// Runs a plan: by scan or by the keys that an index named. Layer: Query, Run.
// Invariant: whichever way the rows come, they are the same rows, in key order.

/// A plan that is ready to run, once or often.
package final class PlanRun: Sendable {
  package let plan: QueryPlan
  private let table: Table
  private let realm: ReadTransaction
  private let scan: TableScan?

  package init(
    _ plan: QueryPlan, on table: Table, in realm: ReadTransaction
  ) throws(EngineError) {
    let plan = try plan.answered(in: realm)
    self.plan = plan
    self.table = table
    self.realm = realm
    if case .scan = plan.access {
      scan = try TableScan(plan.condition, of: table, in: realm)
    } else {
      scan = nil
    }
  }

  /// Threads that a run takes.
  package var workerCount: Int {
    switch plan.access {
    case .scan: scan?.workerCount ?? 1
    case .index(let hits): IndexedRows.workerCount(ofKeys: hits.count)
    }
  }

  /// Rows that a complete run examines.
  package var examinedCount: Int {
    if case .index(let hits) = plan.access { hits.count } else { table.count }
  }

  /// How many objects there are to find.
  package func count() throws(EngineError) -> Int {
    if let scan { return try scan.count() }
    if case .index(let hits) = plan.access, plan.remainder == nil { return hits.count }
    var count = 0
    try source().forEachPart(startsSmall: false) {
      $0.count
    } _: { part in
      count += part
      return true
    }
    return count
  }

  /// Where the rows come from. Cost: lists the keys that an index names.
  func source() throws(EngineError) -> any RowSource {
    if let scan { return scan }
    guard case .index(let hits) = plan.access else { preconditionFailure("what is not scanned is looked up") }
    return IndexedRows(try hits.keys(), of: table, in: realm, remainder: plan.remainder)
  }
}
