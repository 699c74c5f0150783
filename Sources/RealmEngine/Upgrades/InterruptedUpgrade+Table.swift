// One table of a file whose upgrade stopped half-way. Layer: Upgrades.

extension InterruptedUpgrade {
  /// A table, its objects wherever they are.
  struct UpgradedTable {
    /// Elements of a column in key order, and whether they are refs.
    typealias Column = (elements: [Int64], hasRefs: Bool)

    private enum Rows {
      case old(OldRows)
      case clusters(ClusterTree)
    }

    private(set) var schema: ClassSchema
    private var rows: Rows
    /// By column, empty for hidden ones.
    let propertyNames: [String]
    /// Columns of links, by position in the spec, that are still the old ones.
    let oldLinks: [Int: OldColumn]
    /// The hidden column with the old row numbers of objects whose keys are others.
    private let rowIndexes: Property?
    /// Leaf indexes that columns use.
    private var leafCount: Int

    /// A column that the upgrade adds where objects get keys that are not their row numbers.
    private static let rowIndexColumn = "!ROW_INDEX"
    /// Elements of the top array of formats 10 and later.
    private static let convertedSizeMin = 12

    init(
      _ top: NodeView, name: String, key: TableKey, tableCount: Int, in snapshot: Snapshot,
      budget: TraversalBudget
    ) throws(EngineError) {
      if top.count == OldGroup.tableSize {
        try budget.charge(top)
        let storage = try OldTableStorage(top, in: snapshot, budget: budget)
        self.init(storage, name: name, key: key, tableCount: tableCount)
        return
      }
      guard top.count >= Self.convertedSizeMin else {
        throw EngineError.damaged(at: top.ref.offset, expected: "a table", found: top.description)
      }
      let clusters = try ClusterTree(try top.requiredRef(TableTopSlot.clusters), in: snapshot)
      let oldColumns = try top.ref(TableTopSlot.oldColumns).map { ref throws(EngineError) in
        try snapshot.refsNode(ref)
      }
      if let oldColumns, clusters.count == 0,
        (0..<oldColumns.count).contains(where: { oldColumns.integers[$0] != 0 })
      {
        try budget.charge(top)
        let opposites = try top.ref(TableTopSlot.oppositeTables).map { ref throws(EngineError) in
          try snapshot.integersNode(ref).integers
        }
        let storage = try OldTableStorage(
          converted: top, oppositeTables: opposites, in: snapshot, budget: budget)
        self.init(storage, name: name, key: key, tableCount: tableCount)
        return
      }
      let converted = try TableTop(top.ref, tableName: name, slot: key.slot, in: snapshot, budget: budget)
      try self.init(converted, clusters, oldColumns, budget: budget)
    }

    /// A table whose objects are in old columns.
    private init(_ storage: OldTableStorage, name: String, key: TableKey, tableCount: Int) {
      schema = ClassSchema(
        tableName: name, tableKey: key,
        properties: storage.properties(ofTable: key, primaryKey: nil, tableCount: tableCount), backlinks: [],
        primaryKey: nil)
      rows = .old(storage.rows)
      propertyNames = storage.propertyNames
      oldLinks = Dictionary(
        uniqueKeysWithValues: schema.properties.filter(\.isLink).compactMap { property in
          storage.rows.columns[property.specIndex].map { (property.specIndex, $0) }
        })
      rowIndexes = nil
      leafCount = storage.columns.count
    }

    /// A table whose objects are in clusters, its links perhaps in old columns.
    private init(
      _ top: TableTop, _ clusters: ClusterTree, _ oldColumns: NodeView?, budget: TraversalBudget
    ) throws(EngineError) {
      let all = top.schema.properties
      let leafCount = all.count + top.schema.backlinks.count
      self.leafCount = leafCount
      propertyNames = all.map(\.name)
      // Some engines have noted another leaf for this column than the one it has: the last.
      rowIndexes = all.last { $0.name == Self.rowIndexColumn }.map { property in
        property.with(columnKey: property.columnKey.with(leafIndex: leafCount - 1))
      }
      rows = .clusters(clusters)
      schema = ClassSchema(
        tableName: top.schema.tableName, tableKey: top.schema.tableKey,
        properties: all.filter {
          $0.name != Self.rowIndexColumn && $0.name != OldTableStorage.stableIDColumn
        }, backlinks: [], primaryKey: nil)
      var oldLinks: [Int: OldColumn] = [:]
      for property in all where property.isLink {
        guard let root = try oldColumns?.refIfPresent(property.specIndex) else { continue }
        try budget.charge(try clusters.snapshot.node(root))
        let column = try OldColumn(
          property.collection == nil ? .links : .linkLists, isNullable: false, root: root,
          in: clusters.snapshot)
        guard column.count == clusters.count else { throw Self.halfMoved(top.schema.name) }
        oldLinks[property.specIndex] = column
      }
      self.oldLinks = oldLinks
    }

    static func halfMoved(_ name: String) -> EngineError {
      EngineError(
        .upgradeNeeded,
        "an upgrade of this file was interrupted and left the objects of \(name) half moved",
        hint: "no engine continues this upgrade; use a backup from before it")
    }

    /// Whether the objects are in old columns.
    var isOld: Bool { if case .old = rows { true } else { false } }

    var table: Table {
      switch rows {
      case .old(let rows): Table(OldTable(schema: schema, rows: rows, remarks: []))
      case .clusters(let tree): Table(schema: schema, clusters: tree)
      }
    }

    mutating func setPrimaryKey(_ column: Int?) {
      schema = ClassSchema(
        tableName: schema.tableName, tableKey: schema.tableKey,
        properties: schema.properties.map { property in
          // Indexes are made when objects move, so that at this point none can be relied on.
          property.with(index: property.specIndex == column ? .general : property.index)
        }, backlinks: schema.backlinks, primaryKey: column)
    }
  }
}

extension InterruptedUpgrade.UpgradedTable {
  /// The key of each old row; nil where keys are row numbers.
  func keysByRow(budget: TraversalBudget) throws(EngineError) -> [Int64: Int64]? {
    guard rowIndexes != nil else { return nil }
    var keys: [Int64: Int64] = [:]
    try forEachRow(budget: budget) { key, row in keys[row] = key }
    return keys
  }

  /// The old row number of each object, in key order.
  func rowsInKeyOrder(budget: TraversalBudget) throws(EngineError) -> [Int64] {
    var rows: [Int64] = []
    try forEachRow(budget: nil) { _, row in rows.append(row) }
    return rows
  }

  private func forEachRow(
    budget: TraversalBudget?, _ body: (_ key: Int64, _ row: Int64) -> Void
  ) throws(EngineError) {
    var cursor = table.blocks(budget: budget)
    while let block = try cursor.next() {
      let leaf = try rowIndexes.map { property throws(EngineError) in
        try block.leaf(property, budget: cursor.budget)
      }
      for index in 0..<block.count {
        let key = block.key(index).value
        guard case .integers(let numbers)? = leaf else {
          body(key, key)
          continue
        }
        body(key, numbers[index] ?? -1)
      }
    }
  }

  /// Puts other columns in the place of some, by leaf index.
  mutating func replace(_ replaced: [Int: Column], _ nodes: NodeStore) throws(EngineError) {
    if replaced.isEmpty { return }
    switch rows {
    case .clusters(let tree): rows = .clusters(try nodes.makeClusters(like: tree, replacing: replaced))
    case .old(let old):
      var columns = old.columns
      for (number, column) in replaced {
        while columns.count <= number { columns.append(nil) }
        let form =
          columns[number]?.form ?? .backlinks
        let root = try nodes.makeColumnTree(column.elements, hasRefs: column.hasRefs)
        columns[number] = try OldColumn(form, isNullable: false, root: root, in: old.snapshot)
      }
      rows = .old(OldRows(columns: columns, in: old.snapshot))
    }
  }

  /// Elements of old columns that are kept until they are replaced.
  private static let pendingMax = 1 << 20

  /// Adds a hidden column for each property that links here. `incoming` gives the origins of each target.
  mutating func setIncomingLinks(
    _ incoming: [(origin: BacklinkOrigin, origins: [Int64: [Int64]])], _ nodes: NodeStore,
    budget: TraversalBudget
  ) throws(EngineError) {
    if incoming.isEmpty { return }
    var hidden: [BacklinkColumn] = []
    var added: [Int: Column] = [:]
    var keys: [Int64] = []
    var cursor = table.blocks(budget: budget)
    while let block = try cursor.next() {
      // Rows of zeros take no room in the file, but do so here, for each property.
      try budget.charge(block.count * incoming.count / 8, at: 0)
      for row in 0..<block.count { keys.append(block.key(row).value) }
    }
    let none = [Int64](repeating: 0, count: keys.count)
    for (origin, origins) in incoming {
      let key = ColumnKey(
        leafIndex: leafCount, typeNumber: ValueType.backlink.rawValue, attributes: [],
        tag: schema.tableKey.value)
      leafCount += 1
      var elements = none
      for (index, target) in keys.enumerated() {
        switch origins[target] {
        case nil: continue
        case let only? where only.count == 1: elements[index] = NodeStore.tag(only[0])
        case let many?: elements[index] = Int64(try nodes.makeColumnTree(many, hasRefs: false).offset)
        }
      }
      added[key.leafIndex] = (elements, true)
      hidden.append(BacklinkColumn(columnKey: key, originTable: origin.table, originColumn: origin.column))
      // Old columns are each for itself; clusters are made anew as a whole.
      if isOld, added.count * keys.count >= Self.pendingMax {
        try replace(added, nodes)
        added = [:]
      }
    }
    try replace(added, nodes)
    schema = ClassSchema(
      tableName: schema.tableName, tableKey: schema.tableKey, properties: schema.properties,
      backlinks: hidden,
      primaryKey: schema.primaryKey?.specIndex)
  }
}

extension Property {
  /// The same property with another column.
  fileprivate func with(columnKey: ColumnKey) -> Property { with(columnKey: columnKey, index: index) }

  /// The same property, indexed or not in name, but without an index to look into.
  fileprivate func with(index: Index) -> Property { with(columnKey: columnKey, index: index) }

  private func with(columnKey: ColumnKey, index: Index) -> Property {
    with(target: target, columnKey: columnKey, index: index, indexRef: nil)
  }
}

extension ColumnKey {
  fileprivate func with(leafIndex: Int) -> ColumnKey {
    ColumnKey(value & ~0xFFFF | Int64(leafIndex & 0xFFFF))
  }
}
