// The elements of lists, sets and dictionaries as rows. Layer: RealmSQL, Tables.

import RealmEngine

/// Reads the elements of the objects of a batch, all columns at once.
final class ElementRows {
  private let property: Property
  private let owners: Table
  /// Of the owner, the place or key, and the element.
  let buffers = (0..<3).map { _ in CellBuffer() }
  private let names = CellBuffer()
  /// By object that has elements: its key, and the row of its first element.
  private var starts: [(owner: ObjectKey, row: Int)] = []

  init(_ property: Property, _ owners: Table) {
    self.property = property
    self.owners = owners
  }

  /// How many elements the objects of the batch have. More than `rowsMax` may be left unread. `budget`: of all batches.
  func read(
    _ batch: ObjectBatch, _ reader: inout ColumnReader, budget: TraversalBudget, rowsMax: Int = .max
  ) throws(EngineError) -> Int {
    starts.removeAll(keepingCapacity: true)
    for buffer in buffers { buffer.reset(count: 0) }
    try reader.readNames(of: owners, batch, into: names)
    buffers[0].borrow(from: names)
    try batch.forEachBlock { block, rows, place throws(EngineError) in
      guard case .collections(let roots) = try block.leaf(property) else { return }
      for (index, row) in rows.enumerated() where buffers[2].count <= rowsMax {
        guard let root = try roots.root(Int(row)) else { continue }
        let first = buffers[2].count
        try readElements(at: root, &reader, budget)
        let count = buffers[2].count - first
        guard count > 0 else { continue }
        starts.append((block.key(Int(row)), first))
        buffers[0].append(cell: place + index, of: names, count: count)
        guard property.collection != .dictionary else { continue }
        buffers[1].grow(by: count)
        for number in 0..<count { buffers[1].set(first + number, Int64(number)) }
      }
    }
    reader.setSubtype(of: property, buffers[2])
    return buffers[2].count
  }

  private func readElements(
    at root: Ref, _ reader: inout ColumnReader, _ budget: TraversalBudget
  ) throws(EngineError) {
    let snapshot = reader.realm.snapshot
    if property.collection == .dictionary {
      for entry in try snapshot.entries(of: property, at: root, budget: budget) {
        buffers[1].append(SQLValue(key: entry.key))
        try reader.append(entry.value, to: buffers[2])
      }
    } else if property.isLink {
      // Some of what a leaf of links holds is no element.
      try snapshot.forEachElement(of: property, at: root, budget: budget) { value throws(EngineError) in
        try reader.append(value, to: buffers[2])
        return true
      }
    } else {
      try snapshot.forEachElementLeaf(root, property.elementLayout, budget: budget) {
        leaf throws(EngineError) in
        try reader.append(leaf, of: property, to: buffers[2])
        return true
      }
    }
  }

  /// A number that an element has in every plan; places of small numbers never meet.
  func rowNumber(_ row: Int) -> Int64 {
    let (owner, first) = starts[starts.indices.partitionPoint { starts[$0].row <= row } - 1]
    let number = row - first
    if owner.value >= 0, owner.value < 1 << 31, number < 1 << 32 { return owner.value << 32 | Int64(number) }
    var hasher = Hasher()
    hasher.combine(owner)
    hasher.combine(number)
    return Int64(hasher.finalize())
  }
}
