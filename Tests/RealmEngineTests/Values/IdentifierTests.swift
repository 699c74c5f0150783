import ByteText
import RealmEngine
import TestSupport
import Testing

private func objectID(bytes: [UInt8]) -> ObjectID? { ObjectID(bytes: bytes.span) }
private func objectID(_ text: String) -> ObjectID? { ObjectID(text: Array(text.utf8).span) }
private func uuid(bytes: [UInt8]) -> UUIDValue? { UUIDValue(bytes: bytes.span) }
private func uuid(_ text: String) -> UUIDValue? { UUIDValue(text: Array(text.utf8).span) }

@Suite("ObjectID and UUIDValue")
struct IdentifierTests {
  @Test("an object identifier keeps its bytes, in text and out of it")
  func objectIDForms() throws {
    let bytes: [UInt8] = [0x5f, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x80, 0x90, 0xab, 0xff]
    let value = try #require(objectID(bytes: bytes))
    #expect((0..<12).map { value[$0] } == bytes)
    var text = ByteBuffer()
    value.write(to: &text)
    #expect(text.text == "5f010203040506078090abff")
    #expect(objectID(text.text) == value)
    #expect(objectID("5F010203040506078090ABFF") == value)
    #expect(objectID(bytes: [1, 2, 3]) == nil)
    for malformed in ["", "5f010203040506078090abf", "5f010203040506078090abfg", "5f01020304050607 090abff"] {
      #expect(objectID(malformed) == nil)
    }
  }

  @Test("a UUID keeps its bytes, in text and out of it")
  func uuidForms() throws {
    let bytes: [UInt8] = [
      0x12, 0x3e, 0x45, 0x67, 0xe8, 0x9b, 0x12, 0xd3, 0xa4, 0x56, 0x42, 0x66, 0x14, 0x17, 0x40, 0x00,
    ]
    let value = try #require(uuid(bytes: bytes))
    #expect((0..<16).map { value[$0] } == bytes)
    var text = ByteBuffer()
    value.write(to: &text)
    #expect(text.text == "123e4567-e89b-12d3-a456-426614174000")
    #expect(uuid(text.text) == value)
    #expect(uuid("123E4567-E89B-12D3-A456-426614174000") == value)
    for malformed in [
      "", "123e4567e89b12d3a456426614174000", "123e4567-e89b-12d3-a456-42661417400",
      "123e4567-e89b-12d3-a456-42661417400x", "123e4567-e89b-12d3-a4564-26614174000",
    ] {
      #expect(uuid(malformed) == nil)
    }
  }

  @Test("identifiers are ordered bytewise")
  func order() throws {
    let seed = testSeed()
    var random = SplitMix64(state: seed)
    for _ in 0..<500 {
      let pair = (0..<2).map { _ in (0..<16).map { _ in UInt8.random(in: 0...2, using: &random) } }
      let uuids = try pair.map { try #require(uuid(bytes: $0)) }
      #expect((uuids[0] < uuids[1]) == pair[0].lexicographicallyPrecedes(pair[1]), "seed \(seed)")
      let objectIDs = try pair.map { try #require(objectID(bytes: Array($0.prefix(12)))) }
      #expect(
        (objectIDs[0] < objectIDs[1]) == pair[0].prefix(12).lexicographicallyPrecedes(pair[1].prefix(12)),
        "seed \(seed)")
    }
  }
}
