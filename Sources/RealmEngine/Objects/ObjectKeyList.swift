// Some objects of a class, looked up block by block, so that few of many cost little. Layer: Objects.
// Invariant: the keys rise as rows do, as unsigned numbers.

/// The keys of objects that something is done with.
package struct ObjectKeyList: Sendable {
  let keys: [ObjectKey]

  /// `keys` in any order, each once.
  package init(_ keys: [ObjectKey]) {
    let isRising = zip(keys, keys.dropFirst()).allSatisfy { Self.order($0) < Self.order($1) }
    self.keys = isRising ? keys : ObjectKey.rising(keys)
  }

  package var count: Int { keys.count }

  private static func order(_ key: ObjectKey) -> UInt64 { UInt64(bitPattern: key.value) }

  /// The rows of a block that hold objects of the list, from a position in it on, which moves to the first key behind the block.
  private func rows(of block: RowBlock, from position: inout Int) -> [Int] {
    let last = Self.order(block.key(block.count - 1))
    var rows: [Int] = []
    while position < keys.count, Self.order(keys[position]) <= last {
      if let row = block.row(of: keys[position]) { rows.append(row) }
      position += 1
    }
    return rows
  }

  /// Visits the blocks that hold objects of the list, in key order, and no others. Keys without an object are passed over.
  package func forEachBlock(
    of table: Table, _ body: (RowBlock, [Int]) throws(EngineError) -> Void
  ) throws(EngineError) {
    var position = 0
    while position < keys.count {
      guard let place = try table.find(keys[position]) else {
        position += 1
        continue
      }
      let next = position
      let rows = rows(of: place.block, from: &position)
      guard position > next else {
        throw EngineError(.damaged, "the class \(table.schema.name) holds keys out of order")
      }
      try body(place.block, rows)
    }
  }
}
