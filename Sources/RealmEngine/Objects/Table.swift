// A class's objects in one snapshot: how many, in order, and by key. Layer: Objects.

import Synchronization

/// The objects of one class or table.
package final class Table: Sendable {
  /// How rows are kept.
  package enum Rows {
    case clusters(ClusterTree)
    /// Formats 2–9.
    case old(OldRows)
  }

  package let schema: ClassSchema
  package let snapshot: Snapshot
  private let rows: Rows
  /// What `directory` gave, where it stays true: a write transaction changes nodes in place.
  private let knownDirectory = Mutex<BlockDirectory?>(nil)

  init(_ top: TableTop, in snapshot: Snapshot) throws(EngineError) {
    schema = top.schema
    self.snapshot = snapshot
    rows = .clusters(try ClusterTree(top.clusters, in: snapshot))
  }

  init(schema: ClassSchema, clusters: ClusterTree) {
    self.schema = schema
    snapshot = clusters.snapshot
    rows = .clusters(clusters)
  }

  init(_ table: OldTable) {
    schema = table.schema
    snapshot = table.rows.snapshot
    rows = .old(table.rows)
  }

  /// The same table with objects of its own, for one of several threads; see `BlockDirectory`.
  func forOneThread() -> Table {
    guard case .clusters(let tree) = rows else { return self }
    return Table(schema: schema, clusters: tree.reading(snapshot.forOneThread()))
  }

  package var storage: Rows { rows }

  /// How many objects there are. Cost: constant.
  package var count: Int {
    switch rows {
    case .clusters(let tree): tree.count
    case .old(let rows): rows.count
    }
  }

  /// Why a walk ends that has met more objects than there are: a cluster stands in several places.
  var hasTooManyRows: EngineError {
    EngineError(damage: "\(schema.name) states \(count) objects, and more of them were met")
  }

  /// The objects in key order. `budget` nil: what the data can hold.
  package func blocks(budget: TraversalBudget? = nil) -> RowBlockCursor {
    switch rows {
    case .clusters(let tree): RowBlockCursor(tree, in: snapshot, budget: budget)
    case .old(let rows): RowBlockCursor(rows, budget: budget)
    }
  }

  /// The blocks by number. Cost: reads the tree's inner nodes, when it is first asked.
  package func directory() throws(EngineError) -> BlockDirectory {
    if let known = knownDirectory.withLock({ $0 }) { return known }
    let directory =
      switch rows {
      case .clusters(let tree): try BlockDirectory(tree, in: snapshot)
      case .old(let rows): try BlockDirectory(rows)
      }
    if snapshot.slabs == nil { knownDirectory.withLock { $0 = directory } }
    return directory
  }

  /// The blocks that only one of two versions has; all where rows are not kept in clusters.
  static func differingBlocks(
    _ old: Table, _ new: Table, isSharing: Bool
  ) throws(EngineError) -> (old: [RowBlock], new: [RowBlock]) {
    guard case .clusters(let oldTree) = old.rows, case .clusters(let newTree) = new.rows else {
      return (try old.allBlocks(), try new.allBlocks())
    }
    let difference = try ClusterDifference(from: oldTree, to: newTree, isSharing: isSharing)
    return (
      difference.old.map { RowBlock($0, in: old.snapshot) },
      difference.new.map { RowBlock($0, in: new.snapshot) }
    )
  }

  /// All blocks, for what is small or looked at more than once.
  package func allBlocks() throws(EngineError) -> [RowBlock] {
    var blocks: [RowBlock] = []
    var cursor = self.blocks()
    while let block = try cursor.next() { blocks.append(block) }
    return blocks
  }

  /// Where the object with `key` stands; nil where there is none. Cost: one node a tree level.
  package func find(_ key: ObjectKey) throws(EngineError) -> ObjectPosition? {
    switch rows {
    case .clusters(let tree):
      guard let (cluster, row) = try tree.find(key) else { return nil }
      return ObjectPosition(block: RowBlock(cluster, in: snapshot), row: row)
    case .old(let rows):
      guard let row = Int(exactly: key.value), row >= 0, row < rows.count else { return nil }
      return ObjectPosition(block: RowBlock(rows, first: row, count: 1), row: 0)
    }
  }
}

extension Table {
  /// The objects at places of the key order, as many as there are. Cost: to the first of them some nodes a tree level, or one leaf
  /// for each run of rows.
  package func positions(_ range: Range<Int>) throws(EngineError) -> [ObjectPosition] {
    var found: [ObjectPosition] = []
    var next = range.lowerBound
    while next < range.upperBound, let first = try position(next) {
      let rows = first.row..<min(first.block.count, first.row + range.upperBound - next)
      guard !rows.isEmpty else { break }
      found += rows.map { ObjectPosition(block: first.block, row: $0) }
      next += rows.count
    }
    return found
  }

  private func position(_ index: Int) throws(EngineError) -> ObjectPosition? {
    switch rows {
    case .clusters(let tree):
      guard let (cluster, row) = try tree.find(at: index) else { return nil }
      return ObjectPosition(block: RowBlock(cluster, in: snapshot), row: row)
    case .old(let rows):
      guard index < rows.count else { return nil }
      return ObjectPosition(block: RowBlock(rows, first: index, count: 1), row: 0)
    }
  }
}

/// One object's place.
package struct ObjectPosition: Sendable {
  package let block: RowBlock
  package let row: Int

  package init(block: RowBlock, row: Int) {
    self.block = block
    self.row = row
  }

  package var key: ObjectKey { block.key(row) }
}

/// Finding an object by its primary key, or by another value that an index knows.
extension Table {
  /// Formats before this one have no such index for most primary keys, or one of another kind.
  private static let firstFormatWithIndexes = 10

  /// The object whose primary key is `value`; nil where there is none, or where the class has no primary key.
  /// Cost: a few nodes with an index, else every value of the key.
  package func find(primaryKey value: Value) throws(EngineError) -> ObjectPosition? {
    guard let property = schema.primaryKey else { return nil }
    if hasSearchIndex(property) {
      guard let key = try firstKey(of: value, by: property) else { return nil }
      return try find(key)
    }
    var cursor = blocks()
    while let block = try cursor.next() {
      let leaf = try block.leaf(property)
      for row in 0..<block.count where try leaf.value(row, in: snapshot) == value {
        return ObjectPosition(block: block, row: row)
      }
    }
    return nil
  }
  /// Whether objects are found by values of the property without looking at all of them.
  func hasSearchIndex(_ property: Property) -> Bool {
    let isGeneral = property.index == .general || property.columnKey == schema.primaryKey?.columnKey
    return isGeneral && property.indexRef != nil && snapshot.format >= Self.firstFormatWithIndexes
  }

  /// How many different values other than null objects have, as an index knows it; nil where it does not. Cost: the index's nodes.
  func valueCount(of property: Property) throws(EngineError) -> Int? {
    // Of these types a value is filed in one way only.
    guard [.int, .bool, .string, .date, .objectID, .uuid].contains(property.type), hasSearchIndex(property),
      let index = property.indexRef, let count = try SearchIndex(index, in: snapshot).valueCount()
    else { return nil }
    let hasNull = property.isOptional ? try firstKey(of: .null, by: property) != nil : false
    return hasNull ? count - 1 : count
  }

  /// The lowest key of the objects with that value of a property that has an index. Cost: a few nodes.
  func firstKey(of value: Value, by property: Property) throws(EngineError) -> ObjectKey? {
    guard let index = property.indexRef else { return nil }
    return try SearchIndex(index, in: snapshot).firstKey(of: value) { key throws(EngineError) in
      guard let position = try find(key) else { return nil }
      return try position.block.leaf(property).value(position.row, in: snapshot)
    }
  }
}
