// The elements of lists, sets and dictionaries as rows. Layer: RealmSQL, Tables.

import RealmEngine

/// Reads the elements of the objects of a batch, those columns at once that are wanted.
final class ElementRows {
  private let property: Property
  private let owners: Table
  private let names = CellBuffer()
  private(set) var count = 0
  /// By object that has elements: its key, and the row of its first element.
  private var starts: [(owner: ObjectKey, row: Int)] = []

  init(_ property: Property, _ owners: Table) {
    self.property = property
    self.owners = owners
  }

  /// Reads columns of the elements: the owner (0), the place or key (1), and the element (2). At least all columns are needed that
  /// the number of rows is told by, which is `count` then. More than `rowsMax` may be left unread. `budget`: of all batches.
  func read(
    _ columns: [Int: CellBuffer], of batch: ObjectBatch, _ reader: inout ColumnReader,
    budget: TraversalBudget, rowsMax: Int = .max
  ) throws(EngineError) {
    var (starts, count) = (starts, 0)
    self.starts = []
    starts.removeAll(keepingCapacity: true)
    defer { (self.starts, self.count) = (starts, count) }
    for buffer in columns.values { buffer.reset(count: 0) }
    let (owner, place, element) = (columns[0], columns[1], columns[2])
    if let owner {
      try reader.readNames(of: owners, batch, into: names)
      owner.borrow(from: names)
    }
    try batch.forEachBlock { block, rows, first throws(EngineError) in
      guard case .collections(let roots) = try block.leaf(property) else { return }
      for (index, row) in rows.enumerated() where count <= rowsMax {
        guard let root = try roots.root(Int(row)) else { continue }
        let start = count
        count += try readElements(at: root, place, element, &reader, budget)
        guard count > start else { continue }
        starts.append((block.key(Int(row)), start))
        owner?.append(cell: first + index, of: names, count: count - start)
        guard let place, property.collection != .dictionary else { continue }
        place.grow(by: count - start)
        for number in start..<count { place.set(number, Int64(number - start)) }
      }
    }
    element?.setSubtype(of: property)
  }

  /// How many there are.
  private func readElements(
    at root: Ref, _ keys: CellBuffer?, _ elements: CellBuffer?, _ reader: inout ColumnReader,
    _ budget: TraversalBudget
  ) throws(EngineError) -> Int {
    let snapshot = reader.realm.snapshot
    var count = 0
    if property.collection == .dictionary {
      let entries = try snapshot.entries(of: property, at: root, budget: budget)
      for entry in entries {
        keys?.append(SQLValue(entry.key) ?? .null)
        if let elements { try reader.append(entry.value, to: elements) }
      }
      return entries.count
    }
    if property.isLink {
      // Some of what a leaf of links holds is no element.
      try snapshot.forEachElement(of: property, at: root, budget: budget) { value throws(EngineError) in
        count += 1
        if let elements { try reader.append(value, to: elements) }
        return true
      }
    } else if let texts = try shortTexts(at: root, in: snapshot, budget) {
      count = texts.count
      try elements?.append(texts)
    } else {
      try snapshot.forEachElementLeaf(root, property.elementLayout, budget: budget) {
        leaf throws(EngineError) in
        count += leaf.count
        if let elements { try reader.append(leaf, of: property, to: elements) }
        return true
      }
    }
    return count
  }

  /// The only leaf of a list of short texts, as most lists of texts are, more cheaply than leaves of all kinds are opened.
  private func shortTexts(
    at root: Ref, in snapshot: Snapshot, _ budget: TraversalBudget
  ) throws(EngineError) -> ShortStringLeaf? {
    guard property.type == .string else { return nil }
    let (node, layout) = (try snapshot.node(root), property.elementLayout)
    guard layout.subtableForm == nil, layout.texts == nil, !node.isInner, !node.hasRefs,
      node.header.kind == .bytes, node.count <= Elements.perLeafMax
    else { return nil }
    try budget.charge(node)
    return try ShortStringLeaf(node, isNullable: layout.isNullable)
  }

  /// A number that an element has in every plan; places of small numbers never meet.
  func rowNumber(_ row: Int) -> Int64 {
    let (owner, first) = starts[starts.indices.partitionPoint { starts[$0].row <= row } - 1]
    let number = row - first
    if owner.value >= 0, owner.value < 1 << 31, number < 1 << 32 { return owner.value << 32 | Int64(number) }
    var hash = RowHash()
    hash.add(owner.value)
    hash.add(Int64(number))
    return Int64(hash.finished.x >> 1)
  }
}
