// How many bytes a tree of nodes takes, whatever the nodes mean. Layer: Trees.
// In every node of refs an even element other than 0 is a ref; all else is not followed.

extension Snapshot {
  /// Bytes of the node at `ref` and of everything below it. Cost: opens every node of refs, and the headers of the
  /// others. Throws `.damaged` where the tree is not whole, or where the budget does not allow so many bytes.
  package func treeSize(_ ref: Ref, budget: TraversalBudget) throws(EngineError) -> Int {
    var size = 0
    var open: [(node: NodeView, next: Int)] = []
    func enter(_ ref: Ref) throws(EngineError) {
      let node = try node(ref)
      try budget.charge(node)
      size += node.byteSize
      if node.hasRefs, node.header.kind == .bits, node.header.width > 0 { open.append((node, 0)) }
    }
    try enter(ref)
    while let (node, next) = open.last {
      guard next < node.count else {
        open.removeLast()
        continue
      }
      open[open.count - 1].next += 1
      let element = try node.slot(next)
      if element != 0, element & 1 == 0 { try enter(try node.requiredRef(next)) }
    }
    return size
  }
}
