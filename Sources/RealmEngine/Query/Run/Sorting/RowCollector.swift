// Collects the rows that a scan finds and gives their keys in the order that clauses ask for.
// Layer: Query, Run, Sorting.
// Rows come in parts, made by several threads, and are put side by side only when something is to be done with them.

/// Rows of a query with clauses.
struct RowCollector {
  private let clauses: RowClauses
  private let table: Table
  /// What may still be joined of chunks for the rows: each object comes once.
  private let budget: TraversalBudget
  private var parts: [SortRows] = []
  private var count = 0
  /// Rows above which those that cannot be wanted are dropped.
  private var countMax: Int
  private(set) var isComplete = false
  /// Whether words say the order of all rows.
  private var isOrdered = true

  init(_ clauses: RowClauses, of table: Table) {
    self.clauses = clauses
    self.table = table
    budget = TraversalBudget(table.snapshot)
    countMax = clauses.pruning?.rowsMax ?? .max
  }

  /// Adds rows that stand behind all others. Throws when they become more than there are, or than have numbers.
  mutating func add(_ part: SortRows) throws(EngineError) {
    if part.hasUnordered { isOrdered = false }
    parts.append(part)
    count += part.count
    guard count <= table.count else { throw table.hasTooManyRows }
    guard count <= Int(Int32.max) else {
      throw EngineError(
        .other, "more than \(Int32.max) objects cannot be put in order at once",
        hint: "a condition or a limit leaves fewer of them")
    }
    try budget.charge(part.joinedSize, at: 0)
    guard count >= countMax, let pruning = clauses.pruning else { return }
    var rows = joined()
    pruning.prune(&rows)
    isComplete = pruning.isEnough(rows)
    count = rows.count
    countMax = max(pruning.rowsMax, 2 * count)
    parts = [rows]
  }

  private mutating func joined() -> SortRows {
    var rows = clauses.noRows()
    rows.reserve(count)
    // Millions of rows take long to put side by side; what is not finished is handed on by nobody.
    for part in parts where !Interruption.isPending { rows.append(part) }
    parts.removeAll()
    return rows
  }

  /// Nil where words do not say the order.
  mutating func keys() -> [ObjectKey]? { isOrdered ? clauses.keys(of: joined()) : nil }
}
