import RealmEngine
import TestSupport
import Testing

@Suite("Nodes")
struct NodeTests {
  @Test("integers of every width read back", arguments: [0, 1, 2, 4, 8, 16, 32, 64])
  func widths(width: Int) throws {
    let low: Int64 = width < 8 ? 0 : width == 64 ? .min : -1 << Int64(width - 1)
    let high: Int64 = width == 0 ? 0 : width < 8 ? (1 << Int64(width)) - 1 : Int64.max >> Int64(64 - width)
    let values = [low, high, 0, high / 2, low / 2, high, low, high / 3, 0]
    var bytes = RealmBytes()
    let leaf = bytes.integers(values, width: width)
    let node = try bytes.snapshot().integersNode(try bytes.ref(leaf))
    #expect((0..<node.count).map { node.integers[$0] } == values)
    #expect(node.byteSize == 8 + (values.count * width + 63) / 64 * 8)
    #expect(PackedIntegers.upperBound(width: width) == high)
    #expect(PackedIntegers.lowerBound(width: width) == low)
  }

  @Test("key arrays are unsigned from 8 bits on")
  func unsigned() throws {
    var bytes = RealmBytes()
    let leaf = bytes.integers([-1, -128, 127], width: 8)
    let node = try bytes.snapshot().integersNode(try bytes.ref(leaf))
    #expect((0..<3).map { node.integers.unsigned($0) } == [255, 128, 127])
  }

  @Test("a header survives being taken apart and put together")
  func header() throws {
    for flags in [UInt8(0x00), 0x45, 0x0D, 0x11, 0x65, 0xC6, 0x07] {
      var bytes = RealmBytes()
      let ref = bytes.node(
        inner: flags & 0x80 != 0, refs: flags & 0x40 != 0, context: flags & 0x20 != 0, kind: flags >> 3 & 3,
        widthCode: flags & 7, count: 3, payload: [UInt8](repeating: 0, count: 64))
      let node = try bytes.snapshot().node(try bytes.ref(ref))
      let stored = bytes.bytes[ref..<ref + 8].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      #expect(node.header.word == stored)
    }
  }

  @Test("a node that is not whole, or of a kind that no format has, is damage")
  func hostile() throws {
    var bytes = RealmBytes()
    let short = bytes.node(widthCode: 7, count: 1000, payload: [0, 0, 0, 0, 0, 0, 0, 0])
    let huge = bytes.node(kind: 1, widthCode: 7, count: 0xFF_FFFF, payload: [])
    let unknown = bytes.node(kind: 3, widthCode: 1, count: 0, payload: [])
    let snapshot = try bytes.snapshot()
    for offset in [short, huge, unknown, 8, 16, bytes.bytes.count, bytes.bytes.count + 800, Int.max & ~7] {
      let ref = try bytes.ref(offset)
      #expect(throws: EngineError.self, "\(offset)") { try snapshot.node(ref) }
    }
    #expect(Ref(0) == nil && Ref(-8) == nil && Ref(12) == nil)
  }

  @Test("a node of width 0 may count millions without a byte behind them")
  func countWithoutBytes() throws {
    var bytes = RealmBytes()
    let ref = bytes.node(widthCode: 0, count: 0xFF_FFFF, payload: [])
    let node = try bytes.snapshot().integersNode(try bytes.ref(ref))
    #expect(node.count == 0xFF_FFFF && node.byteSize == 8 && node.integers[0xFF_FFFE] == 0)
  }

  @Test("slots say what is wrong with them")
  func slots() throws {
    var bytes = RealmBytes()
    let child = bytes.integers([7])
    let ref = bytes.refs([Int64(child), RealmBytes.tagged(5), 0, -16, 12])
    let node = try bytes.snapshot().refsNode(try bytes.ref(ref))
    #expect(try node.ref(0)?.offset == child)
    #expect(try node.tagged(1) == 5 && node.tagged(2) == 0)
    #expect(try node.ref(2) == nil && node.taggedOrZero(99) == 0 && node.refIfPresent(99) == nil)
    #expect(throws: EngineError.self) { try node.requiredRef(2) }
    #expect(throws: EngineError.self) { try node.ref(1) }
    #expect(throws: EngineError.self) { try node.ref(3) }
    #expect(throws: EngineError.self) { try node.ref(4) }
    #expect(throws: EngineError.self) { try node.tagged(0) }
    #expect(throws: EngineError.self) { try node.slot(5) }
    let leaf = bytes.integers([1, 2])
    let snapshot = try bytes.snapshot()
    let leafRef = try bytes.ref(leaf)
    #expect(throws: EngineError.self) { try snapshot.refsNode(leafRef) }
  }

  @Test("a tagged number is 63 bits, whatever the width it is stored in")
  func taggedWidths() throws {
    var bytes = RealmBytes()
    let narrow = bytes.integers([-1], width: 8, refs: true)
    let wide = bytes.refs([RealmBytes.tagged(0x4000_0000)])
    let snapshot = try bytes.snapshot()
    #expect(try snapshot.refsNode(try bytes.ref(narrow)).tagged(0) == Int64.max)
    #expect(try snapshot.refsNode(try bytes.ref(wide)).tagged(0) == 0x4000_0000)
  }
}
