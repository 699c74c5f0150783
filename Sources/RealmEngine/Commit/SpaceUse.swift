// Where the bytes of a file are: in use, free, held back; and what each class and property takes.
// Layer: Commit.

/// The bytes of a file that a snapshot accounts for.
package struct SpaceUse: Sendable, Equatable {
  /// Bytes of data: what is in use and what is free.
  package let total: Int
  /// Bytes that the next commit may use again.
  package let free: Int
  /// Bytes that were freed, but that an older version still needed at the last commit.
  package let pinned: Int

  package var used: Int { total - free - pinned }

  /// What is unused is no more than files get that are made anew: up to a page at the end, and room that lists of free space took.
  package var isDense: Bool { free + pinned <= 2 * PageGeometry.pageSize }
}

/// What one class takes.
package struct ClassSize: Sendable {
  package struct PropertySize: Sendable {
    package let values: Int
    package let index: Int
  }

  /// With everything that belongs to the class.
  package let total: Int
  /// In the order of the schema's properties; empty in formats 2–9, where columns are not kept apart.
  package let properties: [PropertySize]
  /// The record of links that lead here.
  package let backlinks: Int
}

extension ReadTransaction {
  /// Sums up the free lists; nil where the file keeps none. Cost: proportional to the number of free blocks.
  package func spaceUse() throws(EngineError) -> SpaceUse? {
    guard let top else { return nil }
    guard let lengthsRef = top.freeLengths else {
      return SpaceUse(total: top.logicalSize, free: 0, pinned: 0)
    }
    let lengths = try snapshot.integersNode(lengthsRef).integers
    let versions = try top.freeVersions.map { ref throws(EngineError) in
      try snapshot.integersNode(ref).integers
    }
    var free = 0
    var pinned = 0
    for index in 0..<lengths.count {
      let length = lengths[index]
      guard length >= 0, length <= Int64(top.logicalSize - free - pinned) else {
        throw EngineError.damaged(
          at: lengthsRef.offset, expected: "free blocks within \(top.logicalSize) bytes", found: "\(length)")
      }
      if let versions, index < versions.count, versions[index] != 0 {
        pinned += Int(length)
      } else {
        free += Int(length)
      }
    }
    return SpaceUse(total: top.logicalSize, free: free, pinned: pinned)
  }

  /// Measures one class. Cost: meets every node of the class. Nil in a file without a snapshot.
  package func size(of table: Table, budget: TraversalBudget) throws(EngineError) -> ClassSize? {
    guard let top else { return nil }
    let tables = try snapshot.refsNode(top.tables)
    let total = try snapshot.treeSize(try tables.requiredRef(table.schema.tableKey.slot), budget: budget)
    // The parts are met a second time, which is no sign of damage.
    let parts = TraversalBudget(snapshot)
    var values = [Int](repeating: 0, count: table.schema.properties.count)
    var backlinks = 0
    var cursor = table.blocks()
    while let block = try cursor.next() {
      for (index, property) in table.schema.properties.enumerated() {
        guard let size = try block.leafSize(property.columnKey, budget: parts) else {
          return ClassSize(total: total, properties: [], backlinks: 0)
        }
        values[index] += size
      }
      for column in table.schema.backlinks {
        backlinks += try block.leafSize(column.columnKey, budget: parts) ?? 0
      }
    }
    var properties: [ClassSize.PropertySize] = []
    for (index, property) in table.schema.properties.enumerated() {
      let indexSize = try property.indexRef.map { ref throws(EngineError) in
        try snapshot.treeSize(ref, budget: parts)
      }
      properties.append(ClassSize.PropertySize(values: values[index], index: indexSize ?? 0))
    }
    return ClassSize(total: total, properties: properties, backlinks: backlinks)
  }
}
