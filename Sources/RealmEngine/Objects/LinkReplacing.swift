// Giving many objects other links, or other embedded objects, cluster by cluster. Layer: Objects.
// Invariant: when it has finished, links and incoming links agree, and embedded objects that lost their owner are gone.

/// Properties of objects of one class that get other links.
final class LinkReplacement {
  private let table: TableEditor
  private let load: BulkLoad
  /// Links that are lost, by the property that they stood in.
  private var lost: [(property: Property, target: TableKey, links: PendingLinks)] = []
  /// Of collections that are lost.
  private var roots: [Ref] = []

  private var group: GroupEditor { load.group }
  private var store: NodeStore { load.group.store }

  /// `load` makes what new links lead to, and has those in collections on note. It ends with the replacement.
  init(of table: TableEditor, in load: BulkLoad) {
    self.table = table
    self.load = load
  }

  /// Puts `slots` in a property with a target, of `owners`, by their keys, which rise and exist: of a single link its key plus
  /// one, or 0; of a collection its root, or 0.
  func put(_ slots: CompressedIntegers, in property: Property, of owners: CompressedIntegers)
    throws(EngineError)
  {
    guard let target = property.target else { return }
    let links = PendingLinks()
    var next = 0
    let leafIndex = property.columnKey.leafIndex
    try table.rows.edit(owners) { cluster, rows throws(EngineError) in
      let old = try cluster.leaf(leafIndex)
      let new = slots[next..<next + rows.count]
      let place = try cluster.cluster()
      let leaf =
        property.collection == nil
        ? try put(new, in: property, old, place, rows, links)
        : try put(new, inCollections: property, old, place, rows, links)
      try cluster.setLeaf(leafIndex, leaf)
      try store.release(old)
      next += rows.count
    }
    precondition(next == owners.count, "objects that get links exist")
    table.noteChange()
    lost.append((property, target, links))
    guard property.collection == nil else { return }
    let noted = load.links(from: table, property, to: target)
    for (owner, slot) in zip(owners, slots) where slot != 0 {
      noted.append(target: slot - 1, origin: owner)
    }
  }

  private func put(
    _ slots: Slice<CompressedIntegers>, in property: Property, _ ref: Ref, _ place: Cluster, _ rows: [Int],
    _ links: PendingLinks
  ) throws(EngineError) -> Ref {
    guard case .links(let old) = try store.snapshot.leaf(ref, property.layout, rowCount: place.count) else {
      preconditionFailure("a property with a target holds links")
    }
    var keys = old.values.array()
    for (row, slot) in zip(rows, slots) {
      if let key = old[row] { links.append(target: key.value, origin: place.key(row).value) }
      keys[row] = slot
    }
    return try store.makeIntegers(keys)
  }

  private func put(
    _ slots: Slice<CompressedIntegers>, inCollections property: Property, _ ref: Ref, _ place: Cluster,
    _ rows: [Int], _ links: PendingLinks
  ) throws(EngineError) -> Ref {
    let node = try store.snapshot.refsNode(ref)
    var new = node.integers.array()
    for (row, slot) in zip(rows, slots) {
      if let root = try node.ref(row) {
        roots.append(root)
        try group.stored(root, property).forEachLink { link throws(EngineError) in
          guard link.table == property.target else { return }
          links.append(target: link.key.value, origin: place.key(row).value)
        }
      }
      new[row] = slot
    }
    return try store.makeSlots(new)
  }

  /// Ends with incoming links and embedded objects as they should be.
  func finish() throws(EngineError) {
    for root in roots { try store.releaseTree(root) }
    for (property, target, links) in lost {
      try group.removeBacklinks(links, in: target, table, property.columnKey)
    }
    try load.finish()
    for (_, target, links) in lost where group.hasTable(target) {
      guard try group.table(target).isEmbedded else { continue }
      let orphans = CompressedIntegers(links.allTargets.lazy.filter { $0 >= 0 })
      try group.erase([target: ObjectKeyList(orphans)], areOrphans: true)
    }
  }
}
