import RealmEngine
import TestSupport
import Testing

@Suite("Trees of elements")
struct BPlusTreeTests {
  private static let layout = LeafLayout(type: .int, isNullable: false, isInCollection: true)

  private static func elements(_ bytes: RealmBytes, _ root: Int) throws -> [Int64] {
    let snapshot = try bytes.snapshot()
    var values: [Int64] = []
    try snapshot.forEachElementLeaf(try bytes.ref(root), layout) { leaf in
      guard case .integers(let leaf) = leaf else { return false }
      for index in 0..<leaf.count { values.append(leaf[index] ?? -1) }
      return true
    }
    return values
  }

  /// `starts` nil for the compact form, whose children hold `perChild` elements.
  private static func inner(
    _ bytes: inout RealmBytes, _ children: [Int], starts: [Int64]? = nil, perChild: Int64 = 2, total: Int64
  ) -> Int {
    let first = starts.map { Int64(bytes.integers($0, width: 16)) } ?? RealmBytes.tagged(perChild)
    return bytes.refs([first] + children.map(Int64.init) + [RealmBytes.tagged(total)], inner: true)
  }

  @Test("leaves of compact and general trees come in order, and each element is found by its number")
  func order() throws {
    var bytes = RealmBytes()
    let leaves = [[0, 1], [2, 3], [4]].map { (values: [Int64]) in bytes.integers(values) }
    let compact = Self.inner(&bytes, leaves, total: 5)
    let more = [[5, 6, 7], [8]].map { (values: [Int64]) in bytes.integers(values) }
    let general = Self.inner(&bytes, more, starts: [3], total: 4)
    let root = Self.inner(&bytes, [compact, general], starts: [5], total: 9)
    #expect(try Self.elements(bytes, root) == Array(0..<9))
    let snapshot = try bytes.snapshot()
    let tree = try BPlusTree(try bytes.ref(root), in: snapshot) { $0.count }
    #expect(tree.count == 9)
    for index in 0..<9 {
      let (node, position) = try tree.leaf(containing: index)
      #expect(node.integers[position] == Int64(index))
    }
  }

  @Test("a walk stops when it is told to")
  func stop() throws {
    var bytes = RealmBytes()
    let root = Self.inner(&bytes, [bytes.integers([1, 2]), bytes.integers([3])], total: 3)
    var leafCount = 0
    try bytes.snapshot().forEachElementLeaf(try bytes.ref(root), Self.layout) { _ in
      leafCount += 1
      return false
    }
    #expect(leafCount == 1)
  }

  @Test("loops, shared children, too many levels and wrong nodes are damage")
  func hostile() throws {
    var bytes = RealmBytes()
    let leaf = bytes.integers([1, 2])
    var roots: [Int] = []
    roots.append(
      bytes.refs(
        [RealmBytes.tagged(2), Int64(bytes.bytes.count), RealmBytes.tagged(2)], inner: true))
    var deep = leaf
    for _ in 0..<9 { deep = Self.inner(&bytes, [deep], total: 2) }
    roots.append(deep)
    var shared = leaf
    for _ in 0..<4 { shared = Self.inner(&bytes, [Int](repeating: shared, count: 500), total: 1000) }
    roots.append(shared)
    roots.append(bytes.refs([RealmBytes.tagged(2), RealmBytes.tagged(2)], inner: true))
    roots.append(Self.inner(&bytes, [0], total: 2))
    roots.append(Self.inner(&bytes, [leaf], total: Int64.max >> 2))
    roots.append(bytes.integers([Int64](repeating: 1, count: 1001)))
    for root in roots {
      #expect(throws: EngineError.self, "\(root)") { try Self.elements(bytes, root) }
    }
  }

  @Test("a leaf of zeros may stand in many trees, but not in one tree twice")
  func sharedZeros() throws {
    var bytes = RealmBytes()
    let leaves = (0..<3).map { _ in bytes.integers([0, 0]) }
    let falling = Self.inner(&bytes, [leaves[2], leaves[0], leaves[1]], total: 6)
    let repeated = Self.inner(&bytes, [leaves[0], leaves[1], leaves[0]], total: 6)
    #expect(try Self.elements(bytes, falling) == [Int64](repeating: 0, count: 6))
    #expect(throws: EngineError.self) { try Self.elements(bytes, repeated) }
  }

  @Test("finding an element ends whatever the offsets say")
  func hostileOffsets() throws {
    var bytes = RealmBytes()
    let leaves = [bytes.integers([1, 2]), bytes.integers([3])]
    let zero = Self.inner(&bytes, leaves, perChild: 0, total: 3)
    let missing = Self.inner(&bytes, leaves, starts: [], total: 3)
    let snapshot = try bytes.snapshot()
    for root in [zero, missing] {
      let tree = try BPlusTree(try bytes.ref(root), in: snapshot) { $0.count }
      #expect(throws: EngineError.self) { try tree.leaf(containing: 2) }
    }
  }
}
