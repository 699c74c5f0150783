// Rows in an order that is not the one they are stored in, gathered so that each block is read once. Layer: Query.

/// Some rows in an order of their own.
package struct OrderedRows: Sendable {
  /// Where the rows are, block by block in key order.
  package let hits: [BlockHits]
  /// The rows in their order: each by its number among the rows of `hits`.
  package let order: [Int]

  /// Rows that are gathered at a time.
  private static let gatheredMax = 1 << 15

  /// Calls `body` with the objects with `keys`, in that order, many at a time.
  package static func forEach(
    _ keys: [ObjectKey], in table: Table, _ body: (OrderedRows) throws(EngineError) -> Void
  ) throws(EngineError) {
    var rest = keys[...]
    while !rest.isEmpty {
      try Interruption.check()
      try body(try OrderedRows(rest.prefix(gatheredMax), in: table))
      rest = rest.dropFirst(gatheredMax)
    }
  }

  /// The objects with `keys`, in that order, all of which exist in `table`. Cost: a look-up for each block.
  package init(_ keys: ArraySlice<ObjectKey>, in table: Table) throws(EngineError) {
    let ascending = keys.indices.sorted { keys[$0] < keys[$1] }
    var hits: [BlockHits] = []
    var order = [Int](repeating: 0, count: keys.count)
    var block: RowBlock?
    var rows: [Int32] = []
    for (number, index) in ascending.enumerated() {
      order[index - keys.startIndex] = number
      if let row = block?.row(of: keys[index]) {
        rows.append(Int32(row))
        continue
      }
      guard let position = try table.find(keys[index]) else {
        throw EngineError(.damaged, "the file is damaged: object \(keys[index].value) is not where it was")
      }
      if let block { hits.append(BlockHits(block: block, rows: rows)) }
      block = position.block
      rows = [Int32(position.row)]
    }
    if let block { hits.append(BlockHits(block: block, rows: rows)) }
    self.hits = hits
    self.order = order
  }

  /// Calls `body` with one row after the other, in their order.
  package func forEachRow(_ body: (BlockHits) throws(EngineError) -> Void) throws(EngineError) {
    let places = hits.flatMap { hits in hits.rows.map { (hits.block, $0) } }
    for number in order { try body(BlockHits(block: places[number].0, rows: [places[number].1])) }
  }
}
