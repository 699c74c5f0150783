// Nodes that are recognised by their shape alone, wherever they stand in the data. Layer: RealmRecovery, Salvage.
// What is found here belongs to some version, perhaps to one whose space was given up: whoever uses it asks what else is known.

import RealmEngine

/// What a search may look at beyond headers: nodes of a sound file do not overlap, but those of a made one may, at every
/// eighth byte.
final class SearchWork {
  private var elementsLeft: Int

  private static let elementsPerByte = 4
  private static let elementsMin = 1 << 20

  init(_ snapshot: Snapshot) {
    elementsLeft = snapshot.fileLimit * Self.elementsPerByte + Self.elementsMin
  }

  /// Whether so many elements may still be looked at.
  func take(_ count: Int) -> Bool {
    elementsLeft -= min(count, elementsLeft + 1)
    return elementsLeft >= 0
  }

  /// The elements of a node that may be refs. Elements of less than a byte are none, however many a node says it has. An error
  /// for each other that is none would take longer than all the rest.
  func refs(in ref: Ref, of snapshot: Snapshot) -> [Ref] {
    guard let node = try? snapshot.refsNode(ref), node.header.width >= 8, take(node.count) else { return [] }
    return (0..<node.count).compactMap { index in (try? node.slot(index)).flatMap { Ref($0) } }
  }
}

/// One look at every place where a node may begin.
struct NodeSearch {
  let snapshot: Snapshot
  let work: SearchWork

  init(_ snapshot: Snapshot) {
    self.snapshot = snapshot
    work = SearchWork(snapshot)
  }

  private static let topSizes: Set<Int> = [3, 5, 7, 9, 10, 11, 12]
  private static let tableSizes = 9...14
  private static let specSizes = 5...6
  private static let namesMax = 65535

  /// What a top array says, as far as it is needed to choose among several.
  struct Top {
    let ref: Ref
    let version: Int64
    /// Whether its tables are those of formats 2–9.
    let isOld: Bool
  }

  /// A table's top array.
  struct TableRoot {
    let ref: Ref
    let slot: Int
    /// How many tables had the slot before.
    let reuse: Int64
    let contentVersion: Int64
  }

  /// Calls `body` with every place whose header is one of a node that `isWanted` takes.
  func forEachHeader(
    _ isWanted: (NodeHeader, Int) -> Bool, _ body: (Ref) throws(EngineError) -> Void
  ) throws(EngineError) {
    var offset = FileHeader.size
    while offset <= snapshot.fileLimit - NodeHeader.size {
      defer { offset += NodeHeader.size }
      if offset & 0xFFFF == 0 { try Interruption.check() }
      guard let word = try? snapshot.bytes(offset, NodeHeader.size).load(UInt64.self, at: 0),
        let header = NodeHeader(word: word), isWanted(header, offset),
        let ref = Ref(Int64(offset))
      else { continue }
      try body(ref)
    }
  }

  /// Calls `body` with every node of refs that is not inner, at places that `isCandidate` takes.
  func forEachRefs(
    _ isCandidate: (Int) -> Bool = { _ in true }, _ body: (NodeView) throws(EngineError) -> Void
  ) throws(EngineError) {
    func isWanted(_ header: NodeHeader, _ offset: Int) -> Bool {
      !header.isInner && header.hasRefs && header.kind == .bits && header.width >= 8 && header.count > 0
        && isCandidate(offset)
    }
    try forEachHeader(isWanted) { ref throws(EngineError) in
      if let node = try? snapshot.refsNode(ref) { try body(node) }
    }
  }

  /// Calls `body` with every list of short texts whose size `isWanted` takes; nil for what is no text, or empty.
  func forEachNames(
    _ isWanted: (Int, Int) -> Bool, _ body: ([String?], ShortStringLeaf) -> Void
  ) throws(EngineError) {
    func areWanted(_ header: NodeHeader, _ offset: Int) -> Bool {
      !header.isInner && header.kind == .bytes && !header.hasRefs && header.width > 0
        && header.count <= Self.namesMax
        && isWanted(header.count, offset) && work.take(header.count)
    }
    try forEachHeader(areWanted) { ref in
      guard let node = try? snapshot.node(ref), let leaf = try? ShortStringLeaf(node, isNullable: false)
      else {
        return
      }
      let names = (0..<leaf.count).map { index in
        leaf.soundBytes(index).flatMap { $0.isUTF8 && $0.count > 0 ? ByteString(borrowing: $0).text : nil }
      }
      body(names, leaf)
    }
  }

  /// All top arrays whose names and tables fit together, the newest first.
  func tops() throws(EngineError) -> [Top] {
    var tops: [Top] = []
    try forEachRefs { node in
      if let top = self.top(node) { tops.append(top) }
    }
    return tops.sorted { ($0.version, $0.ref.offset) > ($1.version, $1.ref.offset) }
  }

  private func top(_ node: NodeView) -> Top? {
    guard Self.topSizes.contains(node.count), let size = try? node.slot(GroupSlot.logicalSize), size & 1 == 1,
      let names = try? node.ref(GroupSlot.names), let tables = try? node.ref(GroupSlot.tables),
      let list = try? snapshot.refsNode(tables), !list.isInner, list.count > 0, work.take(list.count)
    else { return nil }
    // Where the names are lost the list has to lead to tables that say that they are in their slots.
    let count = nameCount(names)
    guard count == list.count || count == nil && size >> 1 <= snapshot.fileLimit && leadsToTable(list) else {
      return nil
    }
    let first = (0..<list.count).lazy.compactMap {
      (try? list.ref($0)).flatMap { try? snapshot.refsNode($0) }
    }.first
    guard let first else { return nil }
    return Top(
      ref: node.ref, version: (try? node.taggedOrZero(GroupSlot.version)) ?? 0,
      isOld: first.count < Self.tableSizes.lowerBound)
  }

  private func leadsToTable(_ list: NodeView) -> Bool {
    (0..<list.count).contains { slot in
      (try? list.ref(slot)).flatMap { try? snapshot.refsNode($0) }.flatMap(tableRoot)?.slot == slot
    }
  }

  private func nameCount(_ ref: Ref) -> Int? {
    guard let node = try? snapshot.node(ref), !node.isInner, work.take(node.count) else { return nil }
    if !node.hasRefs, node.header.kind == .bytes { return node.count }
    return (try? snapshot.oldTexts(node, isNullable: false))?.count
  }

  /// For each slot the newest table that is found.
  func tableRoots(_ isCandidate: (Int) -> Bool = { _ in true }) throws(EngineError) -> [Int: TableRoot] {
    var roots: [Int: TableRoot] = [:]
    try forEachRefs(isCandidate) { node in
      guard let root = tableRoot(node) else { return }
      if let known = roots[root.slot],
        (known.reuse, known.contentVersion, known.ref.offset)
          > (root.reuse, root.contentVersion, root.ref.offset)
      {
        return
      }
      roots[root.slot] = root
    }
    return roots
  }

  func tableRoot(_ node: NodeView) -> TableRoot? {
    guard Self.tableSizes.contains(node.count), let key = try? node.slot(TableTopSlot.key), key & 1 == 1,
      let table = TableKey(key >> 1), let removed = try? node.slot(TableTopSlot.columnSequence),
      removed & 1 == 1,
      let content = try? node.slot(TableTopSlot.contentVersion), content & 1 == 1,
      let spec = try? node.ref(TableTopSlot.spec),
      let rows = try? node.ref(TableTopSlot.clusters), (try? snapshot.refsNode(rows)) != nil
    else { return nil }
    if let spec = try? snapshot.refsNode(spec) {
      guard isSpec(spec) else { return nil }
    } else {
      // Of a table whose spec is lost, the rows show that it is one.
      guard snapshot.firstCluster(rows, work) != nil else { return nil }
    }
    return TableRoot(
      ref: node.ref, slot: table.slot, reuse: Int64(table.value >> 16), contentVersion: content >> 1)
  }

  private func isSpec(_ node: NodeView) -> Bool {
    guard Self.specSizes.contains(node.count), !node.isInner,
      let keys = try? node.refIfPresent(TableSpecSlot.keys),
      (try? snapshot.integersNode(keys)) != nil
    else { return false }
    return true
  }

  /// The list of names that fits the slots; the last of several, since lists are written behind what they name. `count` nil:
  /// it may be any.
  func names(of slots: [Int], count: Int? = nil) throws(EngineError) -> [String?] {
    let last = slots.max() ?? -1
    var best: [String?] = []
    func isWanted(_ size: Int, _ offset: Int) -> Bool { size > last && (count == nil || size == count) }
    try forEachNames(isWanted) { names, _ in
      let isList =
        slots.allSatisfy { names[$0] != nil }
        && names.contains { $0.flatMap(ClassSchema.className) != nil }
      if isList { best = names }
    }
    return best
  }
}
