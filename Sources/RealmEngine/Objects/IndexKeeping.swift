// Search indexes of a table, kept in step with its objects. Layer: Objects.
// Invariant: an object is taken out of an index while its old value still stands in its row, and put in when the new one
// does.

extension GroupEditor {
  func editor(_ table: TableEditor, _ property: Property) -> SearchIndexEditor {
    SearchIndexEditor(
      store: store, rules: indexRules(table, property),
      dataOf: { key throws(EngineError) in IndexData(try self.value(table, property, key)) })
  }

  func indexRules(_ table: TableEditor, _ property: Property) -> IndexRules {
    IndexRules(
      kind: IndexKind(of: property), isUnique: table.primaryKey == property.columnKey,
      sharedCountMin: indexCountShared,
      inOrder: { keys throws(EngineError) in try self.inOrder(keys, table, property) })
  }

  /// Keys in the order of their objects' values, then their own.
  func inOrder(
    _ keys: [ObjectKey], _ table: TableEditor, _ property: Property
  ) throws(EngineError) -> [ObjectKey] {
    var items: [(key: ObjectKey, value: Value)] = []
    for key in keys { items.append((key, try value(table, property, key).owned())) }
    return items.sorted {
      let order = $0.value.storedOrder($1.value)
      return order != 0 ? order < 0 : $0.key < $1.key
    }.map(\.key)
  }

  /// A single value as it stands in the object's row.
  func value(_ table: TableEditor, _ property: Property, _ key: ObjectKey) throws(EngineError) -> Value {
    guard let (cluster, row) = try table.rows.locate(key) else {
      throw EngineError(.notFound, "no object with key \(key.value)")
    }
    let leaf = try store.snapshot.leaf(
      try cluster.leaf(property.columnKey.leafIndex), property.layout, rowCount: cluster.count)
    if case .mixed(let mixed) = leaf { return try mixed.storedValue(row, in: store.snapshot) }
    return try leaf.value(row, in: store.snapshot, target: property.target)
  }

  /// What an object is filed under: one value, the words of a text, or the elements of a list.
  func indexData(
    _ table: TableEditor, _ property: Property, _ key: ObjectKey
  ) throws(EngineError) -> [IndexData] {
    if property.collection != nil {
      guard let root = try collectionRoot(table, property, key),
        case .list(let elements) = try stored(root, property)
      else { return [] }
      var data: [IndexData] = []
      for case .single(let value) in elements {
        let item = IndexData(value)
        if !data.contains(where: { $0.isSame(as: item) }) { data.append(item) }
      }
      return data
    }
    let value = try value(table, property, key)
    guard property.index == .fullText else { return [IndexData(value)] }
    guard case .string(let text) = value else { return [] }
    return FullTextWords.words(in: text.bytes).map { IndexData(word: ByteString(copying: $0)) }
  }

  /// Takes an object out of one index.
  func unindex(_ table: TableEditor, _ property: Property, _ key: ObjectKey) throws(EngineError) {
    guard var root = table.indexRoot(property.columnKey) else { return }
    let editor = editor(table, property)
    for data in try indexData(table, property, key) { root = try editor.erase(key, data, from: root) }
    table.setIndexRoot(property.columnKey, root)
  }

  /// Files an object in one index under what its row says.
  func index(_ table: TableEditor, _ property: Property, _ key: ObjectKey) throws(EngineError) {
    guard var root = table.indexRoot(property.columnKey) else { return }
    let editor = editor(table, property)
    for data in try indexData(table, property, key) { root = try editor.insert(key, data, into: root) }
    table.setIndexRoot(property.columnKey, root)
  }

  private static let rebuiltCountMin = 1000

  /// Whether an index is made anew when so many objects change of those that are there.
  static func isRebuilt(changing changedCount: Int, of count: Int) -> Bool {
    changedCount > rebuiltCountMin && changedCount > count / 8
  }

  /// Runs a change of some objects together with the indexes of those of `properties` that have one. Where the objects are many
  /// of their class, the indexes are made anew afterwards instead of being kept in step.
  func reindexing(
    _ properties: [Property], of objects: ObjectKeyList, in table: TableEditor, areErased: Bool,
    _ body: () throws(EngineError) -> Void
  ) throws(EngineError) {
    let indexed = properties.filter { table.indexRoot($0.columnKey) != nil }
    guard !indexed.isEmpty else { return try body() }
    let isRebuilt = Self.isRebuilt(changing: objects.count, of: try table.rows.tree().count)
    var kept: [ObjectKey] = []
    if !isRebuilt {
      for key in objects.numbers.lazy.map({ ObjectKey($0) }) where try table.rows.locate(key) != nil {
        kept.append(key)
      }
      for property in indexed { for key in kept { try unindex(table, property, key) } }
    }
    try body()
    for property in indexed {
      if isRebuilt {
        try rebuildIndex(table, property)
      } else if !areErased {
        for key in kept { try index(table, property, key) }
      }
    }
  }

  /// The object whose primary key is `value`.
  func find(_ table: TableEditor, primaryKey value: Value) throws(EngineError) -> ObjectKey? {
    guard let property = table.schema.primaryKey else { return nil }
    if let root = table.indexRoot(property.columnKey) {
      return try SearchIndex(root, in: store.snapshot).firstKey(of: value) { key throws(EngineError) in
        try self.value(table, property, key)
      }
    }
    // Files of older formats have no index on their primary keys.
    var cursor = try table.rows.tree().cursor()
    while let cluster = try cursor.next() {
      guard let ref = try cluster.leafRef(property.columnKey.leafIndex) else { continue }
      let leaf = try store.snapshot.leaf(ref, property.layout, rowCount: cluster.count)
      for row in 0..<cluster.count where try leaf.value(row, in: store.snapshot) == value {
        return cluster.key(row)
      }
    }
    return nil
  }
}
