// A table's top array, its spec and its columns (F-24 to F-35). Layer: RealmInspection.

import RealmFiles

extension SnapshotInspection {
  enum TableSlot {
    static let spec = 0
    static let oldColumns = 1
    static let clusters = 2
    static let key = 3
    static let indexes = 4
    static let columnSequence = 5
    static let contentVersion = 6
    static let oppositeTables = 7
    static let oppositeColumns = 8
    static let sequence = 9
    static let collisionMap = 10
    static let primaryKey = 11
    static let flags = 12
    static let tombstones = 13
    static let countMin = 12
    static let countMax = 14
  }

  private enum SpecSlot {
    static let types = 0
    static let names = 1
    static let attributes = 2
    static let subspecs = 3
    static let enumeratedTexts = 4
    static let keys = 5
    static let count = 6
  }

  private static let columnsMax = 65535
  private static let embeddedFlag: Int64 = 1
  private static let kindMax: Int64 = 2

  /// Reads what a table is made of. False: so damaged that its objects cannot be read.
  func inspectStructure(of table: RawTable) -> Bool {
    walk.place = Place(.structure, table: table.slot)
    let top = table.top
    guard (TableSlot.countMin...TableSlot.countMax).contains(top.count) else {
      walk.report(
        .tableTop, at: top.offset,
        expected: "\(TableSlot.countMin) to \(TableSlot.countMax) slots", found: "\(top.count)")
      return false
    }
    inspectNumbers(table)
    guard let indexes = walk.requiredSlots(top, TableSlot.indexes),
      let tables = walk.requiredNumbers(top, TableSlot.oppositeTables),
      let columns = walk.requiredNumbers(top, TableSlot.oppositeColumns),
      let spec = walk.requiredSlots(top, TableSlot.spec)
    else { return false }
    let arrays = ColumnArrays(indexes: indexes, oppositeTables: tables, oppositeColumns: columns)
    inspectCollisionMap(top)
    guard inspectSpec(spec, of: table, arrays) else { return false }
    walk.names.columns[table.slot] = table.columns.map(\.name)
    inspectArrays(arrays, of: table)
    inspectPrimaryKey(table)
    return true
  }

  /// The arrays of a table that have an element for each leaf index.
  struct ColumnArrays {
    let indexes: RawNode
    let oppositeTables: RawNode
    let oppositeColumns: RawNode
  }

  private func inspectNumbers(_ table: RawTable) {
    let top = table.top
    switch top.slot(TableSlot.oldColumns) {
    case .empty: break
    case let other: walk.reportSlot(top, TableSlot.oldColumns, expected: "0", found: other)
    }
    // Engines write what is missing here into a snapshot that they have opened for reading.
    for index in [TableSlot.key, TableSlot.columnSequence, TableSlot.contentVersion] {
      if case .empty = top.slot(index) {
        walk.reportSlot(top, index, expected: "a tagged number", found: .empty)
      }
    }
    for index in [TableSlot.columnSequence, TableSlot.contentVersion, TableSlot.sequence] {
      walk.counter(top, index)
    }
    table.key = walk.tagged(top, TableSlot.key) ?? RawTable.nullKey
    if table.key >= RawTable.nullKey || Int(table.key & 0xFFFF) != table.slot {
      walk.report(
        .tableKey, at: top.offset, expected: "a key whose low 16 bits are the slot, \(table.slot)",
        found: "\(table.key)")
    }
    let flags = walk.tagged(top, TableSlot.flags) ?? 0
    if flags > Self.kindMax {
      walk.report(.tableFlags, at: top.offset, expected: "a kind of table from 0 to 2", found: "\(flags)")
    }
    table.isEmbedded = flags & 3 == Self.embeddedFlag
  }

  private func inspectCollisionMap(_ top: RawNode) {
    walk.place.part = .collisionMap
    defer { walk.place.part = .structure }
    guard let map = walk.child(top, TableSlot.collisionMap),
      let map = walk.checked(map, map.isSlots && map.count == 3, "three refs", kind: .collisionMap),
      let low = walk.requiredNumbers(map, 0), let high = walk.requiredNumbers(map, 1),
      let keys = walk.requiredNumbers(map, 2)
    else { return }
    if low.count != keys.count || high.count != keys.count {
      walk.report(
        .collisionMap, at: map.offset, expected: "three arrays of one length",
        found: "\(low.count), \(high.count) and \(keys.count)")
    }
  }

  // MARK: Columns

  private func inspectSpec(_ spec: RawNode, of table: RawTable, _ arrays: ColumnArrays) -> Bool {
    guard walk.checked(spec, spec.count == SpecSlot.count, "6 slots", kind: .spec) != nil,
      let types = walk.requiredNumbers(spec, SpecSlot.types),
      let names = walk.requiredChild(spec, SpecSlot.names),
      let names = walk.checked(names, names.kind == .bytes && !names.hasRefs, "short texts"),
      let attributes = walk.requiredNumbers(spec, SpecSlot.attributes),
      let keys = walk.requiredNumbers(spec, SpecSlot.keys)
    else { return false }
    if case .empty = spec.slot(SpecSlot.subspecs) {
    } else {
      walk.reportSlot(spec, SpecSlot.subspecs, expected: "0", found: spec.slot(SpecSlot.subspecs))
    }
    guard types.count == keys.count, attributes.count == keys.count, names.count <= keys.count,
      keys.count <= Self.columnsMax
    else {
      walk.report(
        .spec, at: spec.offset, expected: "as many types and attributes as the \(keys.count) columns",
        found: "\(types.count), \(attributes.count) and \(names.count) names")
      return false
    }
    let texts = RawTexts.short(names, isNullable: false)
    walk.validateTexts(texts, mayBeNull: true, .none)
    let columns = SpecArrays(types: types, names: texts, attributes: attributes, keys: keys)
    guard openColumns(columns, of: table, arrays) else { return false }
    inspectEnumeratedTexts(spec, of: table)
    return true
  }

  /// The parallel arrays of a spec.
  private struct SpecArrays {
    let types: RawNode
    let names: RawTexts
    let attributes: RawNode
    let keys: RawNode
  }

  private func openColumns(_ spec: SpecArrays, of table: RawTable, _ arrays: ColumnArrays) -> Bool {
    var leafIndexes: Set<Int> = []
    var seen: Set<ByteString> = []
    for index in 0..<spec.keys.count {
      let key = RawColumnKey(value: spec.keys.number(index))
      let isNamed = index < spec.names.count
      let name = isNamed ? text(spec.names, index) : ""
      if isNamed && (name.isEmpty || !seen.insert(ByteString(name)).inserted) {
        walk.report(
          .propertyName, at: spec.names.offset, element: index, expected: "a name of its own",
          found: "'\(name)'")
      }
      guard let type = columnType(key), isNamed != (type == .backlink), key.value >= 0,
        key.value <= RawColumnKey.valueMax, leafIndexes.insert(key.leafIndex).inserted
      else {
        walk.report(
          .columnKey, at: spec.keys.offset, element: index,
          expected: "a column type and a leaf index of its own",
          found: "type \(key.type) and leaf \(key.leafIndex)")
        return false
      }
      checkAgreement(spec, index, key)
      table.columns.append(
        RawColumn(
          index: index, name: name, key: key, type: type, attributes: spec.attributes.number(index),
          hasIntegerKeys: spec.types.number(index) >> 16 == 0,
          oppositeTable: number(arrays.oppositeTables, key.leafIndex, or: RawTable.nullKey),
          oppositeColumn: number(arrays.oppositeColumns, key.leafIndex, or: RawTable.nullColumn),
          indexSlot: arrays.indexes.slot(key.leafIndex)))
    }
    return true
  }

  private func number(_ node: RawNode, _ index: Int, or missing: Int64) -> Int64 {
    index < node.count ? node.number(index) : missing
  }

  private func columnType(_ key: RawColumnKey) -> ValueType? {
    key.type == RawColumnKey.oldLinkListType ? .object : ValueType(rawValue: UInt8(key.type))
  }

  /// The spec repeats what the key says; only lists of links were renumbered in the key alone.
  private func checkAgreement(_ spec: SpecArrays, _ index: Int, _ key: RawColumnKey) {
    let type = spec.types.number(index) & 0xFFFF
    let isRenumbered =
      type == RawColumnKey.oldLinkListType && key.type == Int64(ValueType.object.rawValue)
      && key.attributes & RawColumnKey.list != 0
    let attributes = spec.attributes.number(index) & RawColumnKey.keptAttributes
    if type != key.type && !isRenumbered || attributes != key.attributes & RawColumnKey.keptAttributes {
      walk.report(
        .columnKey, at: spec.keys.offset, element: index,
        expected: "the type \(type) and the attributes \(attributes) of the spec",
        found: "\(key.type) and \(key.attributes)")
    }
  }

  private func inspectEnumeratedTexts(_ spec: RawNode, of table: RawTable) {
    walk.place.part = .enumeratedTexts
    defer { walk.place = Place(.structure, table: table.slot) }
    guard let roots = walk.child(spec, SpecSlot.enumeratedTexts),
      let roots = walk.checked(roots, roots.isSlots, "refs", kind: .enumeratedTexts)
    else { return }
    for column in table.columns where column.index < roots.count {
      walk.place.column = column.index
      guard let node = walk.child(roots, column.index) else { continue }
      guard column.type == .string, let texts = walk.openTexts(node) else {
        walk.report(
          .enumeratedTexts, at: node.offset, expected: "distinct texts of a text property", found: node.words)
        continue
      }
      walk.validateTexts(texts, mayBeNull: true, .none)
      column.distinctTexts = texts
    }
  }

  private func inspectArrays(_ arrays: ColumnArrays, of table: RawTable) {
    let needed = table.clusterSlotCount - 1
    let counts = [arrays.indexes.count, arrays.oppositeTables.count, arrays.oppositeColumns.count]
    if counts.contains(where: { $0 < needed || $0 != counts[0] }) {
      walk.report(
        .columnArrays, at: table.top.offset,
        expected: "an index, opposite table and opposite column for each of \(needed) leaves",
        found: "\(counts[0]), \(counts[1]) and \(counts[2])")
    }
    let known = Set(table.columns.map(\.key.leafIndex))
    for index in 0..<(arrays.indexes.width == 0 ? 0 : arrays.indexes.count) where !known.contains(index) {
      guard let node = walk.child(arrays.indexes, index) else { continue }
      walk.report(
        .indexPresence, at: node.offset, expected: "no index where there is no column", found: "one")
      walk.claimDescendants(of: node)
    }
  }

  private func inspectPrimaryKey(_ table: RawTable) {
    if case .empty = table.top.slot(TableSlot.primaryKey) { return }
    guard let key = walk.tagged(table.top, TableSlot.primaryKey) else { return }
    let types: [ValueType] = [.int, .string, .objectID, .uuid]
    guard let column = table.column(key: key), column.shape == .single, types.contains(column.type),
      !table.isEmbedded
    else {
      walk.report(
        .primaryKey, at: table.top.offset, expected: "the key of a column that may be a primary key",
        found: "\(key)")
      return
    }
    table.primaryKey = column.index
  }
}
