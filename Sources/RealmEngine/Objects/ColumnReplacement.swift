// Leaves of a column made anew, block by block, before the first of them takes its place. Layer: Objects.
// Invariants: until `replaceLeaves` the objects are as they were, and the new leaves nobody's; a new leaf borrows nothing from an
// old one, so old ones go as soon as theirs have come.

/// New leaves for a property of one kind of value that is no link, in the order of the blocks.
struct ColumnReplacement {
  let property: Property
  private let group: GroupEditor
  private let schema: ClassSchema
  private var leaves: [(old: Ref, new: Ref)] = []

  /// `key`: of a property that the class has.
  init(_ key: ColumnKey, of table: TableEditor, in group: GroupEditor) throws(EngineError) {
    schema = table.schema
    guard let property = schema.properties.first(where: { $0.columnKey == key }) else {
      throw EngineError(.unknownProperty, "\(schema.name) has no such property")
    }
    self.property = property
    self.group = group
  }

  /// Whether leaves make a table of texts grow that the class keeps.
  var growsTexts: Bool { property.layout.openTexts != nil }

  /// Makes the leaf of the next block: one of `values` for each of `rows`, in the others what they have.
  mutating func append(_ values: [Value], at rows: [Int], of block: RowBlock) throws(EngineError) {
    for value in values where !value.fits(property) {
      try group.check(.single(value), for: property, in: schema)
    }
    let store = group.store
    let old = try oldLeaf(of: block)
    guard rows.count < block.count else {
      leaves.append((old, try store.makeLeaf(property.layout, values)))
      return
    }
    let leaf = try store.snapshot.leaf(old, property.layout, rowCount: block.count)
    var all = try leaf.values(in: store.snapshot)
    for (row, value) in zip(rows, values) { all[row] = value }
    leaves.append((old, try store.makeLeaf(property.layout, all)))
  }

  /// Appends lists or sets: those of `values` in the range that belongs to a position in `rows`.
  mutating func append(
    _ values: [Value], at rows: [Int], of block: RowBlock, _ range: (Int) -> Range<Int>
  ) throws(EngineError) {
    for value in values where !value.fits(property) {
      try group.check(.list([.single(value)]), for: property, in: schema)
    }
    let store = group.store
    let old = try oldLeaf(of: block)
    var slots = try store.snapshot.refsNode(old).integers.array()
    for (position, row) in rows.enumerated() {
      let root = try group.writeElements(values[range(position)], property)
      slots[row] = Int64(root?.offset ?? 0)
    }
    leaves.append((old, try store.makeSlots(slots)))
  }

  /// Takes a leaf of values that are allowed there, which was made for the next block.
  mutating func append(_ leaf: Ref, of block: RowBlock) throws(EngineError) {
    leaves.append((try oldLeaf(of: block), leaf))
  }

  private func oldLeaf(of block: RowBlock) throws(EngineError) -> Ref {
    guard let ref = try block.leafRef(property) else {
      throw EngineError(damage: "objects of \(schema.name) have no \(property.name)")
    }
    return ref
  }

  /// Puts a leaf in the place of the old one, and gives up the old one with what the new values stand for.
  fileprivate func put(
    _ number: Int, in cluster: inout ClusterEdit, _ rows: [Int]
  ) throws(EngineError) {
    let store = group.store
    let leafIndex = property.columnKey.leafIndex
    let old = try cluster.leaf(leafIndex)
    guard number < leaves.count, leaves[number].old == old else {
      throw EngineError.damaged(
        at: cluster.ref.offset, expected: "each object in one place", found: "another order of objects")
    }
    try cluster.setLeaf(leafIndex, leaves[number].new)
    guard property.collection != nil, rows.count < cluster.count else { return try store.releaseTree(old) }
    let roots = try store.snapshot.refsNode(old)
    for row in rows { if let root = try roots.ref(row) { try store.releaseTree(root) } }
    try store.release(old)
  }
}

extension GroupEditor {
  /// Gives objects what was made for them; `keys` nil: all objects. Indexes are made anew.
  func replaceLeaves(
    _ table: TableEditor, _ columns: [ColumnReplacement], _ keys: ObjectKeyList?
  ) throws(EngineError) {
    var next = 0
    func put(_ cluster: inout ClusterEdit, _ rows: [Int]) throws(EngineError) {
      if rows.isEmpty { return }
      for column in columns { try column.put(next, in: &cluster, rows) }
      next += 1
    }
    if let keys {
      try table.rows.edit(keys.numbers) { cluster, rows throws(EngineError) in try put(&cluster, rows) }
    } else {
      try table.rows.editAll { cluster throws(EngineError) in try put(&cluster, Array(0..<cluster.count)) }
    }
    guard next > 0 else { return }
    table.noteChange()
    let indexed = columns.map(\.property).filter { $0.index != .none }
    for property in try rebuildTogether(table, indexed) { try rebuildIndex(table, property) }
  }
}

extension Value {
  /// Whether a value breaks no rule of the property, if only its type is the property's; that shows when the leaf is written.
  fileprivate func fits(_ property: Property) -> Bool { self == .null ? property.isOptional : fitsEverywhere }
}
