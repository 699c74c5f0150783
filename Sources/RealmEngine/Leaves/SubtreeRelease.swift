// Giving up a node with everything below it. Layer: Leaves.

extension NodeStore {
  /// Gives up a node and all that it refers to. Cost: every node below it.
  func releaseTree(_ ref: Ref) throws(EngineError) {
    // Nodes of the file refer to others of the file.
    guard keepsFreed || isNew(ref) else { return }
    try checkFreedSize(ref)
    let budget = TraversalBudget(snapshot)
    var pending = [ref]
    while let next = pending.popLast() {
      let node = try snapshot.node(next)
      try budget.charge(node)
      for index in node.childSlots { if let child = try node.child(index) { pending.append(child) } }
      release(node)
    }
  }
}
