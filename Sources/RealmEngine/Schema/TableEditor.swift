// One table that a write transaction changes: its columns, its rows, its indexes, its numbers. Layer: Schema.
// Invariants: what is kept here is written to nodes only by `flush`; the rows' and indexes' roots are always current.
// What a table of formats 10 and 11 has no slots for gets none until it is needed.

/// A table open for change.
final class TableEditor {
  /// A named column.
  struct Column {
    var name: [UInt8]
    var key: ColumnKey
    /// The number in the spec's first array: type, and the key type of dictionaries.
    var typeWord: Int64
    /// Attributes as the spec keeps them: the key's, and those of indexes.
    var attributes: ColumnAttributes
    /// The distinct texts of an enumerated column.
    var enumeration: Enumeration?
  }

  static let noTable: Int64 = 0x7FFF_FFFF
  static let noColumn = Int64.max
  static let columnsMax = 65535
  private static let tagMask: Int64 = 0xFFFF_FFFF

  let store: NodeStore
  let tableKey: TableKey
  var tableName: String {
    didSet { isSchemaStale = true }
  }
  private(set) var top: Ref

  var columns: [Column] = []
  /// So many columns stand in the rows without a gap, where that is known; -1 where it is not.
  private var denseCount = -1
  private(set) var backlinkKeys: [ColumnKey] = []
  /// By leaf index, as are the next two.
  private(set) var oppositeTables: [Int64] = []
  private(set) var oppositeColumns: [Int64] = []
  private(set) var indexRoots: [Int64] = []
  let rows: ClusterTreeEditor
  private(set) var tombstones: ClusterTreeEditor?
  var columnSequence: Int64 = 0
  var sequence: Int64 = 0
  var primaryKey: ColumnKey?
  var flags: Int64 = 0
  private var contentVersion: Int64 = 0

  private var isSpecChanged = false
  private var areOppositesChanged = false
  private var areIndexesChanged = false
  private var isSchemaStale = false
  /// Whether anything about the table was changed by this transaction.
  private(set) var isChanged = false
  private var currentSchema: ClassSchema

  /// Loads a table of the snapshot.
  init(_ ref: Ref, tableName: String, slot: Int, in store: NodeStore) throws(EngineError) {
    self.store = store
    self.tableName = tableName
    top = ref
    let table = try TableTop(ref, tableName: tableName, slot: slot, in: store.snapshot)
    currentSchema = table.schema
    tableKey = table.schema.tableKey
    rows = ClusterTreeEditor(table.clusters, columns: [], in: store)
    sequence = table.sequence
    contentVersion = table.contentVersion
    primaryKey = table.schema.primaryKey?.columnKey
    columnSequence = try table.node.taggedOrZero(TableTopSlot.columnSequence)
    flags = try table.node.taggedOrZero(TableTopSlot.flags)
    try readColumns(table)
    try readEnumerations(table)
    rows.columns = rowColumns
    if let root = table.tombstones {
      tombstones = ClusterTreeEditor(root, columns: rowColumns, in: store)
    }
  }

  /// Makes a table without columns.
  init(new tableKey: TableKey, tableName: String, flags: Int64, in store: NodeStore) throws(EngineError) {
    self.store = store
    self.tableKey = tableKey
    self.tableName = tableName
    self.flags = flags
    let root = try ClusterTreeEditor.makeEmptyCluster([], in: store)
    rows = ClusterTreeEditor(root, columns: [], in: store)
    currentSchema = ClassSchema(
      name: tableName, tableName: tableName, kind: .table, tableKey: tableKey, properties: [],
      backlinks: [], primaryKeyIndex: nil)
    var slots = [Int64](repeating: 0, count: TableTopSlot.count)
    slots[TableTopSlot.clusters] = Int64(root.offset)
    slots[TableTopSlot.key] = NodeStore.tag(Int64(tableKey.value))
    top = try store.makeSlots(slots)
    isSchemaStale = true
    isSpecChanged = true
    areOppositesChanged = true
    areIndexesChanged = true
    isChanged = true
  }

  private func readColumns(_ table: TableTop) throws(EngineError) {
    let snapshot = store.snapshot
    let spec = try snapshot.refsNode(try table.node.requiredRef(TableTopSlot.spec))
    let types = try snapshot.integersNode(try spec.requiredRef(TableSpecSlot.types)).integers
    let names = try ShortStringLeaf(
      try snapshot.node(try spec.requiredRef(TableSpecSlot.names)), isNullable: false)
    let attributes = try snapshot.integersNode(try spec.requiredRef(TableSpecSlot.attributes)).integers
    let keys = try snapshot.integersNode(try spec.requiredRef(TableSpecSlot.keys)).integers
    for index in 0..<keys.count {
      let key = ColumnKey(keys[index])
      guard index < names.count else {
        backlinkKeys.append(key)
        continue
      }
      columns.append(
        Column(
          name: try names.bytes(index)?.array() ?? [], key: key, typeWord: types[index],
          attributes: ColumnAttributes(rawValue: Int(truncatingIfNeeded: attributes[index]))))
    }
    let tables = try snapshot.integersNode(try table.node.requiredRef(TableTopSlot.oppositeTables))
    let opposites = try snapshot.integersNode(try table.node.requiredRef(TableTopSlot.oppositeColumns))
    guard max(tables.count, opposites.count) <= Self.columnsMax else {
      throw EngineError.damaged(
        at: top.offset, expected: "at most \(Self.columnsMax) opposite tables and columns",
        found: "\(tables.count) and \(opposites.count)")
    }
    oppositeTables = tables.integers.array()
    oppositeColumns = opposites.integers.array()
    if let indexes = try table.node.ref(TableTopSlot.indexes) {
      indexRoots = try snapshot.refsNode(indexes).integers.array()
    }
    let slotCount = 1 + (((columns.map(\.key)) + backlinkKeys).map(\.leafIndex).max() ?? -1)
    while oppositeTables.count < slotCount { oppositeTables.append(Self.noTable) }
    while oppositeColumns.count < slotCount { oppositeColumns.append(Self.noColumn) }
    while indexRoots.count < slotCount { indexRoots.append(0) }
  }

  /// The trees that have the table's columns.
  var trees: [ClusterTreeEditor] { [rows, tombstones].compactMap { $0 } }

  /// All columns, as the rows see them.
  private var rowColumns: [RowColumn] {
    columns.map { RowColumn(leafIndex: $0.key.leafIndex, layout: Self.layout($0)) }
      + backlinkKeys.map { RowColumn(leafIndex: $0.leafIndex, layout: Self.layout($0)) }
  }

  /// How a column's leaves are laid out.
  static func layout(_ key: ColumnKey) -> LeafLayout { layout(key, nil) }

  /// The layout of a column that may be enumerated.
  static func layout(_ column: Column) -> LeafLayout { layout(column.key, column.enumeration?.texts) }

  private static func layout(_ key: ColumnKey, _ texts: EnumeratedTexts?) -> LeafLayout {
    LeafLayout(
      type: key.type ?? .int, isNullable: key.attributes.contains(.nullable),
      isCollectionColumn: key.collection != nil, texts: texts)
  }

  // MARK: Schema

  /// The table as it is now.
  var schema: ClassSchema {
    if isSchemaStale {
      currentSchema = makeSchema()
      isSchemaStale = false
    }
    return currentSchema
  }

  var isEmbedded: Bool { flags & 3 == 1 }

  private func makeSchema() -> ClassSchema {
    let properties = columns.enumerated().map { index, column in
      let layout = Self.layout(column)
      let root = Ref(indexRoots[column.key.leafIndex])
      return Property(
        name: String(decoding: column.name, as: UTF8.self), type: layout.type,
        collection: column.key.collection,
        isOptional: layout.isNullable,
        index: root == nil ? .none : column.attributes.contains(.fullText) ? .fullText : .general,
        target: layout.type == .object ? TableKey(oppositeTables[column.key.leafIndex]) : nil,
        columnKey: column.key, specIndex: index, indexRef: root,
        hasIntegerKeys: column.key.attributes.contains(.dictionary) && column.typeWord >> 16 == 0,
        texts: layout.texts, subtableForm: nil)
    }
    let backlinks = backlinkKeys.map {
      BacklinkColumn(
        columnKey: $0, originTable: TableKey(oppositeTables[$0.leafIndex]),
        originColumn: ColumnKey(oppositeColumns[$0.leafIndex]))
    }
    return ClassSchema(
      tableName: tableName, flags: flags, tableKey: tableKey, properties: properties, backlinks: backlinks,
      primaryKeyIndex: primaryKey.flatMap { key in columns.firstIndex { $0.key == key } })
  }

  /// Notes that rows were changed.
  func noteChange() { isChanged = true }

  func noteSchemaChange() {
    isSchemaStale = true
    isChanged = true
    rows.columns = rowColumns
    tombstones?.columns = rowColumns
  }

  /// Erases the tree of placeholders when its last one is gone.
  func dropTombstones() throws(EngineError) {
    guard let tree = tombstones else { return }
    try store.releaseTree(tree.root)
    tombstones = nil
  }

  // MARK: Columns

  /// A key for a new column: the lowest free place in the rows. Throws where there is none.
  func newColumnKey(_ typeNumber: UInt8, _ attributes: ColumnAttributes) throws(EngineError) -> ColumnKey {
    if rows.columns.count == denseCount, denseCount < Self.columnsMax {
      return columnKey(denseCount, typeNumber, attributes)
    }
    var isTaken = [Bool](repeating: false, count: min(rows.columns.count + 1, Self.columnsMax))
    for column in rows.columns where column.leafIndex < isTaken.count { isTaken[column.leafIndex] = true }
    guard let leafIndex = isTaken.firstIndex(of: false) else { throw Self.full(schema.name) }
    if leafIndex == rows.columns.count { denseCount = leafIndex }
    return columnKey(leafIndex, typeNumber, attributes)
  }

  private func columnKey(_ leafIndex: Int, _ typeNumber: UInt8, _ attributes: ColumnAttributes) -> ColumnKey {
    ColumnKey(
      leafIndex: leafIndex, typeNumber: typeNumber, attributes: attributes,
      tag: UInt32(truncatingIfNeeded: (columnSequence ^ Int64(tableKey.value)) & Self.tagMask))
  }

  static func full(_ name: String) -> EngineError {
    EngineError(
      .constraint, "\(name) can have at most \(columnsMax) properties, with those that link to it")
  }

  /// Adds a named column; every row gets the default.
  func add(_ column: Column, at position: Int? = nil) throws(EngineError) {
    columns.insert(column, at: position ?? columns.count)
    try addSlot(column.key)
  }

  func addBacklinks(_ key: ColumnKey) throws(EngineError) {
    backlinkKeys.append(key)
    try addSlot(key)
  }

  private func addSlot(_ key: ColumnKey) throws(EngineError) {
    denseCount = key.leafIndex == denseCount ? denseCount + 1 : -1
    let layout = Self.layout(key)
    while oppositeTables.count <= key.leafIndex { oppositeTables.append(Self.noTable) }
    while oppositeColumns.count <= key.leafIndex { oppositeColumns.append(Self.noColumn) }
    while indexRoots.count <= key.leafIndex { indexRoots.append(0) }
    oppositeTables[key.leafIndex] = Self.noTable
    oppositeColumns[key.leafIndex] = Self.noColumn
    indexRoots[key.leafIndex] = 0
    var last: (leaf: Ref, count: Int)?
    for tree in trees {
      try tree.editAll { cluster throws(EngineError) in
        try cluster.addLeaf(
          key.leafIndex, try store.makeDefaultLeaf(layout, count: cluster.count, like: &last))
      }
    }
    isSpecChanged = true
    areOppositesChanged = true
    areIndexesChanged = true
    (isSchemaStale, isChanged) = (true, true)
    for tree in trees { tree.columns.append(RowColumn(leafIndex: key.leafIndex, layout: layout)) }
  }

  /// Removes a column with everything in it. Links and incoming links have been taken care of.
  func remove(_ key: ColumnKey) throws(EngineError) {
    for tree in trees {
      try tree.editAll { cluster throws(EngineError) in
        try store.releaseTree(try cluster.leaf(key.leafIndex))
        try cluster.dropLeaf(key.leafIndex)
      }
    }
    try dropIndex(key)
    for column in columns where column.key == key { try releaseTexts(of: column) }
    oppositeTables[key.leafIndex] = Self.noTable
    oppositeColumns[key.leafIndex] = Self.noColumn
    columns.removeAll { $0.key == key }
    backlinkKeys.removeAll { $0 == key }
    columnSequence = try GroupTop.number(after: columnSequence, "number of columns", at: top)
    isSpecChanged = true
    areOppositesChanged = true
    noteSchemaChange()
  }

  /// Changes name, attributes or position of named columns; their keys stay.
  func editColumns(_ body: (inout [Column]) -> Void) {
    body(&columns)
    isSpecChanged = true
    noteSchemaChange()
  }

  func setOpposite(_ key: ColumnKey, table: TableKey?, column: ColumnKey?) {
    oppositeTables[key.leafIndex] = table.map { Int64($0.value) } ?? Self.noTable
    oppositeColumns[key.leafIndex] = column?.value ?? Self.noColumn
    areOppositesChanged = true
    noteSchemaChange()
  }

  /// Replaces keys of columns, here and where opposite columns are named; places in the rows stay.
  func replaceKeys(_ replacement: (ColumnKey) -> ColumnKey) {
    for index in columns.indices { columns[index].key = replacement(columns[index].key) }
    for index in oppositeColumns.indices where oppositeColumns[index] != Self.noColumn {
      oppositeColumns[index] = replacement(ColumnKey(oppositeColumns[index])).value
    }
    primaryKey = primaryKey.map(replacement)
    isSpecChanged = true
    areOppositesChanged = true
    noteSchemaChange()
  }

  func changeSchema(_ body: (TableEditor) -> Void) {
    body(self)
    noteSchemaChange()
  }

  // MARK: Indexes

  func indexRoot(_ key: ColumnKey) -> Ref? {
    key.leafIndex < indexRoots.count ? Ref(indexRoots[key.leafIndex]) : nil
  }

  /// Takes the new root of an index. The old one is part of it or was released.
  func setIndexRoot(_ key: ColumnKey, _ root: Ref?) {
    let new = Int64(root?.offset ?? 0)
    if indexRoots[key.leafIndex] == new { return }
    if (indexRoots[key.leafIndex] == 0) != (new == 0) { isSchemaStale = true }
    indexRoots[key.leafIndex] = new
    areIndexesChanged = true
    isChanged = true
  }

  func dropIndex(_ key: ColumnKey) throws(EngineError) {
    guard let root = indexRoot(key) else { return }
    try store.releaseTree(root)
    setIndexRoot(key, nil)
  }

  // MARK: Writing

  /// Writes what changed into nodes; gives the table's top. Cost: the table's numbers, not its rows.
  func flush(isCommit: Bool) throws(EngineError) -> Ref {
    guard isChanged else { return top }
    let slotCount = flags != 0 || tombstones != nil ? TableTopSlot.count : TableTopSlot.countWithoutKind
    while try store.snapshot.refsNode(top).count < slotCount {
      top = try store.insertInteger(top, try store.snapshot.refsNode(top).count, 0)
    }
    if try writeTexts() { isSpecChanged = true }
    if isSpecChanged {
      try replaceSpec()
      isSpecChanged = false
    }
    if areOppositesChanged {
      try replace(TableTopSlot.oppositeTables, with: try store.makeIntegers(oppositeTables))
      try replace(TableTopSlot.oppositeColumns, with: try store.makeIntegers(oppositeColumns))
      areOppositesChanged = false
    }
    if areIndexesChanged {
      // Only the node of roots: the indexes below it are kept.
      let old = try store.snapshot.refsNode(top).ref(TableTopSlot.indexes)
      try set(TableTopSlot.indexes, Int64(try store.makeSlots(indexRoots).offset))
      if let old { try store.release(old) }
      areIndexesChanged = false
    }
    try set(TableTopSlot.clusters, Int64(rows.root.offset))
    try setIfThere(TableTopSlot.tombstones, Int64(tombstones?.root.offset ?? 0))
    try set(TableTopSlot.columnSequence, NodeStore.tag(columnSequence))
    try set(TableTopSlot.sequence, NodeStore.tag(sequence))
    try set(TableTopSlot.primaryKey, primaryKey.map { NodeStore.tag($0.value) } ?? 0)
    try setIfThere(TableTopSlot.flags, NodeStore.tag(flags))
    if isCommit {
      let next = try GroupTop.number(after: contentVersion, "version of the class's objects", at: top)
      try set(TableTopSlot.contentVersion, NodeStore.tag(next))
    }
    return top
  }

  private func setIfThere(_ slot: Int, _ value: Int64) throws(EngineError) {
    if try slot < store.snapshot.refsNode(top).count { try set(slot, value) }
  }

  private func set(_ slot: Int, _ value: Int64) throws(EngineError) {
    if try store.snapshot.refsNode(top).slot(slot) == value { return }
    top = try store.setInteger(top, slot, value)
  }

  private func replace(_ slot: Int, with new: Ref) throws(EngineError) {
    let old = try store.snapshot.refsNode(top).ref(slot)
    try set(slot, Int64(new.offset))
    if let old { try store.releaseTree(old) }
  }

  /// Writes the spec anew around the distinct texts, which stay where they are.
  private func replaceSpec() throws(EngineError) {
    let old = try store.snapshot.refsNode(top).ref(TableTopSlot.spec)
    try set(TableTopSlot.spec, Int64(try makeSpec().offset))
    guard let old else { return }
    let node = try store.snapshot.refsNode(old)
    for slot in 0..<node.count {
      guard let ref = Ref(try node.slot(slot)) else { continue }
      if slot == TableSpecSlot.enumerations { try store.release(ref) } else { try store.releaseTree(ref) }
    }
    store.release(node)
  }

  private func makeSpec() throws(EngineError) -> Ref {
    let types =
      columns.map(\.typeWord) + backlinkKeys.map { _ in Int64(ValueType.backlink.rawValue) }
    let attributes = columns.map { Int64($0.attributes.rawValue) } + backlinkKeys.map { _ in 0 }
    let keys = columns.map(\.key.value) + backlinkKeys.map(\.value)
    return try store.makeSlots([
      Int64(try store.makeIntegers(types).offset),
      Int64(try store.makeNames(columns.map(\.name)).offset),
      Int64(try store.makeIntegers(attributes).offset), 0, Int64(try makeEnumerations()?.offset ?? 0),
      Int64(try store.makeIntegers(keys).offset),
    ])
  }
}

extension NodeStore {
  /// The names of tables or columns. Throws `.damaged` for one that no engine would have taken.
  func makeNames(_ names: [[UInt8]]) throws(EngineError) -> Ref {
    // The empty name needs no width; else an element of one byte says that it is empty.
    let sizeMax = names.map(\.count).max() ?? 0
    guard sizeMax <= PropertyDefinition.nameSizeMax else {
      throw EngineError(
        .damaged,
        "a name has \(sizeMax) bytes; no class or property can have more than \(PropertyDefinition.nameSizeMax)"
      )
    }
    return try makeShortTexts(
      names.map { ByteString(copying: $0) }, width: sizeMax == 0 ? 0 : Self.shortTextWidth(sizeMax: sizeMax))
  }
}
