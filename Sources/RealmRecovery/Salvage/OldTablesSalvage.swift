// The tables of a damaged version of formats 2–9, each read for itself. Layer: RealmRecovery, Salvage.
// Invariant: a table to which nothing leads gets the slot, and with it the name, that its links tell; where they do not, it gets
// a name of its own.

import RealmEngine

struct OldTablesSalvage {
  let snapshot: Snapshot
  /// Nil where nothing tells.
  let used: UsedSpace?
  let budget: TraversalBudget
  let log: SalvageLog

  /// Tables by slot; nil where one is lost.
  private struct Slots {
    var names: [String?]
    /// Nodes that the list of tables leads to.
    var roots: [Ref?]
    var parts: [OldTableParts?]
    /// Slots of tables that were dropped.
    var dropped: Set<Int> = []

    var count: Int { parts.count }
    var lost: Set<Int> { Set(parts.indices.filter { parts[$0] == nil }).subtracting(dropped) }
  }

  // MARK: From a top array

  /// What a top array leads to, and what it should.
  func tables(_ top: NodeView) throws(EngineError) -> (tables: [OldTable], isListWhole: Bool) {
    let stated = try StatedTables(top, in: snapshot, log)
    let (names, list) = (stated.names, stated.list)
    let count = max(list?.count ?? 0, names?.count ?? 0)
    let known = names == nil ? try NodeSearch(snapshot).oldNames(count...count) : names ?? []
    var slots = Slots(
      names: (0..<count).map { $0 < known.count ? known[$0] : nil },
      roots: (0..<count).map { slot in
        list.flatMap { slot < $0.count ? (try? $0.ref(slot)) ?? nil : nil }
      }, parts: Array(repeating: nil, count: count))
    // A table that is dropped loses its name.
    for slot in 0..<count where names != nil && slots.names[slot] == nil {
      if let list, slot < list.count, let element = try? list.slot(slot), element & 1 == 1 {
        slots.dropped.insert(slot)
      }
    }
    readRoots(&slots)
    try findLost(&slots, under: top.ref)
    return (try tables(slots), names != nil && names?.count == list?.count)
  }

  /// Whether a list of tables that can be read as a whole says what was written: every table has a name and a node of its own.
  func isSound(_ top: NodeView) -> Bool {
    guard
      let names = try? TableNames.texts(
        try snapshot.node(try top.requiredRef(GroupSlot.names)), in: snapshot),
      let list = try? snapshot.refsNode(try top.requiredRef(GroupSlot.tables)), names.count == list.count
    else { return false }
    var tables: Set<Int> = []
    for (slot, name) in names.enumerated() {
      guard let element = try? list.slot(slot), (element & 1 == 1) == (name == nil) else { return false }
      if name != nil, !tables.insert(Int(element)).inserted { return false }
    }
    return Set(names.compactMap { $0 }).count == tables.count
  }

  /// Whether a later engine has begun to upgrade the file and did not come to an end: there are tables of both kinds then.
  func isBeingUpgraded(_ top: NodeView) -> Bool {
    guard let list = try? snapshot.refsNode(try top.requiredRef(GroupSlot.tables)) else { return false }
    let names =
      (try? TableNames.texts(
        try snapshot.node(try top.requiredRef(GroupSlot.names)), in: snapshot)) ?? []
    return names.contains(OldGroup.progressTable)
      || (0..<list.count).contains { slot in
        let table = ((try? list.ref(slot)) ?? nil).flatMap { try? snapshot.refsNode($0) }
        return table.map { $0.count != OldGroup.tableSize } ?? false
      }
  }

  // MARK: Without one

  /// What a list of tables leads to that nothing names.
  func tables(_ list: OldTableList) throws(EngineError) -> [OldTable] {
    let count = list.tables.count
    var slots = Slots(
      names: (0..<count).map { $0 < list.names.count ? list.names[$0] : nil },
      roots: (0..<count).map { (try? list.tables.ref($0)) ?? nil },
      parts: Array(repeating: nil, count: count))
    readRoots(&slots)
    return try tables(slots)
  }

  /// Tables that are left where not even a list of them is.
  func looseTables() throws(EngineError) -> [OldTable] {
    let found = try foundTables([])
    guard !found.isEmpty else { return [] }
    let names = try NodeSearch(snapshot).oldNames(found.count...TableNames.countMax)
    let count = max(names.count, found.count)
    var slots = Slots(
      names: (0..<count).map { $0 < names.count ? names[$0] : nil },
      roots: Array(repeating: nil, count: count), parts: Array(repeating: nil, count: count))
    place(found, &slots)
    return try tables(slots)
  }

  // MARK: Places

  /// Takes what the list of tables leads to. Where it leads to one table twice, nobody knows which slot it is from.
  private func readRoots(_ slots: inout Slots) {
    let search = NodeSearch(snapshot)
    let uses = Dictionary(slots.roots.compactMap { $0?.offset }.map { ($0, 1) }, uniquingKeysWith: +)
    for (slot, root) in slots.roots.enumerated() where !slots.dropped.contains(slot) {
      guard let root, uses[root.offset] == 1, search.isOldTable(root) else { continue }
      slots.parts[slot] = parts(root)
    }
  }

  private func parts(_ root: Ref) -> OldTableParts? {
    guard let node = try? snapshot.refsNode(root), let spec = (try? node.ref(0)) ?? nil,
      let columns = (try? node.ref(1)) ?? nil
    else { return nil }
    return OldTableParts(spec: spec, columns: columns)
  }

  /// Looks for tables that no element of the list leads to: such that stand in use.
  private func findLost(_ slots: inout Slots, under top: Ref) throws(EngineError) {
    guard !slots.lost.isEmpty || slots.count == 0 else { return }
    let known = Set(slots.parts.compactMap { $0 })
    var found = try foundTables(known)
    if found.count < slots.lost.count {
      let damaged = Set(slots.lost.compactMap { slots.roots[$0]?.offset })
      found += try NodeSearch(snapshot).looseOldTables(
        used?.contains ?? { _ in true },
        outside: [top] + (known.union(found)).flatMap { [$0.spec, $0.columns] }, damaged: damaged)
    }
    guard let first = found.first else { return }
    log.note(
      EngineError(
        .damaged, "tables that nothing names: \(found.count)", at: "offset \(first.spec.offset)"),
      "the list of classes")
    place(found, &slots)
  }

  /// Tables by their shape but for those that are known. Versions of one table share its spec as long as nobody changes its
  /// columns: of these the last one.
  private func foundTables(_ known: Set<OldTableParts>) throws(EngineError) -> [OldTableParts] {
    let specs = Set(known.map(\.spec))
    var found: [OldTableParts?] = []
    var places: [Ref: Int] = [:]
    for root in try NodeSearch(snapshot).oldTables(used?.contains ?? { _ in true }) {
      guard let parts = parts(root), !specs.contains(parts.spec) else { continue }
      if let place = places.updateValue(found.count, forKey: parts.spec) { found[place] = nil }
      found.append(parts)
    }
    return found.compactMap { $0 }
  }

  /// Puts tables into the slots that they must have stood in, and others behind all slots.
  private func place(_ found: [OldTableParts], _ slots: inout Slots) {
    var known: [Int: OldTableSlots.Links] = [:]
    for (slot, parts) in slots.parts.enumerated() { known[slot] = parts.flatMap(spec).map { .init($0) } }
    let specs = found.map(spec)
    let names = specs.map { $0.flatMap(Self.ownName) }
    let stored = slots.names
    let places = OldTableSlots(
      specs.map { .init($0 ?? OldSpec(columns: [])) }, known: known, lost: slots.lost
    ) { number, slot in
      let isOwn = stored[slot].map(Self.ownNames.contains) ?? false
      return names[number] == nil ? !isOwn : stored[slot] == nil || stored[slot] == names[number]
    }
    for (parts, slot) in zip(found, places.slots) {
      if let slot {
        slots.parts[slot] = parts
      } else if slots.count < TableNames.countMax {
        slots.parts.append(parts)
        slots.names.append(nil)
        slots.roots.append(nil)
      }
    }
  }

  private func spec(_ parts: OldTableParts) -> OldSpec? {
    try? OldSpec(salvaging: parts.spec, in: snapshot, budget: budget) { _ in }
  }

  // MARK: Names

  private static let ownNames = [OldPrimaryKeys.table, SchemaVersionTable.name]

  /// The name of a table of the engine's own, by its columns.
  private static func ownName(_ spec: OldSpec) -> String? {
    let names = spec.columns.map(\.name)
    if names == [SchemaVersionTable.property] { return SchemaVersionTable.name }
    return names == [OldPrimaryKeys.classColumn, OldPrimaryKeys.propertyColumn] ? OldPrimaryKeys.table : nil
  }

  /// Where some names are lost, others may be pieces of names, which are no classes' by chance only.
  private func names(_ slots: Slots, _ specs: [OldSpec?]) -> [String] {
    let isTorn = slots.parts.indices.contains { slots.parts[$0] != nil && slots.names[$0] == nil }
    return slots.parts.indices.map { slot in
      let stored = slots.names[slot]
      if let stored, !isTorn || ClassSchema.className(ofTable: stored) != nil { return stored }
      return specs[slot].flatMap(Self.ownName) ?? TableNames.found(slot)
    }
  }

  // MARK: Tables

  private func tables(_ slots: Slots) throws(EngineError) -> [OldTable] {
    let names = names(slots, slots.parts.map { $0.flatMap(spec) })
    var storages: [OldTableStorage?] = []
    for (parts, name) in zip(slots.parts, names) {
      storages.append(
        try log.reading(name) { () throws(EngineError) in
          guard let parts else {
            throw EngineError(damage: "nothing names the table")
          }
          let spec = try OldSpec(salvaging: parts.spec, in: snapshot, budget: budget) { error in
            log.note(error, "\(name), its structure")
          }
          return try OldTableStorage(
            salvaging: spec, try snapshot.refsNode(parts.columns), in: snapshot, budget: budget
          ) { column, error in log.note(error, "\(name).\(column)") }
        })
    }
    let primaryKeys = try log.reading("primary keys") { () throws(EngineError) in
      try OldGroup.primaryKeys(names, storages.map { $0 ?? .none(in: snapshot) }, in: snapshot)
    }
    return OldGroup.tables(names: names, storages, primaryKeys, in: snapshot)
  }
}
