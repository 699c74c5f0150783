// One version of a damaged realm: its tables, whichever of them can be found. Layer: RealmRecovery, Salvage.

import RealmEngine

/// Where a version was found.
package enum SalvageOrigin: Sendable, Hashable {
  /// The header's selected slot, or the footer.
  case current
  /// The header's other slot.
  case previous
  /// The header's other slot, where that holds a newer version than the selected one.
  case newer
  /// A top array that nothing names.
  case found

  package var word: String {
    switch self {
    case .current: "current"
    case .previous: "previous"
    case .newer: "newer"
    case .found: "found"
    }
  }
}

/// One version, as far as its top array leads.
final class SalvagedVersion {
  private(set) var snapshot: Snapshot
  let origin: SalvageOrigin
  /// Whether there was no later one.
  var isLatest: Bool { origin == .current || origin == .newer }
  /// Nil where only tables were found.
  let topRef: Ref?
  /// Without what may have been made in memory.
  let fileSnapshot: Snapshot
  /// Its number, as its top array says; 0 where that is lost.
  let number: Int64
  /// By name; classes and the engine's own tables.
  private(set) var tables: [String: SalvagedTable] = [:]
  /// In stored order.
  private(set) var names: [String] = []
  /// Whether all tables' names and places are known, so that a class which is not among them is not there.
  private(set) var isListWhole = false
  private(set) var namesByKey: [TableKey: String] = [:]
  private(set) var schemaVersion: Int64?
  /// Nil where parts of the top array make no sense.
  private(set) var groupTop: GroupTop?
  /// Nodes of rows that were met; nil in formats 2–9.
  private(set) var claims: ClaimMap?
  /// What walks through trees of rows may look at, all of them together.
  private(set) lazy var treeWork = SearchWork(fileSnapshot)
  /// What looks for pages of others may look at.
  private(set) lazy var pageWork = SearchWork(fileSnapshot)
  /// Where its tables are said to be, by slot; nothing in formats 2–9.
  private var roots: [Int: Ref] = [:]
  /// Nil where nothing tells.
  private(set) var used: UsedSpace?
  /// Pages that hold something else than they did.
  private(set) var foreignPages: Set<Int> = []
  /// For nodes of refs that were looked through: such a page that a part of them reaches into.
  var foreignParts: [Int: Int?] = [:]
  /// Where its damage is noted.
  let log: SalvageLog
  /// What may still be read through collections.
  let allowance: SalvageAllowance
  var budget: TraversalBudget { allowance.budget }

  /// Searches through the whole file that are still allowed, however many tables are damaged.
  private var searchesLeft = 16

  /// `known` are other versions of the same realm, which lend names and columns that are lost here. Throws where not even the
  /// top array can be read.
  init(
    _ topRef: Ref, _ origin: SalvageOrigin, in snapshot: Snapshot, known: [SalvagedVersion], log: SalvageLog
  ) throws(EngineError) {
    let top = try snapshot.refsNode(topRef)
    guard !top.isInner, top.count >= 3, top.count <= 12 else {
      throw EngineError.damaged(at: topRef.offset, expected: "the top array", found: top.description)
    }
    self.snapshot = snapshot
    fileSnapshot = snapshot
    self.topRef = topRef
    self.log = log
    self.origin = origin
    number = (try? top.taggedOrZero(GroupSlot.version)).map { max(1, $0) } ?? 0
    allowance = SalvageAllowance(snapshot)
    groupTop = try? GroupTop(topRef, in: snapshot)
    // What the version before leads to may be in use for something else by now.
    if origin != .previous, var mending = HeaderRepair(snapshot, groupTop, log: log) {
      try mending.run(topRef)
      foreignPages = mending.foreignPages
    }
    if snapshot.format < FileFormat.firstWithClusters {
      try readOldTables(topRef, top)
    } else {
      try readTables(top, known)
    }
    try readSchemaVersion()
  }

  private func readTables(_ top: NodeView, _ known: [SalvagedVersion]) throws(EngineError) {
    let claims = try claimMap()
    self.claims = claims
    used = Self.used(groupTop, known, in: snapshot)
    let stated = try StatedTables(top, in: snapshot, log)
    if groupTop == nil, stated.names == nil, NodeSearch(snapshot).tableList(of: topRef) == nil {
      throw EngineError.damaged(at: top.ref.offset, expected: "the top array", found: top.description)
    }
    guard let tables = stated.list else { return try findTables(stated.names, known, claims) }
    try readTables(tables, stated.names, known, claims)
  }

  private func readTables(
    _ tables: NodeView, _ names: [String?]?, _ known: [SalvagedVersion], _ claims: ClaimMap
  ) throws(EngineError) {
    isListWhole = names?.count == tables.count
    if let names, !isListWhole {
      log.note(
        .damaged(at: tables.ref.offset, expected: "\(names.count) tables", found: "\(tables.count)"),
        "the list of classes")
    }
    roots = [:]
    var slots: [Int] = []
    for slot in 0..<max(tables.count, names?.count ?? 0) {
      let element = slot < tables.count ? try? tables.slot(slot) : nil
      let isNamed = names.map { slot < $0.count && $0[slot] != nil } ?? false
      // An odd element is the tag that the next table in this slot gets. A table that is dropped loses its name.
      guard isNamed || element.map({ $0 & 1 == 0 }) ?? false else { continue }
      if !isNamed, names != nil {
        log.note(EngineError(.damaged, "the table in slot \(slot) has none"), "names of classes")
      }
      slots.append(slot)
      roots[slot] = element.flatMap { Ref($0) }
    }
    try mendRoots(slots)
    // Where some names are lost, others may be pieces of names, which are no classes' by chance only.
    let isTorn = names.map { names in slots.contains { $0 >= names.count || names[$0] == nil } } ?? false
    let sure =
      isTorn ? names?.map { $0.flatMap { ClassSchema.className(ofTable: $0) == nil ? nil : $0 } } : names
    for slot in slots { try addTable(slot, roots[slot], sure, known, claims) }
    nameTargets()
  }

  /// Looks for the tables that their list does not lead to: such that stand in use. Where nothing tells what is in use, a list
  /// that leads to tables for the most part is believed.
  private func mendRoots(_ slots: [Int]) throws(EngineError) {
    let search = NodeSearch(snapshot)
    let lost = slots.filter { slot in
      let node = roots[slot].flatMap { try? snapshot.refsNode($0) }
      return node.flatMap { search.tableRoot($0)?.slot } != slot
    }
    guard !lost.isEmpty, used != nil || lost.count * 2 > slots.count else { return }
    let found = try search.tableRoots(used?.contains ?? { _ in true })
    for slot in lost {
      guard let table = found[slot]?.ref, table != roots[slot] else { continue }
      log.note(
        EngineError(.damaged, "nothing names the table in slot \(slot)", at: "offset \(table.offset)"),
        "the list of classes")
      roots[slot] = table
    }
  }

  private func nameTargets() {
    let keys = LinkTargets.keysOfOthers(tables.values.map(\.schema))
    for (name, table) in tables {
      guard let key = keys[table.schema.tableKey] else { continue }
      let own = table.schema.tableKey
      log.note(EngineError(.damaged, "its key is \(own.value), and \(key.value) to all others"), name)
      tables[name] = SalvagedTable(table.schema.with(key: key), table.rows)
      namesByKey[own] = nil
      namesByKey[key] = name
    }
    let targets = LinkTargets(tables.values.map(\.schema))
    for (name, table) in tables where targets.isLost(in: table.schema) {
      log.note(EngineError(.damaged, "what links lead to is lost"), name)
      tables[name] = SalvagedTable(table.schema.with(targets: targets.known(for: table.schema)), table.rows)
    }
  }

  /// Tables that no list names, by their shape.
  private func findTables(
    _ names: [String?]?, _ known: [SalvagedVersion], _ claims: ClaimMap
  ) throws(EngineError) {
    let search = NodeSearch(snapshot)
    let isCandidate = groupTop == nil ? nil : used?.contains
    let found = try search.tableRoots(isCandidate ?? { _ in true })
    roots = found.mapValues(\.ref)
    let stored = if let names { names } else { try search.names(of: found.keys.sorted()) }
    // Where the list of names can be read, a table that has none was dropped, and each other one was there. A file that was
    // written once has no other list.
    let listed = names ?? (UsedSpace.isWrittenOnce(snapshot) ? stored : [])
    let slots =
      listed.indices.filter { listed[$0] != nil } + found.keys.filter { $0 >= listed.count }
    for slot in slots.sorted() { try addTable(slot, roots[slot], stored, known, claims) }
    nameTargets()
  }

  /// A version that no top array names.
  private init(foundIn snapshot: Snapshot, _ log: SalvageLog) {
    self.snapshot = snapshot
    fileSnapshot = snapshot
    topRef = nil
    self.log = log
    origin = .found
    number = 0
    allowance = SalvageAllowance(snapshot)
  }

  /// A version of which only its list of tables is left, or only its tables, wherever they stand.
  convenience init(
    searching snapshot: Snapshot, _ list: TableList?, known: [SalvagedVersion], log: SalvageLog
  ) throws(EngineError) {
    self.init(foundIn: snapshot, log)
    let claims = try claimMap()
    self.claims = claims
    used = Self.used(nil, known, in: snapshot)
    if let list, let node = list.node {
      let names = try NodeSearch(snapshot).names(of: list.slots, count: list.ages.count)
      try readTables(node, names.isEmpty ? nil : names, known, claims)
    } else {
      try findTables(nil, known, claims)
    }
    try readSchemaVersion()
  }

  /// A version of formats 2–9 of which only its list of tables is left, or only its tables.
  convenience init(searching snapshot: Snapshot, _ list: OldTableList?, log: SalvageLog) throws(EngineError) {
    self.init(foundIn: snapshot, log)
    if let list { add(try oldTables.tables(list)) } else { add(try oldTables.looseTables()) }
    try readSchemaVersion()
  }

  private func claimMap() throws(EngineError) -> ClaimMap {
    guard let claims = ClaimMap(size: snapshot.fileLimit & ~7) else {
      throw EngineError(.other, "no memory for a map of the file")
    }
    return claims
  }

  private static func used(_ top: GroupTop?, _ known: [SalvagedVersion], in snapshot: Snapshot) -> UsedSpace?
  {
    let before = known.first { $0.origin == .previous }
    return UsedSpace(top: top, endBefore: before?.groupTop?.logicalSize, in: snapshot)
  }

  private func addTable(
    _ slot: Int, _ place: Ref?, _ stored: [String?]?, _ known: [SalvagedVersion], _ claims: ClaimMap
  ) throws(EngineError) {
    let storedName = stored.flatMap { slot < $0.count ? $0[slot] : nil }
    let name =
      storedName ?? known.lazy.compactMap { $0.name(ofSlot: slot) }.first ?? TableNames.ofMetadata(
        slot, place, in: snapshot)
      ?? TableNames.found(slot)
    guard tables[name] == nil else { return }
    let before = known.lazy.compactMap { $0.tables[name]?.schema }.first
    let table = try log.reading(name) { () throws(EngineError) in
      guard let ref = place else {
        throw EngineError(damage: "nothing names the table in slot \(slot)")
      }
      return try SalvagedSchema(
        ref, tableName: name, slot: slot, in: snapshot, known: before, others: { others(slot) },
        isUsed: used?.contains, used: { () throws(EngineError) in try usedSpec(slot) }, log: log)
    }
    guard let table else {
      // The class was there, whatever it was like.
      var schema = try usedSchema(slot, name, before) ?? before
      if schema == nil { schema = try oldSchema(slot, name) }
      if let schema {
        var rows = SalvagedRows()
        rows.lostKeys = [SalvagedRows.allKeys]
        add(SalvagedTable(schema, rows), name)
      }
      return
    }
    var walk = ClusterSalvage(
      snapshot, properties: table.schema.properties, tableName: table.schema.name, claims: claims,
      work: treeWork, log: log)
    if let clusters = table.clusters { try walk.walk(clusters) } else { walk.loseAll() }
    add(SalvagedTable(table.schema, walk.rows), name)
  }

  /// The other tables by slot, for a search through the whole file; nil after so many.
  private func others(_ slot: Int) -> [Ref]? {
    guard searchesLeft > 0 else { return nil }
    searchesLeft -= 1
    return roots.filter { $0.key != slot }.sorted { $0.key < $1.key }.map(\.value)
  }

  /// What the spec of a table says that is in use, and to which nothing leads any more.
  private func usedSchema(
    _ slot: Int, _ name: String, _ before: ClassSchema?
  ) throws(EngineError) -> ClassSchema? {
    guard let finding = try usedSpec(slot) else { return nil }
    return SalvagedSchema.withoutTable(finding, tableName: name, in: snapshot, known: before)
  }

  private func usedSpec(_ slot: Int) throws(EngineError) -> ColumnSearch.Finding? {
    guard let used, let others = others(slot) else { return nil }
    return try ColumnSearch(snapshot, others: others, used.contains).columns(ofSlot: slot)
  }

  /// What an older top array of a table says, which nothing leads to any more.
  private func oldSchema(_ slot: Int, _ name: String) throws(EngineError) -> ClassSchema? {
    guard searchesLeft > 0 else { return nil }
    searchesLeft -= 1
    guard let root = try NodeSearch(snapshot).tableRoots()[slot] else { return nil }
    let old = try SalvageLog().reading(name) { () throws(EngineError) in
      try SalvagedSchema(
        root.ref, tableName: name, slot: slot, in: snapshot, known: nil, others: { others(slot) },
        isUsed: nil, used: { nil }, log: SalvageLog())
    }
    return old?.schema
  }

  private func add(_ table: SalvagedTable, _ name: String) {
    tables[name] = table
    names.append(name)
    namesByKey[table.schema.tableKey] = name
  }

  private func name(ofSlot slot: Int) -> String? {
    namesByKey.first { $0.key.slot == slot }?.value
  }

  private func readSchemaVersion() throws(EngineError) {
    guard let table = tables[SchemaVersionTable.name],
      let property = table.schema.property(named: SchemaVersionTable.property), property.type == .int,
      let block = table.rows.blocks.first
    else { return }
    let column = try column(property, of: block, className: SchemaVersionTable.name)
    guard let (leaf, row) = column.place(of: block.rows.lowerBound), case .integers(let leaf) = leaf,
      let version = leaf[row], version != SchemaVersionTable.notVersioned
    else { return }
    schemaVersion = version
  }

  // MARK: Formats 2 to 9

  /// Most files are whole as far as their structure goes; others are read table by table.
  private func readOldTables(_ topRef: Ref, _ top: NodeView) throws(EngineError) {
    let whole = try log.reading("the structure of classes") { () throws(EngineError) in
      try ReadTransaction(snapshot: snapshot, topOffset: topRef.offset)
    }
    let apart = oldTables
    guard let whole, apart.isSound(top) || apart.isBeingUpgraded(top) else {
      let (tables, isListWhole) = try apart.tables(top)
      self.isListWhole = isListWhole
      return add(tables)
    }
    isListWhole = true
    // What an interrupted upgrade was finished to lies beside the file.
    snapshot = whole.snapshot
    let claims = try claimMap()
    for table in whole.classes(allTables: true) where tables[table.schema.tableName] == nil {
      add(SalvagedTable(table.schema, try rows(of: table, claims)), table.schema.tableName)
    }
  }

  private func rows(of table: Table, _ claims: ClaimMap) throws(EngineError) -> SalvagedRows {
    switch table.storage {
    case .old(let rows): return SalvagedOldTable(rows).salvagedRows
    case .clusters(let tree):
      var walk = ClusterSalvage(
        snapshot, properties: table.schema.properties, tableName: table.schema.name, claims: claims,
        work: treeWork, log: log)
      try walk.walk(tree.root.ref)
      return walk.rows
    }
  }

  private var oldTables: OldTablesSalvage {
    OldTablesSalvage(
      snapshot: snapshot, used: Self.used(groupTop, [], in: snapshot), budget: budget, log: log)
  }

  private func add(_ found: [OldTable]) {
    for table in found where tables[table.schema.tableName] == nil {
      add(
        SalvagedTable(table.schema, SalvagedOldTable(table.rows).salvagedRows), table.schema.tableName)
    }
    nameTargets()
  }
}

// Invariants: a pass takes no more than twice the allowance; what a value takes that turns out damaged is not taken
// from the others, as long as there is not too much of that.

/// What one pass over a version's values may take.
final class SalvageAllowance {
  private let snapshot: Snapshot
  private(set) var budget: TraversalBudget
  private var damagedLeft: Int

  private static let walks = 16

  init(_ snapshot: Snapshot) {
    self.snapshot = snapshot
    budget = TraversalBudget(snapshot, walks: Self.walks)
    damagedLeft = budget.remaining
  }

  /// Begins to read all values anew: what one pass gets to read the next one does, too.
  func beginPass() {
    budget = TraversalBudget(snapshot, walks: Self.walks)
    damagedLeft = budget.remaining
  }

  /// Forgives what was read for a damaged value since so much was left: bytes that mean nothing lead anywhere.
  func forgive(since mark: Int) { damagedLeft -= budget.giveBack(since: mark, limit: damagedLeft) }
}
