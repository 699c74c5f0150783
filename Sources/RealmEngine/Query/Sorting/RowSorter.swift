// Sorts rows by extracted words, all of them or only as many as are wanted. Layer: Query.
// Invariant: equal rows keep the order in which they came. With a limit, memory is bounded by a few times the limit.

/// Collects rows and gives their keys in sorted order.
package struct RowSorter {
  private var columns: [SortColumn]
  private let limit: Int?
  private let snapshot: Snapshot
  private var keys: [ObjectKey] = []
  /// With a limit reached: no row whose first word is above this can be among those wanted.
  private var worstWord: SortWord?
  /// The value behind it; nil where null is.
  private var worstValue: Value?
  private let masks = SortMasks()
  /// Where the first column's value of each collected row stands, to find the worst one's value.
  private var places: [ObjectPosition] = []

  /// Rows that are collected before those that cannot be wanted are dropped.
  private static let slack = 1024

  /// Nil where some key's order must be found by comparing values.
  package init?(_ sortKeys: [BoundSortKey], limit: Int?, in snapshot: Snapshot) {
    var columns: [SortColumn] = []
    for key in sortKeys {
      guard let column = SortColumn(key) else { return nil }
      columns.append(column)
    }
    guard !columns.isEmpty else { return nil }
    self.columns = columns
    self.limit = limit
    self.snapshot = snapshot
  }

  /// Adds rows of a block.
  package mutating func add(_ hits: BlockHits) throws(EngineError) {
    if limit == 0 { return }
    var rows = hits.rows
    if let worstWord {
      if let worstValue,
        let kept = try columns[0].rows(rows, of: hits.block, notBehind: worstValue, masks: masks)
      {
        rows = kept
        if rows.isEmpty { return }
      }
      var better: [Int32] = []
      try columns[0].forEachWord(hits.block, rows, in: snapshot) { number, word in
        if word <= worstWord { better.append(rows[number]) }
      }
      rows = better
      if rows.isEmpty { return }
    }
    for index in columns.indices { try columns[index].append(rows, of: hits.block, in: snapshot) }
    for row in rows { keys.append(hits.block.key(Int(row))) }
    guard let limit else { return }
    for row in rows { places.append(ObjectPosition(block: hits.block, row: Int(row))) }
    if keys.count >= 2 * limit + Self.slack { try keepBest(limit) }
  }

  private mutating func keepBest(_ limit: Int) throws(EngineError) {
    let best = Array(order().prefix(limit))
    for index in columns.indices { columns[index].keep(best) }
    keys = best.map { keys[$0] }
    places = best.map { places[$0] }
    worstWord = columns[0].words.last
    guard let worst = places.last else { return }
    worstValue = try worst.block.leaf(columns[0].property).value(worst.row, in: snapshot)
  }

  /// The row numbers in sorted order.
  private func order() -> [Int] { RowOrder.sorted(keys.count, by: columns) }

  /// The keys of all rows that were added, or of as many as the limit says, sorted.
  package func sortedKeys() -> [ObjectKey] {
    let order = order()
    return (limit.map { Array(order.prefix($0)) } ?? order).map { keys[$0] }
  }
}
