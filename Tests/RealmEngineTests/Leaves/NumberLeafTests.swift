import ByteText
import RealmEngine
import TestSupport
import Testing

@Suite("Leaves of numbers")
struct NumberLeafTests {
  private static func layout(_ type: ValueType, nullable: Bool = true) -> LeafLayout {
    LeafLayout(type: type, isNullable: nullable)
  }

  private static func littleEndian<T: FixedWidthInteger>(_ values: [T]) -> [UInt8] {
    values.flatMap { value in
      (0..<T.bitWidth / 8).map { UInt8(truncatingIfNeeded: value >> T($0 * 8)) }
    }
  }

  @Test(
    "the first element of a nullable leaf of integers is what null looks like",
    arguments: [1, 2, 4, 8, 16, 32])
  func nullableIntegers(width: Int) throws {
    let sentinel = PackedIntegers.upperBound(width: width)
    var bytes = RealmBytes()
    let leaf = bytes.integers([sentinel, 0, sentinel, sentinel - 1], width: width)
    #expect(
      try bytes.values(leaf, Self.layout(.int)) == [.int(0), .null, .int(sentinel - 1)])
    #expect(
      try bytes.values(leaf, Self.layout(.int, nullable: false))
        == [.int(sentinel), .int(0), .int(sentinel), .int(sentinel - 1)])
  }

  @Test("64-bit null is any number, and a leaf of width 0 is all null")
  func nullableIntegersAtTheEdges() throws {
    var bytes = RealmBytes()
    let wide = bytes.integers([42, .min, 42, .max], width: 64)
    let none = bytes.integers([0, 0, 0], width: 0)
    let empty = bytes.integers([])
    #expect(try bytes.values(wide, Self.layout(.int)) == [.int(.min), .null, .int(.max)])
    #expect(try bytes.values(none, Self.layout(.int)) == [.null, .null])
    #expect(try bytes.failure(empty, Self.layout(.int)) == .damaged)
    #expect(try bytes.failure(wide, Self.layout(.int), rowCount: 4) == .damaged)
  }

  @Test("booleans are 0, 1 and, for null, 3")
  func booleans() throws {
    var bytes = RealmBytes()
    let leaf = bytes.integers([0, 1, 3])
    #expect(try bytes.values(leaf, Self.layout(.bool)) == [.bool(false), .bool(true), .null])
  }

  @Test("floats and doubles have one NaN that means null; every other is a value")
  func floatingPoint() throws {
    var bytes = RealmBytes()
    let floats = bytes.elements(
      Self.littleEndian([Float(1.5).bitPattern, 0x7FC0_00AA, 0x7FC0_0000]), width: 4)
    let doubles = bytes.elements(
      Self.littleEndian([(-0.0).bitPattern, 0x7FF8_0000_0000_00AA, 0x7FF8_0000_0000_0000]), width: 8)
    let floatValues = try bytes.values(floats, Self.layout(.float))
    #expect(floatValues[0] == .float(1.5) && floatValues[1] == .null)
    guard case .float(let nan) = floatValues[2] else { throw EngineError(.other, "no float") }
    #expect(nan.isNaN)
    let doubleValues = try bytes.values(doubles, Self.layout(.double))
    guard case .double(let zero) = doubleValues[0] else { throw EngineError(.other, "no double") }
    #expect(zero.sign == .minus && doubleValues[1] == .null)
    #expect(try bytes.failure(floats, Self.layout(.double)) == .damaged)
    #expect(try bytes.failure(doubles, Self.layout(.float)) == .damaged)
  }

  @Test("dates are nullable seconds beside nanoseconds, which are brought into range")
  func dates() throws {
    var bytes = RealmBytes()
    let seconds = bytes.integers([127, 5, 127, -3], width: 8)
    let nanoseconds = bytes.integers([7, 0, -4_000_000_000])
    let leaf = bytes.refs(to: [seconds, nanoseconds])
    #expect(
      try bytes.values(leaf, Self.layout(.date)) == [
        .date(Timestamp(seconds: 5, nanoseconds: 7)), .null,
        .date(Timestamp(seconds: -3, nanoseconds: -999_999_999)),
      ])
    let unequal = bytes.refs(to: [seconds, bytes.integers([7, 0])])
    #expect(try bytes.failure(unequal, Self.layout(.date)) == .damaged)
    let missing = bytes.refs([Int64(seconds), 0])
    #expect(try bytes.failure(missing, Self.layout(.date)) == .damaged)
  }

  @Test("decimals have 0, 4, 8 or 16 bytes")
  func decimals() throws {
    let zero = Value.decimal(try #require(decimal128("0")))
    let quarters = Value.decimal(try #require(decimal128("1.25")))
    var bytes = RealmBytes()
    let allNull = bytes.elements([], width: 0, count: 2)
    let allZero = bytes.elements([], width: 0, context: true, count: 2)
    // 1.25 and null, as the format's text gives them.
    let narrow = bytes.elements([0x7D, 0, 0x80, 0x31, 0xAA, 0, 0, 0x7C], width: 4)
    let middle = bytes.elements(
      Self.littleEndian([UInt64(396) << 53 | 125, 0x7C00_0000_0000_00AA]), width: 8)
    let wide = bytes.elements(
      Self.littleEndian([UInt64(125), UInt64(6174) << 49, 0xAA, 0x7C00_0000_0000_0000]), width: 16)
    #expect(try bytes.values(allNull, Self.layout(.decimal128)) == [.null, .null])
    #expect(try bytes.values(allZero, Self.layout(.decimal128)) == [zero, zero])
    for leaf in [narrow, middle, wide] {
      #expect(try bytes.values(leaf, Self.layout(.decimal128)) == [quarters, .null])
    }
    let odd = bytes.elements([0, 0], width: 2)
    #expect(try bytes.failure(odd, Self.layout(.decimal128)) == .damaged)
  }

  @Test("identifiers stand in blocks of eight behind a byte of null bits")
  func identifiers() throws {
    var bytes = RealmBytes()
    let elements = (0..<9).map { element in (0..<12).map { UInt8(element * 16 + $0) } }
    let payload = [0b0000_0100] + elements[..<8].flatMap { $0 } + [0b1] + elements[8]
    let leaf = bytes.node(kind: 1, widthCode: 1, count: payload.count, payload: payload)
    let values = try bytes.values(leaf, Self.layout(.objectID))
    #expect(values.count == 9 && values[2] == .null && values[8] == .null)
    let element = elements[1]
    let second = ObjectID(bytes: element.span)
    #expect(values[1] == .objectID(try #require(second)))
    let odd = bytes.node(kind: 1, widthCode: 1, count: 14, payload: [UInt8](repeating: 0, count: 14))
    #expect(try bytes.failure(odd, Self.layout(.objectID)) == .damaged)
    let empty = bytes.node(kind: 1, widthCode: 0, count: 0, payload: [])
    #expect(try bytes.values(empty, Self.layout(.uuid)) == [])
  }

  @Test("links are keys plus one in columns and keys in collections; what does not exist reads as null")
  func links() throws {
    let target = try #require(TableKey(3))
    func link(_ key: Int64) -> Value { .link(ObjectLink(table: target, key: ObjectKey(key))) }
    var bytes = RealmBytes()
    let leaf = bytes.integers([0, 1, 8, -3])
    #expect(
      try bytes.values(leaf, Self.layout(.object), target: target) == [.null, link(0), link(7), .null])
    let elements = LeafLayout(type: .object, isNullable: false, isInCollection: true)
    #expect(try bytes.values(leaf, elements, target: target) == [link(0), link(1), link(8), .null])
    let typed = bytes.integers([4, 8, 0, 0, 4, -1])
    #expect(try bytes.values(typed, Self.layout(.typedLink)) == [link(7), .null, .null])
    let odd = bytes.integers([4, 8, 0])
    #expect(try bytes.failure(odd, Self.layout(.typedLink)) == .damaged)
  }

  @Test("incoming links are none, one key, or a list")
  func backlinks() throws {
    var bytes = RealmBytes()
    let list = bytes.integers([5, 9])
    let leaf = bytes.refs([0, RealmBytes.tagged(7), Int64(list)])
    let opened = try bytes.snapshot().leaf(
      try bytes.ref(leaf), LeafLayout(type: .backlink, isNullable: false), rowCount: 3)
    guard case .backlinks(let backlinks) = opened else { throw EngineError(.other, "no incoming links") }
    guard case .none = try backlinks[0], case .one(let key) = try backlinks[1],
      case .many(let ref) = try backlinks[2]
    else { throw EngineError(.other, "wrong forms") }
    #expect(key == ObjectKey(7) && ref.offset == list)
  }
}
