// A leaf taken out of its layout, to be written again in whole or in part. Layer: Leaves.
// Invariant: contents borrow the bytes and name the child nodes of the leaf they came from: write them anew before
// the old leaf is released, and release the old leaf only with `releaseLeaf`, which keeps children that moved.

/// The elements of a leaf.
enum LeafContents {
  case values([Value])
  /// Of an enumerated column.
  case textNumbers([Int64])
  /// Refs and tagged numbers that move as they are: collections, incoming links, long blobs.
  case slots([Int64], areBlobs: Bool)
  case mixed([MixedElement])

  var count: Int {
    switch self {
    case .values(let values): values.count
    case .textNumbers(let numbers): numbers.count
    case .slots(let slots, _): slots.count
    case .mixed(let elements): elements.count
    }
  }

  subscript(range: Range<Int>) -> LeafContents {
    switch self {
    case .values(let values): .values(Array(values[range]))
    case .textNumbers(let numbers): .textNumbers(Array(numbers[range]))
    case .slots(let slots, let areBlobs): .slots(Array(slots[range]), areBlobs: areBlobs)
    case .mixed(let elements): .mixed(Array(elements[range]))
    }
  }

  /// Some of the elements.
  func keeping(_ isKept: [Bool]) -> LeafContents {
    func kept<Element>(_ elements: [Element]) -> [Element] {
      zip(elements, isKept).lazy.filter(\.1).map(\.0)
    }
    return switch self {
    case .values(let values): .values(kept(values))
    case .textNumbers(let numbers): .textNumbers(kept(numbers))
    case .slots(let slots, let areBlobs): .slots(kept(slots), areBlobs: areBlobs)
    case .mixed(let elements): .mixed(kept(elements))
    }
  }
}

extension NodeStore {
  /// Takes a leaf apart without changing it.
  func contents(_ ref: Ref, _ layout: LeafLayout) throws(EngineError) -> LeafContents {
    try snapshot.node(ref).checkTakenApart()
    let leaf = try snapshot.leaf(ref, layout, rowCount: nil)
    guard leaf.count <= NodeView.takenApartMax else {
      throw EngineError.damaged(
        at: ref.offset, expected: "at most \(NodeView.takenApartMax) elements", found: "\(leaf.count)")
    }
    switch leaf {
    case .mixed: return .mixed(try mixedElements(ref, untypedTarget: nil))
    case .backlinks, .collections:
      return .slots(try snapshot.refsNode(ref).integers.array(), areBlobs: false)
    case .strings(.enumerated(let numbers, _)): return .textNumbers(numbers.array())
    case .strings(.big(let blobs)): return .slots(blobs.refs.array(), areBlobs: true)
    case .data(.big(let blobs)): return .slots(blobs.refs.array(), areBlobs: true)
    case .links(let links):
      // Keys as stored: the value would hide links to objects that do not exist.
      return .values((0..<links.count).map { links[$0].map { .int($0.value) } ?? .null })
    case .typedLinks(let links): return .values((0..<links.count).map { links[$0].map(Value.link) ?? .null })
    default: return .values(try leaf.values(in: snapshot))
    }
  }

  func makeLeaf(_ layout: LeafLayout, _ contents: LeafContents) throws(EngineError) -> Ref {
    switch contents {
    // What was taken out of a leaf of plain texts stays plain.
    case .values(let values): try makePlainLeaf(layout, values)
    case .textNumbers(let numbers): try makeIntegers(numbers)
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
