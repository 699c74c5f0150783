// Clusters that no tree leads to any more: recognised by their shape, matched to a class by their columns, and put back in
// their place where an index or incoming links tell their keys. Layer: Salvage.
// Invariant: what stands in free space, or where nobody can tell, is left alone: it may have been deleted.

/// Looks for rows of classes that have lost some.
struct OrphanSearch {
  private let version: SalvagedVersion
  private let classes: [SalvagedClass]
  private let shapes: [ClusterShape]
  private let used: UsedSpace

  private static let samplesMax = 16

  /// Nil where nothing tells what is free. `before` is the version that the newest commit replaced.
  init?(_ version: SalvagedVersion, _ classes: [SalvagedClass], before: SalvagedVersion?) {
    guard version.claims != nil else { return nil }
    let end = before?.groupTop?.logicalSize
    guard let used = UsedSpace(top: version.groupTop, endBefore: end, in: version.snapshot) else {
      return nil
    }
    self.used = used
    self.version = version
    // A class that was empty in an older version, or as an older table says, may have had rows since.
    let mayBeOlder = !version.isLatest || !version.isListWhole
    self.classes = classes.filter {
      $0.sources[0].version === version && ($0.mayHaveLost || mayBeOlder && $0.isEmpty)
    }
    shapes = self.classes.map { ClusterShape($0.schema.properties, $0.schema.backlinks) }
  }

  func run() throws(EngineError) {
    guard !classes.isEmpty else { return }
    try findTrees()
    var placed: [[PlacedBlock]] = classes.map { _ in [] }
    var unplaced = placed
    for (number, item) in classes.enumerated() {
      for block in item.takeUnplaced() {
        if case .cluster(let cluster) = block.block.place { try place(cluster, number, &placed, &unplaced) }
      }
    }
    try NodeSearch(version.snapshot).forEachRefs(used.contains) { node throws(EngineError) in
      guard let (number, cluster) = match(node) else { return }
      guard version.claims?.claim(node.ref.offset, NodeHeader.size) ?? false else { return }
      classes[number].noteFound(cluster.count)
      try place(cluster, number, &placed, &unplaced)
    }
    for (number, item) in classes.enumerated() {
      if placed[number].isEmpty, unplaced[number].count == 1, item.hasLostRoot || item.isEmpty {
        // The only cluster of a table stands for itself: its keys are relative to nothing.
        swap(&placed[number], &unplaced[number])
      }
      item.add(placed: placed[number], unplaced: unplaced[number])
    }
  }

  /// Trees of clusters that have lost only what led to them tell all keys themselves.
  private func findTrees() throws(EngineError) {
    guard classes.contains(where: \.hasLostTree) else { return }
    let trees = TreeSearch(version.snapshot, isCandidate: used.contains)
    var roots: [Int: [Ref]] = [:]
    for root in try trees.roots() where !(version.claims?.isClaimed(root.offset) ?? true) {
      guard let cluster = version.snapshot.firstCluster(root), let number = match(cluster) else { continue }
      roots[number, default: []].append(root)
    }
    for (number, found) in roots {
      let item = classes[number]
      guard found.count == 1, item.hasLostTree, let claims = version.claims else { continue }
      var walk = ClusterSalvage(
        version.snapshot, properties: item.schema.properties, tableName: item.name, claims: claims,
        log: version.log)
      try walk.walk(found[0])
      item.adopt(walk.rows)
    }
  }

  /// Puts a cluster where its keys are, if anything tells.
  private func place(
    _ cluster: Cluster, _ number: Int, _ placed: inout [[PlacedBlock]], _ unplaced: inout [[PlacedBlock]]
  ) throws(EngineError) {
    guard let offset = try keyOffset(of: cluster, classes[number]) else {
      // Relative keys mean nothing without what they are relative to.
      return unplaced[number].append(Self.block(cluster))
    }
    let moved = Cluster(
      node: cluster.node, count: cluster.count, keyOffset: offset, relativeKeys: cluster.relativeKeys)
    placed[number].append(Self.block(moved))
  }

  private static func block(_ cluster: Cluster) -> PlacedBlock {
    PlacedBlock(source: 0, block: SalvagedBlock(place: .cluster(cluster), rows: 0..<cluster.count))
  }

  // MARK: Shape

  /// The only class whose columns a node has.
  private func match(_ node: NodeView) -> (class: Int, Cluster)? {
    guard node.count >= 2, let cluster = try? version.snapshot.cluster(node, keyOffset: 0), cluster.count > 0
    else {
      return nil
    }
    return match(cluster).map { ($0, cluster) }
  }

  private func match(_ cluster: Cluster) -> Int? {
    var found: Int?
    for (number, shape) in shapes.enumerated() where shape.fits(cluster, in: version.snapshot) {
      if found != nil { return nil }
      found = number
    }
    return found
  }

  // MARK: Keys

  /// What was added to the keys of a cluster, as most witnesses say.
  private func keyOffset(of cluster: Cluster, _ item: SalvagedClass) throws(EngineError) -> Int64? {
    var votes: [Int64: Int] = [:]
    try indexVotes(cluster, item.schema, &votes)
    if votes.isEmpty { try linkVotes(cluster, item.schema, &votes) }
    guard let best = votes.max(by: { $0.value < $1.value }), best.key >= 0,
      votes.count(where: { $0.value == best.value }) == 1
    else { return nil }
    let total = votes.values.reduce(0, +)
    return best.value * 2 > total ? best.key : nil
  }

  private func samples(_ cluster: Cluster) -> StrideTo<Int> {
    stride(from: 0, to: cluster.count, by: max(1, cluster.count / Self.samplesMax))
  }

  private func indexVotes(
    _ cluster: Cluster, _ schema: ClassSchema, _ votes: inout [Int64: Int]
  ) throws(EngineError) {
    let snapshot = version.snapshot
    for property in schema.properties where property.collection == nil && property.type != .mixed {
      guard let root = property.indexRef, property.index == .general,
        let ref = try? cluster.leafRef(property.columnKey.leafIndex),
        let leaf = try? snapshot.leaf(ref, property.layout, rowCount: cluster.count)
      else { continue }
      for row in samples(cluster) {
        try Interruption.check()
        guard let value = try? leaf.salvagedValue(row, in: snapshot),
          let keys = try? SearchIndex(root, in: snapshot).candidates(value), keys.count == 1
        else { continue }
        votes[keys[0].value &- cluster.key(row).value, default: 0] += 1
      }
    }
  }

  /// Whoever links here says by which key.
  private func linkVotes(
    _ cluster: Cluster, _ schema: ClassSchema, _ votes: inout [Int64: Int]
  ) throws(EngineError) {
    for column in schema.backlinks {
      guard let origin = column.originTable, let name = version.namesByKey[origin],
        let table = version.tables[name],
        let property = table.schema.properties.first(where: { $0.columnKey == column.originColumn }),
        property.type == .object, let ref = try? cluster.leafRef(column.columnKey.leafIndex),
        case .backlinks(let leaf)? = try? version.snapshot.leaf(
          ref, LeafLayout(type: .backlink, isNullable: false), rowCount: cluster.count)
      else { continue }
      for row in 0..<cluster.count where votes.values.reduce(0, +) < Self.samplesMax {
        try Interruption.check()
        guard case .one(let key)? = try? leaf[row], let target = target(of: key.value, property, table) else {
          continue
        }
        votes[target &- cluster.key(row).value, default: 0] += 1
      }
    }
  }

  /// The only object that an object links to by a property.
  private func target(of key: Int64, _ property: Property, _ table: SalvagedTable) -> Int64? {
    let snapshot = version.snapshot
    guard let (number, row) = table.rows.find(key),
      case .cluster(let cluster) = table.rows.blocks[number].place,
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
