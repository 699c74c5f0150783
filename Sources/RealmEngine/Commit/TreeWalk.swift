// Goes through every node of a snapshot's trees, in an order that does not depend on where they stand.
// Layer: Commit. Memory stays flat for any file: no bytes of a node are kept while its children are visited.
// Invariants: depth is bounded; no walk meets more nodes than the data holds; what is no ref is never followed.

/// A walk's state: what was met so far.
struct TreeWalk {
  /// Called with the bytes met so far, after each few megabytes; throws to stop.
  typealias Progress = (Int) throws(EngineError) -> Void

  /// What a node turned out to be.
  enum Content {
    /// Its bytes are all there is to it; padding follows the content. They are valid until the next node is opened.
    case whole(RawBytes, NodeHeader)
    /// A node with refs among its elements.
    case refs(NodeHeader, [Int64])
  }

  private let snapshot: Snapshot
  private let budget: TraversalBudget
  private let progress: Progress
  private var metSize = 0
  private var reportedSize = 0
  private(set) var digest = ContentDigest()

  /// Deeper than any sound tree: an index of 200 bytes with its inner levels inside nested collections.
  private static let depthMax = 1024
  private static let reportSize = 1 << 22
  /// Below this width no element can be a ref: the header ends at 24.
  private static let refWidthMin = 8

  init(_ snapshot: Snapshot, progress: @escaping Progress) throws(EngineError) {
    self.snapshot = try snapshot.window()
    self.progress = progress
    budget = TraversalBudget(snapshot)
  }

  /// Opens the node at `ref`, `depth` levels below a root.
  mutating func open(_ ref: Ref, depth: Int) throws(EngineError) -> Content {
    snapshot.image.releaseIfLarge()
    let node = try snapshot.node(ref)
    try budget.charge(node)
    guard depth < Self.depthMax else {
      throw EngineError.damaged(
        at: ref.offset, expected: "a tree of nodes", found: "more than \(depth) levels")
    }
    try meet(node.byteSize)
    guard node.hasRefs, node.header.kind == .bits else {
      digest.add(leaf: node)
      return try whole(node)
    }
    let integers = node.integers
    digest.add(refsNode: node, integers)
    guard node.header.width >= Self.refWidthMin else {
      for index in 0..<node.count where Ref.isRef(integers[index]) {
        _ = try node.requiredRef(index)
        throw EngineError.damaged(
          at: ref.offset, expected: "a ref in slot \(index)", found: "\(integers[index])")
      }
      return try whole(node)
    }
    var elements: [Int64] = []
    elements.reserveCapacity(node.count)
    for index in 0..<node.count { elements.append(integers[index]) }
    return .refs(node.header, elements)
  }

  private func whole(_ node: NodeView) throws(EngineError) -> Content {
    .whole(try snapshot.bytes(node.ref.offset, node.byteSize), node.header)
  }

  /// The ref that an element of a node at `parent` is; nil for 0 and for tagged integers.
  func child(_ element: Int64, of parent: Ref) throws(EngineError) -> Ref? {
    guard Ref.isRef(element) else { return nil }
    if let ref = Ref(element) { return ref }
    throw EngineError.damaged(at: parent.offset, expected: "a ref", found: "\(element)")
  }

  private mutating func meet(_ byteCount: Int) throws(EngineError) {
    metSize += byteCount
    guard metSize - reportedSize >= Self.reportSize else { return }
    reportedSize = metSize
    try progress(metSize)
  }
}

extension TreeWalk {
  /// Meets all nodes of the tree at `ref`.
  mutating func visit(_ ref: Ref, depth: Int = 0) throws(EngineError) {
    guard case .refs(_, let elements) = try open(ref, depth: depth) else { return }
    for element in elements {
      if let child = try child(element, of: ref) { try visit(child, depth: depth + 1) }
    }
  }
}
