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

/// A property whose rows hold the single values that its index files; texts are borrowed from the rows.
private struct IndexedValues: IndexSource, Sendable {
  let property: Property
  let rows: ClusterTree
  let isUnique: Bool
  private(set) var snapshot: Snapshot

  /// Nil where an index files words, or elements of lists.
  init?(_ property: Property, of table: TableEditor, in snapshot: Snapshot) throws(EngineError) {
    guard property.collection == nil, property.index != .fullText else { return nil }
    self.property = property
    rows = try table.rows.tree()
    isUnique = table.primaryKey == property.columnKey
    self.snapshot = snapshot
  }

  /// A copy for another thread.
  func read(in snapshot: Snapshot) -> IndexedValues {
    var values = self
    values.snapshot = snapshot
    return values
  }

  var objectCount: Int { rows.count }
  private var isInteger: Bool {
    !property.isOptional && (property.type == .int || property.type == .bool)
  }
  var noItems: IndexItems { isInteger ? .integers : property.type == .string ? .texts : .data }

  func send(to sink: inout some IndexSink) throws(EngineError) {
    var cursor = rows.cursor()
    while let cluster = try cursor.next() {
      try Interruption.check()
      let keys = (0..<cluster.count).map { cluster.key($0).value }
      guard try sink.take(IndexBatch(values: try values(of: cluster), keys: keys)) else { return }
    }
  }

  private func values(of cluster: Cluster) throws(EngineError) -> IndexBatch.Values {
    let ref = try cluster.requiredLeafRef(property.columnKey.leafIndex)
    switch try snapshot.leaf(ref, property.layout, rowCount: cluster.count) {
    case .integers(let leaf) where isInteger: return .integers(leaf.values)
    case .bools(let leaf) where isInteger: return .integers(leaf.values)
    case .strings(let leaf):
      return .texts(
        try (0..<cluster.count).map { row throws(EngineError) in try leaf.bytes(row, in: snapshot) })
    case .mixed(let leaf):
      return .data(
        try (0..<cluster.count).map { row throws(EngineError) in
          IndexData(try leaf.storedValue(row, in: snapshot))
        })
    case let leaf:
      return .data(
        try (0..<cluster.count).map { row throws(EngineError) in
          IndexData(try leaf.value(row, in: snapshot, target: property.target))
        })
    }
  }
}

/// A property whose index files words of its texts, or elements of its lists.
private struct IndexedWords: IndexSource {
  let property: Property
  let table: TableEditor
  let rows: ClusterTree
  let group: GroupEditor

  init(_ property: Property, of table: TableEditor, in group: GroupEditor) throws(EngineError) {
    self.property = property
    self.table = table
    rows = try table.rows.tree()
    self.group = group
  }

  var objectCount: Int { rows.count }
  var noItems: IndexItems { property.index == .fullText ? .texts : .data }

  func send(to sink: inout some IndexSink) throws(EngineError) {
    let arena = try TextArena()
    defer { withExtendedLifetime(arena) {} }
    var cursor = rows.cursor()
    while let cluster = try cursor.next() {
      try Interruption.check()
      guard try sink.take(property.index == .fullText ? words(of: cluster, arena) : elements(of: cluster))
      else { return }
    }
  }

  private func words(of cluster: Cluster, _ arena: TextArena) throws(EngineError) -> IndexBatch {
    arena.reset()
    var words: [ByteString?] = []
    var keys: [Int64] = []
    let leaf = try group.store.snapshot.leaf(
      try cluster.requiredLeafRef(property.columnKey.leafIndex), property.layout, rowCount: cluster.count)
    for row in 0..<cluster.count {
      guard case .string(let text) = try leaf.value(row, in: group.store.snapshot, target: nil) else {
        continue
      }
      try FullTextWords.appendDistinctWords(of: text.bytes, to: &words, in: arena)
      while keys.count < words.count { keys.append(cluster.key(row).value) }
    }
    return IndexBatch(values: .texts(words), keys: keys, isLasting: false)
  }

  private func elements(of cluster: Cluster) throws(EngineError) -> IndexBatch {
    var elements: [IndexData] = []
    var keys: [Int64] = []
    for row in 0..<cluster.count {
      let key = cluster.key(row)
      for element in try group.indexData(table, property, key) {
        elements.append(element)
        keys.append(key.value)
      }
    }
    return IndexBatch(values: .data(elements), keys: keys)
  }
}

extension GroupEditor {
  /// Makes the index of a property from all its rows, in place of the one it had.
  func rebuildIndex(_ table: TableEditor, _ property: Property) throws(EngineError) {
    // New rooms only until the old index is released, so that borrowed texts stay where they are.
    let rules = indexRules(table, property)
    let root: Ref
    if let values = try IndexedValues(property, of: table, in: store.snapshot) {
      root = try store.makeIndex(values, rules, heldMax: indexValuesHeld)
    } else {
      root = try store.makeIndex(
        try IndexedWords(property, of: table, in: self), rules, heldMax: indexValuesHeld)
    }
    try replaceIndex(table, property, by: root)
  }

  private func replaceIndex(
    _ table: TableEditor, _ property: Property, by root: Ref
  ) throws(EngineError) {
    if let old = table.indexRoot(property.columnKey) { try store.releaseTree(old) }
    table.setIndexRoot(property.columnKey, root)
  }

  /// Memory that making one of several indexes may take: they take it at once.
  private static let togetherSizeMax = 1 << 25
  private static let sizeOfItem = 32

  /// Makes indexes of large tables, of those of `properties` for which that can be done on several threads at once. Gives the
  /// properties that are left; what is wrong with one of them shows when it is made alone.
  func rebuildTogether(
    _ table: TableEditor, _ properties: [Property]
  ) throws(EngineError) -> [Property] {
    let count = try table.rows.tree().count
    guard count >= indexCountShared, count <= Self.togetherSizeMax / Self.sizeOfItem else {
      return properties
    }
    var columns: [IndexedValues] = []
    for property in properties where IndexKind(of: property) == .values {
      if let values = try IndexedValues(property, of: table, in: store.snapshot) { columns.append(values) }
    }
    guard columns.count > 1 else { return properties }
    let snapshot = store.snapshot
    let roots = Mutex<[ColumnKey: Ref]>([:])
    let (work, sharedCountMin) = (columns, indexCountShared)
    ParallelWork.forEach(work.count) { number in
      let values = work[number]
      // One of texts takes longer than others: its levels are for all threads, so that none is idle in the end.
      let rules = IndexRules.ofOneThread(
        .values, isUnique: values.isUnique, sharedCountMin: sharedCountMin)
      guard let store = NodeStore(besideOthers: snapshot.forOneThread()),
        let root = try? store.makeIndex(values.read(in: store.snapshot), rules, heldMax: count)
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
