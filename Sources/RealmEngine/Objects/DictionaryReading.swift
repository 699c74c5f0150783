// Entries of dictionaries in their two layouts: parallel trees (formats 23 and later, and inside mixed values), or
// a cluster tree of entries (formats 21 and 22). Layer: Objects.

/// One entry of a dictionary.
package struct DictionaryEntry: Sendable {
  /// Text, or an integer in dictionaries that programs other than the SDKs made.
  package let key: Value
  package let value: Value
}

extension Snapshot {
  private static let firstFormatWithParallelTrees = 23
  private static let clusterKeyColumn = 0
  private static let clusterValueColumn = 1

  /// The entries of the dictionary of `property` at `root`, in stored order. Cost: proportional to its size.
  package func entries(
    of property: Property, at root: Ref, budget: TraversalBudget? = nil
  ) throws(EngineError) -> [DictionaryEntry] {
    let keys: LeafLayout = property.hasIntegerKeys ? .integerKeys : .textKeys
    return format >= Self.firstFormatWithParallelTrees || slabs != nil
      ? try parallelEntries(root, keys, target: property.target, budget: budget)
      : try clusterEntries(root, keys, target: property.target, budget: budget)
  }

  /// The entries of a dictionary inside a mixed value, in stored order.
  package func entries(
    ofNested dictionary: NestedCollection, budget: TraversalBudget? = nil
  ) throws(EngineError) -> [DictionaryEntry] {
    guard let root = Ref(Int64(dictionary.rootOffset)) else { return [] }
    return try parallelEntries(root, .textKeys, target: nil, budget: budget)
  }

  private func parallelEntries(
    _ root: Ref, _ layout: LeafLayout, target: TableKey?, budget: TraversalBudget?
  ) throws(EngineError) -> [DictionaryEntry] {
    let node = try refsNode(root)
    guard let keysRoot = try node.ref(0), let valuesRoot = try node.ref(1) else { return [] }
    var keys: [Value] = []
    try forEachElementLeaf(keysRoot, layout, budget: budget) { leaf throws(EngineError) in
      for index in 0..<leaf.count { keys.append(try leaf.value(index, in: self)) }
      return true
    }
    var entries: [DictionaryEntry] = []
    try forEachElementLeaf(valuesRoot, .mixedElements, budget: budget) { leaf throws(EngineError) in
      for index in 0..<leaf.count where entries.count < keys.count {
        entries.append(
          DictionaryEntry(
            key: keys[entries.count], value: try leaf.value(index, in: self, target: target)))
      }
      return true
    }
    guard entries.count == keys.count else {
      throw EngineError.damaged(
        at: root.offset, expected: "as many values as the \(keys.count) keys", found: "\(entries.count)")
    }
    return entries
  }

  private func clusterEntries(
    _ root: Ref, _ layout: LeafLayout, target: TableKey?, budget: TraversalBudget?
  ) throws(EngineError) -> [DictionaryEntry] {
    var cursor = try ClusterTree(root, in: self).cursor(budget: budget)
    var entries: [DictionaryEntry] = []
    while let cluster = try cursor.next() {
      guard let keysRef = try cluster.leafRef(Self.clusterKeyColumn),
        let valuesRef = try cluster.leafRef(Self.clusterValueColumn)
      else {
        throw EngineError.damaged(
          at: cluster.node.ref.offset, expected: "keys and values of a dictionary", found: "neither")
      }
      let keys = try leaf(keysRef, layout, rowCount: cluster.count)
      let values = try leaf(valuesRef, .mixedElements, rowCount: cluster.count)
      for row in 0..<cluster.count {
        entries.append(
          DictionaryEntry(
            key: try keys.value(row, in: self), value: try values.value(row, in: self, target: target)))
      }
    }
    return entries
  }
}
