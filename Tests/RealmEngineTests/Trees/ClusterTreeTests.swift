import RealmEngine
import TestSupport
import Testing

@Suite("Cluster trees")
struct ClusterTreeTests {
  /// Leaf clusters with one column of integers, each holding its objects' expected keys.
  private struct Builder {
    var bytes = RealmBytes()

    /// `keys` relative to the cluster; nil for the compact form.
    mutating func cluster(_ values: [Int64], keys: [Int64]? = nil, keyWidth: Int = 8) -> Int {
      let leaf = bytes.integers(values)
      guard let keys else { return bytes.cluster(rowCount: values.count, leaves: [leaf]) }
      return bytes.refs(to: [bytes.integers(keys, width: keyWidth), leaf])
    }

    /// `offsets` nil for the compact form.
    mutating func inner(
      depth: Int64, count: Int64, offsets: [Int64]?, _ children: [Int], offsetWidth: Int = 64
    ) -> Int {
      let keys = offsets.map { bytes.integers($0, width: offsetWidth) } ?? 0
      return bytes.refs(
        [Int64(keys), RealmBytes.tagged(depth), RealmBytes.tagged(count)] + children.map(Int64.init),
        inner: true)
    }

    mutating func table(_ root: Int) throws -> Table {
      let column = RealmBytes.Column("n", key: RealmBytes.columnKey(0, type: 0), leaf: 0)
      let table = bytes.table(slot: 0, columns: [column], clusters: root)
      let top = bytes.top(["class_T"], tables: [table])
      return try #require(try database(bytes.file(top: top)).transaction.table(named: "T"))
    }
  }

  /// Keys and values in the order of a walk.
  private static func walk(_ table: Table) throws -> [[Int64]] {
    var rows: [[Int64]] = []
    for block in try table.allBlocks() {
      let leaf = try block.leaf(table.schema.properties[0])
      for row in 0..<block.count {
        guard case .int(let value) = try leaf.value(row, in: table.snapshot) else { continue }
        rows.append([block.key(row).value, value])
      }
    }
    return rows
  }

  private static func check(_ table: Table, _ expected: [[Int64]]) throws {
    #expect(try walk(table) == expected)
    #expect(table.count == expected.count)
    for row in expected {
      let position = try #require(try table.find(ObjectKey(row[0])))
      #expect(position.key.value == row[0])
      let leaf = try position.block.leaf(table.schema.properties[0])
      #expect(try leaf.value(position.row, in: table.snapshot) == .int(row[1]))
    }
    let keys = Set(expected.map { $0[0] })
    for key in [-1, 0, 5, 255, 256, 257, 65535, 65536, 70000, .max, .min] as [Int64] where !keys.contains(key)
    {
      #expect(try table.find(ObjectKey(key)) == nil)
    }
  }

  @Test("one compact cluster counts its keys from 0")
  func compactLeaf() throws {
    var builder = Builder()
    let root = builder.cluster([10, 20, 30])
    try Self.check(builder.table(root), [[0, 10], [1, 20], [2, 30]])
  }

  @Test("one cluster with keys of its own, above 127 in eight bits too")
  func generalLeaf() throws {
    var builder = Builder()
    let root = builder.cluster([1, 2, 3], keys: [3, 130, 255])
    try Self.check(builder.table(root), [[3, 1], [130, 2], [255, 3]])
  }

  @Test("an empty table")
  func empty() throws {
    var builder = Builder()
    let root = builder.cluster([])
    try Self.check(builder.table(root), [])
  }

  @Test("compact and general inner nodes, one and two levels deep")
  func inner() throws {
    var builder = Builder()
    let compact = builder.inner(
      depth: 1, count: 4, offsets: nil, [builder.cluster([1, 2]), builder.cluster([3, 4], keys: [1, 9])])
    var expected: [[Int64]] = [[0, 1], [1, 2], [257, 3], [265, 4]]
    var copy = builder
    try Self.check(copy.table(compact), expected)

    let general = builder.inner(
      depth: 1, count: 3, offsets: [0, 1000], [builder.cluster([5]), builder.cluster([6, 7])])
    let root = builder.inner(depth: 2, count: 7, offsets: nil, [compact, general])
    expected += [[65536, 5], [66536, 6], [66537, 7]]
    copy = builder
    try Self.check(copy.table(root), expected)
    let shifted = builder.inner(depth: 2, count: 7, offsets: [0, 1 << 40], [compact, general])
    expected.replaceSubrange(4..., with: [[1 << 40, 5], [(1 << 40) + 1000, 6], [(1 << 40) + 1001, 7]])
    try Self.check(builder.table(shifted), expected)
  }

  /// Walks everything and returns the kind of error it ends with.
  private static func failure(_ builder: inout Builder, _ root: Int) -> EngineError.Kind? {
    do {
      let table = try builder.table(root)
      _ = try table.find(ObjectKey(1))
      _ = try walk(table)
      return nil
    } catch {
      return (error as? EngineError)?.kind
    }
  }

  @Test("a child that is its own ancestor, or shared, ends the walk")
  func loops() throws {
    var builder = Builder()
    _ = builder.cluster([1])
    let self0 = builder.bytes.bytes.count
    let root = builder.inner(depth: 1, count: 1, offsets: nil, [self0])
    #expect(root == self0)
    #expect(Self.failure(&builder, root) == .damaged)

    // Every child is the same cluster: acyclic, and still more nodes than the data holds.
    builder = Builder()
    var child = builder.cluster([1, 2])
    for depth in 1...6 {
      let offsets = (0..<200).map { (Int64($0) << 48) >> Int64(6 - depth) }
      child = builder.inner(
        depth: Int64(depth), count: 9, offsets: offsets, [Int](repeating: child, count: 200))
    }
    #expect(Self.failure(&builder, child) == .damaged)
  }

  @Test("depths that do not fall by one, wrong kinds of children and missing offsets are damage")
  func shapes() throws {
    var builder = Builder()
    let leaf = builder.cluster([1])
    let level1 = builder.inner(depth: 1, count: 1, offsets: nil, [leaf])
    let wrong = [
      builder.inner(depth: 2, count: 1, offsets: nil, [leaf]),
      builder.inner(depth: 1, count: 1, offsets: nil, [level1]),
      builder.inner(depth: 3, count: 1, offsets: nil, [level1]),
      builder.inner(depth: 0, count: 1, offsets: nil, [leaf]),
      builder.inner(depth: 8, count: 1, offsets: nil, [leaf]),
      builder.inner(depth: 1, count: 1, offsets: nil, []),
      builder.inner(depth: 1, count: 2, offsets: [0], [leaf, leaf], offsetWidth: 8),
      builder.inner(depth: 1, count: 1 << 50, offsets: nil, [leaf]),
      builder.bytes.refs([
        RealmBytes.tagged(257), Int64(builder.bytes.integers([Int64](repeating: 1, count: 257))),
      ]),
      builder.bytes.refs([RealmBytes.tagged(2), Int64(builder.bytes.integers([1]))]),
      builder.bytes.refs([RealmBytes.tagged(1)]),
      builder.bytes.refs([RealmBytes.tagged(1), 0]),
      builder.bytes.refs([-8, 0]),
      builder.bytes.integers([1, 2]),
    ]
    for root in wrong {
      var copy = builder
      #expect(Self.failure(&copy, root) == .damaged, "\(root)")
    }
  }

  @Test("keys that do not rise from cluster to cluster are damage")
  func order() throws {
    var builder = Builder()
    let root = builder.inner(
      depth: 1, count: 2, offsets: [0, 0], [builder.cluster([1]), builder.cluster([2])])
    #expect(Self.failure(&builder, root) == .damaged)
  }
}
