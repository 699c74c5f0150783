// Other values in the place of those that properties hold, each by itself. Layer: Filling.
// Single values go leaf by leaf on all threads; collections and mixed values are taken apart and put together again. Indexes are made
// anew. Incoming links stay what they are.

import Synchronization

/// What comes in the place of values. The same value always gives the same one, another value another one.
package protocol ValueReplacement: Sendable {
  func makeWorker() -> any ValueReplacing
}

/// What one thread replaces values with.
package protocol ValueReplacing: AnyObject {
  /// Appends what comes in the place of a leaf's values to a buffer of the same type.
  func replaceValues(of leaf: Leaf, in snapshot: Snapshot, into buffer: LeafBuffer) throws(EngineError)
  /// What comes in the place of a value that is neither a link nor a collection; it owns its bytes.
  func replacement(of value: Value) -> Value
  func replacement(of link: ObjectLink) -> ObjectLink
}

extension WriteTransaction {
  /// Replaces the values of properties in all objects of a class; of dictionaries the keys too.
  package func replaceValues(
    of key: TableKey, _ names: Set<String>, by replacement: any ValueReplacement
  ) throws(EngineError) {
    guard let table = try view().table(key), table.count > 0 else { return }
    let editor = try group.table(key)
    let columns = try prepare { () throws(EngineError) in
      let blocks = try table.allBlocks()
      var columns: [ColumnReplacement] = []
      for property in table.schema.properties where names.contains(property.name) {
        var column = try ColumnReplacement(property.columnKey, of: editor, in: group)
        let isPlain = property.collection == nil && property.type != .mixed
        let leaves =
          isPlain
          ? try plainLeaves(property, blocks, replacement)
          : try group.leaves(property, blocks, replacement.makeWorker())
        for (block, leaf) in zip(blocks, leaves) { try column.append(leaf, of: block) }
        columns.append(column)
      }
      return columns
    }
    try change { () throws(EngineError) in try group.replaceLeaves(editor, columns, nil) }
  }

  private func plainLeaves(
    _ property: Property, _ blocks: [RowBlock], _ replacement: any ValueReplacement
  ) throws(EngineError) -> [Ref] {
    let leaves = Mutex([Int: Ref]())
    let snapshot = snapshot
    try ParallelWork.forEach(blocks.indices, workers: ParallelWork.workerCount) {
      (
        store: NodeStore(besideOthers: snapshot.forOneThread()), buffer: LeafBuffer(property.layout),
        worker: replacement.makeWorker()
      )
    } _: { index, own throws(EngineError) in
      guard let store = own.store else { preconditionFailure("a transaction has room for nodes") }
      try Interruption.check()
      try own.worker.replaceValues(
        of: try blocks[index].leaf(property), in: store.snapshot, into: own.buffer)
      let leaf = try own.buffer.makeLeaf(in: store)
      leaves.withLock { $0[index] = leaf }
    }
    let made = leaves.withLock { $0 }
    return blocks.indices.compactMap { made[$0] }
  }
}

extension GroupEditor {
  /// Leaves of collections or mixed values.
  fileprivate func leaves(
    _ property: Property, _ blocks: [RowBlock], _ worker: any ValueReplacing
  ) throws(EngineError) -> [Ref] {
    var leaves: [Ref] = []
    for block in blocks {
      switch try block.leaf(property) {
      case .collections(let roots):
        var slots = [Int64](repeating: 0, count: block.count)
        for row in 0..<block.count {
          guard let root = try roots.root(row) else { continue }
          let new = try writeCollection(try stored(root, property).replaced(by: worker), property)
          slots[row] = Int64(new?.offset ?? 0)
        }
        leaves.append(try store.makeSlots(slots))
      case .mixed(let leaf):
        var values: [Value] = []
        for row in 0..<block.count {
          let old = try stored(try leaf.storedValue(row, in: store.snapshot))
          values.append(try write(old.replaced(by: worker)))
        }
        leaves.append(try store.makeLeaf(property.layout, values))
      default: preconditionFailure("other values stand in leaves of their type")
      }
    }
    return leaves
  }
}

extension StoredValue {
  fileprivate func replaced(by worker: any ValueReplacing) -> StoredValue {
    switch self {
    case .single(.null): self
    case .single(.link(let link)): .single(.link(worker.replacement(of: link)))
    case .single(let value): .single(worker.replacement(of: value))
    case .list(let elements): .list(elements.map { $0.replaced(by: worker) })
    case .dictionary(let entries):
      .dictionary(
        entries.map { (worker.replacement(of: $0.key), $0.value.replaced(by: worker)) })
    case .named(let name, let collection): .named(name, collection.replaced(by: worker))
    }
  }
}
