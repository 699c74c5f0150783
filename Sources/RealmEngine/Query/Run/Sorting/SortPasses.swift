// Sorting of more rows than memory may take: rows are parted into ranges of their values, which a sample tells, and each
// range is collected in a pass of its own over the class, sorted and handed on. Layer: Query, Run, Sorting.
// Nothing is put to disk: to read a class once more takes less time than to write what was read of it, and to read that.
// Invariant: the same rows in the same order as if they were sorted at once.

/// Rows that are sorted range by range.
struct SortPasses: Sendable {
  private let clauses: RowClauses
  private let sortKeys: [RowClause.SortKey]
  private let source: any RowSource
  private let table: Table
  private let snapshot: Snapshot
  /// The first row of each range but the first one, ascending.
  private let bounds: SortRows

  /// Bytes that a row takes at most while rows are sorted, beside its columns.
  private static let sizeOfARow = 40
  private static let passesMax = 1 << 10
  private static let piecesOfASample = 64
  private static let rowsOfAPiece = 512

  /// Nil where `count` rows fit in `limit` bytes, or where ranges say nothing of the order.
  init?(
    _ clauses: RowClauses, _ source: any RowSource, of table: Table, count: Int, in snapshot: Snapshot,
    limit: Int
  ) throws(EngineError) {
    guard let sortKeys = clauses.onlySort else { return nil }
    let passCount = Self.passCount(clauses, sortKeys, count, limit)
    guard passCount > 1 else { return nil }
    self.clauses = clauses
    self.sortKeys = sortKeys
    self.source = source
    self.table = table
    self.snapshot = snapshot
    if clauses.mayHaveUnordered, try Self.hasUnordered(source, clauses, snapshot) { return nil }
    var sample = try Self.sample(source, clauses, snapshot)
    guard sample.count >= passCount else { return nil }
    let order = RowOrder.sorted(sample.count, by: sample.levels(sortKeys))
    let chosen = (1..<passCount).map { order[$0 * sample.count / passCount] }
    sample.keep(chosen, columns: Set(sortKeys.map(\.column)))
    bounds = sample
  }

  /// Passes with ranges that begin with these rows. Nil where one of them is not there.
  init?(
    _ clauses: RowClauses, _ source: any RowSource, of table: Table, in snapshot: Snapshot,
    from keys: [ObjectKey]
  ) throws(EngineError) {
    guard let sortKeys = clauses.onlySort else { return nil }
    var bounds = clauses.noRows()
    for key in keys {
      guard let position = try table.find(key) else { return nil }
      let row = position.block.chosen([Int32(truncatingIfNeeded: position.row)], after: nil)
      bounds.append(try clauses.rows(of: row, in: snapshot))
    }
    self.clauses = clauses
    self.sortKeys = sortKeys
    self.source = source
    self.table = table
    self.snapshot = snapshot
    self.bounds = bounds
  }

  /// Values are not what they were in the pass before.
  static let changed = EngineError(
    .outdated, "the objects were changed while they were put in order", hint: "try again")

  /// The first row of each range but the first one.
  var boundKeys: [ObjectKey] { bounds.keys.chosen((0..<Int32(bounds.count)).map(\.self)) }

  /// Whether so many rows may be too many.
  static func mayHelp(_ clauses: RowClauses, count: Int, limit: Int) -> Bool {
    clauses.onlySort.map { passCount(clauses, $0, count, limit) > 1 } ?? false
  }

  private static func passCount(
    _ clauses: RowClauses, _ sortKeys: [RowClause.SortKey], _ count: Int, _ limit: Int
  ) -> Int {
    let size = count * sortKeys.reduce(sizeOfARow) { $0 + clauses.size(ofColumn: $1.column) }
    return min(passesMax, (size + limit - 1) / max(1, limit))
  }

  /// Rows from all over the class.
  private static func sample(
    _ source: some RowSource, _ clauses: RowClauses, _ snapshot: Snapshot
  ) throws(EngineError) -> SortRows {
    var sample = clauses.noRows()
    let finder = source.makeFinder()
    for piece in stride(from: 0, to: source.pieceCount, by: max(1, source.pieceCount / piecesOfASample)) {
      try Interruption.check()
      guard let found = try source.rows(ofPiece: piece, finder) else { continue }
      var rows = try clauses.rows(of: found, in: snapshot)
      let distance = max(1, rows.count / rowsOfAPiece)
      let chosen = stride(from: 0, to: Int32(rows.count), by: distance).map(\.self)
      rows.keep(chosen, columns: clauses.allColumns)
      sample.append(rows)
    }
    return sample
  }

  private static func hasUnordered(
    _ source: some RowSource, _ clauses: RowClauses, _ snapshot: Snapshot
  ) throws(EngineError) -> Bool {
    var hasUnordered = false
    try source.forEachPart(startsSmall: false, makingCost: clauses.makingCost) { found throws(EngineError) in
      try clauses.rows(of: found, in: snapshot).hasUnordered
    } _: { part in
      hasUnordered = part
      return !part
    }
    return hasUnordered
  }

  /// Calls `body` with the keys of all rows in their order, a range of them at a time.
  func forEachRange(_ body: ([ObjectKey]) throws(EngineError) -> Void) throws(EngineError) {
    for number in 0...bounds.count { try body(try keys(ofRange: number, source)) }
  }

  /// How many rows each range has.
  func counts() throws(EngineError) -> [Int] { try counts(source) }

  private func counts(_ source: some RowSource) throws(EngineError) -> [Int] {
    var counts = [Int](repeating: 0, count: bounds.count + 1)
    try source.forEachPart(startsSmall: false, makingCost: clauses.makingCost) { found throws(EngineError) in
      try clauses.rows(of: found, in: snapshot).counts(between: bounds, by: sortKeys)
    } _: { part in
      for index in part.indices { counts[index] += part[index] }
      return true
    }
    return counts
  }

  /// The keys of the rows of a range, in their order.
  func keys(ofRange number: Int) throws(EngineError) -> [ObjectKey] { try keys(ofRange: number, source) }

  private func keys(ofRange number: Int, _ source: some RowSource) throws(EngineError) -> [ObjectKey] {
    var collector = RowCollector(clauses, of: table)
    try source.forEachPart(startsSmall: false, makingCost: clauses.makingCost) { found throws(EngineError) in
      var rows = try clauses.rows(of: found, in: snapshot)
      rows.keep(rows.between(number - 1, number, of: bounds, by: sortKeys), columns: clauses.allColumns)
      return rows
    } _: { part throws(EngineError) in
      try collector.add(part)
      return true
    }
    guard let keys = collector.keys() else { throw Self.changed }
    try Interruption.check()
    return keys
  }
}
