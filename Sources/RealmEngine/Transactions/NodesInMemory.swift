// Nodes that stand in no file: made while an old file is opened, for what its storage lacks. Layer: Transactions.
// They live in slabs behind the file's bytes, so that whoever reads the snapshot reads them like any others.

/// Makes nodes in the slabs of a snapshot that is only read.
struct NodesInMemory {
  private let slabs: SlabArena

  private static let leafElementsMax = 1000
  private static let childrenMax = 1000
  private static let width = 64

  init(_ slabs: SlabArena) { self.slabs = slabs }

  /// A node of 64-bit elements: numbers, or refs and tagged numbers.
  func node(_ elements: [Int64], isInner: Bool = false, hasRefs: Bool) throws(EngineError) -> Ref {
    guard elements.count <= NodeHeader.countMax else {
      throw EngineError(.damaged, "the file is damaged: a node would need \(elements.count) elements")
    }
    let header = NodeHeader(
      isInner: isInner, hasRefs: hasRefs, kind: .bits, width: Self.width, count: elements.count)
    let (offset, bytes) = try slabs.allocate(header.byteSize)
    bytes.store(header.word, at: 0)
    for (index, element) in elements.enumerated() {
      bytes.store(element, at: NodeHeader.size + index * MemoryLayout<Int64>.size)
    }
    guard let ref = Ref(Int64(offset)) else { preconditionFailure("slabs begin behind the file, aligned") }
    return ref
  }

  /// A tree of elements, whose leaves hold numbers or refs.
  func tree(_ elements: [Int64], hasRefs: Bool) throws(EngineError) -> Ref {
    var refs: [Int64] = []
    var start = 0
    repeat {
      let end = min(elements.count, start + Self.leafElementsMax)
      refs.append(Int64(try node(Array(elements[start..<end]), hasRefs: hasRefs).offset))
      start = end
    } while start < elements.count
    var elementsPerChild = Self.leafElementsMax
    while refs.count > 1 {
      var parents: [Int64] = []
      for first in stride(from: 0, to: refs.count, by: Self.childrenMax) {
        let children = refs[first..<min(refs.count, first + Self.childrenMax)]
        let total = min(elements.count - first * elementsPerChild, children.count * elementsPerChild)
        let inner = [Self.tagged(elementsPerChild)] + children + [Self.tagged(total)]
        parents.append(Int64(try node(inner, isInner: true, hasRefs: true).offset))
      }
      refs = parents
      elementsPerChild *= Self.childrenMax
    }
    guard let root = Ref(refs[0]) else { preconditionFailure("a tree has a root") }
    return root
  }

  /// A number as it stands among refs.
  static func tagged(_ number: Int) -> Int64 { tagged(Int64(number)) }

  static func tagged(_ number: Int64) -> Int64 { number << 1 | 1 }

  /// A copy of `tree` whose clusters have other leaves in some columns. `columns` gives the elements of each such
  /// column in key order, by leaf index, and whether they are refs.
  func clusters(
    _ tree: ClusterTree, replacing columns: [Int: (elements: [Int64], hasRefs: Bool)]
  ) throws(EngineError) -> ClusterTree {
    var clusterRefs: [Int64] = []
    var keyOffsets: [Int64] = []
    var firstRow = 0
    var cursor = tree.cursor()
    while let cluster = try cursor.next() {
      var slots = (0..<cluster.node.count).map { cluster.node.integers[$0] }
      for (leafIndex, column) in columns {
        while slots.count <= leafIndex + 1 { slots.append(0) }
        let rows = Array(column.elements[firstRow..<firstRow + cluster.count])
        slots[leafIndex + 1] = Int64(try node(rows, hasRefs: column.hasRefs).offset)
      }
      clusterRefs.append(Int64(try node(slots, hasRefs: true).offset))
      keyOffsets.append(cluster.keyOffset)
      firstRow += cluster.count
    }
    guard !clusterRefs.isEmpty else { return tree }
    let offsets = Int64(try node(keyOffsets, hasRefs: false).offset)
    let root = try node(
      [offsets, Self.tagged(1), Self.tagged(firstRow)] + clusterRefs, isInner: true, hasRefs: true)
    return try ClusterTree(root, in: tree.snapshot)
  }
}
