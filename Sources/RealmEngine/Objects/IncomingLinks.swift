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

extension LeafLayout {
  fileprivate static let origins = LeafLayout(type: .int, isNullable: false, isInCollection: true)
}
