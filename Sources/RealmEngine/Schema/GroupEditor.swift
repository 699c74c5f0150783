// All tables of a realm while a write transaction changes them. Layer: Schema.
// Invariant: tables are loaded when first asked for and written by `flush`, which leaves a whole new version in nodes:
// it can be read at any time, and committed.

/// The tables of a write transaction.
final class GroupEditor {
  /// What stands in a slot of the list of tables.
  private enum Entry {
    /// Number of the next table in this slot.
    case erased(nextTag: Int64)
    case stored(Ref)
    case open(TableEditor)
  }

  let store: NodeStore
  private(set) var top: Ref
  /// Copies of older realms may hold dictionary keys that the SDKs refuse today.
  var allowsAnyDictionaryKey = false
  /// Links may lead to objects that are still to come.
  var skipsTargets = false
  /// Values of an index that are in memory at once while it is made.
  var indexValuesHeld = 1 << 20
  /// So many values of an index are filed by all threads: fewer are before another has begun.
  var indexCountShared = 20_000
  private var entries: [Entry] = []
  private var names: [String] = []
  /// The slots of the tables that have a name: one, in a sound file.
  private var slots: [ByteString: [Int]] = [:]
  /// No slot before this one is free.
  private var firstFreeSlot = 0
  private var areNamesChanged = false {
    didSet { if areNamesChanged { wereTablesChanged = true } }
  }
  /// Whether tables came, went or were renamed since the transaction began, or the realm was detached.
  private var wereTablesChanged = false

  static let slotsMax = 65535

  /// Opens a snapshot for change; `top` nil begins an empty realm.
  init(top: GroupTop?, in store: NodeStore) throws(EngineError) {
    self.store = store
    guard let top else {
      var slots = [Int64](repeating: 0, count: GroupSlot.countWithHistory)
      slots[GroupSlot.names] = Int64(try store.makeNames([]).offset)
      slots[GroupSlot.tables] = Int64(try store.makeSlots([]).offset)
      slots[GroupSlot.logicalSize] = NodeStore.tag(Int64(FileHeader.size))
      slots[GroupSlot.version] = NodeStore.tag(1)
      slots[GroupSlot.historyType] = NodeStore.tag(HistoryType.inRealmNumber)
      slots[GroupSlot.historySchemaVersion] = NodeStore.tag(HistoryType.inRealmSchema)
      slots[GroupSlot.syncFileID] = NodeStore.tag(0)
      self.top = try store.makeSlots(slots)
      return
    }
    self.top = top.node.ref
    let snapshot = store.snapshot
    let storedNames = try ShortStringLeaf(try snapshot.node(top.names), isNullable: false)
    let refs = try snapshot.refsNode(top.tables)
    guard refs.count == storedNames.count, refs.count <= Self.slotsMax else {
      throw EngineError.damaged(
        at: top.tables.offset, expected: "as many tables as names",
        found: "\(refs.count) and \(storedNames.count)")
    }
    for slot in 0..<refs.count {
      names.append(try storedNames.bytes(slot).map { ByteString(borrowing: $0).text } ?? "")
      entries.append(
        try refs.slot(slot) & 1 == 1
          ? .erased(nextTag: try refs.tagged(slot)) : .stored(try refs.requiredRef(slot)))
      if case .stored = entries[slot] { slots[ByteString(names[slot]), default: []].append(slot) }
    }
  }

  // MARK: Tables

  private func open(_ slot: Int) throws(EngineError) -> TableEditor? {
    switch entries[slot] {
    case .erased: return nil
    case .open(let table): return table
    case .stored(let ref):
      let table = try TableEditor(ref, tableName: names[slot], slot: slot, in: store)
      entries[slot] = .open(table)
      return table
    }
  }

  /// The table with `key`. Throws when it is gone.
  func table(_ key: TableKey) throws(EngineError) -> TableEditor {
    guard key.slot < entries.count, let table = try open(key.slot), table.tableKey == key else {
      throw EngineError(.unknownClass, "no table with key \(key.value)")
    }
    return table
  }

  func hasTable(_ key: TableKey) -> Bool { (try? table(key)) != nil }

  /// The table named so in the file; nil where there is none.
  func table(named tableName: String) throws(EngineError) -> TableEditor? {
    guard let slot = slots[ByteString(tableName)]?.min() else { return nil }
    return try open(slot)
  }

  func allTables() throws(EngineError) -> [TableEditor] {
    var tables: [TableEditor] = []
    for slot in entries.indices { if let table = try open(slot) { tables.append(table) } }
    return tables
  }

  /// The tables that were looked at so far, those that were changed among them.
  func forEachOpenTable(_ body: (TableEditor) throws(EngineError) -> Void) throws(EngineError) {
    for case .open(let table) in entries { try body(table) }
  }

  private static var isFull: EngineError {
    EngineError(.constraint, "a realm cannot hold more than \(slotsMax) tables, and each class is one")
  }

  /// Throws where there is no room for `count` more tables.
  func requireRoom(forTables count: Int) throws(EngineError) {
    var room = Self.slotsMax - entries.count
    guard count > room else { return }
    for case .erased in entries { room += 1 }
    guard count <= room else { throw Self.isFull }
  }

  /// Makes a table in the first free slot. The name is unused.
  func addTable(_ tableName: String, flags: Int64) throws(EngineError) -> TableEditor {
    var slot = firstFreeSlot
    var tag: Int64 = 0
    while slot < entries.count {
      if case .erased(let nextTag) = entries[slot] {
        tag = nextTag
        break
      }
      slot += 1
    }
    firstFreeSlot = slot
    guard slot < Self.slotsMax, let key = TableKey((tag & 0x7FFF) << 16 | Int64(slot)) else {
      throw Self.isFull
    }
    let table = try TableEditor(new: key, tableName: tableName, flags: flags, in: store)
    if slot == entries.count {
      entries.append(.open(table))
      names.append(tableName)
    } else {
      entries[slot] = .open(table)
      names[slot] = tableName
    }
    slots[ByteString(tableName), default: []].append(slot)
    firstFreeSlot = slot + 1
    areNamesChanged = true
    return table
  }

  /// Removes a table with all it holds. Columns elsewhere that name it have been removed.
  func removeTable(_ table: TableEditor) throws(EngineError) {
    try store.releaseTree(try table.flush(isCommit: false))
    let slot = table.tableKey.slot
    entries[slot] = .erased(nextTag: (Int64(table.tableKey.value >> 16) + 1) & 0x7FFF)
    forgetName(of: slot)
    names[slot] = ""
    firstFreeSlot = min(firstFreeSlot, slot)
    areNamesChanged = true
  }

  private func forgetName(of slot: Int) {
    slots[ByteString(names[slot])]?.removeAll { $0 == slot }
  }

  func renameTable(_ table: TableEditor, to tableName: String) {
    table.tableName = tableName
    table.noteChange()
    forgetName(of: table.tableKey.slot)
    names[table.tableKey.slot] = tableName
    slots[ByteString(tableName), default: []].append(table.tableKey.slot)
    areNamesChanged = true
  }

  // MARK: Writing

  /// Whether anything was changed.
  var isChanged: Bool {
    wereTablesChanged
      || entries.contains { if case .open(let table) = $0 { table.isChanged } else { false } }
  }

  /// Writes all that changed into nodes; gives the top array.
  func flush(isCommit: Bool) throws(EngineError) -> Ref {
    var tables = try store.snapshot.refsNode(top).requiredRef(GroupSlot.tables)
    for (slot, entry) in entries.enumerated() {
      let value: Int64
      switch entry {
      case .erased(let nextTag): value = NodeStore.tag(nextTag)
      case .stored(let ref): value = Int64(ref.offset)
      case .open(let table): value = Int64(try table.flush(isCommit: isCommit).offset)
      }
      let node = try store.snapshot.refsNode(tables)
      if slot == node.count {
        tables = try store.insertInteger(tables, slot, value)
      } else if try node.slot(slot) != value {
        tables = try store.setInteger(tables, slot, value)
      }
    }
    try setTop(GroupSlot.tables, Int64(tables.offset))
    if areNamesChanged {
      let old = try store.snapshot.refsNode(top).requiredRef(GroupSlot.names)
      try setTop(GroupSlot.names, Int64(try store.makeNames(names.map { Array($0.utf8) }).offset))
      try store.release(old)
      areNamesChanged = false
    }
    return top
  }

  func setTop(_ slot: Int, _ value: Int64) throws(EngineError) {
    if try store.snapshot.refsNode(top).slot(slot) == value { return }
    top = try store.setInteger(top, slot, value)
  }

  func addTopSlot() throws(EngineError) {
    top = try store.insertInteger(top, try store.snapshot.refsNode(top).count, 0)
  }

  /// Makes a synced realm a local one: its history and its identity go, the data stay.
  func detach() throws(EngineError) {
    let count = try store.snapshot.refsNode(top).count
    if count > GroupSlot.history, let history = try store.snapshot.refsNode(top).ref(GroupSlot.history) {
      try setTop(GroupSlot.history, 0)
      try store.releaseTree(history)
    }
    if count > GroupSlot.historyType {
      try setTop(GroupSlot.historyType, NodeStore.tag(HistoryType.inRealmNumber))
    }
    if count > GroupSlot.syncFileID { try setTop(GroupSlot.syncFileID, NodeStore.tag(0)) }
    wereTablesChanged = true
  }

  /// Brings the top array to a size that engines accept, and forgets past changes and half-done compaction.
  func prepareTopForCommit(isUpgrade: Bool) throws(EngineError) {
    var count = try store.snapshot.refsNode(top).count
    let target =
      count > GroupSlot.countWithoutHistory || isUpgrade
      ? GroupSlot.countWithHistory : GroupSlot.countWithoutHistory
    while count > target {
      if let child = try? store.snapshot.refsNode(top).ref(count - 1) { try store.releaseTree(child) }
      top = try store.eraseInteger(top, count - 1)
      count -= 1
    }
    while count < target {
      top = try store.insertInteger(top, count, 0)
      count += 1
    }
    guard count == GroupSlot.countWithHistory else { return }
    // An empty history at the new version: nobody else has the file open who could need old entries.
    if let history = try store.snapshot.refsNode(top).ref(GroupSlot.history) {
      try setTop(GroupSlot.history, 0)
      try store.releaseTree(history)
    }
    if isUpgrade, try store.snapshot.refsNode(top).taggedOrZero(GroupSlot.historyType) == 0 {
      try setTop(GroupSlot.historyType, NodeStore.tag(HistoryType.inRealmNumber))
    }
    if try store.snapshot.refsNode(top).taggedOrZero(GroupSlot.historyType) == HistoryType.inRealmNumber {
      try setTop(GroupSlot.historySchemaVersion, NodeStore.tag(HistoryType.inRealmSchema))
    }
  }
}
