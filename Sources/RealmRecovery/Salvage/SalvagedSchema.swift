// What a table's top array and spec still say where parts of them are lost. Layer: RealmRecovery, Salvage.
// Invariant: a property that comes out of here has a type that the format knows and a leaf index of its own; what it holds
// is found out leaf by leaf.

import RealmEngine

/// The structure of a table of formats 10 and later, as far as it can be read.
struct SalvagedSchema {
  let schema: ClassSchema
  /// Nil where the table's top does not lead to rows.
  let clusters: Ref?

  /// `known` is what another version says of the same table, `others` gives the other tables of this one, and nil where
  /// there was enough searching, `isUsed` tells what is in use, nil where nothing does, and `used` gives the only spec in use
  /// that may be this table's.
  init(
    _ ref: Ref, tableName: String, slot: Int, in snapshot: Snapshot, known: ClassSchema?,
    others: () -> [Ref]?, isUsed: ((Int) -> Bool)?, used: () throws(EngineError) -> ColumnSearch.Finding?,
    log: SalvageLog
  ) throws(EngineError) {
    let top = try log.reading(
      "\(tableName), its structure",
      { () throws(EngineError) in try TableTop(ref, tableName: tableName, slot: slot, in: snapshot) })
    let node = try snapshot.refsNode(ref)
    let parts = TableColumns(
      node, (try? node.ref(TableTopSlot.spec)).flatMap { try? snapshot.refsNode($0) }, snapshot)
    if let top, parts.areKeysPlausible, Self.fits(top.schema, top.clusters, snapshot, isExact: false) {
      schema = top.schema
      clusters = top.clusters
      return
    }
    guard node.count >= 3, !node.isInner else {
      throw EngineError.damaged(at: ref.offset, expected: "a table", found: node.description)
    }
    let clusters = (try? node.ref(TableTopSlot.clusters)) ?? nil
    self.clusters = clusters
    let stored = (try? node.tagged(TableTopSlot.key)).flatMap { TableKey($0) }
    guard let tableKey = stored?.slot == slot ? stored : known?.tableKey ?? TableKey(Int64(slot)) else {
      preconditionFailure("slots are small")
    }
    // The first that the rows have.
    func fitting(_ columns: Columns?) -> ClassSchema? {
      columns.flatMap { columns in
        guard Self.fits(columns, clusters, snapshot) else { return nil }
        return Self.schema(tableName, tableKey, columns, node, known)
      }
    }
    let own = parts.columns(known: known)
    let reordered = parts.reordered(node, tableKey)?.columns(known: known)
    let areKeysFirst = parts.areKeysPlausible || parts.areTypesWorse
    var chosen = fitting(areKeysFirst ? own : reordered) ?? fitting(areKeysFirst ? reordered : own)
    if chosen == nil { chosen = try fitting(Self.columns(of: used(), node, known, snapshot)) }
    func found(_ isCandidate: @escaping (Int) -> Bool) throws(EngineError) -> ClassSchema? {
      guard let cluster = clusters.flatMap({ snapshot.firstCluster($0) }), let others = others() else {
        return nil
      }
      let search = ColumnSearch(snapshot, others: others, isCandidate)
      return try fitting(Self.found(by: search, node, parts, cluster, known, snapshot))
    }
    // What is in use is no earlier version's.
    if chosen == nil, let isUsed { chosen = try found(isUsed) }
    if chosen == nil, let known, Self.fits(known, clusters, snapshot) { chosen = known }
    if chosen == nil { chosen = try found { _ in true } }
    let lost = top?.schema ?? own.map { Self.schema(tableName, tableKey, $0, node, known) } ?? known
    if chosen == nil, known == nil, own == nil || !parts.areKeysPlausible, let others = others(),
      let told = LostColumns(node, tableKey, clusters, others: others, in: snapshot)?.columns(),
      !told.properties.isEmpty
    {
      chosen = Self.schema(tableName, tableKey, (told.properties, told.backlinks), node, nil)
      let count = told.properties.count + told.backlinks.count
      log.note(
        .damaged(
          at: ref.offset, expected: "what its columns are",
          found: "what \(count) of \(count + told.untoldCount) tell by their values"),
        "\(tableName), its structure")
    }
    guard let schema = chosen ?? lost else {
      throw EngineError.damaged(at: ref.offset, expected: "columns", found: "none that can be read")
    }
    self.schema = schema
    if top != nil, schema.properties.map(\.columnKey) != top?.schema.properties.map(\.columnKey) {
      log.note(
        .damaged(at: ref.offset, expected: "columns that its rows have", found: "others"),
        "\(tableName), its structure")
    }
  }

  /// The columns of a table of which only its spec is left.
  static func withoutTable(
    _ finding: ColumnSearch.Finding, tableName: String, in snapshot: Snapshot, known: ClassSchema?
  ) -> ClassSchema? {
    let keys = finding.keys.integers
    guard let tableKey = ColumnOrder.tableKey(of: keys),
      let columns = TableColumns(nil, finding.spec, keys: keys, snapshot).columns(known: known)
    else { return nil }
    return schema(tableName, tableKey, columns, nil, known)
  }

  private typealias Columns = (properties: [Property], backlinks: [BacklinkColumn])

  private static func fits(
    _ schema: ClassSchema, _ clusters: Ref?, _ snapshot: Snapshot, isExact: Bool = true
  ) -> Bool {
    fits((schema.properties, schema.backlinks), clusters, snapshot, isExact: isExact)
  }

  private static func fits(
    _ columns: Columns, _ clusters: Ref?, _ snapshot: Snapshot, isExact: Bool = true
  ) -> Bool {
    guard let cluster = clusters.flatMap({ snapshot.firstCluster($0) }) else { return true }
    return ClusterShape(columns.properties, columns.backlinks).fits(cluster, in: snapshot, isExact: isExact)
  }

  private static func columns(
    of finding: ColumnSearch.Finding?, _ table: NodeView, _ known: ClassSchema?, _ snapshot: Snapshot
  ) -> Columns? {
    finding.flatMap { finding in
      TableColumns(table, finding.spec, keys: finding.keys.integers, snapshot).columns(known: known)
    }
  }

  /// The columns of a table whose spec is lost, or parts of it, where something is left of it that nobody else has.
  private static func found(
    by search: ColumnSearch, _ node: NodeView, _ own: TableColumns, _ cluster: Cluster, _ known: ClassSchema?,
    _ snapshot: Snapshot
  ) throws(EngineError) -> Columns? {
    func fits(_ parts: TableColumns) -> Bool {
      guard let (properties, backlinks) = parts.columns(known: nil) else { return false }
      return ClusterShape(properties, backlinks).fits(cluster, in: snapshot, isExact: true)
    }
    // The types that the table's own spec has tell which keys are its.
    if own.types?.count ?? 0 > 0 {
      let finding = try search.columns { finding in
        let parts = own.with(keys: finding.keys.integers)
        return parts.areKeysPlausible && fits(parts)
      }
      if let finding { return own.with(keys: finding.keys.integers).columns(known: known) }
    }
    let finding = try search.columns { finding in
      fits(TableColumns(node, finding.spec, keys: finding.keys.integers, snapshot))
    }
    guard let finding else { return nil }
    var parts = TableColumns(node, finding.spec, keys: finding.keys.integers, snapshot)
    let keys = parts.namedKeys
    let areKnown = known.map { known in
      keys.allSatisfy { key in known.properties.contains { $0.columnKey == key } }
    }
    if finding.spec == nil, !(areKnown ?? false) { parts.names = try search.names(count: keys.count) }
    return parts.columns(known: known)
  }

  private static func schema(
    _ tableName: String, _ tableKey: TableKey,
    _ columns: Columns, _ node: NodeView?, _ known: ClassSchema?
  ) -> ClassSchema {
    let flags = (try? node?.taggedOrZero(TableTopSlot.flags)) ?? (known?.kind == .embedded ? 1 : 0)
    var primaryKey: ColumnKey? = known?.primaryKey?.columnKey
    if let node, TableTopSlot.primaryKey < node.count, let slot = try? node.slot(TableTopSlot.primaryKey),
      slot & 1 == 1 || slot == 0
    {
      primaryKey = slot == 0 ? nil : (try? node.tagged(TableTopSlot.primaryKey)).map { ColumnKey($0) }
    }
    return ClassSchema(
      tableName: tableName, flags: flags, tableKey: tableKey, properties: columns.properties,
      backlinks: columns.backlinks,
      primaryKeyIndex: columns.properties.firstIndex { $0.columnKey == primaryKey })
  }
}

extension TableColumns {
  /// What is left of the arrays; `found` are keys of which the spec says nothing.
  fileprivate init(
    _ table: NodeView?, _ spec: NodeView?, keys found: PackedIntegers? = nil, _ snapshot: Snapshot
  ) {
    self.init(table, spec, keys: found, in: snapshot, faults: .passed)
  }

  /// Of columns that have a name.
  fileprivate var namedKeys: [ColumnKey] {
    (keys ?? []).map(ColumnKey.init).filter { $0.typeNumber != ValueType.backlink.rawValue }
  }

  /// Whether keys and types say the same, but for lists of links, whose types stay after an upgrade.
  fileprivate var areKeysPlausible: Bool {
    guard let keys, keys.count > 0 else { return types?.count == 0 }
    guard let types else { return true }
    return types.count == keys.count && keys.indices.allSatisfy { agree(keys, types, $0) }
  }

  /// Whether all keys are such as columns have, and types are others of more than one: a number alone may be wrong on
  /// either side.
  fileprivate var areTypesWorse: Bool {
    guard let keys, let types else { return false }
    let columns = keys.map { ColumnKey($0) }
    guard columns.allSatisfy({ $0.type != nil }), Set(columns.map(\.leafIndex)).count == keys.count else {
      return false
    }
    return types.count != keys.count || keys.indices.count { !agree(keys, types, $0) } > 1
  }

  private func agree(_ keys: [Int64], _ types: PackedIntegers, _ index: Int) -> Bool {
    let (type, stored) = (ColumnKey(keys[index]).typeNumber, types[index] & 0x3F)
    return Int64(type) == stored
      || type == ValueType.object.rawValue && stored == Int64(ColumnKey.oldLinkList)
  }

  /// Takes keys from the order of the columns; nil where they do not follow from it.
  fileprivate func reordered(_ table: NodeView, _ key: TableKey) -> TableColumns? {
    guard let types, let attributes, let removed = try? table.tagged(TableTopSlot.columnSequence) else {
      return nil
    }
    let keys = ColumnOrder.keys(types: types, attributes: attributes, table: key, removedCount: removed) {
      leaf in
      guard let oppositeTables, leaf < oppositeTables.count, TableKey(oppositeTables[leaf]) != nil else {
        return false
      }
      return oppositeColumn(ofLeaf: leaf)?.mayLink ?? false
    }
    guard let keys else { return nil }
    return with(keys: keys)
  }

  private func with(keys: [Int64]) -> TableColumns {
    var parts = self
    parts.keys = keys
    return parts
  }

  /// Takes keys that were found elsewhere.
  fileprivate func with(keys: PackedIntegers) -> TableColumns { with(keys: keys.array()) }

  /// The columns, with what `known` says of the same table where something is lost. Nil where not even their keys are left.
  fileprivate func columns(known: ClassSchema?) -> (properties: [Property], backlinks: [BacklinkColumn])? {
    guard let keys, keys.count > 0 || types?.count == 0 else { return nil }
    let (stored, backlinks) = columns(faults: .passed)
    var properties: [Property] = []
    for property in stored where property.type != .typedLink {
      let before = known?.properties.first { $0.columnKey == property.columnKey }
      var name = property.name.isEmpty ? before?.name ?? "property_\(property.specIndex)" : property.name
      if properties.contains(where: { $0.name == name }) { name += "_\(property.specIndex)" }
      let marked: Property.Index? = attributes(property.specIndex).map {
        $0.contains(.fullText) ? .fullText : $0.contains(.indexed) ? .general : .none
      }
      let hasNoIndex = indexes != nil && property.indexRef == nil
      properties.append(
        property.with(
          name: name, target: property.target ?? (property.isLink ? before?.target : nil),
          index: hasNoIndex ? .none : marked ?? before?.index ?? .none, indexRef: property.indexRef,
          hasIntegerKeys: property.hasIntegerKeys && !areTypesWorse))
    }
    return (properties, backlinks)
  }
}

extension ClassSchema {
  /// As links of another table know it, with other target tables for its own links, by column.
  func with(key: TableKey? = nil, targets: [ColumnKey: TableKey] = [:]) -> ClassSchema {
    ClassSchema(
      name: name, tableName: tableName, kind: kind, tableKey: key ?? tableKey,
      properties: properties.map { property in
        targets[property.columnKey].map { property.leading(to: $0) } ?? property
      }, backlinks: backlinks, primaryKeyIndex: primaryKeyIndex)
  }
}
