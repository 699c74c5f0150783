// Indexes that are made anew from all rows of a table, one by one or several at once. Layer: Objects.
// Invariant: rows are only read meanwhile; each thread makes nodes of its own in the memory of the transaction.

import Synchronization

extension IndexKind {
  init(of property: Property) {
    self =
      property.index == .fullText || property.collection != nil
      ? .words : property.type == .mixed ? .mixedValues : .values
  }
}

/// A property whose rows hold the single values that its index files.
private struct IndexedValues: Sendable {
  let property: Property
  let rows: ClusterTree
  let isUnique: Bool

  /// Nil where an index files words, or elements of lists.
  init?(_ property: Property, of table: TableEditor) throws(EngineError) {
    guard property.collection == nil, property.index != .fullText else { return nil }
    self.property = property
    rows = try table.rows.tree()
    isUnique = table.primaryKey == property.columnKey
  }

  /// What `body` makes of all values; they are borrowed from the rows.
  func withItems<Made>(
    in snapshot: Snapshot, _ body: (IndexItems) throws(EngineError) -> Made
  ) throws(EngineError) -> Made {
    let isInteger = !property.isOptional && (property.type == .int || property.type == .bool)
    var items: IndexItems = isInteger ? .integers : property.type == .string ? .texts : .data
    var longTexts: [ByteString] = []
    defer { withExtendedLifetime(longTexts) {} }
    items.reserve(rows.count)
    var cursor = rows.cursor()
    while let cluster = try cursor.next() {
      let key = { (row: Int) in cluster.key(row).value }
      let ref = try cluster.requiredLeafRef(property.columnKey.leafIndex)
      switch try snapshot.leaf(ref, property.layout, rowCount: cluster.count) {
      case .integers(let leaf) where isInteger: items.append(leaf.values, keys: key)
      case .bools(let leaf) where isInteger: items.append(leaf.values, keys: key)
      case .strings(let leaf):
        var texts: [RawBytes?] = []
        for row in 0..<cluster.count {
          let text = try leaf.bytes(row, in: snapshot)
          texts.append(text?.bytes)
          // A text with a node of its own may have been joined in memory of its own.
          if let text, text.count > TextLimits.mediumTextSizeMax { longTexts.append(text) }
        }
        items.append(texts, keys: key)
      case .mixed(let leaf):
        for row in 0..<cluster.count {
          items.append([IndexData(try leaf.storedValue(row, in: snapshot))], key: key(row))
        }
      case let leaf:
        for row in 0..<cluster.count {
          let value = try leaf.value(row, in: snapshot, target: property.target)
          items.append([IndexData(value)], key: key(row))
        }
      }
    }
    return try body(items)
  }
}

extension GroupEditor {
  /// Makes the index of a property from all its rows, in place of the one it had.
  func rebuildIndex(_ table: TableEditor, _ property: Property) throws(EngineError) {
    let editor = editor(table, property)
    // New rooms only until the old index is released, so that borrowed texts stay where they are.
    let rules = IndexRules(
      kind: editor.kind, isUnique: table.primaryKey == property.columnKey, inOrder: editor.inOrder)
    let root: Ref
    if let values = try IndexedValues(property, of: table) {
      root = try values.withItems(in: store.snapshot) { items throws(EngineError) in
        try store.makeIndex(items, rules)
      }
    } else {
      root = try store.makeIndex(try wordItems(table, property), rules)
    }
    try replaceIndex(table, property, by: root)
  }

  private func wordItems(_ table: TableEditor, _ property: Property) throws(EngineError) -> IndexItems {
    var items = IndexItems.data
    var cursor = try table.rows.tree().cursor()
    while let cluster = try cursor.next() {
      for row in 0..<cluster.count {
        let key = cluster.key(row)
        items.append(try indexData(table, property, key), key: key.value)
      }
    }
    return items
  }

  private func replaceIndex(
    _ table: TableEditor, _ property: Property, by root: Ref
  ) throws(EngineError) {
    if let old = table.indexRoot(property.columnKey) { try store.releaseTree(old) }
    table.setIndexRoot(property.columnKey, root)
  }

  /// Fewer objects are filed before another thread has begun.
  private static let togetherCountMin = 20_000
  /// Memory that making one of several indexes may take: they take it at once.
  private static let togetherSizeMax = 1 << 24
  private static let sizeOfItem = 32

  /// Makes indexes of large tables, of those of `properties` for which that can be done on several threads at once. Gives the
  /// properties that are left; what is wrong with one of them shows when it is made alone.
  func rebuildTogether(
    _ table: TableEditor, _ properties: [Property]
  ) throws(EngineError) -> [Property] {
    let count = try table.rows.tree().count
    guard count >= Self.togetherCountMin, count <= Self.togetherSizeMax / Self.sizeOfItem else {
      return properties
    }
    var columns: [IndexedValues] = []
    for property in properties where IndexKind(of: property) == .values {
      if let values = try IndexedValues(property, of: table) { columns.append(values) }
    }
    guard columns.count > 1 else { return properties }
    let snapshot = store.snapshot
    let roots = Mutex<[ColumnKey: Ref]>([:])
    let work = columns
    ParallelWork.forEach(work.count) { number in
      let values = work[number]
      let rules = IndexRules(kind: .values, isUnique: values.isUnique) { _ throws(EngineError) in
        throw EngineError(.other, "values that only begin alike are put in order by the transaction")
      }
      guard let store = NodeStore(besideOthers: snapshot.forOneThread()),
        let root = try? values.withItems(
          in: store.snapshot, { items throws(EngineError) in try store.makeIndex(items, rules) })
      else { return }
      roots.withLock { $0[values.property.columnKey] = root }
    }
    let made = roots.withLock { $0 }
    for property in properties {
      if let root = made[property.columnKey] { try replaceIndex(table, property, by: root) }
    }
    return properties.filter { made[$0.columnKey] == nil }
  }
}
