// Where each object of a table stands, found by key. Layer: RealmInspection. Memory: some words for each 256 objects, and a bit for each
// key that there could be between the first and the last one, where they are not sparse.

import RealmFiles

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
  private var guide: KeyGuide?
  private var ranks: KeyRanks?

  mutating func append(_ cluster: RawCluster) {
    guard cluster.count > 0 else { return }
    guide = nil
    ranks = nil
    clusters.append(cluster)
    firstKeys.append(cluster.key(0))
    ordinals.append(count)
    count += cluster.count
  }

  /// Makes `find` and `ordinal` quicker, when all clusters are known.
  mutating func complete() {
    guide = KeyGuide(firstKeys)
    ranks = KeyRanks(clusters, count: count)
  }

  /// The cluster and row of the object with `key`.
  func find(_ key: Int64) -> (cluster: Int, row: Int)? {
    let low = clusterCount(upTo: key)
    guard low > 0, let row = clusters[low - 1].row(of: key) else { return nil }
    return (low - 1, row)
  }

  /// How many objects stand before the one with `key`; nil where there is no such object.
  func ordinal(of key: Int64) -> Int? {
    if let ranks { return ranks.rank(of: key) }
    return find(key).map { ordinals[$0.cluster] + $0.row }
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

/// Which keys there are, one bit each, and how many stand before each 64 of them.
private struct KeyRanks: Sendable {
  private let first: Int64
  private var words: [UInt64]
  private var ranks: [UInt32] = []

  /// Where keys are sparser than this, bits cost more than they are worth.
  private static let bitsPerKeyMax: Int64 = 64
  /// Of few objects few are looked up.
  private static let countMin = 1000

  /// Nil also where keys do not rise, as in damaged trees.
  init?(_ clusters: [RawCluster], count: Int) {
    guard count >= Self.countMin, UInt32(exactly: count) != nil, let first = clusters.first?.key(0),
      let last = clusters.last.map({ $0.key($0.count - 1) }), first >= 0, last >= first,
      last - first < Int64(count) * Self.bitsPerKeyMax
    else { return nil }
    self.first = first
    words = [UInt64](repeating: 0, count: Int(last - first) / 64 + 1)
    var previous = first - 1
    for cluster in clusters {
      for row in 0..<cluster.count {
        let key = cluster.key(row)
        guard key > previous, key <= last else { return nil }
        let distance = Int(key - first)
        words[distance / 64] |= 1 << UInt64(distance % 64)
        previous = key
      }
    }
    var total: UInt32 = 0
    ranks.reserveCapacity(words.count)
    for word in words {
      ranks.append(total)
      total += UInt32(word.nonzeroBitCount)
    }
  }

  /// How many keys are less than one of them; nil for other keys.
  func rank(of key: Int64) -> Int? {
    guard key >= first else { return nil }
    let distance = UInt64(bitPattern: key &- first)
    guard distance / 64 < UInt64(words.count) else { return nil }
    let place = Int(distance / 64)
    let word = words[place]
    let bit: UInt64 = 1 << (distance % 64)
    guard word & bit != 0 else { return nil }
    return Int(ranks[place]) + (word & (bit - 1)).nonzeroBitCount
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
