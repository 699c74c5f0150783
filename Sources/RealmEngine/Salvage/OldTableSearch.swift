// Tables of formats 2–9 that are recognised by their shape, where no top array names them. Layer: Salvage.

/// A list of tables of formats 2–9 with their names.
struct OldTableList {
  /// As many as tables; empty where they are lost.
  let names: [String]
  let tables: NodeView
}

extension NodeSearch {
  private static let oldTablesMax = 65535
  private static let specSizes = 3...6
  private static let tableSizes = 2...12

  /// The list of the most tables; of equal ones the last. Nil where there is none.
  func oldTableList() throws(EngineError) -> OldTableList? {
    var best: NodeView?
    try forEachRefs { node in
      guard node.count >= best?.count ?? 1, isOldTableList(node) else { return }
      best = node
    }
    return try best.map { tables throws(EngineError) in
      OldTableList(names: try oldNames(tables.count), tables: tables)
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

  /// A spec of as many types as names and attributes, beside at least as many columns.
  private func isOldTable(_ node: NodeView) -> Bool {
    guard !node.isInner, Self.tableSizes.contains(node.count), let spec = child(0, of: node), !spec.isInner,
      Self.specSizes.contains(spec.count), let types = integers(0, of: spec),
      let attributes = integers(2, of: spec),
      types.count == attributes.count, let names = (try? spec.ref(1)).flatMap({ try? snapshot.node($0) }),
      !names.hasRefs, names.header.kind == .bytes || names.count == 0, names.count <= types.count
    else { return false }
    guard let columns = child(1, of: node) else { return types.count == 0 }
    return !columns.isInner && columns.count >= types.count
  }

  private func child(_ slot: Int, of node: NodeView) -> NodeView? {
    (try? node.ref(slot)).flatMap { try? snapshot.refsNode($0) }
  }

  private func integers(_ slot: Int, of node: NodeView) -> PackedIntegers? {
    (try? node.ref(slot)).flatMap { try? snapshot.integersNode($0) }?.integers
  }

  /// The last list of so many names; one with names of classes goes before others. Empty where there is none.
  func oldNames(_ count: Int) throws(EngineError) -> [String] {
    var best: (names: [String], isOfClasses: Bool)?
    func isWanted(_ size: Int, _ offset: Int) -> Bool { size == count }
    try forEachNames(isWanted) { stored, _ in
      let names = stored.compactMap { $0 }
      guard names.count == count, Set(names).count == count else { return }
      let isOfClasses = names.contains { ClassSchema.className(ofTable: $0) != nil }
      if isOfClasses || !(best?.isOfClasses ?? false) { best = (names, isOfClasses) }
    }
    return best?.names ?? []
  }
}
