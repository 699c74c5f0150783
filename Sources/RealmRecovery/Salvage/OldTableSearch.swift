// Tables of formats 2–9 that are recognised by their shape, where no top array names them. Layer: RealmRecovery, Salvage.

import RealmEngine

/// Where the parts of a table stand.
struct OldTableParts: Hashable {
  let spec: Ref
  let columns: Ref
}

/// A list of tables of formats 2–9 with their names.
struct OldTableList {
  /// As many as tables; empty where they are lost.
  let names: [String]
  let tables: NodeView
}

extension NodeSearch {
  private static let oldTablesMax = 65535
  private static let tableSizes = 2...12
  private static let typeNumbers: ClosedRange<Int64> = 0...14
  private static let specsMax = 64
  private static let looseWalks = 4

  /// The list of the most tables; of equal ones the last. Nil where there is none.
  func oldTableList() throws(EngineError) -> OldTableList? {
    var best: NodeView?
    try forEachRefs { node in
      guard node.count >= best?.count ?? 1, isOldTableList(node) else { return }
      best = node
    }
    return try best.map { tables throws(EngineError) in
      OldTableList(names: try oldNames(tables.count...tables.count), tables: tables)
    }
  }

  /// All tables at places that `isCandidate` takes.
  func oldTables(_ isCandidate: (Int) -> Bool) throws(EngineError) -> [Ref] {
    var found: [Ref] = []
    try forEachRefs(isCandidate) { node in
      if work.take(1), isOldTable(node) { found.append(node.ref) }
    }
    return found
  }

  /// Whether a table stands at a place.
  func isOldTable(_ ref: Ref) -> Bool { (try? snapshot.refsNode(ref)).map(isOldTable) ?? false }

  private func isOldTableList(_ node: NodeView) -> Bool {
    guard node.count <= Self.oldTablesMax else { return false }
    for slot in 0..<node.count {
      guard work.take(1), let table = (try? node.ref(slot)).flatMap({ try? snapshot.refsNode($0) }),
        isOldTable(table)
      else { return false }
    }
    return true
  }

  /// A spec beside at least as many columns as it has.
  private func isOldTable(_ node: NodeView) -> Bool {
    guard !node.isInner, Self.tableSizes.contains(node.count), let spec = child(0, of: node),
      let columnCount = oldColumnCount(spec)
    else { return false }
    guard let columns = child(1, of: node) else { return columnCount == 0 }
    return !columns.isInner && columns.count >= columnCount
  }

  /// The columns that a spec has, hidden ones included; nil for what is none: it has as many types as attributes.
  private func oldColumnCount(_ node: NodeView) -> Int? {
    guard !node.isInner, OldSpec.sizes.contains(node.count),
      let types = integers(OldSpec.Slot.types, of: node),
      let attributes = integers(OldSpec.Slot.attributes, of: node), types.count == attributes.count,
      types.count <= OldSpec.columnsMax, work.take(types.count),
      types.array().allSatisfy(Self.typeNumbers.contains)
    else { return nil }
    return types.count
  }

  private func child(_ slot: Int, of node: NodeView) -> NodeView? {
    (try? node.ref(slot)).flatMap { try? snapshot.refsNode($0) }
  }

  private func integers(_ slot: Int, of node: NodeView) -> PackedIntegers? {
    (try? node.ref(slot)).flatMap { try? snapshot.integersNode($0) }?.integers
  }

  /// What is left of tables whose own node is lost: specs and arrays of columns of which each fits one other alone, and to which
  /// `roots` do not lead. `damaged` are nodes that lead nowhere.
  func looseOldTables(
    _ isCandidate: (Int) -> Bool, outside roots: [Ref], damaged: Set<Int>
  ) throws(EngineError) -> [OldTableParts] {
    guard let named = ClaimMap(size: snapshot.fileLimit & ~7) else { return [] }
    for offset in damaged where offset <= named.size - NodeHeader.size {
      _ = named.claim(offset, NodeHeader.size)
    }
    try claim(roots, in: named)
    let budget = TraversalBudget(snapshot, walks: Self.looseWalks)
    var specs: [(ref: Ref, spec: OldSpec)] = []
    try forEachRefs(isCandidate) { node in
      guard specs.count < Self.specsMax, !named.isClaimed(node.ref.offset), oldColumnCount(node) ?? 0 > 0,
        let spec = try? OldSpec(salvaging: node.ref, in: snapshot, budget: budget, note: { _ in })
      else { return }
      specs.append((node.ref, spec))
    }
    guard !specs.isEmpty else { return [] }
    var pairs: [OldTableParts] = []
    try forEachRefs(isCandidate) { node in
      guard pairs.count < Self.specsMax, !named.isClaimed(node.ref.offset) else { return }
      for (ref, spec) in specs where hasColumns(node, of: spec, budget) {
        pairs.append(OldTableParts(spec: ref, columns: node.ref))
      }
    }
    // What a table's lists consist of looks like columns, too.
    let roots = pairs.flatMap { [$0.spec, $0.columns] }
    try claim(roots.flatMap { work.refs(in: $0, of: snapshot) }, in: named)
    pairs = pairs.filter { !named.isClaimed($0.spec.offset) && !named.isClaimed($0.columns.offset) }
    return pairs.filter { pair in pairs.count { $0.spec == pair.spec || $0.columns == pair.columns } == 1 }
  }

  /// Claims all nodes that some lead to, and these.
  private func claim(_ roots: [Ref], in map: ClaimMap) throws(EngineError) {
    var refs = roots
    while let ref = refs.popLast() {
      guard ref.offset <= map.size - NodeHeader.size, map.claim(ref.offset, NodeHeader.size) else { continue }
      try Interruption.check()
      refs += work.refs(in: ref, of: snapshot)
    }
  }

  /// Whether an array leads to all columns of a spec, and all of these have as many rows.
  private func hasColumns(_ array: NodeView, of spec: OldSpec, _ budget: TraversalBudget) -> Bool {
    guard array.count == spec.slotCount, work.take(array.count),
      let table = try? OldTableStorage(
        salvaging: spec, array, in: snapshot, budget: budget, note: { _, _ in })
    else { return false }
    return table.rows.count > 0 && table.rows.columns.allSatisfy { $0?.count == table.rows.count }
  }

  /// The last list of as many names as are wanted, among them one of a class: the names of a table's columns look alike. Empty
  /// where there is none.
  func oldNames(_ counts: ClosedRange<Int>) throws(EngineError) -> [String] {
    var best: [String] = []
    func isWanted(_ size: Int, _ offset: Int) -> Bool { counts.contains(size) }
    try forEachNames(isWanted) { stored, _ in
      let names = stored.compactMap { $0 }
      guard names.count == stored.count, Set(names).count == names.count,
        names.contains(where: { ClassSchema.className(ofTable: $0) != nil })
      else { return }
      best = names
    }
    return best
  }
}
