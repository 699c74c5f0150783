// One value of a leaf of mixed values, of which only that one is wanted. Layer: Leaves.

/// A mixed value that has not been read: its leaf is opened where its kind does not say enough.
struct LazyMixedValue: Sendable {
  private enum Source: Sendable {
    case element(NodeView, index: Int, composite: Int64)
    case value(Value)
  }

  private let source: Source

  /// How many values the leaf of the element has.
  let leafCount: Int

  /// `index`, from 0 on, may lie behind the last one: then there is nothing to be read.
  init(of node: NodeView, at index: Int, in snapshot: Snapshot) throws(EngineError) {
    let composites = try snapshot.integersNode(try node.requiredRef(0)).integers
    leafCount = composites.count
    source = .element(node, index: index, composite: index < composites.count ? composites[index] : 0)
  }

  /// A value that was read from another layout.
  init(_ value: Value) {
    source = .value(value)
    leafCount = 1
  }

  /// See `MixedLeaf`.
  var kindNumber: Int? {
    switch source {
    case .element(_, _, let composite): MixedLeaf.kindNumber(ofComposite: composite)
    case .value: nil
    }
  }

  func value(in snapshot: Snapshot, untypedTarget: TableKey?) throws(EngineError) -> Value {
    switch source {
    case .element(let node, let index, _):
      try MixedLeaf(node, in: snapshot, onlyAt: index).value(
        index, in: snapshot, untypedTarget: untypedTarget)
    case .value(let value): value
    }
  }
}
