// Reads single values of a column by object key, for what compares them with an index. Layer: RealmInspection.
// Memory: some thousand leaves.

import RealmFiles

/// What threads must know of a column with an index.
struct IndexedColumn: Sendable {
  let directory: ObjectDirectory
  let layout: RawLayout
  /// Where clusters have its leaves.
  let slot: Int
  let isPrimaryKey: Bool

  init(_ column: RawColumn, of table: RawTable) {
    directory = table.directory
    layout = column.layout
    slot = 1 + column.key.leafIndex
    isPrimaryKey = table.primaryKey == column.index
  }
}

/// Reads single values of a column by object key.
struct ColumnReader {
  private let directory: ObjectDirectory
  private let slot: Int
  private let layout: RawLayout
  /// Claims and reports nothing: the leaves were inspected before.
  private let walk: Walk
  /// Leaves that were read lately, each in the place that its cluster's number gives it.
  private var cached: [(cluster: Int, leaf: RawLeaf?)]

  private static let cachedCountMax = 1 << 13

  init(_ column: IndexedColumn, _ walk: Walk) {
    directory = column.directory
    slot = column.slot
    layout = column.layout
    self.walk = walk
    let count = max(1, min(directory.clusters.count, Self.cachedCountMax))
    cached = Array(repeating: (-1, nil), count: count)
  }

  /// The object's place in key order and its value; the value is nil where it is damaged. Nil: no such object.
  mutating func value(of key: Int64) -> (ordinal: Int, value: RawValue?)? {
    guard let (cluster, row) = directory.find(key) else { return nil }
    let place = cluster % cached.count
    if cached[place].cluster != cluster { cached[place] = (cluster, leaf(cluster)) }
    return (directory.ordinals[cluster] + row, cached[place].leaf?.value(row, walk))
  }

  private func leaf(_ cluster: Int) -> RawLeaf? {
    let cluster = directory.clusters[cluster]
    guard let node = walk.child(cluster.node, slot) else { return nil }
    return walk.openLeaf(node, layout, count: cluster.count)
  }
}

extension ObjectDirectory {
  /// The key of the object that stands at `ordinal` in key order.
  func key(_ ordinal: Int) -> Int64 {
    var low = 0
    var high = clusters.count
    while low < high {
      let middle = (low + high) / 2
      if ordinals[middle] <= ordinal { low = middle + 1 } else { high = middle }
    }
    return low == 0 ? 0 : clusters[low - 1].key(ordinal - ordinals[low - 1])
  }
}
