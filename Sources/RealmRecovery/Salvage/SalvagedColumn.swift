// The values of a property in a block of rows, around what cannot be read. Layer: RealmRecovery, Salvage.

import RealmEngine

/// A block whose columns are open.
final class OpenBlock {
  /// By the properties of the class; nil for one that this source does not have.
  let columns: [SalvagedColumn?]
  /// Whether a node that leads to its leaves is on an unverified page.
  let isUnverified: Bool

  init(_ columns: [SalvagedColumn?], isUnverified: Bool) {
    self.columns = columns
    self.isUnverified = isUnverified
  }
}

/// One column of a block.
struct SalvagedColumn {
  /// Runs of rows with their leaf; rows in no run are lost.
  let pieces: [(rows: Range<Int>, leaf: Leaf)]
  /// Whether some of their bytes are on unverified pages.
  var isUnverified = false

  /// The leaf that has `row`, and where; nil where it is lost.
  func place(of row: Int) -> (leaf: Leaf, index: Int)? {
    guard let piece = pieces.first(where: { $0.rows.contains(row) }) else { return nil }
    return (piece.leaf, row - piece.rows.lowerBound)
  }
}

extension SalvagedVersion {
  /// Opens a column of a block; what is lost is noted. `shared` are leaves that several columns of the block lead to: no more
  /// than one of them is theirs.
  func column(
    _ property: Property, of block: SalvagedBlock, className: String, shared: Set<Int> = []
  ) throws(EngineError) -> SalvagedColumn {
    let place = "\(className).\(property.name)"
    switch block.place {
    case .cluster(let cluster):
      let leaf = try log.reading(place) { () throws(EngineError) in
        let node = try snapshot.node(try cluster.requiredLeafRef(property.columnKey.leafIndex))
        guard !shared.contains(node.ref.offset) else {
          throw EngineError.damaged(
            at: node.ref.offset, expected: "a leaf of its own", found: "that of another property")
        }
        let leaf = try snapshot.leaf(node, property.layout, rowCount: cluster.count)
        try Self.requireOwnParts(node, property)
        try requireOwnPages(node, property)
        try budget.charge(node, with: leaf)
        return leaf
      }
      return SalvagedColumn(pieces: leaf.map { [(0..<cluster.count, $0)] } ?? [])
    case .rows(let table):
      return SalvagedColumn(
        pieces: try table.pieces(property, block.rows, budget: budget) { log.note($0, place) })
    }
  }
}

extension SalvagedVersion {
  /// A leaf of several nodes has each of them once; with one in two places what it says means nothing.
  private static func requireOwnParts(_ node: NodeView, _ property: Property) throws(EngineError) {
    guard node.hasRefs, property.collection == nil, property.type == .mixed || !node.header.contextFlag else {
      return
    }
    var parts: Set<Int> = []
    for slot in 0..<node.count {
      guard let part = (try? node.refIfPresent(slot)) ?? nil, !parts.insert(part.offset).inserted else {
        continue
      }
      throw EngineError.damaged(
        at: node.ref.offset, expected: "parts of its own", found: "one that is used twice")
    }
  }
}

extension SalvagedVersion {
  /// A leaf that reaches into a page which holds something else now has values there that nobody wrote.
  private func requireOwnPages(_ node: NodeView, _ property: Property) throws(EngineError) {
    // Values that have nodes of their own are lost one by one.
    let isBig = node.header.contextFlag && property.type != .mixed
    let isApart = property.collection != nil || isBig
    try requireOwnPages(of: node, withParts: node.hasRefs && !isApart)
  }

  /// Checks a value that has a node of its own.
  func requireOwnPages(_ leaf: Leaf, _ index: Int) throws(EngineError) {
    let ref: Ref? =
      switch leaf {
      case .strings(.big(let leaf)), .data(.big(let leaf)): Ref(leaf.refs[index])
      default: nil
      }
    guard let ref, !foreignPages.isEmpty else { return }
    let node = try snapshot.node(ref)
    try requireOwnPages(of: node, withParts: node.hasRefs)
  }

  private func requireOwnPages(of node: NodeView, withParts: Bool) throws(EngineError) {
    guard !foreignPages.isEmpty, let page = foreignPage(of: node, withParts: withParts) else { return }
    throw EngineError.damaged(
      at: page * PageGeometry.pageSize, expected: "a page of its own", found: "something else")
  }

  /// A page of others that a node reaches into. Each node is looked through once, however many rows lead to it.
  private func foreignPage(of node: NodeView, withParts: Bool) -> Int? {
    if let page = foreignPage(node.ref.offset, node.header) { return page }
    // Elements of less than a byte are no refs, however many a node says it has.
    guard withParts, node.header.kind == .bits, node.header.width >= 8 else { return nil }
    if let known = foreignParts[node.ref.offset] { return known }
    var found: Int?
    let integers = node.integers
    for slot in 0..<integers.count where found == nil && pageWork.take(1) {
      // What is no ref gives no error here: one for each would take longer than all the rest.
      guard let ref = Ref(integers[slot]), ref.offset <= snapshot.fileLimit - NodeHeader.size,
        let word = try? snapshot.bytes(ref.offset, NodeHeader.size).load(UInt64.self, at: 0),
        let header = NodeHeader(word: word), header.byteSize <= snapshot.fileLimit - ref.offset
      else { continue }
      found = foreignPage(ref.offset, header)
    }
    foreignParts[node.ref.offset] = .some(found)
    return found
  }

  private func foreignPage(_ first: Int, _ header: NodeHeader) -> Int? {
    let pages = first / PageGeometry.pageSize...(first + header.byteSize - 1) / PageGeometry.pageSize
    return pages.count <= foreignPages.count
      ? pages.first(where: foreignPages.contains) : foreignPages.filter(pages.contains).min()
  }
}

extension SalvagedSource {
  func open(_ block: SalvagedBlock, className: String) throws(EngineError) -> OpenBlock {
    var columns: [SalvagedColumn?] = []
    let shared = block.sharedLeaves
    let image = version.snapshot.image
    for property in properties {
      _ = image.takeDoubt()
      var column = try property.map { property throws(EngineError) in
        try version.column(property, of: block, className: className, shared: shared)
      }
      column?.isUnverified = image.takeDoubt()
      columns.append(column)
    }
    return OpenBlock(
      columns,
      isUnverified: block.isUnverified || block.cluster.map { version.snapshot.isUnverified($0) } ?? false)
  }
}

extension Snapshot {
  /// Whether a node of a tree of rows, or the node of its keys, is on an unverified page.
  func isUnverified(_ node: NodeView) -> Bool {
    if image.isUnverified(node.ref.offset, node.byteSize) { return true }
    guard let keys = (try? node.refIfPresent(0)) ?? nil, let node = try? self.node(keys) else { return false }
    return image.isUnverified(keys.offset, node.byteSize)
  }
}

extension SalvagedBlock {
  /// Nil in formats 2–9.
  fileprivate var cluster: NodeView? {
    guard case .cluster(let cluster) = place else { return nil }
    return cluster.node
  }

  /// Where leaves stand that several slots of its cluster lead to.
  fileprivate var sharedLeaves: Set<Int> {
    guard let node = cluster else { return [] }
    var met: Set<Int> = []
    var shared: Set<Int> = []
    for slot in 0..<node.count {
      guard let ref = (try? node.refIfPresent(slot)) ?? nil, !met.insert(ref.offset).inserted else {
        continue
      }
      shared.insert(ref.offset)
    }
    return shared
  }
}
