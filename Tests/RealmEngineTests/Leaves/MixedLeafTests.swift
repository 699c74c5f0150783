import RealmEngine
import TestSupport
import Testing

@Suite("Leaves of mixed values")
struct MixedLeafTests {
  private static let layout = LeafLayout(type: .mixed, isNullable: true)

  /// Places: 0 inline, 1 integers, 2 pairs, 3 strings, 4 collections.
  private static func composite(_ type: Int64, place: Int64, _ payload: Int64) -> Int64 {
    payload << 8 | place << 5 | (type + 1)
  }

  /// A leaf with the given composites and generous payload arrays.
  private static func leaf(_ bytes: inout RealmBytes, _ composites: [Int64], slotCount: Int = 6) -> Int {
    let double = Int64(bitPattern: (2.5).bitPattern)
    let integers = bytes.integers([1 << 40, double, Int64(Float(0.5).bitPattern), 9])
    // A date, the decimal 1.25, a link, a link to what does not exist.
    let pairs = bytes.integers([77, 5, 125, 6174 << 49, 3, 7, 3, -2])
    let identifier = (0..<12).map { UInt8($0) }
    let texts = bytes.smallBlobs(
      [Array("text".utf8), identifier, (0..<16).map { UInt8($0) }], terminator: true)
    let elements = bytes.refs(to: [bytes.integers([composite(0, place: 0, 4)]), 0, 0, 0])
    let collections = bytes.refs(to: [elements, 0])
    let arrays = [bytes.integers(composites), integers, pairs, texts, collections, 0]
    return bytes.refs(to: Array(arrays[..<slotCount]))
  }

  @Test("every type reads back from its place")
  func types() throws {
    var bytes = RealmBytes()
    let table = try #require(TableKey(3))
    let leaf = Self.leaf(
      &bytes,
      [
        0, Self.composite(0, place: 0, -5), Self.composite(0, place: 1, 0), Self.composite(1, place: 0, 1),
        Self.composite(9, place: 1, 2), Self.composite(10, place: 1, 1), Self.composite(2, place: 3, 0),
        Self.composite(4, place: 3, 0), Self.composite(8, place: 2, 0), Self.composite(11, place: 2, 1),
        Self.composite(16, place: 2, 2), Self.composite(16, place: 2, 3), Self.composite(12, place: 1, 3),
        Self.composite(21, place: 4, 1),
      ])
    let decimal = try #require(decimal128("1.25"))
    let expected: [Value] = [
      .null, .int(-5), .int(1 << 40), .bool(true), .float(0.5), .double(2.5), .string(ByteString("text")),
      .data(ByteString("text")), .date(Timestamp(seconds: 77, nanoseconds: 5)), .decimal(decimal),
      .link(ObjectLink(table: table, key: ObjectKey(7))), .null,
      .link(ObjectLink(table: table, key: ObjectKey(9))), .dictionary(NestedCollection(rootOffset: 0)),
    ]
    #expect(try bytes.values(leaf, Self.layout, target: table) == expected)
  }

  @Test("identifiers and collections read back, and leaves of four slots have none")
  func parts() throws {
    var bytes = RealmBytes()
    let composites = [
      Self.composite(15, place: 3, 1), Self.composite(17, place: 3, 2), Self.composite(19, place: 4, 0),
    ]
    let leaf = Self.leaf(&bytes, composites)
    let values = try bytes.values(leaf, Self.layout)
    #expect(values[0] == .objectID(ObjectID(high: 0x0001_0203_0405_0607, low: 0x0809_0A0B)))
    #expect(values[1] == .uuid(UUIDValue(high: 0x0001_0203_0405_0607, low: 0x0809_0A0B_0C0D_0E0F)))
    guard case .list(let list) = values[2] else { throw EngineError(.other, "no list") }
    var elements: [Value] = []
    try bytes.snapshot().forEachElement(ofNested: list) { value in
      elements.append(value)
      return true
    }
    #expect(elements == [.int(4)])
    let old = Self.leaf(&bytes, [Self.composite(0, place: 0, 1)], slotCount: 4)
    #expect(try bytes.values(old, Self.layout) == [.int(1)])
    let nested = Self.leaf(&bytes, [Self.composite(19, place: 4, 0)], slotCount: 4)
    #expect(try bytes.failure(nested, Self.layout) == .damaged)
  }

  @Test("payloads outside their arrays, wrong places and unknown types are damage")
  func hostile() throws {
    let wrong = [
      Self.composite(0, place: 1, 4), Self.composite(0, place: 1, -1), Self.composite(2, place: 3, 3),
      Self.composite(8, place: 2, 4), Self.composite(19, place: 4, 2), Self.composite(2, place: 0, 0),
      Self.composite(5, place: 0, 0), Self.composite(7, place: 1, 0), Self.composite(30, place: 0, 0),
      Self.composite(0, place: 7, 0), Self.composite(20, place: 4, 0), Self.composite(15, place: 3, 0),
      Self.composite(18, place: 0, 0), Self.composite(14, place: 1, 0),
    ]
    for composite in wrong {
      var bytes = RealmBytes()
      let leaf = Self.leaf(&bytes, [composite])
      #expect(try bytes.failure(leaf, Self.layout) == .damaged, "\(String(composite, radix: 16))")
    }
    var bytes = RealmBytes()
    let threeSlots = Self.leaf(&bytes, [0], slotCount: 3)
    #expect(try bytes.failure(threeSlots, Self.layout) == .damaged)
  }
}
