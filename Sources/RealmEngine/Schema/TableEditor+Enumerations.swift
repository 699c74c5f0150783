// Enumerated columns of a table that is changed: texts that rows name by number. Layer: Schema.
// Invariants: after `writeTexts` the leaves of an enumerated column are numbers throughout, because engines move rows from
// leaf to leaf of such a column as numbers; a column whose table of texts was closed is not enumerated any more.

extension TableEditor {
  /// The distinct texts of a column.
  struct Enumeration {
    let texts: EnumeratedTexts
    /// Where they stand; nil until they are first written.
    var ref: Ref?
    /// How many of them stand there.
    var writtenCount: Int
  }

  /// Notes where the columns of a loaded table have their texts.
  func readEnumerations(_ table: TableTop) throws(EngineError) {
    let spec = try store.snapshot.refsNode(try table.node.requiredRef(TableTopSlot.spec))
    guard let ref = try spec.refIfPresent(TableSpecSlot.enumerations) else { return }
    let refs = try store.snapshot.refsNode(ref)
    for (index, property) in table.schema.properties.enumerated() {
      guard let texts = property.texts else { continue }
      columns[index].enumeration = Enumeration(
        texts: texts, ref: try refs.refIfPresent(index), writtenCount: texts.count)
    }
  }

  /// Makes a column of an empty table one of numbers into `texts`.
  func enumerate(_ key: ColumnKey, _ texts: EnumeratedTexts) throws(EngineError) {
    guard let index = columns.firstIndex(where: { $0.key == key }) else { return }
    columns[index].enumeration = Enumeration(texts: texts, ref: nil, writtenCount: 0)
    let layout = Self.layout(columns[index])
    try rows.editAll { cluster throws(EngineError) in
      precondition(cluster.count == 0, "columns with rows stay what they are")
      try store.releaseLeaf(try cluster.leaf(key.leafIndex), layout)
      try cluster.setLeaf(key.leafIndex, try store.makeDefaultLeaf(layout, count: 0))
    }
    noteSchemaChange()
  }

  /// Ends all enumerations, for rows that are built apart as plain texts.
  func closeTexts() {
    for column in columns { column.enumeration?.texts.close() }
    if columns.contains(where: { $0.enumeration != nil }) { noteSchemaChange() }
  }

  /// Writes texts that were added, and spells out the columns whose texts were closed. True: the spec has changed.
  func writeTexts() throws(EngineError) -> Bool {
    var isChanged = false
    for index in columns.indices {
      guard let enumeration = columns[index].enumeration else { continue }
      if enumeration.texts.isClosed {
        try spellOut(index)
      } else {
        let texts = enumeration.texts
        let count = texts.count
        guard enumeration.ref == nil || count != enumeration.writtenCount else { continue }
        let ref = try store.makeTexts(try texts.texts(in: store.snapshot))
        try releaseTexts(of: columns[index])
        columns[index].enumeration = Enumeration(texts: texts, ref: ref, writtenCount: count)
      }
      isChanged = true
    }
    return isChanged
  }

  /// The spec's node of texts by column; nil where no column has any.
  func makeEnumerations() throws(EngineError) -> Ref? {
    guard columns.contains(where: { $0.enumeration != nil }) else { return nil }
    return try store.makeSlots(columns.map { Int64($0.enumeration?.ref?.offset ?? 0) })
  }

  func releaseTexts(of column: Column) throws(EngineError) {
    if let ref = column.enumeration?.ref { try store.releaseTree(ref) }
  }

  /// Writes a column's texts into its rows.
  private func spellOut(_ index: Int) throws(EngineError) {
    let key = columns[index].key
    let layout = Self.layout(columns[index])
    for tree in trees where layout.type == .string && !layout.isCollectionColumn {
      try tree.editAll { cluster throws(EngineError) in
        let leaf = try cluster.leaf(key.leafIndex)
        guard try store.snapshot.node(leaf).holdsTextNumbers else { return }
        let values = try store.snapshot.leaf(leaf, layout, rowCount: cluster.count).values(in: store.snapshot)
        let plain = try store.makePlainLeaf(layout, values)
        try store.releaseLeaf(leaf, layout)
        try cluster.setLeaf(key.leafIndex, plain)
      }
    }
    try releaseTexts(of: columns[index])
    columns[index].enumeration = nil
    noteSchemaChange()
  }
}
