// Sets of object keys that are asked for every row of a scan, and what finds them. Layer: Query, Plan.

/// Object keys.
package struct KeySet: Sendable {
  let keys: IntegerMembers

  package init(_ keys: [ObjectKey]) {
    self.keys = IntegerMembers(keys.ascending.map(\.value))
  }

  private init(_ keys: IntegerMembers) { self.keys = keys }

  /// The same set as an object of its own, for one of several threads.
  func forOneThread() -> KeySet { KeySet(keys.forOneThread()) }

  /// What threads have found.
  init(_ parts: [IntegerShare]) { keys = IntegerMembers(parts) }

  package var count: Int { keys.count }

  @inline(__always)
  package func contains(_ key: Int64) -> Bool { keys.contains(key) }
}

/// The objects of a class that links are compared with. A plan says how to find them; they are found before it runs.
package indirect enum LinkedKeys: Sendable {
  case known(KeySet)
  /// Those that meet a condition.
  case meeting(PlannedCondition, of: Table)
  /// What a query of its own gives.
  case found(by: QueryPlan, of: Table)

  /// Of a plan whose questions are answered.
  var set: KeySet {
    guard case .known(let set) = self else { preconditionFailure("links are compared with what was found") }
    return set
  }
}
