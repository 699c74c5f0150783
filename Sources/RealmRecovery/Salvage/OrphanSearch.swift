// Clusters that no tree leads to any more: recognised by their shape, matched to a class by their columns, and put back in
// their place where an index or incoming links tell their keys. Layer: RealmRecovery, Salvage.
// Invariant: what stands in free space, or where nobody can tell, is left alone: it may have been deleted.

import RealmEngine

/// Looks for rows of classes that have lost some.
struct OrphanSearch {
  private let version: SalvagedVersion
  private let classes: [SalvagedClass]
  private let shapes: [ClusterShape]
  private let used: UsedSpace

  /// Nil where nothing tells what is free.
  init?(_ version: SalvagedVersion, _ classes: [SalvagedClass]) {
    guard version.claims != nil, let used = version.used else { return nil }
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
    let witnesses = classes.map { KeyEvidence($0, asksOlder: true) }
    for (number, item) in classes.enumerated() {
      for block in item.takeUnplaced() {
        if case .cluster(let cluster) = block.block.place {
          let offset = try witnesses[number].keyOffset(of: cluster)
          Self.place(cluster, offset, &placed[number], &unplaced[number])
        }
      }
    }
    try NodeSearch(version.snapshot).forEachRefs(used.contains) { node throws(EngineError) in
      guard let (number, cluster) = match(node) else { return }
      guard version.claims?.claim(node.ref.offset, NodeHeader.size) ?? false else { return }
      let offset = try witnesses[number].keyOffset(of: cluster)
      Self.place(cluster, offset, &placed[number], &unplaced[number])
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
    guard classes.contains(where: \.hasLostRoot) else { return }
    let trees = TreeSearch(version.snapshot, isCandidate: used.contains)
    var roots: [Int: [Ref]] = [:]
    for root in try trees.roots() where !(version.claims?.isClaimed(root.offset) ?? true) {
      guard let cluster = version.snapshot.firstCluster(root), let number = match(cluster) else { continue }
      roots[number, default: []].append(root)
    }
    for (number, found) in roots {
      let item = classes[number]
      guard found.count == 1, item.hasLostRoot, let claims = version.claims else { continue }
      var walk = ClusterSalvage(
        version.snapshot, properties: item.schema.properties, tableName: item.name, claims: claims,
        work: version.treeWork, log: version.log)
      try walk.walk(found[0])
      item.adopt(walk.rows)
    }
  }

  /// Puts a cluster where its keys are, if anything tells.
  private static func place(
    _ cluster: Cluster, _ offset: Int64?, _ placed: inout [PlacedBlock], _ unplaced: inout [PlacedBlock]
  ) {
    // Relative keys mean nothing without what they are relative to.
    guard let offset else { return unplaced.append(block(cluster)) }
    placed.append(block(cluster.moved(to: offset)))
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
}
