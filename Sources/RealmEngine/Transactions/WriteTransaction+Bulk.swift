// Changes of many objects at once: loading into empty classes, and rewriting a property of all objects. Layer: Transactions.

extension WriteTransaction {
  /// Begins to fill classes. `finish` of the load makes the objects part of the transaction; until then nothing else
  /// may be changed, and an error means that the transaction is lost.
  package func beginLoad(allowsAnyDictionaryKey: Bool = false) throws(EngineError) -> BulkLoad {
    try checkSound()
    group.allowsAnyDictionaryKey = allowsAnyDictionaryKey
    return BulkLoad(group)
  }

  /// Throws `.constraint` when `value` cannot stand in the property; whether what it links to exists is not asked.
  package func checkForBulk(
    _ value: NewValue, _ property: Property, in schema: ClassSchema
  ) throws(EngineError) { try group.checkForBulk(value, for: property, in: schema) }

  /// Sets a property that links to one object each, or to none. Quick for objects in which it is null.
  package func setLinks(
    _ key: TableKey, _ property: Property, _ links: [(owner: ObjectKey, target: ObjectKey?)]
  ) throws(EngineError) {
    guard let target = property.target, !links.isEmpty else { return }
    let table = try group.table(key)
    let order = links.sorted { $0.owner < $1.owner }
    try change { () throws(EngineError) in
      let load = BulkLoad(group)
      var next = 0
      let leafIndex = property.columnKey.leafIndex
      var taken: [(owner: ObjectKey, value: NewValue)] = []
      try table.rows.edit(order.map(\.owner)) { cluster, rows throws(EngineError) in
        var leaf = try cluster.leaf(leafIndex)
        guard
          case .links(let old) = try group.store.snapshot.leaf(
            leaf, property.layout, rowCount: cluster.count)
        else { preconditionFailure("a property with a target holds links") }
        let isFree = rows.map { old[$0] == nil }
        for (row, isFree) in zip(rows, isFree) {
          let (owner, key) = order[next]
          next += 1
          let link = key.map { ObjectLink(table: target, key: $0) }
          guard isFree else {
            taken.append((owner, .single(link.map(Value.link) ?? .null)))
            continue
          }
          guard let link else { continue }
          leaf = try group.store.setElement(leaf, property.layout, row, .link(link))
          load.noteLink(from: owner, table, property, to: link)
        }
        try cluster.setLeaf(leafIndex, leaf)
      }
      precondition(next == order.count, "objects that get links exist")
      table.noteChange()
      try load.finish()
      for (owner, value) in taken { try group.set(table, property, owner, value) }
    }
  }

  /// Sets properties of objects, which are in order, that hold collections without links and have no index.
  func setCollections(
    _ key: TableKey, _ owners: [ObjectKey], _ columns: [(property: Property, values: [NewValue])]
  ) throws(EngineError) {
    guard !columns.isEmpty, !owners.isEmpty else { return }
    let table = try group.table(key)
    for (property, values) in columns {
      for value in values { try group.check(value, for: property, in: table.schema) }
    }
    try change { () throws(EngineError) in
      // What was there may stand in what is written, so it goes when all is there.
      var olds: [Ref] = []
      for (property, values) in columns {
        let leafIndex = property.columnKey.leafIndex
        var next = 0
        try table.rows.edit(owners) { cluster, rows throws(EngineError) in
          let leaf = try cluster.leaf(leafIndex)
          var slots = try group.store.snapshot.refsNode(leaf).integers.array()
          for row in rows {
            if let old = try group.store.snapshot.refsNode(leaf).ref(row) { olds.append(old) }
            let root = try group.writeCollection(group.stored(values[next]), property)
            slots[row] = Int64(root?.offset ?? 0)
            next += 1
          }
          let new = try group.store.makeSlots(slots)
          try cluster.setLeaf(leafIndex, new)
          try group.store.release(leaf)
        }
        precondition(next == owners.count, "objects that get collections exist")
      }
      for old in olds { try group.store.releaseTree(old) }
      table.noteChange()
    }
  }

  /// Rewrites properties of some objects, or of all of a class, block by block: `body` gets a block of rows, which of them are
  /// meant, and each property's values in it, to be changed. Only for single values that are no links. Cost: a leaf a block and
  /// property, and the indexes anew.
  package func rewrite(
    _ key: TableKey, _ names: [String], keys: ObjectKeyList? = nil,
    _ body: (RowBlock, [Int], inout [[Value]]) throws(EngineError) -> Void
  ) throws(EngineError) {
    let table = try group.table(key)
    let schema = table.schema
    var properties: [Property] = []
    for name in names {
      guard let property = schema.property(named: name) else {
        throw EngineError(.unknownProperty, "\(schema.name) has no property \(name)")
      }
      guard property.collection == nil, property.type != .object, property.type != .mixed,
        property.columnKey != schema.primaryKey?.columnKey
      else {
        throw EngineError(.constraint, "\(schema.name).\(name) cannot be rewritten as a whole")
      }
      properties.append(property)
    }
    try change { () throws(EngineError) in try group.rewrite(table, properties, keys, body) }
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
    _ table: TableEditor, _ properties: [Property], _ keys: ObjectKeyList?,
    _ body: (RowBlock, [Int], inout [[Value]]) throws(EngineError) -> Void
  ) throws(EngineError) {
    var isChanged = false
    func rewrite(_ cluster: inout ClusterEdit, _ rows: [Int]) throws(EngineError) {
      var olds: [Ref] = []
      var values: [[Value]] = []
      for property in properties {
        let ref = try cluster.leaf(property.columnKey.leafIndex)
        let leaf = try store.snapshot.leaf(ref, property.layout, rowCount: cluster.count)
        olds.append(ref)
        values.append(try leaf.values(in: store.snapshot))
      }
      try body(RowBlock(try cluster.cluster(), in: store.snapshot), rows, &values)
      var news: [Ref] = []
      for (property, values) in zip(properties, values) {
        precondition(values.count == cluster.count, "a block keeps its rows")
        for row in rows where !values[row].fitsEverywhere {
          try check(.single(values[row]), for: property, in: table.schema)
        }
        news.append(try store.makeLeaf(property.layout, values))
      }
      // Values of one leaf may stand in another, so the old ones go when all new ones are there; texts that stay were copied.
      for old in olds { try store.releaseTree(old) }
      for (property, new) in zip(properties, news) {
        try cluster.setLeaf(property.columnKey.leafIndex, new)
      }
      isChanged = true
    }
    if let keys {
      try table.rows.edit(keys.keys) { cluster, rows throws(EngineError) in try rewrite(&cluster, rows) }
    } else {
      try table.rows.editAll { cluster throws(EngineError) in
        try rewrite(&cluster, Array(0..<cluster.count))
      }
    }
    guard isChanged else { return }
    table.noteChange()
    for property in properties where property.index != .none { try rebuildIndex(table, property) }
  }
}
