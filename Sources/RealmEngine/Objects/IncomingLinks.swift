// The objects that link to an object, as its hidden columns record them. Layer: Objects.

extension Snapshot {
  /// Calls `body` with the key of the origin of each link that `origins` holds, once for each link, until it returns
  /// false. Origins that do not exist (yet) are left out.
  package func forEachOrigin(
    _ origins: BacklinkLeaf.Origins, budget: TraversalBudget? = nil,
    _ body: (ObjectKey) throws(EngineError) -> Bool
  ) throws(EngineError) {
    switch origins {
    case .none: return
    case .one(let key): if key.value >= 0 { _ = try body(key) }
    case .many(let root):
      try forEachElementLeaf(root, .origins, budget: budget) { leaf throws(EngineError) in
        guard case .integers(let keys) = leaf else { return false }
        for index in 0..<keys.count {
          guard let key = keys[index], key >= 0 else { continue }
          guard try body(ObjectKey(key)) else { return false }
        }
        return true
      }
    }
  }
}

extension Snapshot {
  /// How many keys `forEachOrigin` gives.
  func originCount(_ origins: BacklinkLeaf.Origins) throws(EngineError) -> Int {
    switch origins {
    case .none: return 0
    case .one(let key): return key.value >= 0 ? 1 : 0
    case .many(let root):
      var count = 0
      try forEachElementLeaf(root, .origins) { leaf throws(EngineError) in
        guard case .integers(let keys) = leaf else { return false }
        keys.values.forEachElement { if $0 >= 0 { count += 1 } }
        return true
      }
      return count
    }
  }
}

extension LeafLayout {
  fileprivate static let origins = LeafLayout(type: .int, isNullable: false, isInCollection: true)
}
