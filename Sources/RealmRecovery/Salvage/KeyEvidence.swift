// What else tells the keys of a cluster's objects than the nodes that lead to it: indexes, links that come in, and older versions
// that have the same nodes. Layer: RealmRecovery, Salvage.
// Invariant: several rows are asked, and what most of them say holds; where they disagree nothing does.

import RealmEngine

/// Asks for what was added to the keys of clusters of one class.
struct KeyEvidence {
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
    if votes.total == 0 { votes = try innerVotes(cluster) }
    if votes.total == 0 {
      Self.forEachNode(cluster) { node in
        if let offset = older[node] { votes.add(offset, from: node.slot) }
      }
    }
    for source in item.sources.dropFirst() where votes.total == 0 { votes = try indexVotes(cluster, source) }
    return votes.winner
  }

  /// The same as the newest version's own index tells.
  func indexedOffset(of cluster: Cluster) throws(EngineError) -> Int64? {
    try indexVotes(cluster, item.sources[0]).winner
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
        votes.add(key.value &- cluster.relativeKey(row), from: position)
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
        property.type == .object,
        case .backlinks(let leaf)? = version.leaf(
          cluster, column.columnKey, .backlinks)
      else { continue }
      var trusted: [Int: Bool] = [:]
      for row in Self.samples(cluster) {
        try Interruption.check()
        guard case .one(let key)? = try? leaf[row], let (number, place) = table.rows.find(key.value),
          let target = target(of: table.rows.blocks[number], place, property)
        else { continue }
        let offset = target &- cluster.relativeKey(row)
        votes.add(offset, from: number)
        if trusted[number] == nil {
          trusted[number] = try isTrusted(table.rows.blocks[number], of: table)
        }
        if trusted[number] ?? false { votes.add(offset, from: -1) }
      }
    }
    return votes
  }

  /// Links within a cluster tell its keys by themselves: an object names the one that it leads to, and that one names it. So two
  /// rows belong together if both names lead to the same sum, and they tell what is added to the keys.
  private func innerVotes(_ cluster: Cluster) throws(EngineError) -> Votes {
    var votes = Votes()
    let own = item.schema.tableKey
    let incoming = item.schema.backlinks.filter { $0.originTable == own || $0.originTable == nil }
    for property in item.schema.properties
    where property.type == .object && property.target == own && !incoming.isEmpty {
      let rows = rowsByLink(cluster, property)
      guard !rows.isEmpty else { continue }
      for column in incoming where column.originTable == nil || column.originColumn == property.columnKey {
        try Interruption.check()
        guard
          case .backlinks(let leaf)? = item.sources[0].version.leaf(
            cluster, column.columnKey, .backlinks)
        else { continue }
        for row in 0..<cluster.count {
          guard case .one(let key)? = try? leaf[row],
            let origin = rows[key.value &+ cluster.relativeKey(row)] ?? nil
          else { continue }
          votes.add(key.value &- cluster.relativeKey(origin), from: row)
        }
      }
    }
    return votes.counts.values.contains { $0 >= Self.innerVotesMin } ? votes : Votes()
  }

  /// The rows of a cluster that link to one object, by the sum of its key and the row's own place in the cluster; nil where
  /// several have it.
  private func rowsByLink(_ cluster: Cluster, _ property: Property) -> [Int64: Int?] {
    var rows: [Int64: Int?] = [:]
    let block = SalvagedBlock(place: .cluster(cluster), rows: 0..<cluster.count)
    for (row, target) in targets(of: block, property) {
      let sum = target &+ cluster.relativeKey(row)
      rows.updateValue(rows[sum] == nil ? row : nil, forKey: sum)
    }
    return rows
  }

  /// What two numbers have in common may be chance.
  private static let innerVotesMin = 3

  /// The objects that those of a block link to by a property, where each links to only one.
  private func targets(of block: SalvagedBlock, _ property: Property) -> [(row: Int, key: Int64)] {
    guard let leaf = linkLeaf(of: block, property) else { return [] }
    return block.rows.compactMap { row in target(row, in: leaf, property).map { (row, $0) } }
  }

  /// The only object that an object links to by a property.
  private func target(of block: SalvagedBlock, _ row: Int, _ property: Property) -> Int64? {
    linkLeaf(of: block, property).flatMap { target(row, in: $0, property) }
  }

  private func linkLeaf(of block: SalvagedBlock, _ property: Property) -> Leaf? {
    guard case .cluster(let cluster) = block.place else { return nil }
    return item.sources[0].version.leaf(cluster, property.columnKey, property.layout)
  }

  private func target(_ row: Int, in leaf: Leaf, _ property: Property) -> Int64? {
    if case .links(let links) = leaf { return links.existing(row)?.value }
    guard property.collection == .list, case .collections(let roots) = leaf,
      let root = (try? roots.root(row)) ?? nil,
      case .links(let links)? =
        (try? item.sources[0].version.snapshot.onlyElementLeaf(root, property.elementLayout)) ?? nil,
      links.count == 1
    else { return nil }
    return links.existing(0)?.value
  }
}

extension SalvagedVersion {
  /// The leaf of a column in a cluster, if it can be read.
  func leaf(_ cluster: Cluster, _ key: ColumnKey, _ layout: LeafLayout) -> Leaf? {
    guard let ref = (try? cluster.leafRef(key.leafIndex)) ?? nil else { return nil }
    return try? snapshot.leaf(ref, layout, rowCount: cluster.count)
  }
}

extension SalvagedClass {
  /// Moves clusters of the newest version to the keys that their objects have, where nodes above them say others.
  func mendKeys() throws(EngineError) {
    let witnesses = KeyEvidence(self, asksOlder: false)
    try moveMisplaced(witnesses)
    // The tree leads to them, so nothing else stands where an index says that they are.
    for block in takeUnplaced() {
      if case .cluster(let cluster) = block.block.place, let offset = try witnesses.indexedOffset(of: cluster)
      {
        insert(block.moved(cluster, to: offset))
      } else {
        add(placed: [], unplaced: [block])
      }
    }
  }

  private func moveMisplaced(_ witnesses: KeyEvidence) throws(EngineError) {
    guard placed.count > 1 else { return }
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
      moved[number] = block.moved(cluster, to: offset)
    }
    if !moved.isEmpty { replace(moved) }
  }
}

extension PlacedBlock {
  fileprivate func moved(_ cluster: Cluster, to offset: Int64) -> PlacedBlock {
    PlacedBlock(
      source: source,
      block: SalvagedBlock(
        place: .cluster(cluster.moved(to: offset)), rows: block.rows, isUnverified: block.isUnverified))
  }
}

extension Cluster {
  /// A key without what is added to all of them.
  fileprivate func relativeKey(_ row: Int) -> Int64 { key(row).value &- keyOffset }

  /// The same objects with other keys.
  func moved(to keyOffset: Int64) -> Cluster {
    Cluster(node: node, count: count, keyOffset: keyOffset, relativeKeys: relativeKeys)
  }
}
