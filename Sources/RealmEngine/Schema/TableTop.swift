// A table's top array and spec: columns, their keys, where rows and indexes are. Layer: Schema.
// Invariants: no two columns share a leaf index; types are ones the format has; names are no more than columns.

/// The structure of one table of formats 10 and later.
package struct TableTop: Sendable {
  package let node: NodeView
  package let schema: ClassSchema
  package let clusters: Ref
  /// Rows that stand for objects that do not exist; never listed.
  package let tombstones: Ref?
  package let sequence: Int64
  package let contentVersion: Int64

  private static let columnsMax = 65535
  /// Bytes that a column takes in the arrays of its spec, at least: its name and its key alone are mostly longer.
  private static let columnSizeMin = 8

  /// `budget`: what a walk over several tables may still meet; it is charged for this one.
  package init(
    _ ref: Ref, tableName: String, slot: Int, in snapshot: Snapshot, budget: TraversalBudget? = nil
  ) throws(EngineError) {
    let budget = budget ?? TraversalBudget(snapshot)
    node = try snapshot.refsNode(ref)
    try budget.charge(node)
    guard node.count >= 9 else {
      throw EngineError.damaged(at: ref.offset, expected: "a table", found: node.description)
    }
    let storedKey = try node.tagged(TableTopSlot.key)
    guard let tableKey = TableKey(storedKey), tableKey.slot == slot else {
      throw EngineError.damaged(at: ref.offset, expected: "the key of table \(slot)", found: "\(storedKey)")
    }
    clusters = try node.requiredRef(TableTopSlot.clusters)
    tombstones = try node.refIfPresent(TableTopSlot.tombstones)
    sequence = try node.taggedOrZero(TableTopSlot.sequence)
    contentVersion = try node.taggedOrZero(TableTopSlot.contentVersion)

    let spec = try snapshot.refsNode(try node.requiredRef(TableTopSlot.spec))
    let indexes = try node.ref(TableTopSlot.indexes).map { ref throws(EngineError) in
      try snapshot.refsNode(ref)
    }
    let reader = try ColumnsReader(
      spec: spec, indexes: indexes,
      oppositeTables: try snapshot.integersNode(try node.requiredRef(TableTopSlot.oppositeTables)),
      oppositeColumns: try snapshot.integersNode(try node.requiredRef(TableTopSlot.oppositeColumns)),
      snapshot: snapshot, budget: budget)
    let (properties, backlinks) = try reader.columns()
    let primaryKey = try Self.primaryKey(node, among: properties)
    let flags = try node.taggedOrZero(TableTopSlot.flags)
    schema = ClassSchema(
      tableName: tableName, flags: flags, tableKey: tableKey, properties: properties, backlinks: backlinks,
      primaryKeyIndex: primaryKey)
  }

  private static func primaryKey(
    _ node: NodeView, among properties: [Property]
  ) throws(EngineError) -> Int? {
    let slot = TableTopSlot.primaryKey
    // A plain 0 means none; column key 0 is stored tagged, as 1.
    guard slot < node.count, try node.slot(slot) & 1 == 1 else { return nil }
    let key = ColumnKey(try node.tagged(slot))
    guard let index = properties.firstIndex(where: { $0.columnKey == key }) else {
      throw EngineError.damaged(
        at: node.ref.offset, expected: "the column of the primary key", found: "no column \(key.value)")
    }
    return index
  }

  /// Reads the spec's parallel arrays into properties.
  private struct ColumnsReader {
    let types: PackedIntegers
    let names: ShortStringLeaf
    let attributes: PackedIntegers
    let keys: PackedIntegers
    let enumerations: NodeView?
    let indexes: NodeView?
    let oppositeTables: PackedIntegers
    let oppositeColumns: PackedIntegers
    let snapshot: Snapshot
    let offset: Int

    init(
      spec: NodeView, indexes: NodeView?, oppositeTables: NodeView, oppositeColumns: NodeView,
      snapshot: Snapshot, budget: TraversalBudget
    ) throws(EngineError) {
      let typesNode = try snapshot.integersNode(try spec.requiredRef(TableSpecSlot.types))
      let namesNode = try snapshot.node(try spec.requiredRef(TableSpecSlot.names))
      let attributesNode = try snapshot.integersNode(try spec.requiredRef(TableSpecSlot.attributes))
      let keysNode = try snapshot.integersNode(try spec.requiredRef(TableSpecSlot.keys))
      types = typesNode.integers
      names = try ShortStringLeaf(namesNode, isNullable: false)
      attributes = attributesNode.integers
      enumerations = try spec.refIfPresent(TableSpecSlot.enumerations).map { ref throws(EngineError) in
        try snapshot.refsNode(ref)
      }
      keys = keysNode.integers
      self.indexes = indexes
      self.oppositeTables = oppositeTables.integers
      self.oppositeColumns = oppositeColumns.integers
      self.snapshot = snapshot
      offset = spec.ref.offset
      guard types.count == keys.count, attributes.count == keys.count, names.count <= keys.count,
        keys.count <= TableTop.columnsMax
      else {
        throw EngineError.damaged(
          at: offset, expected: "as many types and attributes as the \(keys.count) columns",
          found: "\(types.count), \(attributes.count) and \(names.count) names")
      }
      let nodes: [NodeView?] = [
        spec, typesNode, namesNode, attributesNode, keysNode, oppositeTables, oppositeColumns, indexes,
        enumerations,
      ]
      let size = nodes.reduce(0) { $0 + ($1?.byteSize ?? 0) }
      // Elements of some of the arrays may take no bytes, and each column becomes an object.
      try budget.charge(max(size, keys.count * TableTop.columnSizeMin), at: offset)
    }

    func columns() throws(EngineError) -> ([Property], [BacklinkColumn]) {
      var properties: [Property] = []
      var backlinks: [BacklinkColumn] = []
      let slots = (0..<keys.count).map { ColumnKey(keys[$0]).leafIndex }.sorted()
      if let (slot, _) = zip(slots, slots.dropFirst()).first(where: ==) {
        throw EngineError.damaged(at: offset, expected: "columns of their own", found: "two in slot \(slot)")
      }
      for index in 0..<keys.count {
        let key = ColumnKey(keys[index])
        if index < names.count {
          properties.append(try property(index, key))
        } else {
          backlinks.append(try backlink(key))
        }
      }
      return (properties, backlinks)
    }

    private func property(_ index: Int, _ key: ColumnKey) throws(EngineError) -> Property {
      let stored = ColumnAttributes(rawValue: Int(truncatingIfNeeded: attributes[index]))
      guard let type = key.type, type != .backlink else {
        throw EngineError.damaged(at: offset, expected: "a column type", found: "\(key.typeNumber)")
      }
      let name = try names.bytes(index).map { ByteString(borrowing: $0).text } ?? ""
      let indexRef = key.leafIndex < (indexes?.count ?? 0) ? try indexes?.ref(key.leafIndex) : nil
      return Property(
        name: name, type: type,
        collection: key.collection,
        isOptional: key.attributes.contains(.nullable),
        index: indexRef == nil ? .none : stored.contains(.fullText) ? .fullText : .general,
        target: type == .object ? opposite(key) : nil, columnKey: key, specIndex: index, indexRef: indexRef,
        hasIntegerKeys: key.attributes.contains(.dictionary) && types[index] >> 16 == 0,
        texts: try enumeratedTexts(index), subtableForm: nil)
    }

    private func opposite(_ key: ColumnKey) -> TableKey? {
      key.leafIndex < oppositeTables.count ? TableKey(oppositeTables[key.leafIndex]) : nil
    }

    private func enumeratedTexts(_ index: Int) throws(EngineError) -> EnumeratedTexts? {
      guard let enumerations, let ref = try enumerations.refIfPresent(index) else { return nil }
      return EnumeratedTexts(leaves: [try StringLeaf(try snapshot.node(ref), in: snapshot)])
    }

    private func backlink(_ key: ColumnKey) throws(EngineError) -> BacklinkColumn {
      guard key.typeNumber == ValueType.backlink.rawValue, key.leafIndex < oppositeColumns.count else {
        throw EngineError.damaged(
          at: offset, expected: "a column of incoming links", found: "type \(key.typeNumber)")
      }
      return BacklinkColumn(
        columnKey: key, originTable: opposite(key), originColumn: ColumnKey(oppositeColumns[key.leafIndex]))
    }
  }
}
