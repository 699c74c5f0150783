// What else tells the keys of a cluster's objects than the nodes that lead to it: indexes, links that come in, and older versions
// that have the same nodes. Layer: Salvage.
// Invariant: several rows are asked, and what most of them say holds; where they disagree nothing does.

/// Asks for what was added to the keys of clusters of one class.
struct KeyWitnesses {
  private let item: SalvagedClass
  /// What older versions add to the keys of clusters, by the nodes that these have.
  private let older: [SharedNode: Int64]

  private static let samplesMax = 32

  private struct SharedNode: Hashable {
    let slot: Int
    let offset: Int
  }

  private struct Votes {
    private(set) var counts: [Int64: Int] = [:]
    /// Where those who say so stand.
    private(set) var origins: [Int64: Set<Int>] = [:]

    var total: Int { counts.values.reduce(0, +) }

    mutating func add(_ offset: Int64, from origin: Int) {
      counts[offset, default: 0] += 1
      origins[offset, default: []].insert(origin)
    }

    /// What more than half of them say.
    var winner: Int64? {
      guard let best = counts.max(by: { $0.value < $1.value }), best.value * 2 > total, best.key >= 0 else {
        return nil
      }
      return best.key
    }
  }

  init(_ item: SalvagedClass, asksOlder: Bool) {
    self.item = item
    var older: [SharedNode: Int64] = [:]
    for source in item.sources.dropFirst() where asksOlder {
      for block in source.table.rows.blocks {
        guard case .cluster(let cluster) = block.place else { continue }
        Self.forEachNode(cluster) { if older[$0] == nil { older[$0] = cluster.keyOffset } }
      }
    }
    self.older = older
  }

  private static func forEachNode(_ cluster: Cluster, _ body: (SharedNode) -> Void) {
    body(SharedNode(slot: -1, offset: cluster.node.ref.offset))
    for slot in 0..<cluster.node.count {
      if let ref = (try? cluster.node.refIfPresent(slot)) ?? nil {
        body(SharedNode(slot: slot, offset: ref.offset))
      }
    }
  }

  /// What is added to the keys of a cluster to which nothing leads; nil where nobody tells.
  func keyOffset(of cluster: Cluster) throws(EngineError) -> Int64? {
    var votes = try indexVotes(cluster, item.sources[0])
    if votes.total == 0 { votes = try linkVotes(cluster) }
    if votes.total == 0 {
      Self.forEachNode(cluster) { node in
        if let offset = older[node] { votes.add(offset, from: node.slot) }
      }
    }
    for source in item.sources.dropFirst() where votes.total == 0 { votes = try indexVotes(cluster, source) }
    return votes.winner
  }

  /// The same where a tree leads to the cluster and all others speak against what it adds; nil where they do not.
  func otherOffset(than cluster: Cluster) throws(EngineError) -> Int64? {
    var votes = try indexVotes(cluster, item.sources[0])
    let isByIndex = votes.total > 0
    if !isByIndex { votes = try linkVotes(cluster) }
    guard let offset = votes.winner, offset != cluster.keyOffset, votes.counts[cluster.keyOffset] == nil,
      votes.counts[offset, default: 0] > 1
    else { return nil }
    // Links tell keys by where their own objects stand, which may be wrong itself; some are recorded that are gone.
    let isAgreed =
      votes.counts[offset, default: 0] * 10 >= votes.total * 9 && votes.origins[offset, default: []].count > 1
    return isByIndex || isAgreed ? offset : nil
  }

  private static func samples(_ cluster: Cluster) -> StrideTo<Int> {
    stride(from: 0, to: cluster.count, by: max(1, cluster.count / samplesMax))
  }

  /// What an index of a version says of values that one object alone has; of the newest one, or of an older one that has the same properties.
  private func indexVotes(_ cluster: Cluster, _ source: SalvagedSource) throws(EngineError) -> Votes {
    try Self.indexVotes(
      cluster, in: item.sources[0].version.snapshot, item.schema.properties,
      source.properties, of: source.version.snapshot)
  }

  private static func indexVotes(
    _ cluster: Cluster, in snapshot: Snapshot, _ properties: [Property], _ indexed: [Property?],
    of version: Snapshot
  ) throws(EngineError) -> Votes {
    var votes = Votes()
    for (position, property) in properties.enumerated()
    where property.collection == nil && property.type != .mixed {
      guard let indexed = indexed[position], let root = indexed.indexRef, indexed.index == .general,
        let ref = try? cluster.leafRef(property.columnKey.leafIndex),
        let leaf = try? snapshot.leaf(ref, property.layout, rowCount: cluster.count)
      else { continue }
      for row in samples(cluster) {
        try Interruption.check()
        guard let value = try? leaf.salvagedValue(row, in: snapshot),
          case .one(let key)? = (try? SearchIndex(root, in: version).find(IndexData(value)))??.entry
        else { continue }
        votes.add(key.value &- cluster.key(row).value &+ cluster.keyOffset, from: position)
      }
    }
    return votes
  }

  /// Whether the keys of a block are right: to those of an only cluster nothing is added, others an index confirms.
  private func isTrusted(_ block: SalvagedBlock, of table: SalvagedTable) throws(EngineError) -> Bool {
    guard case .cluster(let cluster) = block.place, table.rows.blocks.count > 1 else { return true }
    let snapshot = item.sources[0].version.snapshot
    let properties = table.schema.properties
    return try Self.indexVotes(cluster, in: snapshot, properties, properties, of: snapshot).winner
      == cluster.keyOffset
  }

  /// Whoever links here says by which key.
  private func linkVotes(_ cluster: Cluster) throws(EngineError) -> Votes {
    var votes = Votes()
    let version = item.sources[0].version
    for column in item.schema.backlinks {
      guard let origin = column.originTable, let name = version.namesByKey[origin],
        let table = version.tables[name],
        let property = table.schema.properties.first(where: { $0.columnKey == column.originColumn }),
        property.type == .object, let ref = try? cluster.leafRef(column.columnKey.leafIndex),
        case .backlinks(let leaf)? = try? version.snapshot.leaf(
          ref, LeafLayout(type: .backlink, isNullable: false), rowCount: cluster.count)
      else { continue }
      var trusted: [Int: Bool] = [:]
      for row in Self.samples(cluster) {
        try Interruption.check()
        guard case .one(let key)? = try? leaf[row], let (number, place) = table.rows.find(key.value),
          let target = target(of: table.rows.blocks[number], place, property)
        else { continue }
        let offset = target &- cluster.key(row).value &+ cluster.keyOffset
        votes.add(offset, from: number)
        if trusted[number] == nil {
          trusted[number] = try isTrusted(table.rows.blocks[number], of: table)
        }
        if trusted[number] ?? false { votes.add(offset, from: -1) }
      }
    }
    return votes
  }

  /// The only object that an object links to by a property.
  private func target(of block: SalvagedBlock, _ row: Int, _ property: Property) -> Int64? {
    let snapshot = item.sources[0].version.snapshot
    guard case .cluster(let cluster) = block.place,
      let ref = try? cluster.leafRef(property.columnKey.leafIndex),
      let leaf = try? snapshot.leaf(ref, property.layout, rowCount: cluster.count)
    else { return nil }
    if case .links(let links) = leaf { return links.existing(row)?.value }
    guard property.collection == .list, case .collections(let roots) = leaf,
      let root = (try? roots.root(row)) ?? nil,
      case .links(let links)? = (try? snapshot.onlyElementLeaf(root, property.elementLayout)) ?? nil,
      links.count == 1
    else { return nil }
    return links.existing(0)?.value
  }
}

extension SalvagedClass {
  /// Moves clusters of the newest version to the keys that their objects have, where nodes above them say others.
  func mendKeys() throws(EngineError) {
    guard placed.count > 1, case .cluster = placed[0].block.place else { return }
    let witnesses = KeyWitnesses(self, asksOlder: false)
    let log = sources[0].version.log
    var moved: [Int: PlacedBlock] = [:]
    for (number, block) in placed.enumerated() where block.source == 0 {
      guard case .cluster(let cluster) = block.block.place,
        let offset = try witnesses.otherOffset(than: cluster)
      else { continue }
      log.note(
        .damaged(
          at: cluster.node.ref.offset, expected: "\(offset) added to its keys", found: "\(cluster.keyOffset)"),
        "\(name), keys of clusters")
      moved[number] = PlacedBlock(
        source: 0, block: SalvagedBlock(place: .cluster(cluster.moved(to: offset)), rows: block.block.rows))
    }
    if !moved.isEmpty { replace(moved) }
  }
}

extension Cluster {
  /// The same objects with other keys.
  func moved(to keyOffset: Int64) -> Cluster {
    Cluster(node: node, count: count, keyOffset: keyOffset, relativeKeys: relativeKeys)
  }
}
