// A file whose upgrade from format 9 stopped half-way, read as the finished upgrade would show it. Layer: Upgrades.
// Such a file still says format 9, while each of its tables is in one of three states: all objects in old columns; values
// in clusters and links still in old columns; everything in clusters. Objects may have got keys that are not their row
// numbers; a hidden column then remembers the rows, by which old links name them.
// What the upgrade had still to do to links is done here in memory, and incoming links are made anew: old ones are partly
// thrown away by then, new ones not yet complete. Cost: proportional to the links, once, when the file is opened.

/// Finishes an upgrade in memory.
struct InterruptedUpgrade {
  private let snapshot: Snapshot
  private let nodes: NodeStore
  /// By table; nil where there is none to show.
  private var parts: [UpgradedTable?] = []

  /// The tables as the finished upgrade would show them, and the snapshot to read them from.
  static func finish(
    _ top: GroupTop, in snapshot: Snapshot
  ) throws(EngineError) -> (tables: [Table?], snapshot: Snapshot) {
    let slabs = try SlabArena(above: snapshot.fileLimit)
    let extended = Snapshot(
      image: snapshot.image, fileLimit: snapshot.fileLimit, format: snapshot.format, slabs: slabs)
    var upgrade = try InterruptedUpgrade(try OldGroup(top, in: extended), slabs, in: extended)
    try upgrade.moveLinks()
    try upgrade.makeIncomingLinks()
    return (upgrade.parts.map { $0?.table }, extended)
  }

  private init(_ group: OldGroup, _ slabs: SlabArena, in snapshot: Snapshot) throws(EngineError) {
    self.snapshot = snapshot
    nodes = NodeStore(snapshot, slabs: slabs)
    let budget = TraversalBudget(snapshot)
    for (index, top) in group.tops.enumerated() {
      guard let top, let key = TableKey(Int64(index)), group.names[index] != OldGroup.progressTable else {
        parts.append(nil)
        continue
      }
      parts.append(
        try UpgradedTable(
          top, name: group.names[index], key: key, tableCount: group.tops.count, in: snapshot, budget: budget)
      )
    }
    try setPrimaryKeys(group.names)
  }

  private mutating func setPrimaryKeys(_ names: [String]) throws(EngineError) {
    var keys = OldPrimaryKeys(tableNames: names, propertyNames: parts.map { $0?.propertyNames ?? [] })
    if let index = names.firstIndex(of: OldPrimaryKeys.table), let table = parts[index]?.table,
      let classes = table.schema.property(named: OldPrimaryKeys.classColumn),
      let properties = table.schema.property(named: OldPrimaryKeys.propertyColumn)
    {
      var cursor = table.blocks()
      while let block = try cursor.next() {
        let classLeaf = try block.leaf(classes, budget: cursor.budget)
        let propertyLeaf = try block.leaf(properties, budget: cursor.budget)
        for row in 0..<block.count {
          keys.add(
            class: try classLeaf.value(row, in: snapshot),
            property: try propertyLeaf.value(row, in: snapshot))
        }
      }
    }
    for index in parts.indices { parts[index]?.setPrimaryKey(keys.column(ofTable: index)) }
  }

  // MARK: Links

  /// Makes all links name their targets by key.
  private mutating func moveLinks() throws(EngineError) {
    let budget = TraversalBudget(snapshot)
    let keysByRow = try parts.map { part throws(EngineError) in try part?.keysByRow(budget: budget) }
    for index in parts.indices {
      guard let part = parts[index] else { continue }
      var moved: [Int: UpgradedTable.Column] = [:]
      for property in part.schema.properties where property.isLink {
        guard let slot = property.target?.slot, slot < parts.count, parts[slot] != nil else {
          throw EngineError(damage: "\(part.schema.name).\(property.name) links to no class")
        }
        guard let old = part.oldLinks[property.specIndex] else { continue }
        let targets = keysByRow[slot]
        // Old columns whose rows and targets are still what they were can stay.
        if part.isOld && targets == nil { continue }
        let stored = try storedLinks(old, budget: budget)
        var elements: [Int64] = []
        for row in try part.rowsInKeyOrder(budget: budget) {
          guard row >= 0, row < Int64(stored.count) else {
            throw UpgradedTable.halfMoved(part.schema.name)
          }
          elements.append(
            try move(stored[Int(row)], isList: property.collection != nil, to: targets, budget: budget))
        }
        moved[property.columnKey.leafIndex] = (elements, property.collection != nil)
      }
      try parts[index]?.replace(moved, nodes)
    }
  }

  /// What an old column of links or lists of links stores, row by row.
  private func storedLinks(
    _ column: OldColumn, budget: TraversalBudget
  ) throws(EngineError) -> [Int64] {
    var stored: [Int64] = []
    try column.forEachLeaf(budget: budget) { leaf throws(EngineError) in
      for row in 0..<leaf.count {
        switch leaf {
        case .links(let links): stored.append(links[row].map { $0.value &+ 1 } ?? 0)
        case .collections(let lists): stored.append(Int64(try lists.root(row)?.offset ?? 0))
        default: throw Self.noLinks
        }
      }
      return true
    }
    return stored
  }

  /// A link or list as clusters have it; `targets` are the keys of target rows where these are not the row numbers.
  private func move(
    _ stored: Int64, isList: Bool, to targets: [Int64: Int64]?, budget: TraversalBudget
  ) throws(EngineError) -> Int64 {
    guard stored != 0, let targets else { return stored }
    guard isList else { return targets[stored &- 1].map { $0 &+ 1 } ?? 0 }
    guard let root = Ref(stored) else { return 0 }
    var keys: [Int64] = []
    try forEachLink(inListAt: root, budget: budget) { keys.append(targets[$0.value] ?? -1) }
    return Int64(try nodes.makeColumnTree(keys.filter { $0 >= 0 }, hasRefs: false).offset)
  }

  private func forEachLink(
    inListAt root: Ref, budget: TraversalBudget, _ body: (ObjectKey) -> Void
  ) throws(EngineError) {
    let layout = LeafLayout(type: .object, isNullable: false, isInCollection: true)
    try snapshot.forEachElementLeaf(root, layout, budget: budget) { leaf throws(EngineError) in
      guard case .links(let links) = leaf else { throw Self.noLinks }
      // Lists of zeros take no room in the file, but do so here.
      try budget.charge(links.count / 8, at: root.offset)
      for index in 0..<links.count { if let key = links[index] { body(key) } }
      return true
    }
  }

  private static let noLinks = EngineError(
    .damaged, "a column of links holds something else", hint: "`check` shows what is damaged")

  // MARK: Incoming links

  /// Gives every table a hidden column for each property that links to it.
  private mutating func makeIncomingLinks() throws(EngineError) {
    let budget = TraversalBudget(snapshot)
    var incoming: [Int: [(origin: BacklinkOrigin, origins: [Int64: [Int64]])]] = [:]
    for case let part? in parts {
      let properties = part.schema.properties.filter { $0.isLink && $0.target != nil }
      if properties.isEmpty { continue }
      var origins = Array(repeating: [Int64: [Int64]](), count: properties.count)
      var cursor = part.table.blocks(budget: budget)
      while let block = try cursor.next() {
        for (index, property) in properties.enumerated() {
          try gather(block, property, budget: budget) { target, origin in
            origins[index][target, default: []].append(origin)
          }
        }
      }
      for (property, origins) in zip(properties, origins) {
        guard let target = property.target else { continue }
        let origin = BacklinkOrigin(table: part.schema.tableKey, column: property.columnKey)
        incoming[target.slot, default: []].append((origin, origins))
      }
    }
    for index in parts.indices {
      try parts[index]?.setIncomingLinks(incoming[index] ?? [], nodes, budget: TraversalBudget(snapshot))
    }
  }

  /// Calls `body` with target and origin of every link that a property has in a block.
  private func gather(
    _ block: RowBlock, _ property: Property, budget: TraversalBudget, _ body: (Int64, Int64) -> Void
  ) throws(EngineError) {
    let leaf = try block.leaf(property, budget: budget)
    for row in 0..<block.count {
      let origin = block.key(row).value
      switch leaf {
      case .links(let links):
        if let key = links[row] { body(key.value, origin) }
      case .collections(let lists):
        guard let root = try lists.root(row) else { continue }
        try forEachLink(inListAt: root, budget: budget) { body($0.value, origin) }
      default: throw Self.noLinks
      }
    }
  }
}

/// The property that an incoming link comes from.
struct BacklinkOrigin {
  let table: TableKey
  let column: ColumnKey
}

/// Columns that an interrupted upgrade still had to make. Their nodes stand in no file but in slabs behind its bytes,
/// where whoever reads the snapshot reads them like any others.
extension NodeStore {
  /// A tree of a column's elements: numbers, or refs and tagged numbers.
  func makeColumnTree(_ elements: [Int64], hasRefs: Bool) throws(EngineError) -> Ref {
    hasRefs
      ? try makeTree(.backlinks, .slots(elements, areBlobs: false))
      : try makeKeyTree(elements)
  }

  /// A copy of `tree` whose clusters have other leaves in some columns. `columns` gives the elements of each such
  /// column in key order, by leaf index.
  func makeClusters(
    like tree: ClusterTree, replacing columns: [Int: InterruptedUpgrade.UpgradedTable.Column]
  ) throws(EngineError) -> ClusterTree {
    let builder = ClusterTreeBuilder(in: self)
    var firstRow = 0
    var cursor = tree.cursor()
    while let cluster = try cursor.next() {
      let keys = (0..<cluster.count).map { cluster.key($0).value }
      guard zip(keys, keys.dropFirst()).allSatisfy({ UInt64(bitPattern: $0) < UInt64(bitPattern: $1) }) else {
        throw EngineError.damaged(
          at: cluster.node.ref.offset, expected: "rising object keys", found: "others")
      }
      var leaves = (1..<cluster.node.count).map { cluster.node.integers[$0] }
      for (leafIndex, column) in columns {
        while leaves.count <= leafIndex { leaves.append(0) }
        let rows = Array(column.elements[firstRow..<firstRow + cluster.count])
        leaves[leafIndex] = Int64(
          (column.hasRefs ? try makeSlots(rows) : try makeIntegers(rows)).offset)
      }
      try builder.append(keys, leaves: leaves)
      firstRow += cluster.count
    }
    return builder.isEmpty ? tree : try ClusterTree(try builder.finish(), in: tree.snapshot)
  }
}
