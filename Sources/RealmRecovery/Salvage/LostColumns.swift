// The columns of a table of whose spec nothing is left, told by its rows and by the tables that it is linked with. Layer: RealmRecovery, Salvage.
// Invariant: a column of which nobody tells what it holds does not come back, and none is made up.

import RealmEngine

/// Puts columns together that stand in the clusters of a table.
struct LostColumns {
  private let snapshot: Snapshot
  private let table: NodeView
  private let key: TableKey
  private let clusters: [Cluster]
  private let kinds: LeafKinds
  /// By leaf: what links to or from other tables say.
  private var linked: [Int: (key: ColumnKey, other: TableKey?)] = [:]

  /// Whether some column may be one of links of which nothing else tells.
  private let mayHaveLinks: Bool

  private static let clustersMax = 16

  /// `others` are the other tables of the version, in the order of their slots. Nil where no rows can be read.
  init?(_ table: NodeView, _ key: TableKey, _ root: Ref?, others: [Ref], in snapshot: Snapshot) {
    guard let root else { return nil }
    clusters = snapshot.clusters(under: root, countMax: Self.clustersMax)
    guard !clusters.isEmpty else { return nil }
    self.snapshot = snapshot
    self.table = table
    self.key = key
    kinds = LeafKinds(snapshot)
    mayHaveLinks = Self.mayHaveLinks(table, others, kinds, snapshot)
    for other in others.compactMap({ try? snapshot.refsNode($0) }) + [table] {
      guard let opposites = Self.opposites(of: other, snapshot) else { continue }
      let otherKey = (try? other.tagged(TableTopSlot.key)).flatMap { TableKey($0) }
      for index in 0..<opposites.tables.count where TableKey(opposites.tables[index]) == key {
        let column = ColumnKey(opposites.columns[index])
        let isLink = [ValueType.object, .backlink].map(\.rawValue).contains(column.typeNumber)
        if column.value >= 0, isLink { linked[column.leafIndex] = (column, otherKey) }
      }
    }
  }

  /// Whether links may lead out of a table of which it is lost that they do: whatever they lead to says so too.
  private static func mayHaveLinks(
    _ table: NodeView, _ others: [Ref], _ kinds: LeafKinds, _ snapshot: Snapshot
  ) -> Bool {
    guard opposites(of: table, snapshot) == nil else { return false }
    for (number, target) in ([table.ref] + others).enumerated() {
      guard let target = try? snapshot.refsNode(target) else {
        // The first table of a realm is the one of the schema's version.
        if number == 1 { continue }
        return true
      }
      if opposites(of: target, snapshot) != nil { continue }
      guard let root = (try? target.ref(TableTopSlot.clusters)) ?? nil else { return true }
      let clusters = snapshot.clusters(under: root, countMax: clustersMax)
      if clusters.isEmpty || kinds.mayHaveBacklinks(clusters) { return true }
    }
    return false
  }

  private static func opposites(
    of table: NodeView, _ snapshot: Snapshot
  ) -> (tables: PackedIntegers, columns: PackedIntegers)? {
    func numbers(_ slot: Int) -> PackedIntegers? {
      guard slot < table.count, let ref = (try? table.ref(slot)) ?? nil else { return nil }
      return (try? snapshot.integersNode(ref))?.integers
    }
    guard let tables = numbers(TableTopSlot.oppositeTables),
      let columns = numbers(TableTopSlot.oppositeColumns),
      tables.count == columns.count
    else { return nil }
    return (tables, columns)
  }

  /// `untoldCount`: how many more columns there are.
  func columns() -> (properties: [Property], backlinks: [BacklinkColumn], untoldCount: Int) {
    var properties: [Property] = []
    var backlinks: [BacklinkColumn] = []
    var untoldCount = 0
    let opposites = Self.opposites(of: table, snapshot)
    let leafCount = min(TableColumns.countMax, clusters.map { $0.node.count - 1 }.max() ?? 0)
    for index in 0..<leafCount where clusters.contains(where: { ((try? $0.leafRef(index)) ?? nil) != nil }) {
      let other = opposites.flatMap { index < $0.tables.count ? TableKey($0.tables[index]) : nil }
      let opposite =
        opposites.flatMap { index < $0.columns.count ? ColumnKey($0.columns[index]) : nil } ?? .null
      guard let column = linked[index]?.key ?? primaryKey(index) ?? self.column(index, other, opposite)
      else {
        untoldCount += 1
        continue
      }
      if column.typeNumber == ValueType.backlink.rawValue {
        backlinks.append(
          BacklinkColumn(
            columnKey: column, originTable: other ?? linked[index]?.other, originColumn: opposite))
      } else if let type = ValueType(rawValue: column.typeNumber) {
        properties.append(
          Property(
            name: "property_\(index)", type: type, collection: column.attributes.collection,
            isOptional: column.attributes.contains(.nullable), index: .none,
            target: type == .object ? other ?? linked[index]?.other : nil, columnKey: column,
            specIndex: properties.count, indexRef: nil, hasIntegerKeys: false, texts: nil, subtableForm: nil))
      }
    }
    return (properties, backlinks, untoldCount)
  }

  /// The table's top array names the column of its primary key.
  private func primaryKey(_ index: Int) -> ColumnKey? {
    guard TableTopSlot.primaryKey < table.count, let slot = try? table.slot(TableTopSlot.primaryKey),
      slot & 1 == 1
    else { return nil }
    let column = ColumnKey(slot >> 1)
    guard let type = ValueType(rawValue: column.typeNumber), type != .backlink, type != .typedLink else {
      return nil
    }
    return column.leafIndex == index ? column : nil
  }

  private func column(_ index: Int, _ other: TableKey?, _ opposite: ColumnKey) -> ColumnKey? {
    if other != nil {
      let isLink = opposite.typeNumber == ValueType.backlink.rawValue
      let hasRefs = kinds.hasRefs(index, in: clusters)
      // Lists, sets and dictionaries of links look alike as long as nothing else tells.
      guard let hasRefs, hasRefs != isLink else { return nil }
      return column(index, isLink ? .object : .backlink, isLink ? .nullable : [])
    }
    guard let kind = kinds.kind(of: index, in: clusters) else { return nil }
    // Links look like numbers, but none of those is null or below 0.
    let mayBeLink = kind.type == .bool || kind.type == .int && (!kind.isNullable || kind.collection != nil)
    if mayBeLink, mayHaveLinks, !kinds.hasNegative(index, in: clusters) { return nil }
    var attributes: ColumnAttributes = kind.isNullable ? .nullable : []
    switch kind.collection {
    case .list: attributes.insert(.list)
    case .dictionary: attributes.insert(.dictionary)
    default: break
    }
    return column(index, kind.type, attributes)
  }

  private func column(_ index: Int, _ type: ValueType, _ attributes: ColumnAttributes) -> ColumnKey {
    ColumnKey(leafIndex: index, typeNumber: type.rawValue, attributes: attributes, tag: key.value)
  }
}
