// What a table's top array and spec still say where parts of them are lost. Layer: RealmRecovery, Salvage.
// Invariant: a property that comes out of here has a type that the format knows and a leaf index of its own; what it holds
// is found out leaf by leaf.

import RealmEngine

/// The structure of a table of formats 10 and later, as far as it can be read.
struct SalvagedSchema {
  let schema: ClassSchema
  /// Nil where the table's top does not lead to rows.
  let clusters: Ref?

  private static let columnsMax = 65535

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
    let parts = Parts(
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
    let own = parts.columns(snapshot, known)
    let reordered = parts.reordered(node, tableKey)?.columns(snapshot, known)
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
      let columns = Parts(nil, finding.spec, keys: keys, snapshot).columns(snapshot, known)
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
      Parts(table, finding.spec, keys: finding.keys.integers, snapshot).columns(snapshot, known)
    }
  }

  /// The columns of a table whose spec is lost, or parts of it, where something is left of it that nobody else has.
  private static func found(
    by search: ColumnSearch, _ node: NodeView, _ own: Parts, _ cluster: Cluster, _ known: ClassSchema?,
    _ snapshot: Snapshot
  ) throws(EngineError) -> Columns? {
    func fits(_ parts: Parts) -> Bool {
      guard let (properties, backlinks) = parts.columns(snapshot, nil) else { return false }
      return ClusterShape(properties, backlinks).fits(cluster, in: snapshot, isExact: true)
    }
    // The types that the table's own spec has tell which keys are its.
    if own.types?.count ?? 0 > 0 {
      let finding = try search.columns { finding in
        let parts = own.with(keys: finding.keys.integers)
        return parts.areKeysPlausible && fits(parts)
      }
      if let finding { return own.with(keys: finding.keys.integers).columns(snapshot, known) }
    }
    let finding = try search.columns { finding in
      fits(Parts(node, finding.spec, keys: finding.keys.integers, snapshot))
    }
    guard let finding else { return nil }
    var parts = Parts(node, finding.spec, keys: finding.keys.integers, snapshot)
    let keys = parts.namedKeys
    let areKnown = known.map { known in
      keys.allSatisfy { key in known.properties.contains { $0.columnKey == key } }
    }
    if finding.spec == nil, !(areKnown ?? false) { parts.names = try search.names(count: keys.count) }
    return parts.columns(snapshot, known)
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

  /// The arrays of the spec, each nil where it is lost.
  private struct Parts {
    let types: PackedIntegers?
    var names: ShortStringLeaf?
    let attributes: PackedIntegers?
    var keys: [Int64]?
    let enumerations: NodeView?
    let indexes: NodeView?
    let oppositeTables: PackedIntegers?
    let oppositeColumns: PackedIntegers?

    /// Of columns that have a name.
    var namedKeys: [ColumnKey] {
      guard let keys else { return [] }
      return keys.map { ColumnKey($0) }.filter { $0.typeNumber != ValueType.backlink.rawValue }
    }

    /// `found` are keys of which the spec says nothing.
    init(_ table: NodeView?, _ spec: NodeView?, keys found: PackedIntegers? = nil, _ snapshot: Snapshot) {
      func child(_ node: NodeView?, _ slot: Int) -> Ref? { node.flatMap { try? $0.refIfPresent(slot) } }
      func numbers(_ ref: Ref?) -> PackedIntegers? {
        guard let node = ref.flatMap({ try? snapshot.integersNode($0) }), node.count <= columnsMax else {
          return nil
        }
        return node.integers
      }
      types = numbers(child(spec, TableSpecSlot.types))
      names = child(spec, TableSpecSlot.names).flatMap { try? snapshot.node($0) }.flatMap {
        try? ShortStringLeaf($0, isNullable: false)
      }
      attributes = numbers(child(spec, TableSpecSlot.attributes))
      enumerations = child(spec, TableSpecSlot.enumerations).flatMap { try? snapshot.refsNode($0) }
      keys = (found ?? numbers(child(spec, TableSpecSlot.keys)))?.all
      indexes = child(table, TableTopSlot.indexes).flatMap { try? snapshot.refsNode($0) }
      oppositeTables = numbers(child(table, TableTopSlot.oppositeTables))
      oppositeColumns = numbers(child(table, TableTopSlot.oppositeColumns))
    }

    /// Whether keys and types say the same, but for lists of links, whose types stay after an upgrade.
    var areKeysPlausible: Bool {
      guard let keys, keys.count > 0 else { return types?.count == 0 }
      guard let types else { return true }
      return types.count == keys.count && keys.indices.allSatisfy { agree(keys, types, $0) }
    }

    /// Whether all keys are such as columns have, and types are others of more than one: a number alone may be wrong on
    /// either side.
    var areTypesWorse: Bool {
      guard let keys, let types else { return false }
      let columns = keys.map { ColumnKey($0) }
      guard
        columns.allSatisfy({
          $0.type != nil
        }),
        Set(columns.map(\.leafIndex)).count == keys.count
      else { return false }
      return types.count != keys.count || keys.indices.count { !agree(keys, types, $0) } > 1
    }

    private func agree(_ keys: [Int64], _ types: PackedIntegers, _ index: Int) -> Bool {
      let (type, stored) = (ColumnKey(keys[index]).typeNumber, types[index] & 0x3F)
      return Int64(type) == stored
        || type == ValueType.object.rawValue && stored == Int64(ColumnKey.oldLinkList)
    }

    /// Takes keys from the order of the columns; nil where they do not follow from it.
    func reordered(_ table: NodeView, _ key: TableKey) -> Parts? {
      guard let types, let attributes, let removed = try? table.tagged(TableTopSlot.columnSequence) else {
        return nil
      }
      let keys = ColumnOrder.keys(types: types, attributes: attributes, table: key, removedCount: removed) {
        leaf in
        guard let oppositeTables, leaf < oppositeTables.count, TableKey(oppositeTables[leaf]) != nil else {
          return false
        }
        return originColumn(leaf).mayLink
      }
      guard let keys else { return nil }
      return with(keys: keys)
    }

    private func with(keys: [Int64]) -> Parts {
      var parts = self
      parts.keys = keys
      return parts
    }

    /// Takes keys that were found elsewhere.
    func with(keys: PackedIntegers) -> Parts { with(keys: keys.all) }

    /// Nil where not even the keys of the columns are left.
    func columns(
      _ snapshot: Snapshot, _ known: ClassSchema?
    ) -> (properties: [Property], backlinks: [BacklinkColumn])? {
      guard let keys, keys.count > 0 || types?.count == 0 else { return nil }
      var properties: [Property] = []
      var backlinks: [BacklinkColumn] = []
      var leafIndexes: Set<Int> = []
      for index in 0..<keys.count {
        let key = ColumnKey(keys[index])
        guard leafIndexes.insert(key.leafIndex).inserted else { continue }
        if key.typeNumber == ValueType.backlink.rawValue {
          backlinks.append(
            BacklinkColumn(
              columnKey: key, originTable: opposite(key), originColumn: originColumn(key.leafIndex)))
        } else if let property = property(index, key, snapshot, known, taken: properties.map(\.name)) {
          properties.append(property)
        }
      }
      return (properties, backlinks)
    }

    private func property(
      _ index: Int, _ key: ColumnKey, _ snapshot: Snapshot, _ known: ClassSchema?, taken: [String]
    ) -> Property? {
      guard let type = key.type, type != .backlink, type != .typedLink else { return nil }
      let before = known?.properties.first { $0.columnKey == key }
      var name = before?.name ?? "property_\(index)"
      if let names, index < names.count, let bytes = try? names.bytes(index), bytes.count > 0 {
        name = ByteString(borrowing: bytes).text
      }
      if taken.contains(name) { name += "_\(index)" }
      let stored = attributes.map {
        index < $0.count ? ColumnAttributes(rawValue: Int(truncatingIfNeeded: $0[index])) : []
      }
      let marked: Property.Index =
        stored.map { $0.contains(.fullText) ? .fullText : $0.contains(.indexed) ? .general : .none }
        ?? before?.index ?? .none
      let indexRef = indexes.map { (try? $0.refIfPresent(key.leafIndex)) ?? nil }
      return Property(
        name: name, type: type, collection: key.collection,
        isOptional: key.attributes.contains(.nullable), index: indexRef == .some(nil) ? .none : marked,
        target: type == .object ? opposite(key) ?? before?.target : nil, columnKey: key, specIndex: index,
        indexRef: indexRef ?? nil,
        hasIntegerKeys: key.attributes.contains(.dictionary) && !areTypesWorse
          && (types.map { index < $0.count && $0[index] >> 16 == 0 } ?? false),
        texts: texts(index, snapshot), subtableForm: nil)
    }

    private func texts(_ index: Int, _ snapshot: Snapshot) -> EnumeratedTexts? {
      guard let enumerations, let ref = try? enumerations.refIfPresent(index),
        let node = try? snapshot.node(ref), let leaf = try? StringLeaf(node, in: snapshot)
      else { return nil }
      return EnumeratedTexts(leaves: [leaf])
    }

    private func opposite(_ key: ColumnKey) -> TableKey? {
      guard let oppositeTables, key.leafIndex < oppositeTables.count else { return nil }
      return TableKey(oppositeTables[key.leafIndex])
    }

    private func originColumn(_ leaf: Int) -> ColumnKey {
      guard let oppositeColumns, leaf < oppositeColumns.count else { return .null }
      return ColumnKey(oppositeColumns[leaf])
    }
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
