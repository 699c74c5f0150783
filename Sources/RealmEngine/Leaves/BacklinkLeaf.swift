// Leaves of incoming links and of collections: refs, one an element. Layer: Leaves.

/// The origins that link to each object.
package struct BacklinkLeaf: Sendable {
  private let refs: RefSlice

  package var count: Int { refs.values.count }

  init(_ node: NodeView) { refs = RefSlice(node) }

  private init(_ refs: RefSlice) { self.refs = refs }

  /// What one object's incoming links are.
  package enum Origins: Sendable {
    case none
    case one(ObjectKey)
    /// A tree, or in older files one long leaf, of origin keys.
    case many(Ref)
  }

  package subscript(index: Int) -> Origins {
    get throws(EngineError) {
      let value = refs.values[index]
      if value & 1 == 1 { return .one(ObjectKey(Int64(bitPattern: UInt64(bitPattern: value) >> 1))) }
      return try refs.ref(index).map(Origins.many) ?? .none
    }
  }

  /// `length` elements from `first` on, which must be inside.
  func slice(_ first: Int, _ length: Int) -> BacklinkLeaf { BacklinkLeaf(refs.slice(first, length)) }
}

/// The roots of one collection an object.
package struct CollectionLeaf: Sendable {
  private let refs: RefSlice

  package var count: Int { refs.values.count }

  init(_ node: NodeView) { refs = RefSlice(node) }

  private init(_ refs: RefSlice) { self.refs = refs }

  /// Nil for a collection that was never stored, which is empty.
  package func root(_ index: Int) throws(EngineError) -> Ref? { try refs.ref(index) }

  /// Asks for the beginnings of all collections ahead of their use.
  func prefetch(in snapshot: Snapshot) {
    refs.values.forEachElement { snapshot.prefetch(Int(truncatingIfNeeded: $0), NodeHeader.size) }
  }

  /// `length` elements from `first` on, which must be inside.
  func slice(_ first: Int, _ length: Int) -> CollectionLeaf { CollectionLeaf(refs.slice(first, length)) }
}

/// A run of a node's refs that remembers where the node stands.
private struct RefSlice: Sendable {
  let values: PackedIntegers
  private let offset: Int

  init(_ node: NodeView) { self.init(values: node.integers, offset: node.ref.offset) }

  private init(values: PackedIntegers, offset: Int) {
    self.values = values
    self.offset = offset
  }

  /// Nil for 0.
  func ref(_ index: Int) throws(EngineError) -> Ref? {
    let value = values[index]
    if value == 0 { return nil }
    guard let ref = Ref(value) else {
      throw EngineError.damaged(at: offset, expected: "a ref in element \(index)", found: "\(value)")
    }
    return ref
  }

  func slice(_ first: Int, _ length: Int) -> RefSlice {
    RefSlice(values: values.slice(first, length), offset: offset)
  }
}
