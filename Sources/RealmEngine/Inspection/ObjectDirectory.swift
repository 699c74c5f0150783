// Where each object of a table stands, found by key. Layer: Inspection. Memory: some words for each 256 objects.

/// A leaf of a cluster tree.
struct RawCluster: Sendable {
  let node: RawNode
  let count: Int
  let keyOffset: Int64
  /// Relative keys; nil for 0, 1, 2 ….
  let relativeKeys: RawNode?

  /// The key of a row below `count`.
  func key(_ row: Int) -> Int64 {
    guard let relativeKeys else { return keyOffset &+ Int64(row) }
    return keyOffset &+ Int64(bitPattern: relativeKeys.unsignedNumber(row))
  }

  /// The row that has `key`.
  func row(of key: Int64) -> Int? {
    guard relativeKeys != nil else {
      let row = key &- keyOffset
      return row >= 0 && row < Int64(count) ? Int(row) : nil
    }
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if self.key(middle) < key { low = middle + 1 } else { high = middle }
    }
    return low < count && self.key(low) == key ? low : nil
  }
}

/// The clusters of a table in key order.
struct ObjectDirectory: Sendable {
  private(set) var clusters: [RawCluster] = []
  private var firstKeys: [Int64] = []
  /// For each cluster, how many objects stand before it.
  private(set) var ordinals: [Int] = []
  private(set) var count = 0

  mutating func append(_ cluster: RawCluster) {
    guard cluster.count > 0 else { return }
    clusters.append(cluster)
    firstKeys.append(cluster.key(0))
    ordinals.append(count)
    count += cluster.count
  }

  /// The cluster and row of the object with `key`.
  func find(_ key: Int64) -> (cluster: Int, row: Int)? {
    var low = 0
    var high = firstKeys.count
    while low < high {
      let middle = (low + high) / 2
      if firstKeys[middle] <= key { low = middle + 1 } else { high = middle }
    }
    guard low > 0, let row = clusters[low - 1].row(of: key) else { return nil }
    return (low - 1, row)
  }
}
