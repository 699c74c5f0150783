// One cluster of rows that is being changed, leaf by leaf. Layer: Trees.

/// A column as the rows see it.
struct RowColumn {
  let leafIndex: Int
  let layout: LeafLayout
}

/// One cluster that is being changed.
struct ClusterEdit {
  let store: NodeStore
  var ref: Ref
  let count: Int
  /// Added to the keys of the cluster.
  var keyOffset: Int64 = 0

  /// The key of a row; only while all clusters are being edited in order.
  func key(_ row: Int) throws(EngineError) -> ObjectKey { try cluster().key(row) }

  /// The cluster as readers see it; only while all clusters are being edited in order.
  func cluster() throws(EngineError) -> Cluster {
    try store.snapshot.cluster(at: ref, keyOffset: keyOffset)
  }

  func leaf(_ leafIndex: Int) throws(EngineError) -> Ref {
    guard let leaf = try store.snapshot.refsNode(ref).refIfPresent(leafIndex + 1) else {
      throw EngineError.damaged(
        at: ref.offset, expected: "a leaf for column \(leafIndex)", found: "none")
    }
    return leaf
  }

  mutating func setLeaf(_ leafIndex: Int, _ leaf: Ref) throws(EngineError) {
    if try store.snapshot.refsNode(ref).refIfPresent(leafIndex + 1) == leaf { return }
    ref = try store.setSlot(ref, leafIndex + 1, leaf)
  }

  /// Gives the cluster a slot and a leaf for a new column.
  mutating func addLeaf(_ leafIndex: Int, _ leaf: Ref) throws(EngineError) {
    var slotCount = try store.snapshot.refsNode(ref).count
    while slotCount < leafIndex + 2 {
      ref = try store.insertInteger(ref, slotCount, 0)
      slotCount += 1
    }
    ref = try store.setSlot(ref, leafIndex + 1, leaf)
  }

  /// Takes the column's slot away; its leaf has been released.
  mutating func dropLeaf(_ leafIndex: Int) throws(EngineError) {
    let slotCount = try store.snapshot.refsNode(ref).count
    ref =
      leafIndex + 2 == slotCount
      ? try store.eraseInteger(ref, leafIndex + 1) : try store.setSlot(ref, leafIndex + 1, nil)
  }
}
