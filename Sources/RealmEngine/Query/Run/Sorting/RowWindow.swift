// LIMIT and OFFSET as a window that rows pass by. Layer: Query, Run, Sorting.

/// The limits and offsets that a list of clauses begins with, together.
struct RowWindow {
  private var toSkip = 0
  private var toTake: Int?

  init(_ orderings: some Sequence<BoundOrdering>) {
    for ordering in orderings {
      switch ordering {
      case .limit(let limit): toTake = min(toTake ?? limit, limit)
      case .offset(let offset):
        let (skipped, overflow) = toSkip.addingReportingOverflow(offset)
        toSkip = overflow ? Int.max : skipped
        toTake = toTake.map { max(0, $0 - offset) }
      case .sort, .distinct: return
      }
    }
  }

  /// How many rows must come for the window to be full; nil: all.
  var rowsNeeded: Int? {
    guard let toTake else { return nil }
    let (needed, overflow) = toTake.addingReportingOverflow(toSkip)
    return overflow ? nil : needed
  }

  var isClosed: Bool { toTake == 0 }

  /// Those of the next rows that are wanted.
  mutating func taken(of rows: [Int32]) -> [Int32] {
    if toSkip == 0, toTake == nil { return rows }
    let skipped = min(toSkip, rows.count)
    let taken = min(rows.count - skipped, toTake ?? Int.max)
    toSkip -= skipped
    toTake = toTake.map { $0 - taken }
    return Array(rows[skipped..<skipped + taken])
  }
}
