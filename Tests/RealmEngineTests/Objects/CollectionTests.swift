import RealmEngine
import TestSupport
import Testing

@Suite("Collections")
struct CollectionTests {
  private static func property(type: Int64, attributes: Int64) throws -> (RealmBytes, Property) {
    var bytes = RealmBytes()
    let leaf = bytes.refs([0])
    let column = RealmBytes.Column(
      "c", key: RealmBytes.columnKey(0, type: type, attributes: attributes), leaf: leaf, oppositeTable: 0)
    let clusters = bytes.cluster(rowCount: 1, leaves: [leaf])
    let table = bytes.table(slot: 0, columns: [column], clusters: clusters)
    let top = bytes.top(["class_T"], tables: [table])
    let opened = try database(bytes.file(top: top)).transaction.table(named: "T")
    return (bytes, try #require(opened?.schema.properties[0]))
  }

  @Test("lists and sets of links leave out what does not exist")
  func unresolvedLinks() throws {
    let list: Int64 = 32
    var (bytes, property) = try Self.property(type: 12, attributes: list)
    let root = bytes.integers([4, -2, 0, -9, 4])
    var keys: [Int64] = []
    try bytes.snapshot().forEachElement(of: property, at: try bytes.ref(root)) { value in
      if case .link(let link) = value { keys.append(link.key.value) } else { keys.append(-1) }
      return true
    }
    #expect(keys == [4, 0, 4])
  }

  @Test("the old type of link lists is a list of links")
  func oldLinkLists() throws {
    let (_, property) = try Self.property(type: 13, attributes: 32)
    #expect(property.type == .object && property.collection == .list)
  }

  /// A mixed leaf of small integers.
  private static func numbers(_ bytes: inout RealmBytes, _ values: [Int64]) -> Int {
    bytes.refs([Int64(bytes.integers(values.map { $0 << 8 | 1 })), 0, 0, 0, 0, 0])
  }

  @Test("dictionaries of formats 23 and 24 are parallel trees of keys and values")
  func parallelTrees() throws {
    let dictionary: Int64 = 64
    var (bytes, property) = try Self.property(type: 0, attributes: dictionary)
    let root = bytes.refs(to: [bytes.shortTexts(["a", "b"], width: 4), Self.numbers(&bytes, [7, 8])])
    let short = bytes.refs(to: [bytes.shortTexts(["a", "b"], width: 4), Self.numbers(&bytes, [7])])
    let empty = bytes.refs([0, 0])
    for format in [23, 24] {
      let entries = try bytes.snapshot(format: format).entries(of: property, at: try bytes.ref(root))
      #expect(entries.map(\.key) == [.string(ByteString("a")), .string(ByteString("b"))])
      #expect(entries.map(\.value) == [.int(7), .int(8)])
    }
    #expect(try bytes.snapshot().entries(of: property, at: try bytes.ref(empty)).isEmpty)
    let snapshot = try bytes.snapshot()
    let shortRef = try bytes.ref(short)
    #expect(throws: EngineError.self) { try snapshot.entries(of: property, at: shortRef) }
  }

  @Test("dictionaries of formats 21 and 22 are cluster trees of entries")
  func clusterTrees() throws {
    var (bytes, property) = try Self.property(type: 0, attributes: 64)
    let keys = bytes.shortTexts(["x", "a"], width: 4)
    let values = Self.numbers(&bytes, [7, 8])
    let hashes = bytes.integers([0x1234, 0x7FFF_0000], width: 64)
    let root = bytes.refs(to: [hashes, keys, values])
    for format in [21, 22] {
      let entries = try bytes.snapshot(format: format).entries(of: property, at: try bytes.ref(root))
      #expect(entries.map(\.key) == [.string(ByteString("x")), .string(ByteString("a"))])
      #expect(entries.map(\.value) == [.int(7), .int(8)])
    }
    let missing = bytes.refs(to: [hashes, keys])
    let snapshot = try bytes.snapshot(format: 22)
    let missingRef = try bytes.ref(missing)
    #expect(throws: EngineError.self) { try snapshot.entries(of: property, at: missingRef) }
  }
}
