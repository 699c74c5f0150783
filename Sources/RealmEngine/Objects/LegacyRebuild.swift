// Makes tables of the current format from those of formats 2 to 9, whose nodes mean something else throughout.
// Layer: Objects. Rows keep their numbers as object keys.
// Invariant: when it is done, links and incoming links agree and indexes hold what rows hold.

extension GroupEditor {
  /// The table in which the old engines kept the names of primary keys; the classes know them now.
  private static let primaryKeysTable = "pk"

  /// Adds copies of `tables`, which belong to another snapshot.
  func rebuild(_ tables: [Table]) throws(EngineError) {
    let originals = tables.filter { $0.schema.tableName != Self.primaryKeysTable }
    var copies: [TableKey: TableEditor] = [:]
    for original in originals {
      copies[original.schema.tableKey] = try addTable(original.schema.tableName, flags: 0)
    }
    for original in originals {
      guard let copy = copies[original.schema.tableKey] else { continue }
      for property in original.schema.properties {
        let definition = PropertyDefinition(
          property.name, property.type, collection: property.collection, isOptional: property.isOptional)
        var attributes = definition.attributes
        // Mixed values of tables that no SDK made need not be optional, and what they are stays.
        if property.type == .mixed, !property.isOptional { attributes.remove(.nullable) }
        try addColumn(
          copy, definition, attributes: attributes, target: property.target.flatMap { copies[$0] })
        if let texts = property.texts, texts.count <= EnumeratedTexts.countMax,
          let column = copy.columns.last?.key
        {
          try copy.enumerate(column, try EnumeratedTexts(copying: texts, in: original.snapshot))
        }
      }
    }
    let targets = copies.mapValues(\.tableKey)
    for original in originals {
      guard let copy = copies[original.schema.tableKey] else { continue }
      try copyRows(of: original, to: copy, targets)
    }
    for original in originals {
      guard let copy = copies[original.schema.tableKey] else { continue }
      try recordLinks(of: copy)
      try makeIndexes(of: original, in: copy)
    }
  }

  private func copyRows(
    of original: Table, to copy: TableEditor, _ targets: [TableKey: TableKey]
  ) throws(EngineError) {
    let pairs = Array(zip(original.schema.properties, copy.schema.properties))
    var cursor = original.blocks()
    while let block = try cursor.next() {
      var leaves: [Leaf] = []
      for (property, _) in pairs { leaves.append(try block.leaf(property)) }
      for row in 0..<block.count {
        var values: [Int: Value] = [:]
        for (index, (old, new)) in pairs.enumerated() where old.collection == nil {
          let value = try leaves[index].value(row, in: original.snapshot, target: old.target)
          values[new.columnKey.leafIndex] = Self.moved(value, targets)
        }
        try copy.rows.insert(block.key(row)) { column in
          values[column.leafIndex] ?? column.layout.defaultValue
        }
        for (index, (old, new)) in pairs.enumerated() {
          guard case .collections(let roots) = leaves[index], let root = try roots.root(row) else { continue }
          var elements: [StoredValue] = []
          try original.snapshot.forEachElement(of: old, at: root) { value in
            elements.append(.single(Self.moved(value, targets)))
            return true
          }
          let list = try writeCollection(.list(elements), new)
          try setCollectionRoot(copy, new, block.key(row), list)
        }
      }
    }
    copy.sequence = Int64(original.count)
    copy.noteChange()
  }

  /// A value with links to the copies of the tables it named.
  private static func moved(_ value: Value, _ targets: [TableKey: TableKey]) -> Value {
    guard case .link(let link) = value else { return value }
    guard let table = targets[link.table] else { return .null }
    return .link(ObjectLink(table: table, key: link.key))
  }

  /// Records all links of a table at their targets, which have their rows by now.
  private func recordLinks(of table: TableEditor) throws(EngineError) {
    for property in table.schema.properties where Self.mayLink(property) {
      var links: [(from: ObjectKey, to: ObjectLink)] = []
      try table.rows.editAll { cluster throws(EngineError) in
        let keys = try cluster.cluster()
        try forEachLink(property, cluster, 0..<cluster.count) { row, link in
          links.append((keys.key(row), link))
        }
      }
      for link in links { try addBacklink(to: link.to, from: link.from, table, property.columnKey) }
    }
  }

  private func makeIndexes(of original: Table, in copy: TableEditor) throws(EngineError) {
    for (old, new) in zip(original.schema.properties, copy.schema.properties) where old.index != .none {
      try setIndex(copy, new.columnKey, old.index)
    }
    if let key = original.schema.primaryKey { try setPrimaryKey(copy, key.name) }
  }
}
