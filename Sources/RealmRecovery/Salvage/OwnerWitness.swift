// Whose an embedded object is where several links lead to it: its own incoming link says. Layer: RealmRecovery, Salvage.
// A record is believed where the object that it names leads here: each may be damaged, but not both in the same way.

import RealmEngine

extension SalvageReader {
  /// Whether an embedded object that a value leads to says that it belongs to another one, which leads to it too.
  func isAnothers(_ key: Int64, _ index: Int, at number: Int, _ row: Int, _ place: ValuePlace) -> Bool {
    let block = classes[index].block(number)
    let source = classes[index].sources[block.source]
    guard let ownerKey = place.ownerKey, source.version === place.version,
      case .cluster(let cluster) = block.block.place,
      let (column, origin) = Self.onlyOrigin(of: row, in: cluster, source)
    else { return false }
    guard let name = column.originTable.flatMap({ source.version.namesByKey[$0] }),
      let table = source.version.tables[name],
      let property = table.schema.properties.first(where: { $0.columnKey == column.originColumn })
    else { return false }
    if table.schema.name == place.className, property.columnKey == place.property.columnKey,
      origin == ownerKey
    {
      return false
    }
    return Self.leads(origin, of: table, property, to: key, in: source.version.snapshot)
  }

  /// Nil where there is none, or more than one.
  private static func onlyOrigin(
    of row: Int, in cluster: Cluster, _ source: SalvagedSource
  ) -> (BacklinkColumn, Int64)? {
    var found: (BacklinkColumn, Int64)?
    for column in source.table.schema.backlinks {
      guard let ref = (try? cluster.leafRef(column.columnKey.leafIndex)) ?? nil,
        case .backlinks(let leaf)? = try? source.version.snapshot.leaf(
          ref, .backlinks, rowCount: cluster.count),
        let origins = try? leaf[row]
      else { return nil }
      switch origins {
      case .none: continue
      case .many: return nil
      case .one(let key):
        guard found == nil else { return nil }
        found = (column, key.value)
      }
    }
    return found
  }

  private static func leads(
    _ origin: Int64, of table: SalvagedTable, _ property: Property, to key: Int64, in snapshot: Snapshot
  ) -> Bool {
    guard let (number, row) = table.rows.find(origin),
      case .cluster(let cluster) = table.rows.blocks[number].place,
      let ref = (try? cluster.leafRef(property.columnKey.leafIndex)) ?? nil,
      let leaf = try? snapshot.leaf(ref, property.layout, rowCount: cluster.count)
    else { return false }
    if case .links(let links) = leaf { return links.existing(row)?.value == key }
    guard case .collections(let roots) = leaf, let root = (try? roots.root(row)) ?? nil else { return false }
    func isWanted(_ value: Value) -> Bool {
      if case .link(let link) = value { link.key.value == key } else { false }
    }
    guard property.collection != .dictionary else {
      return (try? snapshot.entries(of: property, at: root))?.contains { isWanted($0.value) } ?? false
    }
    var isFound = false
    try? snapshot.forEachElement(of: property, at: root) {
      isFound = isWanted($0)
      return !isFound
    }
    return isFound
  }
}
