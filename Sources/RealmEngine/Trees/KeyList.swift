// The keys that share an entry of a search index. Layer: Trees.
// Lists of equal values ascend, so that a key is found by halving; lists of different values, and some of older engines, do
// not: what halving misses is searched for from the beginning.

/// A list of keys in a tree.
struct KeyList {
  private let tree: BPlusTree

  var count: Int { tree.count }

  init(_ root: Ref, in snapshot: Snapshot) throws(EngineError) {
    tree = try BPlusTree(root, in: snapshot) { node throws(EngineError) in node.count }
  }

  private func key(_ index: Int) throws(EngineError) -> ObjectKey {
    let (node, position) = try tree.leaf(containing: index)
    let keys = try node.keys()
    guard position >= 0, position < keys.count else {
      throw EngineError.damaged(at: node.ref.offset, expected: "a list of keys", found: node.description)
    }
    return ObjectKey(keys[position])
  }

  var first: ObjectKey? {
    get throws(EngineError) { count == 0 ? nil : try key(0) }
  }

  var last: ObjectKey? {
    get throws(EngineError) { count == 0 ? nil : try key(count - 1) }
  }

  /// The first key that `isBefore` does not hold for; it holds for none behind that. Nil: it holds for all.
  func first(notBefore isBefore: (ObjectKey) throws(EngineError) -> Bool) throws(EngineError) -> ObjectKey? {
    let position = try partition(isBefore)
    return position < count ? try key(position) : nil
  }

  /// How many keys at the beginning `isBefore` holds for.
  private func partition(_ isBefore: (ObjectKey) throws(EngineError) -> Bool) throws(EngineError) -> Int {
    try (0..<count).partitionPoint { position throws(EngineError) in try isBefore(key(position)) }
  }

  /// Where a key is or belongs in an ascending list; nil when the neighbours show that the list does not ascend. `isBefore`: the
  /// order in which it does.
  func place(
    of key: ObjectKey, _ isBefore: (ObjectKey, ObjectKey) throws(EngineError) -> Bool = { $0 < $1 }
  ) throws(EngineError) -> (position: Int, isThere: Bool)? {
    let position = try partition { other throws(EngineError) in
      if other == key { return false }
      return try isBefore(other, key)
    }
    guard position < count else { return (position, false) }
    let next = try self.key(position)
    if next == key { return (position, true) }
    if position > 0, try !isBefore(self.key(position - 1), next) { return nil }
    return (position, false)
  }

  /// Where a key is; nil when it is not in the list.
  func position(of key: ObjectKey) throws(EngineError) -> Int? {
    if let (position, isThere) = try place(of: key), isThere { return position }
    var start = 0
    var found: Int?
    try tree.forEachLeaf { node throws(EngineError) in
      let values = try node.keys()
      for index in 0..<values.count where values[index] == key.value {
        found = start + index
        return false
      }
      start += values.count
      return true
    }
    return found
  }
}
