// Leaves of incoming links and of collections: refs, one an element. Layer: Leaves.

/// The origins that link to each object.
package struct BacklinkLeaf: Sendable {
  private let node: NodeView

  package var count: Int { node.count }

  init(_ node: NodeView) { self.node = node }

  /// What one object's incoming links are.
  package enum Origins: Sendable {
    case none
    case one(ObjectKey)
    /// A tree, or in older files one long leaf, of origin keys.
    case many(Ref)
  }

  package subscript(index: Int) -> Origins {
    get throws(EngineError) {
      let value = try node.slot(index)
      if value == 0 { return .none }
      if value & 1 == 1 { return .one(ObjectKey(Int64(bitPattern: UInt64(bitPattern: value) >> 1))) }
      return .many(try node.requiredRef(index))
    }
  }
}

/// The roots of one collection an object.
package struct CollectionLeaf: Sendable {
  private let node: NodeView

  package var count: Int { node.count }

  init(_ node: NodeView) { self.node = node }

  /// Nil for a collection that was never stored, which is empty.
  package func root(_ index: Int) throws(EngineError) -> Ref? { try node.ref(index) }

  package func isAbsent(_ index: Int) -> Bool { node.integers[index] == 0 }
}
