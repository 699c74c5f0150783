// Giving up a node with everything below it. Layer: Leaves.

extension NodeStore {
  /// Gives up a node and all that it refers to. Cost: every node below it.
  func releaseTree(_ ref: Ref) throws(EngineError) {
    try checkFreedSize(ref)
    let budget = TraversalBudget(snapshot)
    var pending = [ref]
    while let next = pending.popLast() {
      let node = try snapshot.node(next)
      try budget.charge(node)
      if node.hasRefs, node.header.width > 0 {
        for index in 0..<node.count {
          let value = try node.slot(index)
          if value != 0, value & 1 == 0 { pending.append(try node.requiredRef(index)) }
        }
      }
      release(node)
    }
  }
}
