import RealmEngine
import TestSupport
import Testing

@Suite("Leaves of text and data")
struct TextLeafTests {
  private static let text = LeafLayout(type: .string, isNullable: true)
  private static let data = LeafLayout(type: .data, isNullable: true)

  private static func texts(_ values: [String?]) -> [Value] {
    values.map { $0.map { .string(ByteString($0)) } ?? .null }
  }

  @Test("short texts are padded to one width", arguments: [1, 2, 4, 8, 16, 32, 64])
  func short(width: Int) throws {
    let longest = String(repeating: "x", count: width - 1)
    let values = ["", nil, longest, String(longest.dropLast())]
    var bytes = RealmBytes()
    let leaf = bytes.shortTexts(values, width: width)
    #expect(try bytes.values(leaf, Self.text) == Self.texts(values))
  }

  @Test("texts of width 0 are null; padding longer than the element is damage")
  func shortAtTheEdges() throws {
    var bytes = RealmBytes()
    let none = bytes.node(kind: 1, widthCode: 0, count: 3, payload: [])
    let wrong = bytes.node(kind: 1, widthCode: 3, count: 1, payload: [0, 0, 0, 5])
    #expect(try bytes.values(none, Self.text) == [.null, .null, .null])
    #expect(try bytes.failure(wrong, Self.text) == .damaged)
  }

  @Test("middle-sized texts share a blob, each with a zero byte behind it")
  func medium() throws {
    let values: [String?] = ["a text of more than fifteen bytes", nil, "", "with\0zero"]
    var bytes = RealmBytes()
    let leaf = bytes.smallBlobs(values.map { $0.map { Array($0.utf8) } }, terminator: true)
    #expect(try bytes.values(leaf, Self.text) == Self.texts(values))
  }

  @Test("big texts and data have a blob each, in one piece or in chunks")
  func big() throws {
    var bytes = RealmBytes()
    let long = Array(repeating: UInt8(ascii: "z"), count: 100)
    let chunks = [bytes.blob(Array(long[..<60])), bytes.blob(Array(long[60...]) + [0])]
    let joined = bytes.refs(to: chunks, context: true)
    let whole = bytes.blob(Array("whole".utf8) + [0])
    let leaf = bytes.refs([Int64(joined), 0, Int64(whole), Int64(bytes.blob([]))], context: true)
    #expect(
      try bytes.values(leaf, Self.text)
        == Self.texts([String(repeating: "z", count: 100), nil, "whole", ""]))
    let values = try bytes.values(leaf, Self.data)
    #expect(values[0] == .data(ByteString(copying: long + [0])) && values[1] == .null)
    #expect(values[2] == .data(ByteString("whole\0")))
  }

  @Test("small data has no zero byte behind it; null and empty are told apart")
  func smallData() throws {
    var bytes = RealmBytes()
    let leaf = bytes.smallBlobs([[1, 2, 0], nil, []], terminator: false)
    #expect(
      try bytes.values(leaf, Self.data) == [
        .data(ByteString(copying: [1, 2, 0])), .null, .data(ByteString(copying: [] as [UInt8])),
      ])
  }

  @Test("enumerated texts are numbers into the column's table")
  func enumerated() throws {
    var bytes = RealmBytes()
    let table = bytes.shortTexts(["red", nil, "green"], width: 8)
    let leaf = bytes.integers([2, 0, 1, 2])
    let wrong = bytes.integers([3])
    let snapshot = try bytes.snapshot()
    let texts = try snapshot.leaf(try bytes.ref(table), Self.text, rowCount: 3)
    guard case .strings(let strings) = texts else { throw EngineError(.other, "no texts") }
    let layout = LeafLayout(type: .string, isNullable: true, texts: EnumeratedTexts(leaves: [strings]))
    #expect(try bytes.values(leaf, layout) == Self.texts(["green", "red", nil, "green"]))
    #expect(try bytes.failure(wrong, layout) == .damaged)
    #expect(try bytes.failure(leaf, Self.text) == .damaged, "there is no table")
  }

  @Test("ends that fall, leave the blob or leave no room for the zero byte are damage")
  func hostileEnds() throws {
    for ends in [[3, 2], [3, 100], [-1, 3], [0, 3], [3, 3]] as [[Int64]] {
      var bytes = RealmBytes()
      let leaf = bytes.refs(
        to: [bytes.integers(ends), bytes.blob([97, 98, 0, 99, 0]), bytes.integers([0, 0])])
      #expect(try bytes.failure(leaf, Self.text) == .damaged, "\(ends)")
    }
  }

  @Test("leaves of other shapes are damage")
  func hostileShapes() throws {
    var bytes = RealmBytes()
    let numbers = bytes.integers([1, 2, 3])
    let inner = bytes.refs([RealmBytes.tagged(1), Int64(numbers), RealmBytes.tagged(3)], inner: true)
    let twoParts = bytes.refs(to: [numbers, numbers])
    let unequal = bytes.refs(to: [bytes.integers([1, 2]), bytes.blob([0, 0]), bytes.integers([0])])
    let noBlob = bytes.refs(to: [bytes.integers([1]), numbers, bytes.integers([0])])
    let notABlob = bytes.refs(to: [numbers], context: true)
    let taggedBlob = bytes.refs([RealmBytes.tagged(9)], context: true)
    for leaf in [numbers, inner, twoParts, unequal, noBlob, notABlob, taggedBlob] {
      #expect(try bytes.failure(leaf, Self.text) == .damaged, "\(leaf)")
    }
    #expect(try bytes.failure(numbers, Self.data) == .damaged)
  }

  @Test("chunks of a blob that name themselves are damage")
  func hostileChunks() throws {
    var bytes = RealmBytes()
    let ref = bytes.bytes.count
    let loop = bytes.refs([Int64(ref), Int64(ref)], context: true)
    let leaf = bytes.refs(to: [loop], context: true)
    #expect(try bytes.failure(leaf, Self.data) == .damaged)
  }

  @Test("chunks of a blob may stand in any order, but none in it twice")
  func repeatedChunks() throws {
    var bytes = RealmBytes()
    let chunks = [bytes.blob([1, 2]), bytes.blob([3])]
    let falling = bytes.refs(to: [chunks[1], chunks[0]], context: true)
    let repeated = bytes.refs(to: [chunks[0], chunks[1], chunks[0]], context: true)
    let sound = bytes.refs(to: [falling], context: true)
    let hostile = bytes.refs(to: [repeated], context: true)
    #expect(try bytes.values(sound, Self.data) == [.data(ByteString(copying: [3, 1, 2]))])
    #expect(try bytes.failure(hostile, Self.data) == .damaged)
  }
}
