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
  /// For each cluster whose keys have no gaps, how many objects it has; 0 for others.
  private var denseCounts: [Int64] = []
  private var guide: KeyGuide?

  mutating func append(_ cluster: RawCluster) {
    guard cluster.count > 0 else { return }
    guide = nil
    clusters.append(cluster)
    firstKeys.append(cluster.key(0))
    ordinals.append(count)
    denseCounts.append(cluster.relativeKeys == nil ? Int64(cluster.count) : 0)
    count += cluster.count
  }

  /// Makes `find` quicker, when all clusters are known.
  mutating func complete() { guide = KeyGuide(firstKeys) }

  /// The cluster and row of the object with `key`.
  func find(_ key: Int64) -> (cluster: Int, row: Int)? {
    let low = clusterCount(upTo: key)
    guard low > 0, let row = clusters[low - 1].row(of: key) else { return nil }
    return (low - 1, row)
  }

  /// How many objects stand before the one with `key`; nil where there is no such object.
  func ordinal(of key: Int64) -> Int? {
    let low = clusterCount(upTo: key)
    guard low > 0 else { return nil }
    let row = key &- firstKeys[low - 1]
    if row >= 0, row < denseCounts[low - 1] { return ordinals[low - 1] + Int(row) }
    return clusters[low - 1].row(of: key).map { ordinals[low - 1] + $0 }
  }

  /// How many clusters begin with a key that is not greater.
  private func clusterCount(upTo key: Int64) -> Int {
    var (low, high) = guide?.range(of: key) ?? (0, firstKeys.count)
    while low < high {
      let middle = (low + high) / 2
      if firstKeys[middle] <= key { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

/// Says for some high bits of a key where the search for its cluster begins and ends: keys mostly rise evenly.
private struct KeyGuide {
  private let first: Int64
  private let shift: UInt64
  /// How many first keys are below each stretch of keys, and behind the last one all.
  private var starts: [Int32] = []

  /// Nil where keys do not rise, as in damaged trees.
  init?(_ firstKeys: [Int64]) {
    guard let first = firstKeys.first, let last = firstKeys.last, first >= 0, last >= first,
      zip(firstKeys, firstKeys.dropFirst()).allSatisfy({ $0 < $1 })
    else { return nil }
    self.first = first
    let span = UInt64(last - first)
    var shift: UInt64 = 0
    while span >> shift >= UInt64(2 * firstKeys.count) { shift += 1 }
    self.shift = shift
    starts.reserveCapacity(Int(span >> shift) + 2)
    for (index, key) in firstKeys.enumerated() {
      let stretch = Int(UInt64(key - first) >> shift)
      while starts.count <= stretch { starts.append(Int32(index)) }
    }
    starts.append(Int32(firstKeys.count))
  }

  /// Between which numbers of clusters the number of first keys up to `key` lies.
  func range(of key: Int64) -> (low: Int, high: Int) {
    guard key >= first else { return (0, 0) }
    let stretch = UInt64(key - first) >> shift
    let last = starts.count - 1
    guard stretch < UInt64(last) else { return (Int(starts[last]), Int(starts[last])) }
    return (Int(starts[Int(stretch)]), Int(starts[Int(stretch) + 1]))
  }
}
