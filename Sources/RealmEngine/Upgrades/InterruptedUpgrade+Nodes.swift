// Columns that an interrupted upgrade still had to make. Layer: Upgrades.
// Their nodes stand in no file but in slabs behind its bytes, where whoever reads the snapshot reads them like any others.

extension NodeStore {
  /// A tree of a column's elements: numbers, or refs and tagged numbers.
  func makeColumnTree(_ elements: [Int64], hasRefs: Bool) throws(EngineError) -> Ref {
    hasRefs
      ? try makeTree(LeafLayout(type: .backlink, isNullable: false), .slots(elements, areBlobs: false))
      : try makeKeyTree(elements)
  }

  /// A copy of `tree` whose clusters have other leaves in some columns. `columns` gives the elements of each such
  /// column in key order, by leaf index.
  func makeClusters(
    like tree: ClusterTree, replacing columns: [Int: InterruptedUpgrade.UpgradedTable.Column]
  ) throws(EngineError) -> ClusterTree {
    let builder = ClusterTreeBuilder(in: self)
    var firstRow = 0
    var cursor = tree.cursor()
    while let cluster = try cursor.next() {
      let keys = (0..<cluster.count).map { cluster.key($0).value }
      guard zip(keys, keys.dropFirst()).allSatisfy({ UInt64(bitPattern: $0) < UInt64(bitPattern: $1) }) else {
        throw EngineError.damaged(
          at: cluster.node.ref.offset, expected: "rising object keys", found: "others")
      }
      var leaves = (1..<cluster.node.count).map { cluster.node.integers[$0] }
      for (leafIndex, column) in columns {
        while leaves.count <= leafIndex { leaves.append(0) }
        let rows = Array(column.elements[firstRow..<firstRow + cluster.count])
        leaves[leafIndex] = Int64(
          (column.hasRefs ? try makeSlots(rows) : try makeIntegers(rows)).offset)
      }
      try builder.append(keys, leaves: leaves)
      firstRow += cluster.count
    }
    return builder.isEmpty ? tree : try ClusterTree(try builder.finish(), in: tree.snapshot)
  }
}
