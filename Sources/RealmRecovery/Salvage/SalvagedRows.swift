// The rows of one table of a damaged version: which clusters can be read, which keys may be lost. Layer: RealmRecovery, Salvage.
// Invariants: blocks have rising keys and lie in the ranges that lead to them, so no two have a key in common; a cluster is
// met once however many nodes name it.

import RealmEngine

/// Consecutive rows that were found.
struct SalvagedBlock {
  enum Rows {
    case cluster(Cluster)
    /// Rows of formats 2–9, by number.
    case rows(SalvagedOldTable)
  }

  let place: Rows
  /// Among the rows of the place, those that are meant.
  var rows: Range<Int>
  /// Whether a node above its cluster is on an unverified page.
  var isUnverified = false

  func key(_ row: Int) -> Int64 {
    switch place {
    case .cluster(let cluster): cluster.key(row).value
    case .rows: Int64(row)
    }
  }

  /// Where its cluster stands; 0 in formats 2–9. Swift 6.3 fails where it makes this a part of other functions.
  var offset: Int {
    @inline(never) get {
      switch place {
      case .cluster(let cluster): return cluster.node.ref.offset
      case .rows: return 0
      }
    }
  }

  var firstKey: Int64 { key(rows.lowerBound) }
  var lastKey: Int64 { key(rows.upperBound - 1) }

  /// The row that has `key`, among those that are meant.
  func row(of key: Int64) -> Int? {
    switch place {
    case .cluster(let cluster):
      guard let row = cluster.row(of: ObjectKey(key)), rows.contains(row) else { return nil }
      return row
    case .rows: return Int(exactly: key).flatMap { rows.contains($0) ? $0 : nil }
    }
  }

  /// The rows whose keys are in `range`; nil where there are none.
  func part(in range: Range<Int64>) -> SalvagedBlock? {
    var low = rows.lowerBound
    while low < rows.upperBound, key(low) < range.lowerBound { low += 1 }
    var high = low
    while high < rows.upperBound, key(high) < range.upperBound { high += 1 }
    return low < high ? SalvagedBlock(place: place, rows: low..<high, isUnverified: isUnverified) : nil
  }
}

/// What a walk through a table's rows found.
struct SalvagedRows {
  /// With their keys, in key order.
  var blocks: [SalvagedBlock] = []
  /// Rows whose keys were lost.
  var unplaced: [SalvagedBlock] = []
  /// Keys of which nobody knows whether objects had them, in order.
  var lostKeys: [Range<Int64>] = []
  /// How many objects the table says it has; nil where that cannot be read.
  var statedCount: Int?

  /// No object can have another.
  static let allKeys: Range<Int64> = 0..<1 << 62

  /// The block and row with `key`. Cost: a binary search.
  func find(_ key: Int64) -> (block: Int, row: Int)? { blocks.find(key) }
}

extension [SalvagedBlock] {
  /// The block and row with `key`, where blocks are in key order.
  func find(_ key: Int64) -> (block: Int, row: Int)? {
    let low = (0..<count).partitionPoint { self[$0].firstKey <= key }
    guard low > 0, let row = self[low - 1].row(of: key) else { return nil }
    return (low - 1, row)
  }
}

/// A table of a damaged version.
final class SalvagedTable {
  let schema: ClassSchema
  let rows: SalvagedRows

  init(_ schema: ClassSchema, _ rows: SalvagedRows) {
    self.schema = schema
    self.rows = rows
  }
}

/// Walks a tree of clusters around whatever cannot be read.
struct ClusterSalvage {
  let snapshot: Snapshot
  let properties: [Property]
  let tableName: String
  /// Nodes that were met.
  let claims: ClaimMap
  let log: SalvageLog
  /// Inner nodes that overlap have more children than the file has room for.
  private let work: SearchWork
  private(set) var rows = SalvagedRows()
  /// How many of the nodes above are on unverified pages.
  private var doubtfulCount = 0

  /// Inner nodes and the cluster below them.
  static let levelsMax = InnerCluster.depthMax + 1
  /// One leaf alone says nothing against the keys.
  private static let votesMin = 2

  init(
    _ snapshot: Snapshot, properties: [Property], tableName: String, claims: ClaimMap, work: SearchWork,
    log: SalvageLog
  ) {
    self.snapshot = snapshot
    self.properties = properties
    self.tableName = tableName
    self.claims = claims
    self.work = work
    self.log = log
  }

  mutating func walk(_ root: Ref) throws(EngineError) {
    if let node = try? snapshot.refsNode(root), !isOwn(node) {
      log.note(
        .damaged(at: root.offset, expected: "a cluster with the class's columns", found: node.description),
        tableName)
      return loseAll()
    }
    rows.statedCount = try? statedCount(root)
    try visit(root, offset: 0, keys: SalvagedRows.allKeys, depth: nil)
  }

  /// Whether the root of the rows may be one. What looks like a cluster without a column of the class, or is empty where no
  /// leaves are, is another node: left alone, whoever owns it is found, and so are the rows.
  private func isOwn(_ node: NodeView) -> Bool {
    guard !node.isInner, let cluster = try? snapshot.cluster(node, keyOffset: 0) else { return true }
    return properties.allSatisfy { property in
      let index = property.columnKey.leafIndex
      guard index + 1 < node.count else { return false }
      guard cluster.count == 0 else { return true }
      guard let ref = (try? cluster.leafRef(index)) ?? nil else { return false }
      return (try? snapshot.leaf(ref, property.layout, rowCount: 0)) != nil
    }
  }

  /// Whether a cluster below inner nodes may be one: it has rows, and leads to leaves.
  private func mayBeChild(_ node: NodeView) -> Bool {
    guard !node.isInner, let cluster = try? snapshot.cluster(node, keyOffset: 0) else { return true }
    let leaves = properties.count { ((try? cluster.leafRef($0.columnKey.leafIndex)) ?? nil) != nil }
    return cluster.count > 0 && leaves * 2 >= properties.count
  }

  /// Where nothing leads to the rows.
  mutating func loseAll() { lose(SalvagedRows.allKeys) }

  private func statedCount(_ root: Ref) throws(EngineError) -> Int {
    let node = try snapshot.refsNode(root)
    guard node.isInner else { return try snapshot.cluster(node, keyOffset: 0).count }
    return Int(clamping: min(try node.tagged(InnerCluster.countSlot), ClusterTree.countMax))
  }

  /// `offset` nil: what the nodes above add to the keys is lost.
  private mutating func visit(
    _ ref: Ref, offset: Int64?, keys: Range<Int64>, depth: Int?
  ) throws(EngineError) {
    try Interruption.check()
    let node = try log.reading(tableName) { () throws(EngineError) in
      let node = try snapshot.refsNode(ref)
      // What is somebody else's is left to whoever that is.
      guard depth == nil || mayBeChild(node) else {
        throw EngineError.damaged(
          at: ref.offset, expected: "a cluster with the class's columns", found: node.description)
      }
      // Nodes behind the end were made in memory.
      guard ref.offset >= claims.size || claims.claim(ref.offset, NodeHeader.size) else {
        throw EngineError.damaged(at: ref.offset, expected: "a node of its own", found: "one used twice")
      }
      if let depth, node.isInner != (depth > 0) {
        throw EngineError.damaged(
          at: ref.offset, expected: depth > 0 ? "an inner node" : "a cluster", found: node.description)
      }
      return node
    }
    guard let node else { return lose(keys) }
    guard node.isInner else { return try addCluster(node, offset: offset, keys: keys) }
    let doubt = snapshot.isUnverified(node) ? 1 : 0
    doubtfulCount += doubt
    try visit(inner: node, offset: offset, keys: keys, depth: depth)
    doubtfulCount -= doubt
  }

  private mutating func lose(_ wanted: Range<Int64>) {
    // Children of which little is known may have the same keys.
    let low = max(wanted.lowerBound, rows.lostKeys.last?.upperBound ?? wanted.lowerBound)
    guard low < wanted.upperBound else { return }
    let keys = low..<wanted.upperBound
    if let last = rows.lostKeys.last, last.upperBound == keys.lowerBound {
      rows.lostKeys[rows.lostKeys.count - 1] = last.lowerBound..<keys.upperBound
    } else {
      rows.lostKeys.append(keys)
    }
  }

  private mutating func visit(
    inner node: NodeView, offset: Int64?, keys: Range<Int64>, depth: Int?
  ) throws(EngineError) {
    let childCount = node.count - InnerCluster.firstChildSlot
    let stated = (try? node.tagged(InnerCluster.depthSlot)).map { Int(clamping: $0) }
    guard let level = depth ?? stated, level >= 1, level <= InnerCluster.depthMax, childCount > 0,
      childCount <= 1 << 16, work.take(childCount)
    else {
      log.note(
        .damaged(at: node.ref.offset, expected: "an inner cluster node", found: node.description), tableName)
      return lose(keys)
    }
    let starts = try childStarts(node, level: level, count: childCount, offset: offset, keys: keys)
    let ends = starts.map { Self.ends($0, before: keys.upperBound) }
    for child in 0..<childCount {
      var childKeys: Range<Int64> = 0..<0
      let start = starts?[child]
      if let ends {
        // What is known of a child whose keys are lost is that they lie between those of others.
        let low = start ?? max(rows.blocks.last.map { $0.lastKey + 1 } ?? keys.lowerBound, keys.lowerBound)
        childKeys = low..<max(low, ends[child])
      }
      guard let ref = try? node.ref(InnerCluster.firstChildSlot + child) else {
        log.note(
          .damaged(at: node.ref.offset, expected: "a ref to child \(child)", found: "none"), tableName)
        lose(childKeys)
        continue
      }
      try visit(ref, offset: start ?? nil, keys: childKeys, depth: level - 1)
    }
    if starts == nil { lose(keys) }
  }

  /// Where the keys of each child end at the latest: where those of the next one begin of which that is known.
  private static func ends(_ starts: [Int64?], before last: Int64) -> [Int64] {
    var ends = [Int64](repeating: last, count: starts.count)
    for child in starts.indices.dropLast().reversed() {
      ends[child] = starts[child + 1].map { min($0, last) } ?? ends[child + 1]
    }
    return ends
  }

  /// Where each child's keys begin; nil for children of which that is lost, or makes no sense among the others.
  private func childStarts(
    _ node: NodeView, level: Int, count: Int, offset: Int64?, keys: Range<Int64>
  ) throws(EngineError) -> [Int64?]? {
    guard let offset else { return nil }
    let stored = try log.reading("\(tableName), keys of clusters") { () throws(EngineError) in
      let offsets = try node.ref(0).map { ref throws(EngineError) in try snapshot.integersNode(ref).integers }
      guard let offsets else {
        return (0..<count).map { offset &+ Int64(bitPattern: InnerCluster.compactOffset($0, depth: level)) }
      }
      guard offsets.count >= count else {
        throw EngineError.damaged(
          at: node.ref.offset, expected: "\(count) key offsets", found: "\(offsets.count)")
      }
      return (0..<count).map { offset &+ Int64(bitPattern: offsets.unsigned($0)) }
    }
    guard var starts = stored else { return nil }
    // Nothing is added to the keys of a first child, whatever it says.
    let isFirstWrong = starts[0] != offset
    starts[0] = offset
    let sure = RisingNumbers.sure(in: starts) { keys.contains($0) || $0 == keys.lowerBound }
    if isFirstWrong || sure.contains(false) {
      let child = isFirstWrong ? 0 : sure.firstIndex(of: false) ?? 0
      log.note(
        .damaged(
          at: node.ref.offset, expected: "rising key offsets",
          found: "\(stored?[child] ?? 0) for child \(child)"),
        "\(tableName), keys of clusters")
    }
    return zip(starts, sure).map { $1 ? $0 : nil }
  }

  // MARK: Clusters

  private mutating func addCluster(
    _ node: NodeView, offset: Int64?, keys: Range<Int64>
  ) throws(EngineError) {
    let whole = try log.reading("\(tableName), keys of objects") { () throws(EngineError) in
      try checked(try snapshot.cluster(node, keyOffset: offset ?? 0), isPlaced: offset != nil, keys)
    }
    let isUnverified = doubtfulCount > 0
    if let whole, offset != nil {
      if whole.count > 0 {
        rows.blocks.append(
          SalvagedBlock(place: .cluster(whole), rows: 0..<whole.count, isUnverified: isUnverified))
      }
      return
    }
    // Without its keys a cluster still has its rows, and their order where only its place is lost.
    lose(keys)
    let misplaced = whole ?? (try? checked(try snapshot.cluster(node, keyOffset: 0), isPlaced: false, keys))
    let count = misplaced?.count ?? agreedCount(node) ?? 0
    guard count > 0 else { return }
    let relativeKeys = misplaced.flatMap { $0.keysRise ? $0.relativeKeys : nil }
    let cluster = Cluster(node: node, count: count, keyOffset: 0, relativeKeys: relativeKeys)
    rows.unplaced.append(
      SalvagedBlock(place: .cluster(cluster), rows: 0..<count, isUnverified: isUnverified))
  }

  /// A cluster whose keys rise in their range, with as many rows as its leaves have.
  private func checked(
    _ cluster: Cluster, isPlaced: Bool, _ keys: Range<Int64>
  ) throws(EngineError) -> Cluster {
    var cluster = cluster
    if let agreed = agreedCount(cluster.node), agreed != cluster.count {
      guard cluster.relativeKeys == nil else {
        throw EngineError.damaged(
          at: cluster.node.ref.offset, expected: "\(agreed) keys", found: "\(cluster.count)")
      }
      cluster = Cluster(node: cluster.node, count: agreed, keyOffset: cluster.keyOffset, relativeKeys: nil)
    }
    guard isPlaced else { return cluster }
    for row in 0..<cluster.count {
      let key = cluster.key(row).value
      guard keys.contains(key), row == 0 || cluster.key(row - 1).value < key else {
        throw EngineError.damaged(
          at: cluster.node.ref.offset, expected: "rising keys in \(keys)", found: "\(key)")
      }
    }
    return cluster
  }

  /// How many rows most leaves of a cluster have; nil where that cannot be told. Zeroed bytes look like leaves without
  /// rows, and have no say.
  private func agreedCount(_ node: NodeView) -> Int? {
    var votes: [Int: Int] = [:]
    for property in properties {
      guard let ref = try? node.refIfPresent(property.columnKey.leafIndex + 1),
        let leaf = try? snapshot.leaf(ref, property.layout, rowCount: nil), leaf.count > 0,
        leaf.count <= ClusterTree.rowsMax
      else { continue }
      votes[leaf.count, default: 0] += 1
    }
    guard let best = votes.max(by: { $0.value < $1.value }), best.value >= Self.votesMin else { return nil }
    return votes.count { $0.value == best.value } == 1 ? best.key : nil
  }
}

extension Cluster {
  /// Whether each of its keys is above the one before it, and none is below what is added to all.
  fileprivate var keysRise: Bool {
    (0..<count).allSatisfy { row in
      key(row).value >= (row == 0 ? keyOffset : key(row - 1).value &+ 1)
    }
  }
}

/// Numbers that should rise, of which a few are damaged.
package enum RisingNumbers {
  /// Which of them belong to every longest series of rising numbers that `isAllowed` takes: what stands in some of these only
  /// may be wrong itself. Cost: that of sorting them.
  package static func sure(in numbers: [Int64], _ isAllowed: (Int64) -> Bool) -> [Bool] {
    let indexes = numbers.indices.filter { isAllowed(numbers[$0]) }
    let before = lengths(indexes.map { numbers[$0] })
    let behind = lengths(indexes.reversed().map { ~numbers[$0] })
    let longest = before.max() ?? 0
    var candidates: [Int: [Int]] = [:]
    for (place, index) in indexes.enumerated()
    where before[place] + behind[indexes.count - 1 - place] == longest + 1 {
      candidates[before[place], default: []].append(index)
    }
    var result = Array(repeating: false, count: numbers.count)
    for found in candidates.values where found.count == 1 { result[found[0]] = true }
    return result
  }

  /// How long the longest rising series is that ends with each number.
  private static func lengths(_ numbers: [Int64]) -> [Int] {
    // The least number that a series of each length ends with.
    var ends: [Int64] = []
    return numbers.map { number in
      let low = (0..<ends.count).partitionPoint { ends[$0] < number }
      if low == ends.count { ends.append(number) } else { ends[low] = number }
      return low + 1
    }
  }
}
