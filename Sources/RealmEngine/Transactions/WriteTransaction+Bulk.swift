// Changes of many objects at once: loading into empty classes, and rewriting a property of all objects. Layer: Transactions.

extension WriteTransaction {
  /// Begins to fill empty classes. `finish` of the load makes the objects part of the transaction; until then nothing else
  /// may be changed, and an error means that the transaction is lost.
  package func beginLoad(allowsAnyDictionaryKey: Bool = false) throws(EngineError) -> BulkLoad {
    try checkSound()
    group.allowsAnyDictionaryKey = allowsAnyDictionaryKey
    return BulkLoad(group)
  }

  /// Rewrites a property of all objects, block by block: `body` gets a block of rows and the property's values in it, and
  /// says whether it changed any. Only for single values that are no links. Cost: a leaf a block, and the index anew.
  package func rewrite(
    _ key: TableKey, _ name: String,
    _ body: (RowBlock, inout [Value]) throws(EngineError) -> Bool
  ) throws(EngineError) {
    let table = try group.table(key)
    let schema = table.schema
    guard let property = schema.property(named: name) else {
      throw EngineError(.unknownProperty, "\(schema.name) has no property \(name)")
    }
    guard property.collection == nil, property.type != .object, property.type != .mixed,
      property.columnKey != schema.primaryKey?.columnKey
    else {
      throw EngineError(.constraint, "\(schema.name).\(name) cannot be rewritten as a whole")
    }
    try change { () throws(EngineError) in try group.rewrite(table, property, body) }
  }
}

extension Value {
  private static let shortSizeMax = 1 << 16

  /// Whether a value breaks no limit, if only its type is the property's; that shows when the leaf is written.
  fileprivate var fitsEverywhere: Bool {
    switch self {
    case .int, .bool, .float, .double, .decimal, .objectID, .uuid: true
    case .string(let text), .data(let text): text.count <= Self.shortSizeMax
    default: false
    }
  }
}

extension GroupEditor {
  fileprivate func rewrite(
    _ table: TableEditor, _ property: Property,
    _ body: (RowBlock, inout [Value]) throws(EngineError) -> Bool
  ) throws(EngineError) {
    let index = property.columnKey.leafIndex
    var isChanged = false
    try table.rows.editAll { cluster throws(EngineError) in
      let old = try cluster.leaf(index)
      let leaf = try store.snapshot.leaf(old, property.layout, rowCount: cluster.count)
      var values = try leaf.values(in: store.snapshot)
      guard try body(RowBlock(try cluster.cluster(), in: store.snapshot), &values) else { return }
      precondition(values.count == cluster.count, "a block keeps its rows")
      for value in values where !value.fitsEverywhere {
        try check(.single(value), for: property, in: table.schema)
      }
      let new = try store.makeLeaf(property.layout, values)
      // Long texts that stay are copied too, so the old leaf goes with all it has.
      try store.releaseTree(old)
      try cluster.setLeaf(index, new)
      isChanged = true
    }
    guard isChanged else { return }
    table.noteChange()
    if property.index != .none { try rebuildIndex(table, property) }
  }
}
