// A leaf taken out of its layout, to be written again in whole or in part. Layer: Leaves.
// Invariant: contents borrow the bytes and name the child nodes of the leaf they came from: write them anew before
// the old leaf is released, and release the old leaf only with `releaseLeaf`, which keeps children that moved.

/// The elements of a leaf.
enum LeafContents {
  case values([Value])
  /// Refs and tagged numbers that move as they are: collections, incoming links, long blobs.
  case slots([Int64], areBlobs: Bool)
  case mixed([MixedElement])

  var count: Int {
    switch self {
    case .values(let values): values.count
    case .slots(let slots, _): slots.count
    case .mixed(let elements): elements.count
    }
  }

  subscript(range: Range<Int>) -> LeafContents {
    switch self {
    case .values(let values): .values(Array(values[range]))
    case .slots(let slots, let areBlobs): .slots(Array(slots[range]), areBlobs: areBlobs)
    case .mixed(let elements): .mixed(Array(elements[range]))
    }
  }
}

extension NodeStore {
  /// Takes a leaf apart without changing it.
  func contents(_ ref: Ref, _ layout: LeafLayout) throws(EngineError) -> LeafContents {
    let leaf = try snapshot.leaf(ref, layout, rowCount: nil)
    switch leaf {
    case .mixed: return .mixed(try mixedElements(ref, untypedTarget: nil))
    case .backlinks, .collections:
      return .slots(try snapshot.refsNode(ref).integers.array(), areBlobs: false)
    case .strings(.big(let blobs)): return .slots(blobs.refs.array(), areBlobs: true)
    case .data(.big(let blobs)): return .slots(blobs.refs.array(), areBlobs: true)
    case .links(let links):
      // Keys as stored: the value would hide links to objects that do not exist.
      return .values((0..<links.count).map { links[$0].map { .int($0.value) } ?? .null })
    case .typedLinks(let links): return .values((0..<links.count).map { links[$0].map(Value.link) ?? .null })
    default:
      var values: [Value] = []
      values.reserveCapacity(leaf.count)
      for index in 0..<leaf.count { values.append(try leaf.value(index, in: snapshot)) }
      return .values(values)
    }
  }

  func makeLeaf(_ layout: LeafLayout, _ contents: LeafContents) throws(EngineError) -> Ref {
    switch contents {
    case .values(let values): try makeLeaf(layout, values)
    case .slots(let slots, let areBlobs): try makeSlots(slots, contextFlag: areBlobs)
    case .mixed(let elements): try makeMixed(elements)
    }
  }

  /// Gives up a leaf's own nodes, but not what `contents` moves on: collections, incoming links, long blobs.
  func releaseLeaf(_ ref: Ref, _ layout: LeafLayout) throws(EngineError) {
    let node = try snapshot.node(ref)
    if layout.isCollectionColumn || layout.type == .backlink || !node.hasRefs {
      release(node)
    } else if layout.type == .mixed {
      try releaseMixedLeaf(ref)
    } else if node.header.contextFlag, layout.type == .string || layout.type == .data {
      release(node)
    } else {
      try releaseTree(ref)
    }
  }
}
