// The columns of a table that has lost its spec, found by what the spec was made of. Layer: RealmRecovery, Salvage.
// Invariant: what is found belongs to no other table, fits the rows, and is the only such thing.

import RealmEngine

/// Looks for what a table's spec was.
struct ColumnSearch {
  private let snapshot: Snapshot
  private let search: NodeSearch
  /// Specs, and their parts, of tables that have theirs.
  private let owned: Set<Int>
  private let isCandidate: (Int) -> Bool

  private static let specSizes = 5...6
  private static let specPartCount = 6
  private static let keyWidthMin = 32
  /// What is looked at closer: a file may consist of nothing but what looks like keys.
  private static let candidatesMax = 4096

  /// A spec, or the keys of columns without one.
  struct Finding {
    let spec: NodeView?
    let keys: NodeView
  }

  /// `others` are the other tables of the version; `isCandidate` tells whether something may stand at an offset.
  init(_ snapshot: Snapshot, others: [Ref], _ isCandidate: @escaping (Int) -> Bool) {
    self.snapshot = snapshot
    self.isCandidate = isCandidate
    search = NodeSearch(snapshot)
    var owned: Set<Int> = []
    for table in others {
      guard let node = try? snapshot.refsNode(table), let spec = (try? node.ref(TableTopSlot.spec)) ?? nil
      else { continue }
      owned.insert(spec.offset)
      guard let parts = try? snapshot.refsNode(spec) else { continue }
      for slot in 0..<min(parts.count, Self.specPartCount) {
        if let part = (try? parts.refIfPresent(slot)) ?? nil { owned.insert(part.offset) }
      }
    }
    self.owned = owned
  }

  /// The only columns that nobody else has and `isFitting` takes; with their spec, if that is left.
  func columns(_ isFitting: (Finding) -> Bool) throws(EngineError) -> Finding? {
    var found: [[Int64]: Finding] = [:]
    var left = Self.candidatesMax
    try search.forEachRefs(isCandidate) { node in
      guard left > 0, let finding = spec(node) else { return }
      left -= 1
      guard isFitting(finding) else { return }
      found[finding.keys.integers.array()] = finding
    }
    // Keys without a spec are those of a spec that is lost; with one they are known already.
    try forEachKeys { keys in
      guard left > 0 else { return }
      left -= 1
      let content = keys.integers.array()
      let finding = Finding(spec: nil, keys: keys)
      if found[content] == nil, isFitting(finding) { found[content] = finding }
    }
    return found.count == 1 ? found.values.first : nil
  }

  /// The only spec in use that nobody else has and whose columns were made in the table of a slot.
  func columns(ofSlot slot: Int) throws(EngineError) -> Finding? {
    var found: [Finding] = []
    try search.forEachRefs(isCandidate) { node in
      guard found.count < 2, let finding = spec(node),
        ColumnOrder.tableKey(of: finding.keys.integers)?.slot == slot
      else { return }
      found.append(finding)
    }
    return found.count == 1 ? found[0] : nil
  }

  private func spec(_ node: NodeView) -> Finding? {
    guard Self.specSizes.contains(node.count), !owned.contains(node.ref.offset),
      let ref = (try? node.refIfPresent(TableSpecSlot.keys)) ?? nil, !owned.contains(ref.offset),
      let keys = try? snapshot.integersNode(ref), areKeys(keys)
    else { return nil }
    return Finding(spec: node, keys: keys)
  }

  private func forEachKeys(_ body: (NodeView) -> Void) throws(EngineError) {
    func isWanted(_ header: NodeHeader, _ offset: Int) -> Bool {
      !header.isInner && !header.hasRefs && header.kind == .bits && header.width >= Self.keyWidthMin
        && header.count > 0
        && header.count <= TableColumns.countMax && !owned.contains(offset) && isCandidate(offset)
    }
    try search.forEachHeader(isWanted) { ref in
      if let node = try? snapshot.integersNode(ref), areKeys(node) { body(node) }
    }
  }

  /// Whether numbers may be the keys of one table's columns.
  private func areKeys(_ node: NodeView) -> Bool {
    let integers = node.integers
    guard integers.count > 0, integers.count <= TableColumns.countMax else { return false }
    var indexes: Set<Int> = []
    for number in 0..<integers.count {
      guard search.work.take(1) else { return false }
      let key = ColumnKey(integers[number])
      let isLinkList = key.isOldLinkList
      guard key.value >= 0, isLinkList || ValueType(rawValue: key.typeNumber) != nil,
        indexes.insert(key.leafIndex).inserted
      else { return false }
    }
    return true
  }

  /// The only list of `count` names that nobody else has.
  func names(count: Int) throws(EngineError) -> ShortStringLeaf? {
    guard count > 0 else { return nil }
    var found: [[String]: ShortStringLeaf] = [:]
    func isWanted(_ size: Int, _ offset: Int) -> Bool {
      size == count && !owned.contains(offset) && isCandidate(offset)
    }
    try search.forEachNames(isWanted) { names, leaf in
      let names = names.compactMap { $0 }
      if Set(names).count == count { found[names] = leaf }
    }
    return found.count == 1 ? found.values.first : nil
  }
}

extension Snapshot {
  /// The first cluster that can be read, of a tree of them. `work` nil: for one root alone.
  func firstCluster(_ root: Ref, _ work: SearchWork? = nil) -> Cluster? {
    clusters(under: root, countMax: 1, work).first
  }

  /// The first clusters that can be read, each once.
  func clusters(under root: Ref, countMax: Int, _ work: SearchWork? = nil) -> [Cluster] {
    let work = work ?? SearchWork(self)
    var found: [Cluster] = []
    var met: Set<Int> = []
    func visit(_ ref: Ref, _ level: Int) {
      guard found.count < countMax, level < ClusterSalvage.levelsMax, met.insert(ref.offset).inserted,
        let node = try? refsNode(ref), node.header.width > 0
      else { return }
      guard node.isInner else {
        if let cluster = try? cluster(node, keyOffset: 0) { found.append(cluster) }
        return
      }
      for slot in InnerCluster.firstChildSlot..<max(InnerCluster.firstChildSlot, node.count) {
        guard found.count < countMax, work.take(1) else { return }
        if let child = (try? node.ref(slot)) ?? nil { visit(child, level + 1) }
      }
    }
    visit(root, 0)
    return found
  }
}
