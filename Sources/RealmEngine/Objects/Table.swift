// A class's objects in one snapshot: how many, in order, and by key. Layer: Objects.

/// The objects of one class or table.
package final class Table: Sendable {
  package let schema: ClassSchema
  package let snapshot: Snapshot
  private let tree: ClusterTree

  init(_ top: TableTop, in snapshot: Snapshot) throws(EngineError) {
    schema = top.schema
    self.snapshot = snapshot
    tree = try ClusterTree(top.clusters, in: snapshot)
  }

  /// How many objects there are. Cost: constant.
  package var count: Int { tree.count }

  /// The objects in key order. `budget` nil: what the data can hold.
  package func blocks(budget: TraversalBudget? = nil) -> RowBlockCursor {
    RowBlockCursor(tree, in: snapshot, budget: budget)
  }

  /// The blocks by number. Cost: reads the tree's inner nodes.
  package func directory() throws(EngineError) -> BlockDirectory { try BlockDirectory(tree, in: snapshot) }

  /// Where the object with `key` stands; nil where there is none. Cost: one node a tree level.
  package func find(_ key: ObjectKey) throws(EngineError) -> ObjectPosition? {
    guard let (cluster, row) = try tree.find(key) else { return nil }
    return ObjectPosition(block: RowBlock(cluster, in: snapshot), row: row)
  }
}

/// One object's place.
package struct ObjectPosition: Sendable {
  package let block: RowBlock
  package let row: Int

  package var key: ObjectKey { block.key(row) }
}
