// How many bytes a tree of nodes takes, whatever the nodes mean. Layer: Trees.

extension Snapshot {
  /// Bytes of the node at `ref` and of everything below it. Cost: opens every node of refs, and the headers of the
  /// others. Throws `.damaged` where the tree is not whole, or where the budget does not allow so many bytes.
  package func treeSize(_ ref: Ref, budget: TraversalBudget) throws(EngineError) -> Int {
    var size = 0
    var pending = [ref]
    while let next = pending.popLast() {
      let node = try node(next)
      try budget.charge(node)
      size += node.byteSize
      for index in node.childSlots { if let child = try node.child(index) { pending.append(child) } }
    }
    return size
  }
}
