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
    hasParallelTrees
      ? try parallelEntries(root, property.keyLayout, target: property.target, budget: budget)
      : try clusterEntries(root, property.keyLayout, target: property.target, budget: budget)
  }

  private var hasParallelTrees: Bool { format >= Self.firstFormatWithParallelTrees || slabs != nil }

  /// How many entries the dictionary of `property` at `root` has. Cost: constant.
  package func entryCount(of property: Property, at root: Ref) throws(EngineError) -> Int {
    guard hasParallelTrees else { return try ClusterTree(root, in: self).count }
    guard let (keys, _) = try parallelRoots(root) else { return 0 }
    return try elements(keys, property.keyLayout).count
  }

  /// The value under `key` in the dictionary of `property` at `root`; nil where it has no such key.
  func find(
    _ key: ByteString, of property: Property, at root: Ref
  ) throws(EngineError) -> LazyMixedValue? {
    guard hasParallelTrees, let (keysRoot, valuesRoot) = try parallelRoots(root),
      case .strings(let keys)? = try onlyElementLeaf(keysRoot, property.keyLayout)
    else { return try findSlowly(key, of: property, at: root) }
    let values = try node(valuesRoot)
    if values.isInner { return try findSlowly(key, of: property, at: root) }
    for index in 0..<keys.count where try isEqual(keys, index, key) {
      let element = try LazyMixedValue(of: values, at: index, in: self)
      try require(element.leafCount, toBe: keys.count, at: root)
      return element
    }
    return nil
  }

  private func isEqual(
    _ texts: StringLeaf, _ index: Int, _ wanted: ByteString
  ) throws(EngineError) -> Bool {
    // Mostly keys are short, and then compared where they stand.
    if case .short(let texts) = texts { return try texts.bytes(index)?.equals(wanted.bytes) ?? false }
    return try texts.bytes(index, in: self)?.bytes.equals(wanted.bytes) ?? false
  }

  private func findSlowly(
    _ key: ByteString, of property: Property, at root: Ref
  ) throws(EngineError) -> LazyMixedValue? {
    let entries = try entries(of: property, at: root)
    return entries.first { $0.key == .string(key) }.map { LazyMixedValue($0.value) }
  }

  /// Calls `body` with every leaf of values of the dictionary of `property` at `root` until it returns false.
  func forEachValueLeaf(
    of property: Property, at root: Ref, _ body: (MixedLeaf) throws(EngineError) -> Bool
  ) throws(EngineError) {
    guard hasParallelTrees else {
      let values = try entries(of: property, at: root).map(\.value)
      _ = try body(MixedLeaf(values: values, offset: root.offset))
      return
    }
    guard let (_, values) = try parallelRoots(root) else { return }
    try forEachElementLeaf(values, .mixedElements) { leaf throws(EngineError) in
      guard case .mixed(let leaf) = leaf else { return false }
      return try body(leaf)
    }
  }

  /// Visits a dictionary inside a mixed value.
  func forEachValueLeaf(
    ofNested dictionary: NestedCollection, _ body: (MixedLeaf) throws(EngineError) -> Bool
  ) throws(EngineError) {
    guard let root = Ref(Int64(dictionary.rootOffset)), let (_, values) = try parallelRoots(root) else {
      return
    }
    try forEachElementLeaf(values, .mixedElements) { leaf throws(EngineError) in
      guard case .mixed(let leaf) = leaf else { return false }
      return try body(leaf)
    }
  }

  /// Visits values with every key.
  func forEachKey(
    of property: Property, at root: Ref, _ body: (Value) throws(EngineError) -> Bool
  ) throws(EngineError) {
    guard hasParallelTrees else {
      for entry in try entries(of: property, at: root) where try !body(entry.key) { return }
      return
    }
    guard let (keys, _) = try parallelRoots(root) else { return }
    try forEachElementLeaf(keys, property.keyLayout) { leaf throws(EngineError) in
      for index in 0..<leaf.count where try !body(try leaf.value(index, in: self)) { return false }
      return true
    }
  }

  /// The trees of keys and values; nil for a dictionary without entries.
  private func parallelRoots(_ root: Ref) throws(EngineError) -> (keys: Ref, values: Ref)? {
    let node = try refsNode(root)
    guard let keys = try node.ref(0), let values = try node.ref(1) else { return nil }
    return (keys, values)
  }

  private func require(
    _ valueCount: Int, toBe keyCount: Int, at root: Ref
  ) throws(EngineError) {
    guard valueCount == keyCount else {
      throw EngineError.damaged(
        at: root.offset, expected: "as many values as the \(keyCount) keys", found: "\(valueCount)")
    }
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
    guard let (keysRoot, valuesRoot) = try parallelRoots(root) else { return [] }
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
    try require(entries.count, toBe: keys.count, at: root)
    return entries
  }

  /// The entries of a dictionary that is a cluster tree, whatever the format says.
  package func clusterEntries(
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

extension Property {
  /// Of the keys of a dictionary.
  fileprivate var keyLayout: LeafLayout { hasIntegerKeys ? .integerKeys : .textKeys }
}
